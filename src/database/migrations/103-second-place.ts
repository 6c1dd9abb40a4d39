import { sql, type Kysely } from 'kysely';

/** The key pair that seals copies, the place that gets them, and its objects by the hash of their own bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table backup_keys (
  id uuid primary key,
  recipient text not null,
  sealed_key text not null,
  secret bytea,
  made_at timestamptz not null,
  sheet_confirmed_at timestamptz,
  is_only boolean not null default true unique check (is_only)
);
create table backup_places (
  id uuid primary key,
  address text not null,
  endpoint text,
  region text,
  access_key_id text,
  secret bytea,
  is_from_settings boolean not null,
  set_at timestamptz not null,
  sent_at timestamptz,
  sent_number int,
  copies int not null default 0,
  problem text,
  is_only boolean not null default true unique check (is_only)
);
create table backup_objects (
  place text not null,
  sha256 text not null,
  name text not null,
  size bigint not null,
  primary key (place, sha256)
);
`,
    )
    .execute(db);
}
