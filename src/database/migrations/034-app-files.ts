import { sql, type Kysely } from 'kysely';

/** Apps whose files the shop has read itself, released in two steps; and which versions phones have. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table app_files (
  sha256 text primary key,
  size bigint not null,
  facts jsonb not null,
  created_at timestamptz not null
);

alter table app_releases
  add column facts jsonb,
  add column published_at timestamptz;
-- Until now a release was offered at once.
update app_releases set published_at = created_at;

create table app_installs (
  install_hash bytea not null,
  platform text not null,
  version text not null,
  seen_at timestamptz not null,
  primary key (install_hash, platform)
);
create index app_installs_seen on app_installs (seen_at);
`,
    )
    .execute(db);
}
