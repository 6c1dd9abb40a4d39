import { sql, type Kysely } from 'kysely';

/** Passkeys, codes of an app and recovery codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);

create table passkey_attempts (
  challenge text primary key,
  user_id uuid references users on delete cascade,
  expires_at timestamptz not null
);
create index passkey_attempts_expires on passkey_attempts (expires_at);
create index passkey_attempts_of_user on passkey_attempts (user_id) where user_id is not null;

create table totp_secrets (
  id uuid primary key,
  user_id uuid not null unique references users on delete cascade,
  sealed bytea,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step integer not null default 0
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  nonce bytea not null,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
`,
    )
    .execute(db);
}
