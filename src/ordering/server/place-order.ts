import { m } from '#messages';
import { type Portions, restorePortions } from '#menu/server/portions.ts';
import { isCalledOff, isUnanswered, isAwaitingPayment } from '#ordering/order-status.ts';
import { userExists } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import type { PlaceOrderBody, BasketProblem, BasketQuote } from '#ordering/basket.ts';
import { isAcceptedAtOnce, isStaffChannel } from '#ordering/next-status.ts';
import { isOverridable } from '#ordering/overridable-problems.ts';
import {
  type InsertedOrder,
  insertOrders,
  isOrderLimitExceeded,
  type UnnumberedOrder,
  type OrderInsertQueue,
  lockOrderLimitKeys,
  type ExceededOrderLimit,
} from '#ordering/server/insert-orders.ts';
import {
  presentInsertedOrder,
  hashOrderBody,
  portionsOfLines,
  isOverridableTimeProblem,
  type OrderPlacement,
  quoteOnServer,
  throwIfProblems,
  requireStaffForChannel,
  type ServerQuote,
  buildUnnumberedOrder,
} from '#ordering/server/new-order.ts';
import {
  throttleOfferCodeGuesses,
  hasServerCheckedOffer,
  lockServerCheckedOffers,
} from '#ordering/server/offer-checks.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { orderLimitKeysOf, tooManyOrdersError } from '#ordering/server/order-limits.ts';
import { loadOrders, type OrderRow, type LoadedOrder } from '#ordering/server/present-order.ts';
import { isStaffOf, personIdOf } from '#platform/http/viewer.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import { preventStoreChanges, readStoreVersion } from '#store/server/store-views.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { writeAudit } from '#database/audit.ts';
import { lockOrderOfSession } from '#ordering/server/change-orders.ts';
import { applyOrderCall } from '#ordering/server/apply-order-call.ts';
import { reserveSlot } from '#ordering/server/order-views.ts';
import type { RegisterAfterCommit } from '#platform/http/audited-call.ts';

type PlacingServices = Pick<
  OrderServices,
  'db' | 'log' | 'menus' | 'networkKey' | 'orderParts' | 'orderSessions' | 'outbox' | 'owed' | 'payments' | 'prints'
>;

/**
 * Places an order exactly once per session. The server prices the basket by one version of the shop, and the insert
 * requires that this version is current. If it is not, the shop is locked and the basket priced again. Throws
 * `order_refused` with every problem at its field, `price_changed` with the new quote, `session_reused` if the
 * session's order had another body, or `too_many_orders`.
 */
export async function placeOrder(
  services: PlacingServices,
  queue: OrderInsertQueue,
  placement: OrderPlacement,
): Promise<{ order: LoadedOrder; isNew: boolean }> {
  const { body } = placement;
  const requestHash = hashOrderBody(body);
  const shop = await services.menus.shop(body.store_id);
  if (!shop) throw invalidFieldError('store_id', m.ordering_store_unknown());
  refuseCaller(shop, placement);
  await throttleOfferCodeGuesses(services.db, shop, body, { ...placement, ...placement.origin });
  let quote = await quoteOnServer(services.db, shop, body, placement.now, placement);
  if (!isRefused(shop, body, quote)) {
    if (hasServerCheckedOffer(shop, quote.discounts)) return placeWithLockedShop(services, placement, requestHash);
    const priced = price(services, shop, quote, placement, requestHash);
    const written = await writeOrder(services, queue, priced, placement);
    if (written && isOrderLimitExceeded(written)) return refuseTooMany(services, shop, written, placement, requestHash);
    if (written) return { order: await afterInsert(services, priced, written, body.session), isNew: true };
  }
  // A retry gets the order of the first attempt, even if the shop has changed since.
  const existing = await findBySession(services, body.session, requestHash);
  if (existing) return { order: existing, isNew: false };
  await refuseDeleted(services, placement);
  // Other orders may have taken the last portions since the first quote. This second quote refuses most late orders
  // before the shop is locked.
  if (portionsOfLines(quote.lines).length > 0)
    quote = await quoteOnServer(services.db, shop, body, placement.now, placement);
  if (isRefused(shop, body, quote) && (await isNewest(services.db, shop))) refuse(shop, body, quote);
  return placeWithLockedShop(services, placement, requestHash);
}

