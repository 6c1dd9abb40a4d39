import { createHash, randomUUIDv7 } from 'node:crypto';
import { allergenCodes } from '#database/page-values.ts';
import type { PlaceOrderBody, BasketProblem, BasketQuote, BasketToQuote } from '#ordering/basket.ts';
import { isAwaitingPayment } from '#ordering/order-status.ts';
import type { ChargedFee } from '#ordering/fee-words.ts';
import { defaultColumnValues } from '#ordering/order-columns.ts';
import type { Line, Order, OrderChannel } from '#ordering/order.ts';
import { firstOrderStatus, movesNoMoney, isStaffChannel } from '#ordering/next-status.ts';
import type { InsertedOrder, OrderLimitKeys, UnnumberedOrder } from '#ordering/server/insert-orders.ts';
import type { LoadedOrder } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { currentLanguage, defaultLanguage, type Language } from '#platform/language.ts';
import { isStaffOf, personIdOf, type Viewer } from '#platform/http/viewer.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import { withNormalPostcode } from '#store/delivery-address.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { answerDeadline, slotStartOf } from '#store/slots.ts';
import { m } from '#messages';
import { type Portions, type PortionsLeft, readPortionsLeft } from '#menu/server/portions.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import type { Db } from '#database/schema.ts';
import { indexItem, type MenuIndex } from '#menu/menu-index.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { createDiscountFinder } from '#ordering/offers/find-discounts.ts';
import { findAgeProblem } from '#ordering/min-age.ts';
import { isOverridable } from '#ordering/overridable-problems.ts';
import { promisedTimeFor } from '#ordering/promise.ts';
import { checkServingTimes, resolveBasketLines, type ResolvedBasketLine } from '#ordering/quote-lines.ts';
import { quoteBasket } from '#ordering/quote.ts';
import { offerFieldsOfQuote, checkOffers } from '#ordering/server/offer-checks.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';
import { countSlotOrders } from '#ordering/server/order-views.ts';
import { findTipProblem } from '#ordering/tip.ts';
import { AppError, type FieldErrors } from '#platform/errors.ts';

export interface OrderPlacement {
  body: PlaceOrderBody;
  viewer: Viewer;
  now: Date;
  requestId: string;
  origin: { address: string; isBehindUnknownProxy: boolean };
}

/** Milliseconds after which an unpaid order expires. */
const unpaidOrdersEndAfter = 30 * 60_000;

export function buildUnnumberedOrder(
  { orderSessions }: Pick<OrderServices, 'orderSessions'>,
  { store, version }: Shop,
  quote: ServerQuote,
  { body, viewer, now }: OrderPlacement,
  { requestHash, limited }: { requestHash: Buffer; limited: OrderLimitKeys | null },
): UnnumberedOrder {
  const first = firstOrderStatus({ ...body, total: quote.total });
  const isPlaced = !isAwaitingPayment(first);
  const isOwn = viewer.role === 'customer';
  const lines: Order['lines'] = quote.lines.map((line) => ({ id: randomUUIDv7(), ...line }));
  const id = randomUUIDv7();
  return {
    id,
    store_id: store.id,
    store_version: version,
    trading_day: tradingDayOf(store, now),
    channel: body.channel,
    placed_by: personIdOf(viewer),
    customer_id: isOwn ? viewer.id : null,
    ...orderSessions.columns(id, body.session),
    request_hash: requestHash,
    status: first,
    payment_status: quote.total === 0 ? 'paid' : 'unpaid',
    payment_method: body.payment_method,
    fulfilment_type: body.fulfilment_type,
    contact: body.contact,
    address: body.fulfilment_type === 'delivery' && body.address ? withNormalPostcode(body.address) : null,
    requested_for: body.requested_for === null ? null : new Date(body.requested_for),
    promised_at: quote.earliest_at === null ? null : new Date(body.requested_for ?? quote.earliest_at),
    prep_minutes: quote.prep_minutes,
    slot_at: quote.slot_at === null ? null : new Date(quote.slot_at),
    note: body.note,
    allergy_note: body.allergy_note,
    allergies: allergenCodes.filter((code) => body.allergies?.includes(code)),
    ...wishesOf(body),
    lines,
    subtotal: quote.subtotal,
    discounts: quote.discounts,
    fees: quote.fees.map(({ name: _name, ...fee }): ChargedFee => fee),
    tip: quote.tip,
    total: quote.total,
    vat: quote.vat,
    created_at: now,
    placed_at: isPlaced ? now : null,
    // A test order has no deadline, because no customer waits for it. So it never becomes lost, and alerts nobody.
    answer_by: isPlaced && body.channel !== 'test' ? new Date(answerDeadline(store, now)) : null,
    expires_at: isPlaced ? null : new Date(now.getTime() + unpaidOrdersEndAfter),
    locale: localeOf(body),
    actor: viewer.role === 'guest' ? 'guest' : isOwn ? 'customer' : viewer.name,
    actor_id: viewer.id,
    limited,
    portions: portionsOfLines(lines),
  };
}

