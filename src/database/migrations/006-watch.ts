import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores
  add column pause_when_unattended boolean not null default false,
  add column keep_guest_days integer default 90 check (keep_guest_days between 1 and 3650);

alter table orders add column forgotten_at timestamptz;

create table board_watches (
  store_id uuid primary key references stores (id) on delete cascade,
  seen_at timestamptz,
  lost_at timestamptz,
  paused_until timestamptz,
  warned_at timestamptz
);

create table order_watches (
  order_id uuid primary key references orders (id) on delete cascade,
  heard_at timestamptz,
  warned_at timestamptz
);

create table order_calls (
  order_id uuid not null references orders (id) on delete cascade,
  key bytea not null,
  at timestamptz not null,
  primary key (order_id, key)
);
create index order_calls_at on order_calls (at);
`,
    )
    .execute(db);
}
