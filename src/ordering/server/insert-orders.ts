import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely';
import { sqlLiterals, preparedStatementHint } from '#database/connect.ts';
import { selectAndLockUsersSql } from '#accounts/server/users.ts';
import type { OrdersTable, Schema, Tx } from '#database/schema.ts';
import { withTransactionRetries } from '#database/transaction.ts';
import { type JsonColumn, type InsertedColumn, insertedColumns } from '#ordering/order-columns.ts';
import { storeChannelNamePattern } from '#ordering/channels.ts';
import { orderStatusTable, unansweredStatuses } from '#ordering/order-status.ts';
import { addOutboxEntriesSql, channelNameSql, incrementSequencesSql } from '#realtime/server/outbox.ts';
import { lockLiveStoresSql } from '#store/server/store-views.ts';
import { publishFirstOrderSteps } from '#ordering/server/order-counts.ts';
import { groupCommit } from '#database/group-commit.ts';
import { type Portions, countDownPortionsSql } from '#menu/server/portions.ts';

type NewColumns = Required<Pick<Insertable<OrdersTable>, Exclude<InsertedColumn, JsonColumn>>>;

/** A priced order before its insertion, which gives it a number. */
export interface UnnumberedOrder extends NewColumns, Record<JsonColumn, unknown> {
  /** The version of the store that priced the order. The order is not inserted if the store has changed since. */
  store_version: number;
  actor: string;
  actor_id: string | null;
  /** The keys and limits for counting the customer's orders; null for orders of staff, and in a shop without limits. */
  limited: OrderLimitKeys | null;
  /** The portions of counted dishes that the order takes; the order is not inserted if too few are left. */
  portions: readonly Portions[];
}

export interface InsertedOrder {
  id: string;
  number: number;
}

const mailsByStatus = sql.join(
  Object.entries(orderStatusTable).flatMap(([status, { mail }]) =>
    mail ? [sql`(${sqlLiterals([status, mail])})`] : [],
  ),
);

/** An order as a row of JSON; bytes are hex digits. */
function rowOf(order: UnnumberedOrder, ordinal: number) {
  const values = Object.entries({ ...order, ordinal });
  return Object.fromEntries(
    values.map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString('hex') : value]),
  );
}

const sqlTypes = {
  uuid: sql`uuid`,
  date: sql`date`,
  text: sql`text`,
  'text[]': sql`text[]`,
  int: sql`int`,
  boolean: sql`boolean`,
  jsonb: sql`jsonb`,
  timestamptz: sql`timestamptz`,
  bytea: sql`text`,
};

/** Defines the fields of the JSON rows: each column with its SQL type, for `jsonb_to_recordset`. */
const readTypes = sql.join(insertedColumns.map(({ name, type }) => sql`${sql.id(name)} ${sqlTypes[type]}`));
const columnNames = sql.join(insertedColumns.map(({ name }) => sql.id(name)));
/** The value of each column, as an expression on `f`, a row that was read from JSON. */
const columnValues = sql.join(
  insertedColumns.map(({ name, type }) => {
    const value = sql.id('f', name);
    if (type === 'bytea') return sql`decode(${value}, 'hex')`;
    // A JSON null becomes a database null, because `is null` does not match a JSON null.
    return type === 'jsonb' ? sql`nullif(${value}, 'null'::jsonb)` : value;
  }),
);

/**
 * Inserts a batch of orders, with their numbers, first history rows, sequences and events, in one statement: one round
 * trip and one commit. An order over a limit is in the result with `too_many`. The result lacks an order whose session
 * exists, whose store changed, whose account was deleted, or whose dishes have too few portions left.
 */
