import { sql, type Kysely } from 'kysely';

/** Real card payments: key sets, provider events in a chain, movements of money, bank transactions, payouts, disputes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores add column card_provider text check (card_provider in ('stripe'));

alter table order_mails drop constraint order_mails_kind_check;
alter table order_mails add constraint order_mails_kind_check
  check (kind in ('placed', 'accepted', 'rejected', 'cancelled', 'refunded', 'changed', 'late_hold', 'late_charge'));

alter table orders add column removed jsonb not null default '[]';
alter table orders add column removed_refunded int not null default 0;

create table payment_key_sets (
  id text primary key,
  provider text not null check (provider in ('stripe')),
  source text not null check (source in ('environment', 'typed')),
  mode text not null check (mode in ('test', 'live')),
  account text,
  account_name text,
  key_hint text not null,
  key_hash bytea not null,
  endpoint_id text,
  endpoint_url text,
  sealed bytea,
  problem jsonb,
  trial jsonb,
  heard_at timestamptz,
  check_at timestamptz,
  bank_check_at timestamptz,
  bank_read_at timestamptz,
  created_at timestamptz not null,
  replaced_at timestamptz,
  ended_at timestamptz
);
create unique index payment_key_sets_current on payment_key_sets (provider) where replaced_at is null;

create table payment_customers (
  user_id uuid not null references users on delete cascade,
  key_set text not null references payment_key_sets,
  customer text not null,
  created_at timestamptz not null,
  primary key (user_id, key_set)
);

alter table payments add column key_set text references payment_key_sets;
alter table payments add column intent text;
alter table payments add column method text;
alter table payments add column is_held boolean not null default true;
alter table payments add column held_until timestamptz;
alter table payments add column capture_amount int;
alter table payments add column captured int;
alter table payments add column attempts int not null default 1;
update payments set captured = amount where status in ('captured', 'refunded');
create index payments_intent on payments (intent) where intent is not null;
create index payments_unfinished on payments (key_set) where status in ('pending', 'authorised') or owed is not null;

alter table refunds add column provider_refund text;
alter table refunds drop constraint refunds_kind_check;
alter table refunds add constraint refunds_kind_check
  check (kind in ('asked', 'order_ended', 'at_provider', 'line_removed'));

alter table payment_events add column key_set text references payment_key_sets;
alter table payment_events add column type text;
alter table payment_events add column object text;
alter table payment_events add column account text;
alter table payment_events add column mode text;
alter table payment_events add column amount int;
alter table payment_events add column currency text;
alter table payment_events add column at timestamptz;
alter table payment_events add column payment_id uuid;
alter table payment_events add column reference text;
alter table payment_events add column tries int not null default 0;
alter table payment_events add column check_at timestamptz;
alter table payment_events add column handled_at timestamptz;
alter table payment_events add column outcome text;
alter table payment_events add column position bigint unique;
alter table payment_events add column hash bytea;
update payment_events set handled_at = received_at, outcome = 'applied';
create index payment_events_check on payment_events (check_at) where check_at is not null;
create index payment_events_unchained on payment_events (received_at, provider, id) where position is null;

create table payment_movements (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  payment_id uuid not null references payments on delete cascade,
  kind text not null check (kind in ('held', 'captured', 'released', 'refunded', 'refund_failed', 'disputed', 'dispute_won')),
  amount int not null,
  currency text not null,
  object text,
  at timestamptz not null,
  position bigint unique,
  hash bytea
);
create index payment_movements_payment on payment_movements (payment_id);
create index payment_movements_order on payment_movements (order_id);
create index payment_movements_unchained on payment_movements (id) where position is null;

create table payment_payouts (
  id text primary key,
  key_set text not null references payment_key_sets,
  amount int not null,
  currency text not null,
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'cancelled')),
  failure text,
  is_automatic boolean not null,
  arrives_on date not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  synced_at timestamptz
);
create index payment_payouts_arrival on payment_payouts (arrives_on desc, id desc);

create table payment_bank_entries (
  id text primary key,
  key_set text not null references payment_key_sets,
  payment_id uuid references payments on delete set null,
  order_id uuid references orders on delete set null,
  source text,
  kind text not null check (kind in (
    'charge', 'refund', 'refund_failed', 'dispute', 'dispute_won', 'fee', 'payout', 'payout_failed', 'other')),
  amount int not null,
  fee int not null,
  net int not null,
  currency text not null,
  created_at timestamptz not null,
  available_on date not null,
  payout_id text references payment_payouts
);
create index payment_bank_entries_order on payment_bank_entries (order_id);
create index payment_bank_entries_payment on payment_bank_entries (payment_id);
create index payment_bank_entries_payout on payment_bank_entries (payout_id);
create index payment_bank_entries_source on payment_bank_entries (source);

create table payment_disputes (
  id text primary key,
  key_set text not null references payment_key_sets,
  payment_id uuid not null references payments on delete cascade,
  order_id uuid not null references orders on delete cascade,
  store_id uuid not null references stores,
  amount int not null,
  currency text not null,
  reason text not null,
  status text not null check (status in (
    'inquiry_needs_response', 'inquiry_under_review', 'inquiry_closed', 'needs_response', 'under_review', 'won', 'lost')),
  respond_by timestamptz,
  remind_at timestamptz,
  created_at timestamptz not null,
  closed_at timestamptz,
  seen_at timestamptz not null
);
create index payment_disputes_remind on payment_disputes (remind_at) where remind_at is not null;
create index payment_disputes_order on payment_disputes (order_id);
create index payment_disputes_store on payment_disputes (store_id, created_at desc);

insert into payment_movements (id, order_id, payment_id, kind, amount, currency, at)
select gen_random_uuid(), order_id, payments.id, kind, moved, currency, updated_at
from payments,
  lateral (
    select sum(refunds.amount)::int as part from refunds where payment_id = payments.id and refunds.status = 'succeeded'
  ) as back,
  lateral (
    values
      ('held', case status when 'authorised' then amount end),
      ('captured', captured),
      ('refunded', case status when 'captured' then part when 'refunded' then captured end)
  ) as movement (kind, moved)
where moved is not null;

create table payment_refused_webhooks (
  hour timestamptz primary key,
  count int not null
);

alter table sandbox_payments add column captured int;
alter table sandbox_payments add column payment_id uuid;
alter table sandbox_payments add column is_held boolean not null default true;
update sandbox_payments set captured = amount where state in ('captured', 'refunded');
`,
    )
    .execute(db);
}
