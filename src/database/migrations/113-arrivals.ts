import { sql, type Kysely } from 'kysely';

/** The time when a customer said that they are at the shop to collect their order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table orders add column arrived_at timestamptz').execute(db);
}
