import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table email_verifications (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  email text not null,
  expires_at timestamptz not null
);
create index email_verifications_user on email_verifications (user_id);

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

create table social_attempts (
  state_hash bytea primary key,
  secret_hash bytea not null,
  code_verifier text not null,
  nonce text not null,
  expires_at timestamptz not null
);
create index social_attempts_expires on social_attempts (expires_at);
`,
    )
    .execute(db);
}
