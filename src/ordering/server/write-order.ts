import { m } from '#messages';
import { isAcceptedAtOnce } from '#ordering/first-status.ts';
import { writeAudit } from '#database/audit.ts';
import type { Tx } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import type { Problem } from '#ordering/basket.ts';
import { lockOrderOf } from '#ordering/server/change-orders.ts';
import { isTooMany, type TooManyOrders } from '#ordering/server/count-orders.ts';
import { type InsertedOrder, insertOrders, type NewOrder } from '#ordering/server/insert-orders.ts';
import { moveOrder } from '#ordering/server/move-order.ts';
import type { Placement } from '#ordering/server/new-order.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import type { OrderQueue } from '#ordering/server/order-queue.ts';
import { isOfTime } from '#ordering/server/quote-of.ts';
import { lockSlot } from '#ordering/server/slot-places.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { isCalledOff, isUnpaid } from '#ordering/order-status.ts';
import { AppError } from '#platform/errors.ts';
import type { AfterCommit } from '#platform/http/after-commit.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import type { Shop } from '#shop/server/shop.ts';

/** The transaction in which an order is written. */
interface Change {
  db: Tx;
  afterCommit: AfterCommit;
}

/** The services for moving an order, which some orders need when they are placed. */
type Moving = Parameters<typeof moveOrder>[1];

export interface Priced {
  shop: Shop;
  order: NewOrder;
  /** The warnings that staff overrode. */
  overridden: Problem[];
}

/** Most orders are written in batches; an order that needs several statements has its own transaction. */
export async function writeOrder(
  services: Moving & Pick<OrderServices, 'db' | 'log'>,
  queue: OrderQueue,
  priced: Priced,
  placement: Placement,
): Promise<InsertedOrder | TooManyOrders | null> {
  const { shop, order } = priced;
  const isLimited = shop.store.max_orders_per_slot !== null;
  const isPlain = !isStaffOf(placement.viewer, shop.store.id) && !isLimited && !placement.body.replaces;
  if (!isPlain || isAcceptedAtOnce(order, shop.store)) {
    return makeChange(services, (tx, afterCommit) => writeIn({ db: tx, afterCommit }, services, priced, placement));
  }
  const inserted = await queue.insert(order);
  // The queue has committed it, together with others.
  if (inserted && !isTooMany(inserted)) services.outbox.wake();
  return inserted;
}

/** In the caller's transaction. Null if the order's session exists, or its shop has changed. */
export async function writeIn(
  { db: tx, afterCommit }: Change,
  services: Moving,
  { shop, order, overridden }: Priced,
  { viewer, body, now, requestId }: Placement,
): Promise<InsertedOrder | TooManyOrders | null> {
  const { store } = shop;
  const isStaffOrder = isStaffOf(viewer, store.id);
  const replaced = body.replaces ? await lockReplaced(tx, body.replaces) : null;
  if (store.max_orders_per_slot !== null && order.slot_at && !overridden.some(isOfTime)) {
    await lockSlot(tx, store, order.slot_at as Date, body.replaces);
  }
  const [inserted] = await insertOrders(tx, [order]);
  if (!inserted) return null;
  if (isTooMany(inserted)) return inserted;
  afterCommit(services.outbox.wake);
  if (replaced) await dropReplaced(tx, services, replaced, { viewer, now });
  if (isAcceptedAtOnce(order, store)) {
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
 * The order that the new one replaces; null if it has ended already. Locked before anything is written, as a payment
 * does, so that the two wait for each other. Throws `illegal_transition` if it has been paid: otherwise there would be two.
 */
async function lockReplaced(tx: Tx, session: string): Promise<string | null> {
  const replaced = await lockOrderOf(tx, hashSession(session));
  if (!replaced || isCalledOff(replaced.status)) return null;
  if (isUnpaid(replaced.status)) return replaced.id;
  throw new AppError('illegal_transition', m.ordering_replaced_paid({ number: String(replaced.number) }), {
    extra: { status: replaced.status, open_calls: [] },
  });
}

/** Cancels it together with writing the new one, or not at all. */
async function dropReplaced(
  tx: Tx,
  services: Moving,
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
