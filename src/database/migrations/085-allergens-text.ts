import { sql, type Kysely } from 'kysely';

/** The owner's own text on the page of allergens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table stores add column allergens_text text not null default ''`).execute(db);
}
