import type { Order, Print } from '#ordering/order.ts';

/** The store's orders as far as this board has heard of them. */
export interface BoardFeed {
  orders: ReadonlyMap<string, Order>;
  /** The last number heard on the channel; null before the first. */
  sequence: number | null;
}

export type FeedMessage = { sequence: number } & ({ order: Order } | { print: Print });

export const emptyFeed: BoardFeed = { orders: new Map(), sequence: null };

/**
 * Takes in one message of the store's channel. `missed` says that numbers were skipped: the caller refetches. A message
 * that comes late or twice never replaces a newer version.
 */
export function hear(feed: BoardFeed, message: FeedMessage): { feed: BoardFeed; missed: boolean } {
  const missed = feed.sequence !== null && message.sequence > feed.sequence + 1;
  const sequence = Math.max(feed.sequence ?? message.sequence, message.sequence);
  const orders = 'order' in message ? withOrder(feed.orders, message.order) : withPrint(feed.orders, message.print);
  return { feed: { orders, sequence }, missed };
}

/** Takes in one order that a call answered with. */
export function learn(feed: BoardFeed, order: Order): BoardFeed {
  const orders = withOrder(feed.orders, order);
  return orders === feed.orders ? feed : { ...feed, orders };
}

/**
 * Replaces everything by a fetched list. What was heard after the fetch began (`heardSince`: ids) stays, because the
 * list may be older than it; of two versions of one order the newer stays.
 */
export function replaceAll(feed: BoardFeed, fetched: readonly Order[], heardSince: ReadonlySet<string>): BoardFeed {
  const orders = new Map(fetched.map((order) => [order.id, newer(feed.orders.get(order.id), order)]));
  for (const id of heardSince) {
    const order = feed.orders.get(id);
    if (order && !orders.has(id)) orders.set(id, order);
  }
  return { ...feed, orders };
}

function withOrder(orders: BoardFeed['orders'], order: Order): BoardFeed['orders'] {
  if (newer(orders.get(order.id), order) !== order) return orders;
  return new Map(orders).set(order.id, order);
}

function withPrint(orders: BoardFeed['orders'], print: Print): BoardFeed['orders'] {
  const order = print.order_id === null ? undefined : orders.get(print.order_id);
  if (!order) return orders;
  const prints = order.prints.some(({ id }) => id === print.id)
    ? order.prints.map((known) => (known.id === print.id ? print : known))
    : [...order.prints, print];
  return new Map(orders).set(order.id, { ...order, prints });
}

function newer(known: Order | undefined, heard: Order): Order {
  return known && known.version > heard.version ? known : heard;
}
