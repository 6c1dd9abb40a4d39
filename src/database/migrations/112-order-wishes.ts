import { sql, type Kysely } from 'kysely';

/** The wishes of an order. Earlier orders have the defaults. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table orders add column if_sold_out text not null default 'ring' check (if_sold_out in ('ring', 'remove')),
         add column cutlery boolean not null default false`,
    )
    .execute(db);
}
