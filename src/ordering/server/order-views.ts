import { type RawBuilder, sql } from 'kysely';
import { identifyingTextsOf } from '#database/audit.ts';
import { sqlLiterals } from '#database/connect.ts';
import type { Db, Tx } from '#database/schema.ts';
import {
  calledOffStatuses,
  doneStatuses,
  handedOverStatuses,
  kitchenStatuses,
  openStatuses,
  textReasonStatuses,
  unansweredStatuses,
  unfinishedStatuses,
} from '#ordering/order-status.ts';
import { GuestOrder, type OrderChannel, type OrderStatus, type PaymentStatus } from '#ordering/order.ts';
import { loadOrders, type OrderRow, presentGuestOrder } from '#ordering/server/present-order.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';
import type { OrderReadsForMenu } from '#menu/server/services.ts';
import type { OrderReadsForStore } from '#store/server/services.ts';
import type { OrderSqlParts } from '#ordering/server/services.ts';
import { Id } from '#platform/http/shapes.ts';
import { m } from '#messages';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { AppError } from '#platform/errors.ts';
import { isSlotFull } from '#store/slot-rules.ts';
import { slotStartOf } from '#store/slots.ts';

/* The functions and SQL by which other domains read orders. An SQL fragment stands in place of a table. The planner
   inlines it, so a join with it costs as much as with the table. */

export function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectNewestOrders(db: Db) {
  return db.selectFrom('orders').selectAll('orders').orderBy('orders.created_at', 'desc').orderBy('orders.id', 'desc');
}

/**
 * Selects orders that guests placed, that no account has, and whose guest was not erased. The caller adds conditions.
 */
export function selectGuestOrders(db: Db) {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('customer_id', 'is', null)
    .where('placed_by', 'is', null)
    .where('forgotten_at', 'is', null);
}

