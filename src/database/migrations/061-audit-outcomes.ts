import { sql, type Kysely } from 'kysely';

/** Lines of what staff tried and could not do: null for what was done. The change of a moment, however long the log is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_log add column outcome text check (outcome in ('refused', 'throttled', 'failed'))`.execute(
    db,
  );
}
