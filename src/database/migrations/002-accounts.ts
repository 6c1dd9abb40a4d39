import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);

create table throttles (
  key text primary key,
  attempts int not null,
  blocked_until timestamptz,
  expires_at timestamptz not null
);
create index throttles_expires on throttles (expires_at);

create index sign_ins_expires on sign_ins (expires_at);
create index orders_placed_by on orders (placed_by) where placed_by is not null;
`,
    )
    .execute(db);
}
