import { type Kysely, sql } from 'kysely';

/** A key belongs to its caller and to one request. Rows with a key alone expire within two days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table order_calls
  add column caller text not null default '',
  add column request bytea,
  add column is_made boolean not null default true,
  drop constraint order_calls_pkey,
  add primary key (order_id, caller, key);
`,
    )
    .execute(db);
}