/** Prices and inserts an order while the shop is locked, so that the shop cannot change in between. */
async function placeWithLockedShop(
  services: PlacingServices,
  placement: OrderPlacement,
  requestHash: Buffer,
): Promise<{ order: LoadedOrder; isNew: boolean }> {
  const { body, now } = placement;
  const placed = await changeWithEffects(services, async (tx, afterCommit) => {
    await preventStoreChanges(tx, body.store_id);
    const shop = await services.menus.shopIn(tx, body.store_id);
    if (!shop) throw invalidFieldError('store_id', m.ordering_store_unknown());
    refuseCaller(shop, placement);
    await lockOrderLimitKeys(tx, shop.store.id, orderLimitKeysOf(services, shop.store, placement));
    await lockServerCheckedOffers(tx, shop, body);
    const quote = await quoteOnServer(tx, shop, body, now, { lock: true, viewer: placement.viewer });
    if (isRefused(shop, body, quote)) return { shop, refused: quote };
    const priced = price(services, shop, quote, placement, requestHash);
    return { priced, inserted: await insertOrderInTransaction({ db: tx, afterCommit }, services, priced, placement) };
  });
  // If a concurrent attempt of the same session has placed the order, that order is returned instead of the refusal.
  if (placed.refused) {
    const existing = await findBySession(services, body.session, requestHash);
    return existing ? { order: existing, isNew: false } : refuse(placed.shop, body, placed.refused);
  }
  const { inserted, priced } = placed;
  if (inserted && isOrderLimitExceeded(inserted))
    return refuseTooMany(services, priced.shop, inserted, placement, requestHash);
  if (inserted) return { order: await afterInsert(services, priced, inserted, body.session), isNew: true };
  const existing = await findBySession(services, body.session, requestHash);
  if (existing) return { order: existing, isNew: false };
  await refuseDeleted(services, placement);
  throw new Error(`an order of session ${body.session} was not written`);
}

/**
 * Returns the order of this session if one exists; otherwise throws the error about the exceeded limit. If two calls
 * with one session run at once, the order of the first call can put the second call over the limit.
 */
async function refuseTooMany(
  services: PlacingServices,
  { store }: Shop,
  tooMany: ExceededOrderLimit,
  { body, now }: OrderPlacement,
  requestHash: Buffer,
): Promise<{ order: LoadedOrder; isNew: false }> {
  const existing = await findBySession(services, body.session, requestHash);
  if (existing) return { order: existing, isNew: false };
  throw tooManyOrdersError(tooMany, store, body.fulfilment_type, now);
}

/** Whether a cached shop has the newest version. During a series of edits the cache may be stale. */
async function isNewest(db: Db, { store, version }: Shop): Promise<boolean> {
  return (await readStoreVersion(db, store.id)) === version;
}

function isRefused(shop: Shop, body: PlaceOrderBody, quote: BasketQuote): boolean {
  return refusedProblems(shop, body, quote).length > 0 || isPriceChanged(body, quote);
}

function refusedProblems({ store }: Shop, body: PlaceOrderBody, { problems }: BasketQuote): BasketProblem[] {
  // In a restored shop staff cannot override problems, because the shop takes no orders yet.
  return problems.filter((problem) => store.pause_cause === 'restored' || !isOverridden(body, problem));
}

function isOverridden({ channel, override }: PlaceOrderBody, problem: BasketProblem): boolean {
  return override === true && isStaffChannel(channel) && isOverridable(problem);
}

