import { sql, type Kysely } from 'kysely';

/**
 * Whether a print's last paper says POSSIBLE DUPLICATE. Of earlier ones it is known by how often they were tried without the
 * printer's word: the last of these papers counts for the next one only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table prints add column is_marked boolean not null default false`.execute(db);
  await sql`
    update prints set is_marked = true
    where purpose in ('receipt', 'draft') and drawn_at is not null
      and unsure > case when status = 'unknown' then 1 else 0 end`.execute(db);
}
