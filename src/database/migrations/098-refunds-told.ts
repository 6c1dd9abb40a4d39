import { sql, type Kysely } from 'kysely';

/**
 * Requests and attempts are what is written, and `refunds` follows them: its triggers, indexes and readers stay. An instance
 * of the last version still writes `refunds`, which requests and attempts follow. Neither follows what follows it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create function tell_refund(wanted uuid) returns void language plpgsql as $$
begin
  insert into refunds (id, part_of, store_id, order_id, payment_id, key, status, amount, currency, tip, vat, lines, kind,
    provider_refund, reason, actor, actor_id, attempts, trading_day, check_at, created_at, settled_at)
  select id, part_of, store_id, order_id, payment_id, key, status, amount, currency, tip, vat, lines, kind,
    provider_refund, reason, actor, actor_id, attempts, trading_day, check_at, created_at, settled_at
  from refunds_told t
  cross join lateral (
    -- The last part of the last call's key.
    select coalesce(max(split_part(a.key, ':', 3)::int), 1) as attempts from refund_attempts a where a.request_id = t.id) c
  where id = wanted
  on conflict (id) do update set (payment_id, status, amount, tip, vat, lines, provider_refund, reason, attempts, check_at,
    settled_at) = (excluded.payment_id, excluded.status, excluded.amount, excluded.tip, excluded.vat, excluded.lines,
    excluded.provider_refund, excluded.reason, greatest(refunds.attempts, excluded.attempts), excluded.check_at,
    excluded.settled_at);
end $$;

create function tell_refund_of_request() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then return null; end if;
  perform tell_refund(new.id);
  if tg_op = 'INSERT' and new.part_of is not null then perform tell_refund(new.part_of); end if;
  return null;
end $$;
create function tell_refund_of_attempt() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then return null; end if;
  perform tell_refund(new.request_id);
  return null;
end $$;
create trigger refund_requests_told after insert or update on refund_requests
for each row execute function tell_refund_of_request();
create trigger refund_attempts_told after insert or update on refund_attempts
for each row execute function tell_refund_of_attempt();

drop trigger refunds_mirrored on refunds;
create trigger refunds_mirrored after insert or update or delete on refunds
for each row when (pg_trigger_depth() = 0) execute function mirror_refund();
`,
    )
    .execute(db);
}