export async function insertOrders(
  db: Kysely<Schema>,
  orders: readonly UnnumberedOrder[],
): Promise<((InsertedOrder & { too_many: null }) | (ExceededOrderLimit & { id: string }))[]> {
  // A batch without counted dishes runs without the SQL that takes portions.
  const isCounted = orders.some(({ portions }) => portions.length > 0);
  const { rows } = await sql<
    (InsertedOrder & { too_many: null }) | (ExceededOrderLimit & { id: string })
  >`${preparedStatementHint}
with input as (
  select x.*, x.ordinal as place from jsonb_to_recordset(${JSON.stringify(orders.map(rowOf))}::jsonb) as x(
    ordinal int, store_version int, actor text, actor_id uuid, limited jsonb, portions jsonb, ${readTypes})
), placers as (
  -- Held until the order is in, so that nobody's account goes in between.
  ${selectAndLockUsersSql(sql`select placed_by from input`)}
), held as (
  -- So is the store: its deletion waits for the order, or the order finds another version of it.
  ${lockLiveStoresSql(sql`select store_id from input`)}
), unknown as (
  select input.*, limited->>'network' as network, (limited->>'customer')::uuid as limited_customer,
    limited->>'phone' as limited_phone
  from input join held on held.id = input.store_id and held.version = input.store_version
  where not exists (select 1 from orders where orders.session_hash = decode(input.session_hash, 'hex'))
    and (input.placed_by is null or input.placed_by in (select id from placers))
), ${refusedOrders}, ${isCounted ? sql`${countedPortions.find}, ` : nothing}fresh as (
  select u.*, row_number() over (partition by store_id, trading_day order by ordinal) as nth
  from unknown u where not exists (select 1 from refused where refused.id = u.id)
    ${isCounted ? sql`and not exists (select 1 from short where short.order_id = u.id)` : nothing}
), counter as (
  insert into order_numbers as n (store_id, trading_day, last_number)
  select store_id, trading_day, count(*) from fresh group by store_id, trading_day order by store_id, trading_day
  on conflict (store_id, trading_day) do update set last_number = n.last_number + excluded.last_number
  returning store_id, trading_day, last_number
), sized as (
  select store_id, trading_day, count(*) as size from fresh group by store_id, trading_day
), inserted as (
  insert into orders (number, ${columnNames})
  select c.last_number - s.size + f.nth, ${columnValues}
  from fresh f join counter c using (store_id, trading_day) join sized s using (store_id, trading_day)
  on conflict (session_hash) do nothing
  returning id, number
), ${isCounted ? sql`${countedPortions.take}, ` : nothing}origins as (
  insert into order_origins (order_id, store_id, network, placed_at)
  select id, store_id, network, created_at from inserted join fresh using (id) where network is not null
), history as (
  insert into order_history (order_id, version, from_status, to_status, actor, actor_id, at)
  select input.id, 1, null, input.status, input.actor, input.actor_id, input.created_at from inserted join input using (id)
), mails as (
  -- As oweMail does.
  insert into order_mails (order_id, kind, owed_at)
  select id, told.kind, placed_at from inserted join input using (id) join (values ${mailsByStatus}) told (status, kind)
    on told.status = input.status
  where input.contact->>'email' <> '' or input.customer_id is not null
), placed as (
  select input.id, input.store_id, row_number() over (partition by input.store_id order by input.ordinal) as nth
  from inserted join input using (id) where input.status in (${sqlLiterals(unansweredStatuses)})
), sequences as (
  ${incrementSequencesSql(sql`select ${channelNameSql(storeChannelNamePattern, sql`store_id`)}, count(*) from placed group by store_id order by store_id`)}
), owed as (
  ${addOutboxEntriesSql(sql`
    select 'order', 'order.placed', p.store_id, p.id,
      q.sequence - (select count(*) from placed same where same.store_id = p.store_id) + p.nth
    from placed p join sequences q on q.channel = ${channelNameSql(storeChannelNamePattern, sql`p.store_id`)}`)}
)
select id, number, null as too_many, null::timestamptz as until from inserted
union all select id, null, too_many, until from refused`.execute(db);
  publishFirstOrderSteps(orders, rows);
  return rows;
}

