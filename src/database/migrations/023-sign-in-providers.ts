import { sql, type Kysely } from 'kysely';

/** Sign-in providers set up in the office, what a sign-in is for, and sign-ins from the app. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table sign_in_providers (
  id uuid primary key,
  kind text not null check (kind in ('google', 'apple', 'other')),
  name text not null,
  issuer text not null unique,
  client_id text not null,
  team_id text,
  key_id text,
  sealed bytea,
  is_on boolean not null default false,
  tried_at timestamptz,
  problem text check (problem in ('away', 'no_provider', 'client_refused', 'return_refused', 'clock')),
  problem_since timestamptz,
  created_at timestamptz not null
);

-- The defaults are for instances of the last version, which know only the provider of the environment.
alter table social_attempts
  add column provider text not null default 'environment',
  add column purpose text not null default 'sign_in' check (purpose in ('sign_in', 'app', 'link', 'trial')),
  add column user_id uuid references users on delete cascade,
  add column app_challenge text,
  add column given_name text;

create table social_codes (
  code_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  challenge text not null,
  expires_at timestamptz not null
);
create index social_codes_expires on social_codes (expires_at);

create table given_names (
  issuer text not null,
  subject text not null,
  name text not null,
  expires_at timestamptz not null,
  primary key (issuer, subject)
);
create index given_names_expires on given_names (expires_at);

alter table identities
  add column id uuid not null default gen_random_uuid(),
  add column email text;
create unique index identities_id on identities (id);
`,
    )
    .execute(db);
}
