import { sql, type Kysely } from 'kysely';

/** The step in which a backup is sent, since when the second place fails, and when its owner was told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table backups drop constraint backups_step_check,
  add constraint backups_step_check check (step in ('waiting', 'copying', 'proving', 'sending', 'ended'));
alter table backup_places add failed_at timestamptz, add told_at timestamptz;
`,
    )
    .execute(db);
}