function price(
  services: Pick<OrderServices, 'networkKey' | 'orderSessions'>,
  shop: Shop,
  quote: ServerQuote,
  placement: OrderPlacement,
  requestHash: Buffer,
): Priced {
  const limited = orderLimitKeysOf(services, shop.store, placement);
  const overridden = quote.problems.filter((problem) => isOverridden(placement.body, problem));
  return { shop, order: buildUnnumberedOrder(services, shop, quote, placement, { requestHash, limited }), overridden };
}

function refuse(shop: Shop, body: PlaceOrderBody, quote: BasketQuote): never {
  throwIfProblems(refusedProblems(shop, body, quote));
  throw new AppError('price_changed', m.ordering_price_changed(), { extra: { quote } });
}

function refuseCaller({ store }: Shop, { body, viewer }: OrderPlacement): void {
  requireStaffForChannel(body.channel, viewer, store.id);
  if (viewer.role === 'guest' && !store.guest_checkout)
    throw new AppError('unauthenticated', m.ordering_sign_in_to_order());
}

/** Throws 401 if the viewer's account was deleted during the call. */
async function refuseDeleted({ db }: Pick<OrderServices, 'db'>, { viewer }: OrderPlacement): Promise<void> {
  const id = personIdOf(viewer);
  if (id === null) return;
  if (!(await userExists(db, id))) throw new AppError('unauthenticated', 'Unauthenticated.');
}

function isPriceChanged(body: PlaceOrderBody, quote: BasketQuote): boolean {
  return body.expected_total !== undefined && body.expected_total !== quote.total;
}

async function afterInsert(
  services: Pick<OrderServices, 'db' | 'orderParts' | 'payments'>,
  { shop, order }: Priced,
  inserted: InsertedOrder,
  session: string,
): Promise<LoadedOrder> {
  if (isAwaitingPayment(order.status)) await services.payments.begin(inserted.id);
  const isSimple = isUnanswered(order.status) && !isAcceptedAtOnce(order, shop.store) && order.customer_id === null;
  if (isSimple) return presentInsertedOrder(order, inserted, session);
  const [whole] = await loadOrders(services.db, services.orderParts, [inserted.id]);
  if (!whole) throw new Error(`order ${inserted.id} vanished after its commit`);
  return whole;
}

async function findBySession(
  services: Pick<OrderServices, 'db' | 'orderParts' | 'payments'>,
  session: string,
  requestHash: Buffer,
): Promise<LoadedOrder | null> {
  const found = await services.db
    .selectFrom('orders')
    .select(['id', 'request_hash', 'status'])
    .where('session_hash', '=', hashSession(session))
    .executeTakeFirst();
  if (!found) return null;
  if (!found.request_hash.equals(requestHash)) throw new AppError('session_reused', m.ordering_session_reused());
  // The first attempt may have failed before it opened the payment page, so the page is opened now.
  if (isAwaitingPayment(found.status)) await services.payments.begin(found.id);
  const [order] = await loadOrders(services.db, services.orderParts, [found.id]);
  return order ?? null;
}

interface TransactionScope {
  db: Tx;
  afterCommit: RegisterAfterCommit;
}

type Moving = Parameters<typeof applyOrderCall>[1];

interface Priced {
  shop: Shop;
  order: UnnumberedOrder;
  overridden: BasketProblem[];
}

/**
 * Inserts an order in a batch, or in its own transaction if it needs more than the insert statement. Returns null in
 * the same cases as `OrderInsertQueue.insert`.
 */
