import { sql, type Kysely } from 'kysely';

/**
 * The instances that share this database, each with what must be the same for all of them. `fault_told`: the fault that began
 * then was told to the owner's webhook.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table instances (
        id uuid primary key,
        store_id uuid,
        address text,
        redis text not null,
        heard_at timestamptz not null
      )`,
    )
    .execute(db);
  await sql.raw('alter table printers add column fault_told timestamptz').execute(db);
}
