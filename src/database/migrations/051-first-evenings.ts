import { sql, type Kysely } from 'kysely';

/** Stores whose owner is shown what is left to do before the first order. Those that are there already are past it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table first_evenings (store_id uuid primary key references stores on delete cascade)`.execute(db);
}
