import { sql, type Kysely } from 'kysely';

/** One row. A copy of the shop has its id, and so has the shop that is made from the copy. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table installation (
        is_only boolean primary key default true check (is_only),
        shop_id uuid not null default gen_random_uuid()
      )`,
    )
    .execute(db);
  await sql.raw('insert into installation default values').execute(db);
}
