import { sql, type Kysely } from 'kysely';

/** Signing in was the last time that a person showed who they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sign_ins add column proven_at timestamptz`.execute(db);
  await sql`update sign_ins set proven_at = created_at`.execute(db);
}
