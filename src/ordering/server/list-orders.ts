import type { Db } from '#database/schema.ts';
import type { orderEndpoints } from '#ordering/contract.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import { AppError } from '#platform/errors.ts';
import type { Call } from '#platform/http/serve.ts';
import { isStaff, isStaffOf } from '#platform/http/viewer.ts';
import {
  countUpToLimit,
  pageAnswer,
  isAfterKeySql,
  encodePageKey,
  type ListOrder,
  maxExactTotal,
  pageOffsetOf,
  orderBySql,
  type PageRequest,
  decodePageKey,
  type RowTotal,
  rowTotalOf,
} from '#database/read-page.ts';
import { m } from '#messages';
import type { OrderServices } from '#ordering/server/services.ts';
import { everyStoreIdSql, storeIdTable } from '#store/server/store-views.ts';
import { type RawBuilder, sql } from 'kysely';
import {
  likePattern,
  hasSearchIndexes,
  foldedTextHasWordsSql,
  searchPeriodOf,
  type SearchPeriod,
} from '#database/text-search.ts';
import { parseOrderSearch, type OrderSearch } from '#ordering/find-orders.ts';
import { sqlLiterals } from '#database/connect.ts';
import { handedOverStatuses, lostOrderFields } from '#ordering/order-status.ts';
import type { OrderStatus, PaymentStatus } from '#ordering/order.ts';

type ListCall = Call<'GET /v1/orders', (typeof orderEndpoints)['GET /v1/orders'], Db>;

/**
 * Lists orders, newest first. A customer gets their own orders, a store_admin the orders of their stores, an admin all
 * orders. `start_date` and `end_date` are trading days, both included.
 */
export async function listOrders(
  { menus, orderParts }: Pick<OrderServices, 'menus' | 'orderParts'>,
  { db, query, viewer, now }: ListCall,
) {
  const words = await parseOrderSearchTerms(db, query.search, now);
  const { ids, next, ...total } = await readOrderIdsPage(db, { ...wantedBy(query, viewer), words }, query);
  const whole = await loadOrders(db, orderParts, ids);
  const shown = await Promise.all(
    whole.map(async (order) => {
      const isTheirs = isStaffOf(viewer, order.row.store_id);
      const presented = presentOrder(order, isTheirs ? viewer.role : 'customer', now, {
        withSession: !isTheirs,
        readerId: viewer.id,
      });
      const shop = query.include.includes('store') ? await menus.shop(order.row.store_id) : null;
      return shop ? { ...presented, store: shop.store } : presented;
    }),
  );
  const page = pageAnswer('/v1/orders', query, total, shown, next);
  return { ...page, meta: { ...page.meta, searched_days: words?.reach.days ?? null } };
}

/**
 * The filters for the orders that the viewer may list. Throws 403 if a store_admin asks for a store that is not their
 * own.
 */
function wantedBy(query: ListCall['query'], viewer: ListCall['viewer']): OrdersWanted {
  const { store_id: storeId } = query;
  const wanted = {
    customerId: query.customer_id,
    from: query.start_date,
    to: query.end_date,
    statuses: query.status,
    isLost: query.lost === '1',
    isNotPaid: query.not_paid === '1',
  };
  if (!isStaff(viewer)) {
    // Customers see only their own orders, and no orders if they ask for another account's.
    const stores = query.customer_id && query.customer_id !== viewer.id ? [] : storeId ? [storeId] : null;
    return { ...wanted, customerId: viewer.id ?? undefined, stores: stores && storeIdTable(stores) };
  }
  if (viewer.role === 'store_admin') {
    if (storeId && !isStaffOf(viewer, storeId)) throw new AppError('forbidden', m.platform_forbidden());
    return { ...wanted, stores: storeIdTable(storeId ? [storeId] : viewer.scopes) };
  }
  return { ...wanted, stores: storeId ? storeIdTable([storeId]) : everyStoreIdSql };
}

interface OrderWords extends OrderSearch {
  reach: SearchPeriod;
  /** The ids of further orders, whose payments have the searched text as a reference. */
  ids: readonly string[];
}

