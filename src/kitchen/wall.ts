import { groupOrdersByStage, type OrdersByStage, type TicketSort } from '#kitchen/board-layout.ts';
import type { PreparationSettings } from '#ordering/promise.ts';
import { isInHand } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';

/** Milliseconds for which a wall screen shows a cancellation, which nobody can confirm on that screen. */
const CANCELLED_SHOWN = 5 * 60_000;

/** Milliseconds for which the number of a newly packed order is emphasised. */
const JUST_READY = 60_000;

/** The orders that a wall screen shows at `now` (epoch ms), by stage. */
export function wallOrders(
  orders: Iterable<Order>,
  times: PreparationSettings,
  now: number,
  sort: TicketSort,
): OrdersByStage {
  const isOld = ({ closed_at: closedAt }: Order) => closedAt !== null && now - Date.parse(closedAt) > CANCELLED_SHOWN;
  return groupOrdersByStage(orders, times, now, isOld, sort);
}

export interface CollectionScreenNumber {
  id: string;
  number: string;
  isJustReady: boolean;
}

/** The collection orders in preparation, by due time, and the ready ones, the latest first. */
export function collectionScreenNumbers({ kitchen, ready }: Pick<OrdersByStage, 'kitchen' | 'ready'>, now: number) {
  const isCollection = (order: Order) => order.fulfilment_type === 'collection' && isInHand(order.status);
  const packedAt = (order: Order) => Date.parse(order.packed_at ?? order.created_at);
  const toNumber = (order: Order): CollectionScreenNumber => ({
    id: order.id,
    number: order.number,
    isJustReady: order.packed_at !== null && now - packedAt(order) < JUST_READY,
  });
  return {
    preparing: kitchen.filter(isCollection).map(toNumber),
    ready: ready
      .filter(isCollection)
      .toSorted((a, b) => packedAt(b) - packedAt(a))
      .map(toNumber),
  };
}

/**
 * The columns and the row height with which `count` tiles fill a box, so that the tiles are as high as possible.
 * `aspect`: width by height.
 */
export function tileGrid(box: { width: number; height: number }, count: number, aspect: number) {
  let best = { columns: 1, height: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const height = Math.min(box.width / columns / aspect, box.height / Math.ceil(count / columns));
    if (height > best.height) best = { columns, height };
  }
  return best;
}
