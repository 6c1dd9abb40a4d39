import { sql } from 'kysely';

/** Whose orders are counted before one more is written. */
export interface LimitedBy {
  /** A keyed digest of the network that it came from. */
  network: string;
  customer: string | null;
  /** The last ten digits, which do not depend on how the country is written. */
  phone: string | null;
  max_open: number | null;
  max_hour: number | null;
  /** Unpaid orders of the network at one time: each holds a place for half an hour. */
  max_network_unpaid: number | null;
  /** The hash of the session of the unpaid order that this one replaces, in hex digits. */
  replaced: string | null;
}

/** An order that was not written, because too many like it were. */
export interface TooManyOrders {
  too_many: 'open' | 'unpaid' | 'network_unpaid' | 'network_hour';
  /** The latest time at which the count falls by one, where it is known. */
  until: Date | null;
}

export function isTooMany(written: object): written is TooManyOrders {
  return 'too_many' in written && written.too_many !== null;
}

/** Unpaid orders at one time, of an account, or with a phone number from one network. */
const mostUnpaid = 2;

/** Parts of the statement that writes orders: of the rows `unknown`, `refused` are the ones over a limit. */
export const refusedOrders = sql`turns as materialized (
  -- One person's orders, and one network's, are counted one after the other, on all instances. Always in the same order, so
  -- that two batches cannot wait for each other.
  select pg_advisory_xact_lock(turn) from (
    select distinct hashtextextended(store_id || by, 0) as turn
    from unknown cross join lateral (values (network), (limited_customer::text), (limited_phone)) as named (by)
    where network is not null and by is not null order by turn
  ) sorted
), counted as materialized (
  select u.id, u.created_at, u.expires_at, (u.limited->>'max_open')::int as max_open,
    (u.limited->>'max_hour')::int as max_hour, (u.limited->>'max_network_unpaid')::int as max_network_unpaid, n.*,
    -- Those before it in this batch, which are not written yet.
    greatest(
      case when u.limited_customer is null then 0 else count(*) over of_customer end,
      -- Unpaid ones count against a phone number only from their own network.
      case when u.limited_phone is null then 0
        else count(*) filter (where u.expires_at is null) over of_phone
          + count(*) filter (where u.expires_at is not null) over of_phone_here end) as before,
    greatest(
      case when u.limited_customer is null then 0
        else count(*) filter (where u.expires_at is not null) over of_customer end,
      case when u.limited_phone is null then 0
        else count(*) filter (where u.expires_at is not null) over of_phone_here end) as unpaid_before,
    row_number() over (partition by u.store_id, u.network order by u.ordinal) - 1 as network_before
  from (select count(*) as waited from turns) t, unknown u, lateral count_orders_of(u.store_id, u.limited_customer,
    u.limited_phone, u.network, decode(u.limited->>'replaced', 'hex'), u.created_at, t.waited) n
  where u.network is not null
  window of_customer as (partition by u.store_id, u.limited_customer order by u.ordinal
      rows between unbounded preceding and 1 preceding),
    of_phone as (partition by u.store_id, u.limited_phone order by u.ordinal
      rows between unbounded preceding and 1 preceding),
    of_phone_here as (partition by u.store_id, u.limited_phone, u.network order by u.ordinal
      rows between unbounded preceding and 1 preceding)
), refused as (
  -- Where all that count are in this batch, they end with this one.
  select id, too_many, case too_many when 'unpaid' then coalesce(unpaid_ends_at, expires_at)
    when 'network_unpaid' then coalesce(network_unpaid_ends_at, expires_at)
    when 'network_hour' then coalesce(network_frees_at, created_at + interval '1 hour') end as until
  from (select *, case
    when expires_at is not null and max_open is not null and unpaid + unpaid_before >= ${mostUnpaid} then 'unpaid'
    when expires_at is not null and network_unpaid + network_before >= max_network_unpaid then 'network_unpaid'
    when open + before >= max_open then 'open'
    when network_hour + network_before >= max_hour then 'network_hour'
    end as too_many from counted) judged
  where too_many is not null
)`;
