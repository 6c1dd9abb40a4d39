import { createHash, randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { PlaceOrder, Problem, Quote } from '#ordering/basket.ts';
import { tidyAddress } from '#store/delivery-address.ts';
import type { ChargedFee, Order } from '#ordering/order.ts';
import { firstStatus, isStaffChannel } from '#ordering/order-status.ts';
import { isOverridable } from '#ordering/override.ts';
import type { NewOrder } from '#ordering/server/insert-orders.ts';
import { moveOrder } from '#ordering/server/move-order.ts';
import { insertOrders, type InsertedOrder } from '#ordering/server/insert-orders.ts';
import { isLost } from '#ordering/tracker.ts';
import type { OrderQueue } from '#ordering/server/order-queue.ts';
import { loadOrders, type WholeOrder } from '#ordering/server/present-order.ts';
import { isOfTime, lockSlot, quoteOf, refuseProblems, refuseStaffChannel } from '#ordering/server/quote-of.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { currentLanguage } from '#platform/language.ts';
import { writeAudit } from '#database/audit.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import type { Services } from '#services.ts';
import type { Shop } from '#menu/server/menu-cache.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { answerDeadline } from '#store/slots.ts';

export interface Placement {
  body: PlaceOrder;
  viewer: Viewer;
  now: Date;
  requestId: string;
}

const paymentWait = 30 * 60_000;

interface Priced {
  shop: Shop;
  order: NewOrder;
  /** What warned the staff who take it all the same. */
  overridden: Problem[];
}

/**
 * Places an order exactly once per session. The server prices the basket itself from one version of the shop, and the
 * database takes it only while that version is the shop's; otherwise the shop is held as it is while it is priced again.
 * Throws `order_refused` with every problem beside its field, `price_changed` with the new quote, `session_reused` for
 * another body.
 */
export async function placeOrder(
  services: Services,
  queue: OrderQueue,
  placement: Placement,
): Promise<{ order: WholeOrder; isNew: boolean }> {
  const { body } = placement;
  const requestHash = hashRequest(body);
  const shop = await services.menus.newest(body.store_id);
  if (!shop) throw invalid('store_id', m.ordering_store_unknown());
  refuseCaller(shop, placement);
  const quote = await quoteOf(services.db, shop, body, placement.now);
  if (!isRefused(body, quote)) {
    const priced = price(shop, quote, placement, requestHash);
    const inserted = await write(services, queue, priced, placement);
    if (inserted) return finish(services, priced, inserted);
  }
  // A retry of an order that was taken must get its order, whatever has changed since.
  const existing = await findBySession(services, body.session, requestHash);
  if (existing) return { order: existing, isNew: false };
  await refuseDeleted(services, placement);
  if (isRefused(body, quote) && (await isNewest(services.db, shop))) refuse(body, quote);
  return placeHeld(services, placement, requestHash);
}

/** Nobody can change the shop between the reading of its prices and the order. */
async function placeHeld(
  services: Services,
  placement: Placement,
  requestHash: Buffer,
): Promise<{ order: WholeOrder; isNew: boolean }> {
  const { body, now } = placement;
  const placed = await inTransaction(services.db, async (tx) => {
    await tx.selectFrom('stores').select('id').where('id', '=', body.store_id).forShare().execute();
    const shop = await services.menus.shopIn(tx, body.store_id);
    if (!shop) throw invalid('store_id', m.ordering_store_unknown());
    refuseCaller(shop, placement);
    const quote = await quoteOf(tx, shop, body, now);
    if (isRefused(body, quote)) refuse(body, quote);
    const priced = price(shop, quote, placement, requestHash);
    return { priced, inserted: await writeIn(tx, services, priced, placement) };
  });
  if (placed.inserted) return finish(services, placed.priced, placed.inserted);
  const existing = await findBySession(services, body.session, requestHash);
  if (existing) return { order: existing, isNew: false };
  await refuseDeleted(services, placement);
  throw new Error(`an order of session ${body.session} was not written`);
}

async function finish(services: Services, { shop, order }: Priced, inserted: InsertedOrder) {
  services.outbox.wake();
  return { order: await afterInsert(services, shop, order, inserted), isNew: true };
}

/** What is shown while a menu is written again and again is a little older than the shop. */
async function isNewest(db: Db, { store, version }: Shop): Promise<boolean> {
  const row = await db.selectFrom('stores').select('version').where('id', '=', store.id).executeTakeFirst();
  return row?.version === version;
}

function isRefused(body: PlaceOrder, quote: Quote): boolean {
  return refusedProblems(body, quote).length > 0 || isPriceChanged(body, quote);
}

function refusedProblems(body: PlaceOrder, { problems }: Quote): Problem[] {
  return problems.filter((problem) => !isOverridden(body, problem));
}

function isOverridden({ channel, override }: PlaceOrder, problem: Problem): boolean {
  return override === true && isStaffChannel(channel) && isOverridable(problem);
}

function price(
  shop: Shop,
  quote: Quote & { slot_at: string | null },
  placement: Placement,
  requestHash: Buffer,
): Priced {
  const overridden = quote.problems.filter((problem) => isOverridden(placement.body, problem));
  return { shop, order: toNewOrder(shop, quote, placement, requestHash), overridden };
}

function refuse(body: PlaceOrder, quote: Quote): never {
  refuseProblems(refusedProblems(body, quote));
  throw new AppError('price_changed', m.ordering_price_changed(), { extra: { quote } });
}

function refuseCaller({ store }: Shop, { body, viewer }: Placement): void {
  refuseStaffChannel(body.channel, viewer, store.id);
  if (viewer.role === 'guest' && !store.guest_checkout)
    throw new AppError('unauthenticated', m.ordering_sign_in_to_order());
}

/** Whoever deleted their account while their order was on its way is not signed in any more. */
async function refuseDeleted({ db }: Services, { viewer }: Placement): Promise<void> {
  if (viewer.id === null) return;
  const user = await db.selectFrom('users').select('id').where('id', '=', viewer.id).executeTakeFirst();
  if (!user) throw new AppError('unauthenticated', 'Unauthenticated.');
}

function isPriceChanged(body: PlaceOrder, quote: Quote): boolean {
  return body.expected_total !== undefined && body.expected_total !== quote.total;
}

/** The hot path writes in batches; what needs more than one statement has a transaction of its own. */
async function write(
  services: Services,
  queue: OrderQueue,
  priced: Priced,
  placement: Placement,
): Promise<InsertedOrder | null> {
  const { shop, order } = priced;
  const isLimited = shop.store.max_orders_per_slot !== null;
  const isPlain = !isStaffOf(placement.viewer, shop.store.id) && !isLimited && !placement.body.replaces;
  if (isPlain && !acceptsItself(priced)) return queue.insert(order);
  return inTransaction(services.db, (tx) => writeIn(tx, services, priced, placement));
}

/** Whether nobody needs to accept it: staff did so by placing it, or the shop always does. */
function acceptsItself({ shop, order }: Pick<Priced, 'shop' | 'order'>): boolean {
  return order.status === 'accepted' || (order.status === 'placed' && shop.store.auto_accept);
}

async function writeIn(
  tx: Tx,
  services: Services,
  { shop, order, overridden }: Priced,
  { viewer, body, now, requestId }: Placement,
): Promise<InsertedOrder | null> {
  const { store } = shop;
  const isStaffOrder = isStaffOf(viewer, store.id);
  const accepts = acceptsItself({ shop, order });
  const replaced = body.replaces ? await lockReplaced(tx, body.replaces) : null;
  if (store.max_orders_per_slot !== null && order.slot_at && !overridden.some(isOfTime)) {
    await lockSlot(tx, store, order.slot_at as Date, body.replaces);
  }
  const [inserted] = await insertOrders(tx, [accepts ? { ...order, status: 'placed', placed_at: now } : order]);
  if (!inserted) return null;
  if (replaced) await dropReplaced(tx, services, replaced, { viewer, now });
  if (accepts) {
    await moveOrder(tx, services, {
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
 * The order that the new one stands in for; null where it is over already. Locked before anything is written, as a payment
 * does it, so that the two take turns. Throws `illegal_transition` when it has been paid meanwhile: there would be two.
 */
async function lockReplaced(tx: Tx, session: string): Promise<string | null> {
  const replaced = await tx
    .selectFrom('orders')
    .select(['id', 'number', 'status'])
    .where('session', '=', session)
    .forUpdate()
    .executeTakeFirst();
  if (!replaced || isLost(replaced.status)) return null;
  if (replaced.status === 'pending_payment') return replaced.id;
  throw new AppError('illegal_transition', m.ordering_replaced_paid({ number: String(replaced.number) }), {
    extra: { status: replaced.status, open_calls: [] },
  });
}

/** Cancels it together with the writing of the new one, or not at all. */
async function dropReplaced(
  tx: Tx,
  services: Services,
  orderId: string,
  { viewer, now }: Pick<Placement, 'viewer' | 'now'>,
): Promise<void> {
  await moveOrder(tx, services, {
    orderId,
    call: 'cancel',
    actor: 'customer',
    actorName: 'customer',
    actorId: viewer.id,
    now,
  });
}

async function afterInsert(
  services: Services,
  shop: Shop,
  order: NewOrder,
  inserted: InsertedOrder,
): Promise<WholeOrder> {
  if (order.status === 'pending_payment') await services.payments.begin(inserted.id);
  const isSimple = order.status === 'placed' && !shop.store.auto_accept && order.customer_id === null;
  if (isSimple) return fromMemory(order, inserted);
  const [whole] = await loadOrders(services.db, [inserted.id]);
  if (!whole) throw new Error(`order ${inserted.id} vanished after its commit`);
  return whole;
}

/** What was just written, without reading it back: the same row the database holds now. */
function fromMemory(
  { store_version: _version, actor, actor_id: _actorId, ...order }: NewOrder,
  { number }: InsertedOrder,
): WholeOrder {
  // The columns were made above from the contract's own types; only the number comes from the database.
  const row = {
    ...order,
    number,
    version: 1,
    refunded: 0,
    reject_reason: null,
    followed_up: null,
    accepted_at: null,
    packed_at: null,
    left_at: null,
    completed_at: null,
    closed_at: null,
  } as unknown as WholeOrder['row'];
  const at = row.created_at.toISOString();
  return {
    row,
    customer: null,
    history: [{ from: null, to: 'placed', actor, reason: null, at }],
    prints: [],
    redirectUrl: null,
  };
}

async function findBySession(services: Services, session: string, requestHash: Buffer): Promise<WholeOrder | null> {
  const found = await services.db
    .selectFrom('orders')
    .select(['id', 'request_hash', 'status'])
    .where('session', '=', session)
    .executeTakeFirst();
  if (!found) return null;
  if (!found.request_hash.equals(requestHash)) throw new AppError('session_reused', m.ordering_session_reused());
  // The first try may have died before it got its payment page.
  if (found.status === 'pending_payment') await services.payments.begin(found.id);
  const [order] = await loadOrders(services.db, [found.id]);
  return order ?? null;
}

function toNewOrder(
  { store, version }: Shop,
  quote: Quote & { slot_at: string | null },
  { body, viewer, now }: Placement,
  requestHash: Buffer,
): NewOrder {
  const first = firstStatus(body);
  const isPlaced = first !== 'pending_payment';
  const isOwn = viewer.role === 'customer';
  const lines: Order['lines'] = quote.lines.map((line) => ({ id: randomUUIDv7(), ...line }));
  return {
    id: randomUUIDv7(),
    store_id: store.id,
    store_version: version,
    trading_day: tradingDayOf(store, now),
    channel: body.channel,
    placed_by: viewer.id,
    customer_id: isOwn ? viewer.id : null,
    session: body.session.toLowerCase(),
    request_hash: requestHash,
    status: first,
    payment_status: 'unpaid',
    payment_method: body.payment_method,
    fulfilment_type: body.fulfilment_type,
    contact: body.contact,
    address: body.fulfilment_type === 'delivery' && body.address ? tidyAddress(body.address) : null,
    requested_for: body.requested_for === null ? null : new Date(body.requested_for),
    promised_at: quote.earliest_at === null ? null : new Date(body.requested_for ?? quote.earliest_at),
    prep_minutes: quote.prep_minutes,
    slot_at: quote.slot_at === null ? null : new Date(quote.slot_at),
    note: body.note,
    allergy_note: body.allergy_note,
    lines,
    subtotal: quote.subtotal,
    discounts: quote.discounts,
    fees: quote.fees.map(({ name: _name, ...fee }): ChargedFee => fee),
    tip: quote.tip,
    total: quote.total,
    vat: quote.vat,
    created_at: now,
    placed_at: isPlaced ? now : null,
    answer_by: isPlaced ? new Date(answerDeadline(store, now)) : null,
    expires_at: isPlaced ? null : new Date(now.getTime() + paymentWait),
    locale: currentLanguage(),
    actor: viewer.role === 'guest' ? 'guest' : isOwn ? 'customer' : viewer.name,
    actor_id: viewer.id,
  };
}

function hashRequest({ override: _override, ...body }: PlaceOrder): Buffer {
  // Sent again after a warning, whose first answer was lost, it is still the one order.
  // The parsed body has its keys in the schema's order, so the same order hashes alike whatever the client's order.
  return createHash('sha256').update(JSON.stringify(body)).digest();
}
