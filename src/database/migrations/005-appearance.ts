import { type Kysely, sql } from 'kysely';

/** How a store looks to its customers, and who it is in law. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores
  add column accent_color text,
  add column cover text,
  add column company_number text;
`,
    )
    .execute(db);
}
