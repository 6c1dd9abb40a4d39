import type { Order } from '#ordering/order.ts';
import type { Print } from '#ordering/print.ts';

/** The store's orders that this board knows, by id. */
export type BoardOrders = ReadonlyMap<string, Order>;

/** Adds one order, from the channel or from an answer. An older version never replaces a newer one. */
export function learnOrder(orders: BoardOrders, order: Order): BoardOrders {
  if (newer(orders.get(order.id), order) !== order) return orders;
  return new Map(orders).set(order.id, order);
}

/**
 * Adds a copy of the print ledger. A copy of an order that the board does not have, or one that is no receipt, is
 * ignored.
 */
export function learnPrint(orders: BoardOrders, print: Print): BoardOrders {
  const orderId = print.purpose === 'receipt' ? print.order_id : null;
  const order = orderId === null ? undefined : orders.get(orderId);
  if (!order) return orders;
  const prints = order.prints.some(({ id }) => id === print.id)
    ? order.prints.map((known) => (known.id === print.id ? print : known))
    : [...order.prints, print];
  return new Map(orders).set(order.id, { ...order, prints });
}

/**
 * Replaces everything by a fetched list. Orders received after the fetch began (`heardSince`: ids) stay, because the
 * list may be older; of two versions of one order the newer stays.
 */
export function replaceAll(
  orders: BoardOrders,
  fetched: readonly Order[],
  heardSince: ReadonlySet<string>,
): BoardOrders {
  const next = new Map(fetched.map((order) => [order.id, newerOrSame(orders.get(order.id), order)]));
  for (const id of heardSince) {
    const order = orders.get(id);
    if (order && !next.has(id)) next.set(id, order);
  }
  return next;
}

/** An unchanged order stays the same object, so that its ticket need not render again. */
function newerOrSame(known: Order | undefined, heard: Order): Order {
  const order = newer(known, heard);
  return known && JSON.stringify(known) === JSON.stringify(order) ? known : order;
}

function newer(known: Order | undefined, heard: Order): Order {
  return known && known.version > heard.version ? known : heard;
}