/**
 * The keys by which a customer's earlier orders are counted before a new order is inserted, and the limits of these
 * counts.
 */
export interface OrderLimitKeys {
  /** A keyed digest of the network from which the order came. */
  network: string;
  customer: string | null;
  /** The last ten digits of the phone number, which are the same with and without a country code. */
  phone: string | null;
  max_open: number | null;
  max_hour: number | null;
  max_network_unpaid: number | null;
  /** The hash of the session of the unpaid order that this order replaces, in hex digits. */
  replaced: string | null;
}

/**
 * Takes the advisory locks on an order's customer, phone and network, as `insertOrders` does. A transaction that also
 * locks dishes must take these locks first, so that it cannot deadlock with a batch.
 */
export async function lockOrderLimitKeys(tx: Tx, storeId: string, limited: OrderLimitKeys | null): Promise<void> {
  if (!limited) return;
  const names = [limited.network, limited.customer, limited.phone].filter((name) => name !== null);
  await sql`
    select pg_advisory_xact_lock(turn) from (
      select distinct ${lockKeyOf(sql`${storeId}`)} as turn from unnest(${names}::text[]) as named (by) order by turn
    ) sorted`.execute(tx);
}

const lockKeyOf = (storeId: RawBuilder<unknown>) => sql`hashtextextended(${storeId} || by, 0)`;

export interface ExceededOrderLimit {
  too_many: 'open' | 'unpaid' | 'network_unpaid' | 'network_hour';
  /** The time at which the first counted order stops counting, so that a retry may succeed; null if it is unknown. */
  until: Date | null;
}

export function isOrderLimitExceeded(written: object): written is ExceededOrderLimit {
  return 'too_many' in written && written.too_many !== null;
}

/**
 * An account may have at most this many unpaid orders at one time. The same maximum applies to unpaid orders that share
 * both phone number and network.
 */
const maxUnpaid = 2;

/**
 * Common table expressions of the insert statement. They read the new orders from `unknown`; the last expression,
 * `refused`, selects the orders that exceed a limit.
 */
const refusedOrders = sql`turns as materialized (
  -- One person's orders, and one network's, are counted one after the other, on all instances. Always in the same order, so
  -- that two batches cannot wait for each other.
  select pg_advisory_xact_lock(turn) from (
    select distinct ${lockKeyOf(sql`store_id`)} as turn
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
    when expires_at is not null and max_open is not null and unpaid + unpaid_before >= ${maxUnpaid} then 'unpaid'
    when expires_at is not null and network_unpaid + network_before >= max_network_unpaid then 'network_unpaid'
    when open + before >= max_open then 'open'
    when network_hour + network_before >= max_hour then 'network_hour'
    end as too_many from counted) judged
  where too_many is not null
)`;

const nothing = sql``;
const countedPortions = countDownPortionsSql(sql`
  select u.id as order_id, u.ordinal, item_id, quantity
  from unknown u cross join lateral jsonb_to_recordset(u.portions) as p(item_id uuid, quantity int)
  where not exists (select 1 from refused where refused.id = u.id)`);

export interface OrderInsertQueue {
  /**
   * Inserts an order, and resolves after the commit. null: the session exists, the store has changed since it priced
   * the order, the account was deleted, or a dish has too few portions left.
   */
  insert(order: UnnumberedOrder): Promise<InsertedOrder | ExceededOrderLimit | null>;
}

export function startOrderInsertQueue(db: Kysely<Schema>): OrderInsertQueue {
  const { add } = groupCommit<UnnumberedOrder, InsertedOrder | ExceededOrderLimit | null>(async (orders) => {
    const inserted = new Map(
      (await withTransactionRetries(() => insertOrders(db, orders))).map((row) => [row.id, row]),
    );
    return orders.map(({ id }) => inserted.get(id) ?? null);
  });
  return { insert: add };
}