/**
 * The customer's language. Orders by staff get the default language, because the language of staff is not the
 * customer's.
 */
function localeOf({ channel = 'web' }: PlaceOrderBody): Language {
  return isStaffChannel(channel) ? defaultLanguage : currentLanguage();
}

function wishesOf({ if_sold_out = 'ring', cutlery = false }: PlaceOrderBody) {
  return { if_sold_out, cutlery };
}

export function hashOrderBody({ override: _override, ...body }: PlaceOrderBody): Buffer {
  // `override` is not hashed, so that a retry that overrides a warning counts as the same order. The parsed body's keys
  // are in the schema's order, whatever order the client sent.
  return createHash('sha256').update(JSON.stringify(body)).digest();
}

/** Presents an inserted order without reading it again. The result is the same as from its stored row. */
export function presentInsertedOrder(
  {
    store_version: _version,
    actor,
    actor_id: _actorId,
    limited: _limited,
    portions: _portions,
    ...order
  }: UnnumberedOrder,
  { number }: InsertedOrder,
  session: string,
): LoadedOrder {
  // The cast is safe: the columns have the contract's types, and the database adds only the number.
  const row = { ...order, ...defaultColumnValues, number } as unknown as LoadedOrder['row'];
  const at = row.created_at.toISOString();
  return {
    row,
    session: () => session.toLowerCase(),
    customer: null,
    history: [{ from: null, to: row.status, actor, reason: null, at }],
    prints: [],
    redirectUrl: null,
    isProcessing: false,
    isTest: movesNoMoney(row, null),
    heldUntil: null,
    charge: null,
    refunds: [],
  };
}

export interface ServerQuote extends BasketQuote {
  /**
   * The slot in which the order counts, even if the shop does not limit its slots; null if the order can never be
   * ready.
   */
  slot_at: string | null;
}

/**
 * Prices a basket by one version of the shop, with the remaining capacity of its slots. Checks that customers have
 * confirmed their age; staff check the age itself at the handover. `lock` locks the counted dishes until the
 * transaction ends.
 */
export async function quoteOnServer(
  db: Db,
  shop: Shop,
  basket: BasketToQuote,
  now: Date,
  { lock = false, viewer = null }: { lock?: boolean; viewer?: Viewer | null } = {},
): Promise<ServerQuote> {
  const { store, index: cached, menus } = shop;
  const index = await withPortionsLeft(db, cached, basket, lock);
  const { payment_method: paymentMethod } = basket;
  const isByStaff = isStaffChannel(basket.channel ?? 'web');
  const taken = store.max_orders_per_slot === null ? undefined : await countSlotOrders(db, store, now, basket.replaces);
  const offers = await checkOffers(db, shop, basket, { viewer, now });
  const offered = { store, menus, now, ...circumstancesOf(basket) };
  const request = {
    store,
    index,
    basket,
    now,
    ...(taken && { taken }),
    ...(paymentMethod && { paymentMethod }),
  };
  const discountsBy = (allowed: StoredOffer[]) =>
    createDiscountFinder<ResolvedBasketLine>({ ...offered, ...offers, store: { ...store, offers: allowed } });
  const basketQuote = quoteBasket({
    ...request,
    ...(offers.allowed.length > 0 && { findDiscounts: discountsBy(offers.allowed) }),
  });
  const quote = isByStaff ? quoteForStaff({ store, index }, basket, basketQuote, now) : basketQuote;
  // The tip's limit is checked here and at the browser's field, but not in `quoteBasket`, so that the menu's first
  // bundle stays small.
  const tipProblem = findTipProblem(basket.tip, quote.subtotal, store.currency);
  if (tipProblem) quote.problems.push(tipProblem);
  const ageProblem = findAgeProblem(quote.lines, isByStaff || basket.age_confirmed === true);
  if (ageProblem) quote.problems.push(ageProblem);
  const savesAlone = (offer: StoredOffer) =>
    quoteBasket({ ...request, findDiscounts: discountsBy([offer]) }).discounts.length > 0;
  const ready = basket.requested_for ?? quote.earliest_at;
  return {
    ...quote,
    ...offerFieldsOfQuote(offers, offered, { quote, savesAlone }),
    slot_at: ready === null ? null : slotStartOf(store, ready),
  };
}

function circumstancesOf({ fulfilment_type: fulfilment, channel = 'web' }: BasketToQuote) {
  return { fulfilment, channel };
}

const problemsWaivedForStaff: ReadonlySet<string> = new Set(['payment_method_unavailable']);
/** Problems that do not prevent test orders, because nobody collects or gets the food. */
const problemsWaivedForTests: ReadonlySet<string> = new Set([
  ...problemsWaivedForStaff,
  'fulfilment_unavailable',
  'below_minimum',
]);

