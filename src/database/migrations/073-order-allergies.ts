import { sql, type Kysely } from 'kysely';

/** The allergens that a customer confirmed at the checkout that they avoid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table orders add column allergies text[] not null default '{}';`).execute(db);
}
