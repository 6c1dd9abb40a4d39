import { sql, type Kysely } from 'kysely';

/** Tablets and browsers that are signed in as themselves, for one store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table devices (
  id uuid primary key,
  store_id uuid not null references stores on delete cascade,
  kind text not null,
  name text not null,
  station text not null default '',
  token_hash bytea not null unique,
  state jsonb not null default '{}',
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  revoked_at timestamptz
);
create index devices_of_store on devices (store_id);

create table device_codes (
  code_hash bytea primary key,
  store_id uuid not null references stores on delete cascade,
  name text not null,
  station text not null,
  expires_at timestamptz not null
);
create index device_codes_expires on device_codes (expires_at);
`,
    )
    .execute(db);
}
