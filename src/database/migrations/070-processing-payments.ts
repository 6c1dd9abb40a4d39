import { sql, type Kysely } from 'kysely';

/** A payment whose payer has paid on the page, and whose bank has not answered yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table payments add column is_processing boolean not null default false;`).execute(db);
}
