import { sql, type Kysely } from 'kysely';

/** When an instance last asked a printer how it is, so that of several instances one asks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table printers add column asked_at timestamptz`.execute(db);
}
