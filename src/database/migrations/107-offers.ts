import { sql, type Kysely } from 'kysely';

/** A store's offers, which are priced with its menus at one version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table stores add column offers jsonb not null default '[]'`).execute(db);
}