const indexes = ['order_names_folded', 'order_search_names', 'order_search_digits'];

/**
 * Reads the terms of a search; null for an empty search. `idsOf` returns the ids of further orders that match the text.
 */
export async function parseOrderSearchTerms(
  db: Db,
  search: string | undefined,
  now: Date,
  idsOf: (text: string) => Promise<string[]> = async () => [],
): Promise<OrderWords | null> {
  const wanted = parseOrderSearch(search ?? '');
  if (wanted.text === '') return null;
  const [has, ids] = [await hasSearchIndexes(db, indexes), await idsOf((search ?? '').trim())];
  return { ...wanted, ids, reach: searchPeriodOf(wanted.text, has, now) };
}

/** An SQL condition that is true for matching rows of `order_search`. It uses no index. */
function matches(words: OrderWords, row: RawBuilder<unknown>): RawBuilder<boolean> {
  const { text, digits, reach } = words;
  const any = [
    foldedTextHasWordsSql(sql`fold_text(${row}.name)`, text),
    // Callers find the rows by trading day, so the concatenation keeps PostgreSQL from using the index on `digits`.
    ...(digits === null ? [] : [sql`${row}.digits || '' like ${likePattern(digits)}`]),
  ];
  const found = sql`(${sql.join(any, sql` or `)})`;
  const all = [reach.from === null ? found : sql`(${row}.trading_day >= ${reach.from}::date and ${found})`];
  return sql`(${sql.join([...all, ...exactly(words, row)], sql` or `)})`;
}

/**
 * The rows that `matches` accepts, found by indexes. `rowsOf` reads the rows of `order_search s` that fulfil a
 * condition. Each distinct name is matched only once; then a covering index finds the orders with the matching names.
 */
