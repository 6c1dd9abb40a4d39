import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table app_releases (
  id uuid primary key,
  platform text not null,
  version text not null,
  download_url text not null,
  sha256 text not null,
  size bigint not null,
  notes text not null default '',
  created_at timestamptz not null,
  withdrawn_at timestamptz
);
create unique index app_releases_offered on app_releases (platform, version) where withdrawn_at is null;
`,
    )
    .execute(db);
}
