import { sql, type Kysely } from 'kysely';

/** The newest orders for which the provider refused a payment page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table payment_key_sets add column refused_pages jsonb not null default '[]'`).execute(db);
}