function matchingRows(
  words: OrderWords,
  rowsOf: (condition: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { text, digits, reach } = words;
  if (reach.from !== null) return rowsOf(matches(words, sql`s`));
  const named = sql`
    select s.* from (select distinct name from order_names where ${foldedTextHasWordsSql(sql`fold_text(name)`, text)}) as n
    cross join lateral (${rowsOf(sql`s.name = n.name and s.name <> ''`)}) as s`;
  const others = [
    ...(digits === null ? [] : [sql`s.digits like ${likePattern(digits)}`]),
    ...exactly(words, sql`s`),
  ].map((condition) => sql`(${rowsOf(condition)})`);
  return sql.join([named, ...others], sql` union `);
}

function exactly({ number, ids }: OrderWords, row: RawBuilder<unknown>): RawBuilder<boolean>[] {
  return [
    ...(number === null ? [] : [sql<boolean>`${row}.number = ${number}`]),
    ...(ids.length === 0 ? [] : [sql<boolean>`${row}.order_id = any(${ids}::uuid[])`]),
  ];
}

interface OrdersWanted {
  /** A table of the stores' ids; null: the orders of one customer, of any store. */
  stores: RawBuilder<unknown> | null;
  customerId?: string | undefined;
  /** Inclusive trading days. */
  from?: string | undefined;
  to?: string | undefined;
  statuses?: readonly OrderStatus[] | undefined;
  paymentStatus?: PaymentStatus | undefined;
  isLost?: boolean;
  isNotPaid?: boolean;
  words?: OrderWords | null;
}

export interface OrderIdsPage extends RowTotal {
  ids: string[];
  /** The key after which the next page begins; null on the last page. */
  next: string | null;
}

interface Found {
  id: string;
  key: string[];
}

/**
 * Reads a page of orders, newest first, by trading day and time. Each store's orders are indexed by trading day, so a
 * page takes the same time for any range of days.
 */
export async function readOrderIdsPage(db: Db, wanted: OrdersWanted, request: PageRequest): Promise<OrderIdsPage> {
  const { words } = wanted;
  if (words) {
    const found = await searchPage(db, wanted, words, request);
    // `found` is null if too many orders match. Then the newest orders are read and filtered, because they soon yield
    // enough matches.
    if (found) return found;
  }
  const [{ rows }, total] = [
    await sql<Found>`
      select id, ${keyOf} as key from (
        select * from (${everyBranch(wanted, request)}) as found
        order by ${orderBySql(newestFirst('found'))} limit ${request.per_page + 1} offset ${pageOffsetOf(request)}) as page
      order by ${orderBySql(newestFirst('page'))}`.execute(db),
    words ? rowTotalOf(maxExactTotal + 1) : await countUpToLimit(db, everyBranch(wanted, null)),
  ];
  return { ...total, ...pageFrom(rows, request) };
}

/** A page of the orders that match a search; null if more than `maxExactTotal` match. */
async function searchPage(
  db: Db,
  wanted: OrdersWanted,
  words: OrderWords,
  request: PageRequest,
): Promise<OrderIdsPage | null> {
  const order = newestFirst('found');
  const after = request.after === undefined ? sql`true` : isAfterKeySql(order, decodePageKey(order, request.after));
  const rowsOf = (condition: RawBuilder<unknown>) => sql`
    select s.order_id as id, s.trading_day, s.created_at from order_search s
    ${needsOrder(wanted) ? sql`join orders on orders.id = s.order_id` : sql``}
    where ${condition} and ${inStores(wanted, sql`s.store_id`)}
      and ${withinDays(wanted, sql`s.trading_day`)} and ${needsOrder(wanted) ? plainConditions(wanted) : sql`true`}
    limit ${maxExactTotal + 1}`;
  const { rows } = await sql<{ total: number; page: Found[] | null }>`
    with found as materialized (
      select * from (${matchingRows(words, rowsOf)}) as matching limit ${maxExactTotal + 1}
    ), page as (
      select * from found where ${after} and (select count(*) from found) <= ${maxExactTotal}
      order by ${orderBySql(order)} limit ${request.per_page + 1} offset ${pageOffsetOf(request)}
    ), shown as (select id, ${keyOf} as key from page order by ${orderBySql(newestFirst('page'))})
    select (select count(*) from found)::int as total, (select json_agg(shown) from shown) as page`.execute(db);
  const total = rowTotalOf(rows[0]?.total ?? 0);
  return total.isExact ? { ...total, ...pageFrom(rows[0]?.page ?? [], request) } : null;
}

function pageFrom(rows: readonly Found[], request: PageRequest): Pick<OrderIdsPage, 'ids' | 'next'> {
  const shown = rows.slice(0, request.per_page);
  const last = shown.at(-1);
  return { ids: shown.map(({ id }) => id), next: last && rows.length > shown.length ? encodePageKey(last.key) : null };
}

/**
 * Selects the wanted rows with a separate, short index range for each store and each rare status. With `request`,
 * selects enough rows for that page; otherwise up to `maxExactTotal` + 1 rows.
 */
function everyBranch(wanted: OrdersWanted, request: PageRequest | null): RawBuilder<unknown> {
  const most = request ? pageOffsetOf(request) + request.per_page + 1 : maxExactTotal + 1;
  const order = newestFirst('orders');
  const inOrder = request ? sql`order by ${orderBySql(order)}` : sql``;
  const after =
    request?.after === undefined ? sql`` : sql`and ${isAfterKeySql(order, decodePageKey(order, request.after))}`;
  const words = wanted.words ? sql`and ${matches(wanted.words, sql`s`)}` : sql``;
  const branch = (place: RawBuilder<unknown>, status: RawBuilder<unknown>) => sql`
    (select orders.id, orders.trading_day, orders.created_at from orders ${wanted.words ? sql`join order_search s on s.order_id = orders.id` : sql``}
     where ${place} and ${status} and ${withinDays(wanted, sql`orders.trading_day`)} and ${otherConditions(wanted)} ${after} ${words}
     ${inOrder} limit ${most})`;
  const branches = (place: RawBuilder<unknown>) =>
    sql.join(
      statusGroups(wanted.statuses).map((status) => branch(place, status)),
      sql` union all `,
    );
  if (wanted.customerId !== undefined) {
    const own = sql`orders.customer_id = ${wanted.customerId} and ${inStores(wanted, sql`orders.store_id`)}`;
    return request ? branches(own) : sql`select * from (${branches(own)}) as own limit ${most}`;
  }
  const rows = sql`select branch.* from ${wanted.stores} as place (id)
    cross join lateral (${branches(sql`orders.store_id = place.id`)}) as branch`;
  return request ? rows : sql`${rows} limit ${most}`;
}

/**
 * Groups the statuses for index ranges. The statuses after a handover share one branch, because most orders have them.
 * Every other status is rare and has its own branch.
 */
function statusGroups(statuses: readonly OrderStatus[] | undefined): RawBuilder<unknown>[] {
  if (!statuses || statuses.length === 0) return [sql`true`];
  const [common, rare] = [[] as OrderStatus[], [] as OrderStatus[]];
  for (const status of new Set(statuses)) (handedOverStatuses.includes(status) ? common : rare).push(status);
  const isRare = rare.map((status) => sql`orders.status = ${sql.lit(status)}`);
  if (common.length === 0) return isRare;
  return [sql`orders.status in (${sqlLiterals(common)})`, ...isRare];
}

function needsOrder({ customerId, statuses, paymentStatus, isLost: isOfLost, isNotPaid }: OrdersWanted): boolean {
  const isNarrowed = customerId !== undefined || (statuses?.length ?? 0) > 0 || paymentStatus !== undefined;
  return isNarrowed || isOfLost === true || isNotPaid === true;
}

function plainConditions(wanted: OrdersWanted): RawBuilder<unknown> {
  const { customerId, statuses } = wanted;
  const conditions = [otherConditions(wanted)];
  if (customerId !== undefined) conditions.push(sql`orders.customer_id = ${customerId}`);
  if (statuses && statuses.length > 0) conditions.push(sql`orders.status = any(${statuses}::text[])`);
  return sql.join(conditions, sql` and `);
}

function otherConditions({ paymentStatus, isLost: isOfLost, isNotPaid }: OrdersWanted): RawBuilder<unknown> {
  const conditions = [sql`true`];
  // The conditions are written as in the partial indexes, so that PostgreSQL uses these indexes.
  if (paymentStatus !== undefined) conditions.push(sql`orders.payment_status = ${sql.lit(paymentStatus)}`);
  if (isNotPaid) conditions.push(sql`orders.paid_by = 'not_paid'`);
  if (isOfLost) {
    conditions.push(
      sql`orders.status = ${sql.lit(lostOrderFields.status)} and orders.reject_reason = ${sql.lit(lostOrderFields.reject_reason)} and orders.followed_up is ${sql.lit(lostOrderFields.followed_up)}`,
    );
  }
  return sql.join(conditions, sql` and `);
}

function inStores({ stores }: OrdersWanted, column: RawBuilder<unknown>): RawBuilder<unknown> {
  return stores ? sql`${column} in (select id from ${stores} as place (id))` : sql`true`;
}

function withinDays({ from, to }: OrdersWanted, day: RawBuilder<unknown>): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (from !== undefined) conditions.push(sql`${day} >= ${from}::date`);
  if (to !== undefined) conditions.push(sql`${day} <= ${to}::date`);
  return sql.join(conditions, sql` and `);
}

function newestFirst(table: 'orders' | 'page' | 'found'): ListOrder {
  return {
    direction: 'desc',
    columns: [
      { of: sql.ref(`${table}.trading_day`), type: 'date' },
      { of: sql.ref(`${table}.created_at`), type: 'timestamptz' },
      { of: sql.ref(`${table}.id`), type: 'uuid' },
    ],
  };
}

/**
 * A row's key as texts. Keys are computed only for the rows of a page, because casting times and ids to text is slow.
 */
const keyOf = sql<string[]>`array[${sql.join(newestFirst('page').columns.map(({ of }) => sql`${of}::text`))}]`;
