import { sql, type Kysely } from 'kysely';

/**
 * Requests for refunds and the attempts at each, as rows whose amounts never change. For one version they are
 * written beside `refunds` by its triggers, because instances of the last version know only that table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
  await sql.raw(mirror).execute(db);
  await sql.raw(filled).execute(db);
  await sql.raw(told).execute(db);
}

const tables = `
-- The refund that this one took an amount from: null for rows of the last version.
alter table refunds add column part_of uuid;

create table refund_requests (
  id uuid primary key,
  part_of uuid references refund_requests on delete cascade,
  store_id uuid not null references stores,
  order_id uuid not null references orders on delete cascade,
  payment_id uuid references payments on delete cascade,
  key uuid not null,
  kind text not null check (kind in ('asked', 'order_ended', 'at_provider', 'line_removed', 'late_payment')),
  amount int not null check (amount > 0),
  currency text not null,
  tip int not null,
  vat jsonb not null,
  lines jsonb not null,
  reason text not null,
  actor text not null,
  actor_id uuid,
  trading_day date not null,
  created_at timestamptz not null,
  unique (order_id, key)
);
create index refund_requests_parts on refund_requests (part_of) where part_of is not null;
create index refund_requests_payment on refund_requests (payment_id);

create table refund_attempts (
  request_id uuid not null references refund_requests on delete cascade,
  number int not null,
  payment_id uuid references payments on delete cascade,
  key text,
  amount int not null check (amount > 0),
  tip int not null,
  vat jsonb not null,
  lines jsonb not null,
  status text not null check (status in ('asked', 'made', 'returned', 'refused')),
  provider_refund text,
  check_at timestamptz,
  made_at timestamptz,
  primary key (request_id, number)
);
create index refund_attempts_payment on refund_attempts (payment_id);
create index refund_attempts_due on refund_attempts (check_at) where check_at is not null;

-- Orders whose refunds had another sum than the order said, when these tables were filled.
create table refund_openings (
  order_id uuid primary key references orders on delete cascade,
  refunded int not null,
  summed int not null
);
`;

/** A row's status is that of its last attempt; any change that the last attempt cannot make is one more attempt. */
const mirror = `
create function add_refund_attempt(refund refunds, state text) returns void language plpgsql as $$
begin
  insert into refund_attempts (request_id, number, payment_id, key, amount, tip, vat, lines, status, provider_refund,
    check_at, made_at)
  select refund.id, coalesce(max(number), 0) + 1, refund.payment_id,
    case when state = 'asked' then 'refund:' || refund.id || ':' || refund.attempts end,
    refund.amount, refund.tip, refund.vat, refund.lines, state, refund.provider_refund, refund.check_at, refund.settled_at
  from refund_attempts where request_id = refund.id;
end $$;

create function add_refund_request(refund refunds) returns void language plpgsql as $$
begin
  insert into refund_requests (id, part_of, store_id, order_id, payment_id, key, kind, amount, currency, tip, vat, lines,
    reason, actor, actor_id, trading_day, created_at)
  select refund.id, (select id from refund_requests where id = refund.part_of), refund.store_id, refund.order_id,
    refund.payment_id, refund.key, refund.kind, refund.amount, refund.currency, refund.tip, refund.vat, refund.lines,
    refund.reason, refund.actor, refund.actor_id, refund.trading_day, refund.created_at;
  if refund.status <> 'failed' then
    perform add_refund_attempt(refund, case refund.status when 'pending' then 'asked' else 'made' end);
  elsif refund.settled_at is not null then
    perform add_refund_attempt(refund, 'returned');
  end if;
end $$;

create function mirror_refund() returns trigger language plpgsql as $$
declare
  last refund_attempts;
begin
  if tg_op = 'DELETE' then
    delete from refund_requests where id = old.id;
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform add_refund_request(new);
    return null;
  end if;
  if new.reason <> old.reason then
    update refund_requests set reason = new.reason where id = new.id;
  end if;
  select * into last from refund_attempts where request_id = new.id order by number desc limit 1;
  if new.status = 'pending' and last.status = 'asked' and new.attempts = old.attempts then
    update refund_attempts set check_at = new.check_at, provider_refund = coalesce(provider_refund, new.provider_refund)
    where request_id = last.request_id and number = last.number;
  elsif new.status = 'pending' then
    -- The key of the last call is spent.
    update refund_attempts set status = 'refused', check_at = null
    where request_id = last.request_id and number = last.number and status = 'asked';
    perform add_refund_attempt(new, 'asked');
  elsif new.status = 'succeeded' and last.status in ('asked', 'made') then
    update refund_attempts
    set status = 'made', check_at = null, made_at = coalesce(made_at, new.settled_at),
      provider_refund = coalesce(provider_refund, new.provider_refund)
    where request_id = last.request_id and number = last.number;
  elsif new.status = 'succeeded' then
    perform add_refund_attempt(new, 'made');
  elsif last.status in ('asked', 'made') then
    update refund_attempts
    set status = case last.status when 'made' then 'returned' else 'refused' end, check_at = null,
      provider_refund = coalesce(provider_refund, new.provider_refund)
    where request_id = last.request_id and number = last.number;
  end if;
  return null;
end $$;

create trigger refunds_mirrored after insert or update or delete on refunds
for each row execute function mirror_refund();
`;

const filled = `
select add_refund_request(r) from refunds r order by r.id;

insert into refund_openings (order_id, refunded, summed)
select o.id, o.refunded, coalesce(s.amount, 0)
from orders o
left join (
  select order_id, sum(amount)::int as amount from refunds
  where status = 'succeeded' and kind not in ('line_removed', 'late_payment') group by order_id
) s on s.order_id = o.id
where o.refunded <> coalesce(s.amount, 0);
`;

/** Requests with their last attempts, as answers tell of refunds: what is left of a request without its parts. */
const told = `
create view refunds_told as
select r.id, r.part_of, r.store_id, r.order_id,
  case when l.number is null then r.payment_id else l.payment_id end as payment_id,
  r.key, case l.status when 'asked' then 'pending' when 'made' then 'succeeded' else 'failed' end as status,
  amount.left as amount, r.currency,
  case amount.left when l.amount then l.tip when r.amount then r.tip else 0 end as tip,
  case amount.left when l.amount then l.vat when r.amount then r.vat else '[]' end as vat,
  case amount.left when l.amount then l.lines when r.amount then r.lines else '[]' end as lines,
  r.kind, l.provider_refund, r.reason, r.actor, r.actor_id, r.trading_day, l.check_at, r.created_at,
  l.made_at as settled_at
from refund_requests r
left join lateral (
  select * from refund_attempts a where a.request_id = r.id order by a.number desc limit 1) l on true
cross join lateral (
  select r.amount - coalesce(sum(p.amount), 0)::int as left from refund_requests p where p.part_of = r.id) amount;
`;
