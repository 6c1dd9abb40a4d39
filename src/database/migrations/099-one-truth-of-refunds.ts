import { sql, type Kysely } from 'kysely';

/** Requests and attempts are all there is of refunds: `refunds` is a view of them, with its columns and rows as before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(triggersGone).execute(db);
  await sql.raw(rest).execute(db);
  await sql.raw(days).execute(db);
  await sql.raw(view).execute(db);
}

const triggersGone = `
drop trigger refund_requests_told on refund_requests;
drop trigger refund_attempts_told on refund_attempts;
drop trigger refunds_mirrored on refunds;
drop function tell_refund_of_request, tell_refund_of_attempt, tell_refund, mirror_refund;
`;

/**
 * The facts that only `refunds` has: rows without a request or an attempt, the number of the last call, whose key is spent at
 * the provider, and the time and the provider's id of refunds that failed.
 */
const rest = `
select add_refund_request(r) from refunds r where not exists (select from refund_requests q where q.id = r.id)
order by r.id;

insert into refund_attempts (request_id, number, payment_id, key, amount, tip, vat, lines, status, provider_refund, made_at)
select r.id, 1, r.payment_id, 'refund:' || r.id || ':' || r.attempts, r.amount, r.tip, r.vat, r.lines, 'refused',
  r.provider_refund, r.settled_at
from refunds r
where not exists (select from refund_attempts a where a.request_id = r.id);

update refund_attempts a
set key = case when r.attempts > t.calls then 'refund:' || r.id || ':' || r.attempts else a.key end,
  provider_refund = r.provider_refund, made_at = r.settled_at
from refunds r, (
  select request_id, max(number) as number, coalesce(max(split_part(key, ':', 3)::int), 1) as calls
  from refund_attempts group by request_id) t
where t.request_id = r.id and a.request_id = r.id and a.number = t.number
  and (r.attempts > t.calls or (r.provider_refund, r.settled_at) is distinct from (a.provider_refund, a.made_at));

update refund_requests q set amount = q.amount + r.amount - t.amount, tip = r.tip, vat = r.vat, lines = r.lines
from refunds r, refunds_told t where r.id = q.id and t.id = q.id and r.amount <> t.amount;

alter table order_mails drop constraint order_mails_refund_id_fkey;
alter table order_mails add foreign key (refund_id) references refund_requests on delete cascade;
drop view refunds_told;
drop function add_refund_request, add_refund_attempt;
drop table refunds;
`;

/** The days whose takings are counted anew, as `takings_refunds_added` and `takings_refunds_changed` noted them. */
const days = `
create trigger takings_refunds_added after insert or delete on refund_requests
for each row execute function note_days_of_row();
create function note_day_of_refund() returns trigger language plpgsql as $$
begin
  insert into takings_changes (store_id, trading_day)
  select store_id, trading_day from refund_requests where id = new.request_id;
  return null;
end $$;
create trigger takings_attempts_added after insert on refund_attempts
for each row execute function note_day_of_refund();
create trigger takings_attempts_changed after update on refund_attempts for each row
when (old.status <> new.status) execute function note_day_of_refund();

alter table refund_requests set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table refund_attempts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
`;

/** Requests with their last attempts: what is left of a request without its parts. */
const view = `
create index refund_requests_newest on refund_requests (store_id, id);
create index refund_attempts_unmade on refund_attempts (request_id) where status <> 'made';
create index refund_requests_days on refund_requests (store_id, trading_day);

create view refunds as
select r.id, r.part_of, r.store_id, r.order_id, l.payment_id, r.key,
  case l.status when 'asked' then 'pending' when 'made' then 'succeeded' else 'failed' end as status,
  rest.amount, r.currency,
  case rest.amount when l.amount then l.tip when r.amount then r.tip else 0 end as tip,
  case rest.amount when l.amount then l.vat when r.amount then r.vat else '[]' end as vat,
  case rest.amount when l.amount then l.lines when r.amount then r.lines else '[]' end as lines,
  r.kind, l.provider_refund, r.reason, r.actor, r.actor_id, coalesce(l.calls, 1) as attempts, r.trading_day, l.check_at,
  r.created_at, l.made_at as settled_at
from refund_requests r
join lateral (
  -- The last part of a call's key is its number.
  select a.*, max(split_part(a.key, ':', 3)::int) over () as calls
  from refund_attempts a where a.request_id = r.id order by a.number desc limit 1) l on true
join lateral (
  select r.amount - coalesce(sum(p.amount), 0)::int as amount from refund_requests p where p.part_of = r.id) rest on true;
`;
