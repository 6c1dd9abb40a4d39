import { sql, type Kysely } from 'kysely';

/** On which devices people have signed in, so that they are told of a new one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table known_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null,
  user_agent text not null,
  created_at timestamptz not null,
  signed_in_at timestamptz not null,
  forgotten_at timestamptz,
  unique (user_id, token_hash)
);
create index known_devices_token on known_devices (token_hash);

alter table sign_ins add column known_device_id uuid references known_devices on delete set null;
create index sign_ins_known_device on sign_ins (known_device_id) where known_device_id is not null;
`,
    )
    .execute(db);
}
