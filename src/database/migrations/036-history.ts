import { sql, type Kysely } from 'kysely';

/**
 * What reads of the past use: words to search, sums per customer, takings per trading day. Triggers keep them, because
 * instances of the release before still write orders. Nothing here waits for the rows: 037 fills the tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table order_search (
  order_id uuid primary key,
  store_id uuid not null,
  trading_day date not null,
  created_at timestamptz not null,
  number int not null,
  name text not null,
  digits text not null
);

create function national_digits(phone text) returns text language sql immutable
return regexp_replace(regexp_replace(coalesce(phone, ''), '\\D', '', 'g'), '^(0044|44|0)', '');

create function keep_new_order_search() returns trigger language plpgsql as $$
begin
  insert into order_search (order_id, store_id, trading_day, created_at, number, name, digits)
  select id, store_id, trading_day, created_at, number, coalesce(contact->>'name', ''), national_digits(contact->>'phone')
  from added;
  return null;
end $$;

create function keep_order_search() returns trigger language plpgsql as $$
begin
  update order_search set trading_day = new.trading_day, number = new.number, name = coalesce(new.contact->>'name', ''),
    digits = national_digits(new.contact->>'phone')
  where order_id = new.id;
  return null;
end $$;

create function drop_order_search() returns trigger language plpgsql as $$
begin
  delete from order_search where order_id = old.id;
  return null;
end $$;

create trigger order_search_removed after delete on orders for each row execute function drop_order_search();
create trigger order_search_added after insert on orders referencing new table as added
for each statement execute function keep_new_order_search();
create trigger order_search_changed after update on orders for each row
when (old.contact is distinct from new.contact or old.trading_day <> new.trading_day or old.number <> new.number)
execute function keep_order_search();

create table customer_sums (
  user_id uuid primary key references users on delete cascade,
  orders int not null default 0,
  spent bigint not null default 0,
  last_order_at timestamptz not null default '-infinity'
);

create function count_customer(customer uuid) returns void language plpgsql as $$
begin
  insert into customer_sums (user_id) select id from users where id = customer on conflict do nothing;
  -- Counted only with the row locked: a statement sees what was committed before it began.
  perform from customer_sums where user_id = customer for update;
  update customer_sums set (orders, spent, last_order_at) = (
    select count(*), coalesce(sum(total) filter (where status in ('delivered', 'collected')), 0),
      coalesce(max(created_at), '-infinity')
    from orders where customer_id = customer)
  where user_id = customer;
end $$;

create function keep_customer_sums() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.customer_id is not null then perform count_customer(old.customer_id); end if;
  if tg_op <> 'DELETE' and new.customer_id is not null
    and (tg_op = 'INSERT' or new.customer_id is distinct from old.customer_id)
  then perform count_customer(new.customer_id); end if;
  return null;
end $$;

-- At the commit, when the change holds every other lock that it takes: so no two changes wait for each other.
create constraint trigger customer_sums_added after insert on orders deferrable initially deferred
for each row when (new.customer_id is not null) execute function keep_customer_sums();
create constraint trigger customer_sums_changed after update on orders deferrable initially deferred for each row
when (old.customer_id is distinct from new.customer_id or (new.customer_id is not null and (
  old.total <> new.total or (old.status in ('delivered', 'collected')) <> (new.status in ('delivered', 'collected')))))
execute function keep_customer_sums();
create constraint trigger customer_sums_removed after delete on orders deferrable initially deferred
for each row when (old.customer_id is not null) execute function keep_customer_sums();

create function begin_customer_sums() returns trigger language plpgsql as $$
begin
  insert into customer_sums (user_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger customer_sums_begun after insert on users for each row execute function begin_customer_sums();

create table takings (
  store_id uuid not null references stores on delete cascade,
  trading_day date not null,
  orders int not null,
  gross bigint not null,
  subtotal bigint not null,
  fees bigint not null,
  tips bigint not null,
  refunds int not null,
  refunded bigint not null,
  refunded_tips bigint not null,
  vat jsonb not null,
  parts jsonb not null,
  items jsonb not null,
  lost jsonb not null,
  late jsonb not null,
  owing jsonb not null,
  cards jsonb not null,
  fee_unknown jsonb not null,
  primary key (store_id, trading_day)
);

create table takings_changes (
  id bigint generated always as identity primary key,
  store_id uuid not null,
  trading_day date not null,
  at timestamptz not null default clock_timestamp()
);
create index takings_changes_day on takings_changes (store_id, trading_day);

create function note_days_of_new_orders() returns trigger language plpgsql as $$
begin
  insert into takings_changes (store_id, trading_day) select distinct store_id, trading_day from added;
  return null;
end $$;
create function note_days_of_row() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into takings_changes (store_id, trading_day) values (old.store_id, old.trading_day);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and (old.store_id, old.trading_day) <> (new.store_id, new.trading_day)) then
    insert into takings_changes (store_id, trading_day) values (new.store_id, new.trading_day);
  end if;
  return null;
end $$;
create function note_day_of_order() returns trigger language plpgsql as $$
begin
  insert into takings_changes (store_id, trading_day)
  select distinct store_id, trading_day from orders
  where id in (case when tg_op <> 'INSERT' then old.order_id end, case when tg_op <> 'DELETE' then new.order_id end);
  return null;
end $$;
create function note_days_of_payout() returns trigger language plpgsql as $$
begin
  insert into takings_changes (store_id, trading_day)
  select distinct o.store_id, o.trading_day from payment_bank_entries e join orders o on o.id = e.order_id
  where e.payout_id = new.id;
  return null;
end $$;
create function note_days_of_store() returns trigger language plpgsql as $$
begin
  insert into takings_changes (store_id, trading_day) select store_id, trading_day from takings where store_id = new.id;
  return null;
end $$;

create trigger takings_orders_added after insert on orders referencing new table as added
for each statement execute function note_days_of_new_orders();
create trigger takings_orders_removed after delete on orders for each row execute function note_days_of_row();
create trigger takings_orders_changed after update on orders for each row when (
  (old.store_id, old.trading_day, old.channel, old.fulfilment_type, old.payment_method, old.status, old.payment_status,
    old.lines, old.subtotal, old.discounts, old.fees, old.tip, old.total, old.vat, old.reject_reason, old.created_at,
    old.placed_at, old.packed_at, old.completed_at, old.promised_at)
  is distinct from
  (new.store_id, new.trading_day, new.channel, new.fulfilment_type, new.payment_method, new.status, new.payment_status,
    new.lines, new.subtotal, new.discounts, new.fees, new.tip, new.total, new.vat, new.reject_reason, new.created_at,
    new.placed_at, new.packed_at, new.completed_at, new.promised_at))
execute function note_days_of_row();
create trigger takings_refunds_added after insert or delete on refunds for each row execute function note_days_of_row();
create trigger takings_refunds_changed after update on refunds for each row when (
  (old.store_id, old.trading_day, old.status, old.amount, old.tip, old.vat, old.kind)
  is distinct from (new.store_id, new.trading_day, new.status, new.amount, new.tip, new.vat, new.kind))
execute function note_days_of_row();
create trigger takings_entries after insert or update or delete on payment_bank_entries
for each row execute function note_day_of_order();
create trigger takings_payouts after update on payment_payouts for each row
when (old.status is distinct from new.status) execute function note_days_of_payout();
create trigger takings_payments_added after insert or delete on payments for each row execute function note_day_of_order();
create trigger takings_payments_changed after update on payments for each row when (
  (old.order_id, old.key_set, old.status) is distinct from (new.order_id, new.key_set, new.status))
execute function note_day_of_order();
create trigger takings_stores after update on stores for each row
when (old.timezone is distinct from new.timezone) execute function note_days_of_store();
`,
    )
    .execute(db);
}
