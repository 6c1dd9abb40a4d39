import { sql, type Kysely } from 'kysely';

/** The time that a step promised; steps taken before have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table order_history add column promised_at timestamptz`.execute(db);
}
