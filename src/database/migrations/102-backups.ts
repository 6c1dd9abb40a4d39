import { sql, type Kysely } from 'kysely';

/**
 * Every try to copy the shop into its data folder, and since when the shop should have backups. Neither is in a copy:
 * they tell of this machine's disk.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table backups (
  id bigint generated always as identity primary key,
  step text not null check (step in ('waiting', 'copying', 'proving', 'ended')),
  began_at timestamptz not null,
  number int,
  made_at timestamptz,
  bytes bigint,
  state text check (state in ('unproven', 'good', 'damaged')),
  reason text check (reason in ('no_room', 'failed', 'interrupted', 'damaged')),
  detail text,
  removed_at timestamptz
);
create unique index backups_open on backups ((true)) where step <> 'ended';
create table backup_watches (
  is_only boolean primary key default true check (is_only),
  since timestamptz not null,
  told_at timestamptz
);
`,
    )
    .execute(db);
}