/**
 * Returns the quote without the problems that do not prevent an order by staff. If an unscheduled order has a time
 * problem that staff may override, it is cooked at once. Its dishes must then be on a menu that is served now.
 */
function quoteForStaff(
  { store, index }: Pick<Shop, 'store' | 'index'>,
  basket: BasketToQuote,
  quote: BasketQuote,
  now: Date,
): BasketQuote {
  const { requested_for, channel } = basket;
  const free = channel === 'test' ? problemsWaivedForTests : problemsWaivedForStaff;
  const problems = quote.problems.filter(({ code }) => !free.has(code));
  if (requested_for !== null || !problems.some(isOverridableTimeProblem)) return { ...quote, problems };
  const withMenusOfNow = problems.filter(({ code }) => code !== 'menu_unavailable');
  checkServingTimes(store, resolveBasketLines(index, basket.lines, now, []), now, withMenusOfNow);
  const { fulfilment_type, address } = basket;
  const order = {
    requested_for,
    fulfilment_type,
    prep_minutes: quote.prep_minutes,
    address: { postcode: address?.postcode ?? '' },
  };
  return { ...quote, problems: withMenusOfNow, earliest_at: promisedTimeFor(store, order, now).toISOString() };
}

export function isOverridableTimeProblem(problem: BasketProblem): boolean {
  return problem.path === 'requested_for' && isOverridable(problem);
}

/** Throws `forbidden` if the channel is for staff and the caller is not staff of the store. */
export function requireStaffForChannel(channel: OrderChannel | undefined, viewer: Viewer, storeId: string): void {
  if (channel && isStaffChannel(channel) && !isStaffOf(viewer, storeId))
    throw new AppError('forbidden', m.ordering_staff_only_channel());
}

type PortionedLine = Pick<Line, 'quantity' | 'portions'>;

export function portionsOfLines(lines: readonly PortionedLine[]): Portions[] {
  return lines.flatMap(({ portions = [], quantity }) =>
    portions.map((each) => ({ ...each, quantity: each.quantity * quantity })),
  );
}

/**
 * The menu with the current portions of the basket's dishes. If the basket replaces an unpaid order, the portions of
 * that order count as available.
 */
async function withPortionsLeft(
  db: Db,
  index: MenuIndex,
  { lines, replaces }: BasketToQuote,
  lock: boolean,
): Promise<MenuIndex> {
  const ordered = [...new Set(lines.map(({ item_id: id }) => id))].flatMap((id) => index.items.get(id) ?? []);
  const counted = new Set(ordered.flatMap(({ item }) => countedIdsOf(item)));
  if (counted.size === 0) return index;
  const left = new Map(await readPortionsLeft(db, [...counted], { lock }));
  for (const { item_id: id, quantity } of replaces === undefined ? [] : await readUnpaidPortions(db, replaces)) {
    const count = left.get(id);
    if (typeof count === 'number') left.set(id, count + quantity);
  }
  const items = new Map(index.items);
  for (const { item, menus } of ordered) items.set(item.id, indexItem(withPortions(item, left), menus));
  return { ...index, items };
}

/**
 * Returns the ids of the counted dishes that an order of this item may take: the item itself, and the dishes of a
 * deal's choices.
 */
function countedIdsOf({ id, portions_left, option_groups: groups = [] }: Item): string[] {
  const choices = groups.flatMap(({ options = [] }) => options);
  return [{ item_id: id, portions_left }, ...choices].flatMap(({ item_id: dish, portions_left: left }) =>
    dish && typeof left === 'number' ? [dish] : [],
  );
}

function withPortions(item: Item, left: PortionsLeft): Item {
  const now = (id: string | null | undefined) => (id && left.has(id) ? { portions_left: left.get(id) ?? null } : {});
  return {
    ...item,
    ...now(item.id),
    option_groups: item.option_groups?.map((group) => ({
      ...group,
      options: group.options?.map((option) => ({ ...option, ...now(option.item_id) })),
    })),
  };
}

async function readUnpaidPortions(db: Db, session: string): Promise<Portions[]> {
  const unpaid = await db
    .selectFrom('orders')
    .select(['status', 'lines'])
    .where('session_hash', '=', hashSession(session))
    .executeTakeFirst();
  return unpaid && isAwaitingPayment(unpaid.status) ? portionsOfLines(unpaid.lines) : [];
}

/** Throws `order_refused` with every problem at its field; returns if there is none. */
export function throwIfProblems(problems: readonly BasketProblem[]): void {
  const [first] = problems;
  if (!first) return;
  const errors: FieldErrors = {};
  for (const { path, message } of problems) (errors[path] ??= []).push(message);
  throw new AppError('order_refused', first.message, { errors, extra: { problems } });
}
