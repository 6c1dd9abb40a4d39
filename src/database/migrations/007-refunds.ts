import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table orders add column refunded int not null default 0;

create table refunds (
  id uuid primary key,
  store_id uuid not null references stores,
  order_id uuid not null references orders on delete cascade,
  payment_id uuid references payments on delete cascade,
  key uuid not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  amount int not null check (amount > 0),
  currency text not null,
  tip int not null default 0,
  vat jsonb not null default '[]',
  lines jsonb not null default '[]',
  reason text not null,
  actor text not null,
  actor_id uuid,
  attempts int not null default 1,
  trading_day date not null,
  check_at timestamptz,
  created_at timestamptz not null,
  settled_at timestamptz,
  unique (order_id, key)
);
create index refunds_store on refunds (store_id, trading_day);
create index refunds_check on refunds (check_at) where check_at is not null;

alter table sandbox_payments add column refunded int not null default 0;
alter table sandbox_payments add column refuses text;
update sandbox_payments set refunded = amount where state = 'refunded';
create table sandbox_refunds (
  idempotency_key text primary key,
  reference text not null references sandbox_payments on delete cascade,
  amount int not null,
  created_at timestamptz not null
);
`,
    )
    .execute(db);
}