export async function readOrderIdsOfCustomer(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('customer_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id }) => id);
}

/** When this customer's last order was placed; 1970 if there is none. */
export async function readLastOrderTimeOfCustomer(db: Db, userId: string): Promise<Date> {
  const row = await db
    .selectFrom('customer_sums')
    .select('last_order_at')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.last_order_at instanceof Date ? row.last_order_at : new Date(0);
}

export async function readOrderContacts(db: Db, ids: readonly string[]): Promise<Pick<OrderRow, 'id' | 'contact'>[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('orders').select(['id', 'contact']).where('id', 'in', ids).execute();
}

export async function readIdentifyingTextsOfOrders(db: Db, ids: readonly string[]): Promise<string[]> {
  return identifyingTextsOf((await readOrderContacts(db, ids)).map(({ contact }) => contact));
}

/**
 * The time of the newest order. The order is found by its id (UUIDv7), because the column `created_at` has no index.
 */
export async function readNewestOrderTime(db: Db): Promise<Date | null> {
  const row = await db.selectFrom('orders').select('created_at').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.created_at ?? null;
}

export const orderSummariesSql = sql<{
  id: string;
  number: number;
  store_id: string;
  payment_method: PaymentMethod;
  customer_name: string;
}>`(select id, number, store_id, payment_method, contact->>'name' as customer_name from orders)`;

/**
 * The fields of an order that are compared with its payments. `is_marked_paid`: staff marked the order as paid another
 * way.
 */
export const paymentCheckOrdersSql = sql<{
  id: string;
  store_id: string;
  number: number;
  trading_day: string;
  channel: OrderChannel;
  status: OrderStatus;
  payment_status: PaymentStatus;
  payment_method: PaymentMethod;
  total: number;
  refunded: number;
  is_marked_paid: boolean;
}>`(
  select id, store_id, number, trading_day, channel, status, payment_status, payment_method, total, refunded,
    exists (
      select from order_history h where h.order_id = orders.id and h.note->>'kind' = 'marked_paid'
    ) as is_marked_paid
  from orders)`;

/** The names of orders in the audit log, such as `#17, 21 Nov 2026`. */
export const orderDisplayNamesSql = sql`
  select id, '#' || number || ', ' || to_char(trading_day, 'FMDD Mon YYYY') as name from orders`;

/**
 * Finds the ids of the newest orders with this number and of this trading day. One of the two may be undefined; if both
 * are undefined, the result is empty.
 */
export async function findOrderIdsByNumber(
  db: Db,
  { number, day }: { number: number | undefined; day: string | undefined },
  most: number,
): Promise<string[]> {
  if (number === undefined && day === undefined) return [];
  let orders = db.selectFrom('order_search').select('order_id').orderBy('trading_day', 'desc').limit(most);
  if (number !== undefined) orders = orders.where('number', '=', number);
  if (day !== undefined) orders = orders.where('trading_day', '=', day);
  const rows = await orders.execute();
  return rows.map(({ order_id: id }) => id);
}

export const unansweredOrdersSql = sql<{ id: string; store_id: string; number: number; answer_by: Date }>`
  (select id, store_id, number, answer_by from orders
   where status in (${sqlLiterals(unansweredStatuses)}) and channel <> 'test')`;

export const openOrdersSql = sql<{ id: string; is_in_kitchen: boolean }>`
  (select id, status in (${sqlLiterals(kitchenStatuses)}) as is_in_kitchen from orders where status in (${sqlLiterals(openStatuses)}))`;

/** Orders whose card payment is approved and not charged yet: open orders, and orders that were handed over. */
export const unchargedOrdersSql = sql<{ id: string; store_id: string; number: number }>`
  (select id, store_id, number from orders
   where payment_method = 'card' and payment_status = 'authorised'
     and status in (${sqlLiterals([...openStatuses, ...handedOverStatuses])}))`;

export const unendedOrdersSql = sql<{ id: string }>`
  (select id from orders where status in (${sqlLiterals(unfinishedStatuses)}))`;

export function ordersEndedBefore(at: Date) {
  return sql`select id from orders where status in (${sqlLiterals(doneStatuses)}) and coalesce(completed_at, closed_at) < ${at}`;
}

/** The ids of orders whose guest's details were erased, by an owner or because the order was old. */
export const guestErasedOrdersSql = sql<string>`(select id from orders where forgotten_at is not null)`;

export function filterOrdersOfStoreSql(storeId: string, ids: readonly string[]) {
  return sql<{ id: string }>`(select id from orders where store_id = ${storeId} and id = any(${ids}::uuid[]))`;
}

/**
 * The orders that reports sum up, without test orders. `payment_method` equals the result of `effectivePaymentMethod`.
 */
export const reportedOrdersSql = sql`(
  select id, store_id, trading_day, number, channel, fulfilment_type,
    case paid_by when 'cash' then 'cash' when 'terminal' then 'card' else payment_method end as payment_method,
    status, payment_status, lines, subtotal, discounts, fees, tip, total, vat, reject_reason,
    created_at, placed_at, packed_at, completed_at, promised_at
  from orders where channel <> 'test')`;

/** The uses of offers by orders that are not called off. */
export const offerUsesSql = sql`(select offer_id, order_id, trading_day, amount, code from offer_uses)`;

/** SQL for an offer's name as `orders.discounts` has it; `id` is SQL for the offer's id. */
export const offerNameInOrderSql = (id: RawBuilder<unknown>) => sql`(
  select discount->>'name' from jsonb_array_elements(orders.discounts) as each (discount)
  where discount->>'offer_id' = ${id}::text limit 1)`;

const isEarlierOrder = sql`e.store_id = o.store_id and e.created_at < o.created_at and e.channel <> 'test'
  and e.status not in (${sqlLiterals(calledOffStatuses)})`;

/**
 * SQL on the statement's `orders`: whether the order's customer, by account, phone number or email address, had ordered
 * before. null if the order has none of the three. Called-off and test orders do not count.
 */
export const hadOrderedBeforeSql = sql<boolean | null>`(
  select case when o.customer_id is not null or person.phone is not null or person.email is not null then
    exists (select from orders e where e.customer_id = o.customer_id and ${isEarlierOrder})
    or exists (select from orders e where phone_key(e.contact) = person.phone and ${isEarlierOrder})
    or exists (select from orders e where lower(e.contact->>'email') = person.email and ${isEarlierOrder}) end
  from orders o, lateral (
    select phone_key(o.contact) as phone, nullif(lower(btrim(o.contact->>'email')), '') as email) as person
  where o.id = orders.id)`;

/** The versions and totals of all orders, by which a backup is compared with the shop's database. */
export const orderVersionTotalsSql = sql`(select id, store_id, trading_day, version, total from orders)`;

/** SQL on the statement's `orders`: the reason that was given for the order's cancellation; null if there is none. */
export const cancellationReasonSql = sql`(
  select nullif(btrim(h.reason), '') from order_history h
  where h.order_id = orders.id and h.to_status in (${sqlLiterals(textReasonStatuses)}) and h.from_status <> h.to_status
  order by h.version desc limit 1)`;

/**
 * The sums of each account's orders. For an account without orders, `last_order_at` is -infinity, so that the account
 * sorts as the oldest.
 */
export const customerSumsSql = sql<{ user_id: string; orders: number; spent: string; last_order_at: Date | number }>`(
  select user_id, orders, spent, last_order_at from customer_sums)`;

export const orderReadsForMenu: OrderReadsForMenu = {
  async countSold(db, storeId, itemId) {
    const line = JSON.stringify([{ item_id: itemId }]);
    const inDeal = JSON.stringify([{ options: [{ item_id: itemId }] }]);
    const { rows } = await sql<{ sold: number }>`
      select coalesce(sum((line->>'quantity')::int * ((line->>'item_id' = ${itemId})::int + (
        select coalesce(sum((option->>'quantity')::int), 0)
        from jsonb_array_elements(line->'options') as option where option->>'item_id' = ${itemId}))), 0)::int as sold
      from orders, jsonb_array_elements(orders.lines) as line
      where orders.store_id = ${storeId}
        and (orders.lines @> ${line}::jsonb or orders.lines @> ${inDeal}::jsonb)`.execute(db);
    return rows[0]?.sold ?? 0;
  },
};

export const orderReadsForStore: OrderReadsForStore = {
  countSlotOrders: (db, store, now) => countSlotOrders(db, store, now),
  async hasAny(db, storeId) {
    const found = await db
      .selectFrom('orders')
      .select('id')
      .where('store_id', '=', storeId)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  },
};

/**
 * Whether a store has any order, test orders included; whether any order was accepted; and whether any order except
 * tests was placed.
 */
export async function readOrderMilestones(
  db: Db,
  storeId: string,
): Promise<{ isAny: boolean; isAccepted: boolean; isCustomers: boolean }> {
  const { rows } = await sql<{ isAny: boolean; isAccepted: boolean; isCustomers: boolean }>`select
    exists(select from orders where store_id = ${storeId}) as "isAny",
    exists(select from orders where store_id = ${storeId} and accepted_at is not null) as "isAccepted",
    exists(select from orders where store_id = ${storeId} and channel <> 'test' and placed_at is not null)
      as "isCustomers"`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('a query of one row has none');
  return found;
}

/** Reads the guest's view of an order; null if there is no such order. */
export async function readGuestOrder(db: Db, parts: OrderSqlParts, id: string): Promise<GuestOrder | null> {
  if (!Id.safeParse(id).success) return null;
  const [order] = await loadOrders(db, parts, [id]);
  // The schema drops undeclared fields, so that none of them leaves the server.
  return order ? GuestOrder.parse(presentGuestOrder(order)) : null;
}

/**
 * Counts the orders in each slot, by the slot's start. Slots that began more than an hour before `now` are left out.
 * The order of session `replaced` is left out too, because it will be cancelled.
 */
export async function countSlotOrders(
  db: Db,
  store: Pick<Store, 'id' | 'timezone' | 'slot_minutes'>,
  now: Date,
  replaced?: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('orders')
    .select(({ fn }) => ['slot_at', fn.countAll<string>().as('taken')])
    .where('store_id', '=', store.id)
    // Unscheduled orders may use a slot that began within the last hour.
    .where('slot_at', '>=', new Date(now.getTime() - 3_600_000))
    .where('status', 'not in', calledOffStatuses)
    .$if(replaced !== undefined, (orders) => orders.where('session_hash', '!=', hashSession(replaced ?? '')))
    .groupBy('slot_at')
    .execute();
  const counts = new Map<string, number>();
  for (const { slot_at: at, taken } of rows) {
    if (!at) continue;
    // The shop may have changed its slot length since the order, so the order counts in the present slot that contains
    // its time.
    const start = slotStartOf(store, at.toISOString());
    counts.set(start, (counts.get(start) ?? 0) + Number(taken));
  }
  return counts;
}

type LimitedStore = Pick<Store, 'id' | 'timezone' | 'slot_minutes' | 'max_orders_per_slot'>;

/**
 * Locks a slot for this transaction, so that concurrent orders cannot exceed the slot's capacity. Throws
 * `order_refused` if the slot is full.
 */
export async function reserveSlot(tx: Tx, store: LimitedStore, slotAt: Date, replaced?: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${store.id} ${slotAt.toISOString()}`}, 0))`.execute(tx);
  const taken = await countSlotOrders(tx, store, slotAt, replaced);
  if (!isSlotFull(store, slotAt.getTime(), { taken })) return;
  const message = m.ordering_slot_just_filled();
  throw new AppError('order_refused', message, {
    errors: { requested_for: [message] },
    extra: { problems: [{ code: 'slot_full', message, path: 'requested_for' }] },
  });
}