async function writeOrder(
  services: Moving & Pick<OrderServices, 'db' | 'log'>,
  queue: OrderInsertQueue,
  priced: Priced,
  placement: OrderPlacement,
): Promise<InsertedOrder | ExceededOrderLimit | null> {
  const { shop, order } = priced;
  const isLimited = shop.store.max_orders_per_slot !== null;
  const isPlain = !isStaffOf(placement.viewer, shop.store.id) && !isLimited && !placement.body.replaces;
  if (!isPlain || isAcceptedAtOnce(order, shop.store)) {
    return changeWithEffects(services, (tx, afterCommit) =>
      insertOrderInTransaction({ db: tx, afterCommit }, services, priced, placement),
    );
  }
  const inserted = await queue.insert(order);
  // The batch was committed outside of this call's transaction, so no `afterCommit` wakes the outbox.
  if (inserted && !isOrderLimitExceeded(inserted)) services.outbox.wake();
  return inserted;
}

/**
 * Inserts an order in the caller's transaction. Returns null in the same cases as `OrderInsertQueue.insert`. Throws
 * `order_refused` if the slot is full.
 */
export async function insertOrderInTransaction(
  { db: tx, afterCommit }: TransactionScope,
  services: Moving,
  { shop, order, overridden }: Priced,
  { viewer, body, now, requestId }: OrderPlacement,
): Promise<InsertedOrder | ExceededOrderLimit | null> {
  const { store } = shop;
  const isStaffOrder = isStaffOf(viewer, store.id);
  await lockOrderLimitKeys(tx, store.id, order.limited);
  const replaced = body.replaces ? await lockReplaced(tx, body.replaces) : null;
  if (store.max_orders_per_slot !== null && order.slot_at && !overridden.some(isOverridableTimeProblem)) {
    await reserveSlot(tx, store, order.slot_at as Date, body.replaces);
  }
  // The new order may need the portions that the replaced order has taken.
  const portions = replaced ? portionsOfLines(replaced.lines) : [];
  await restorePortions(tx, portions);
  const [inserted] = await insertOrders(tx, [order]);
  if (!inserted || isOrderLimitExceeded(inserted)) {
    await restorePortions(tx, negated(portions));
    return inserted ?? null;
  }
  afterCommit(services.outbox.wake);
  if (replaced) await dropReplaced(tx, services, replaced.id, { viewer, now });
  if (isAcceptedAtOnce(order, store)) {
    await applyOrderCall(tx, services, {
      orderId: inserted.id,
      call: 'accept',
      actor: 'system',
      actorName: isStaffOrder ? viewer.name : 'system',
      actorId: isStaffOrder ? viewer.id : null,
      now,
      ...(overridden.length > 0 && {
        note: { kind: 'overridden', problems: overridden.flatMap(({ details }) => details ?? []) },
      }),
    });
  }
  if (isStaffOrder) {
    const answer = { data: { id: inserted.id, store_id: store.id } };
    await writeAudit(tx, { viewer, action: 'POST /v1/orders', params: {}, body, answer, requestId, at: now });
  }
  return inserted;
}

/**
 * Locks and returns the order that the new one replaces; null if it does not exist or was called off. Payments and
 * replacements take this lock before they write, so that they wait for each other. Throws `illegal_transition` if the
 * order has been paid.
 */
async function lockReplaced(tx: Tx, session: string): Promise<OrderRow | null> {
  const replaced = await lockOrderOfSession(tx, hashSession(session));
  if (!replaced || isCalledOff(replaced.status)) return null;
  if (isAwaitingPayment(replaced.status)) return replaced;
  throw new AppError('illegal_transition', m.ordering_replaced_paid({ number: String(replaced.number) }), {
    extra: { status: replaced.status, open_calls: [] },
  });
}

async function dropReplaced(
  tx: Tx,
  services: Moving,
  orderId: string,
  { viewer, now }: Pick<OrderPlacement, 'viewer' | 'now'>,
): Promise<void> {
  await applyOrderCall(tx, services, {
    orderId,
    call: 'cancel',
    actor: 'customer',
    actorName: 'customer',
    actorId: viewer.id,
    now,
    arePortionsReturned: true,
  });
}

function negated(portions: readonly Portions[]): Portions[] {
  return portions.map((each) => ({ ...each, quantity: -each.quantity }));
}
