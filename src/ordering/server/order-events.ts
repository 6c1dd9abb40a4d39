import { loadOrders, presentGuestOrder, presentOrder } from '#ordering/server/present-order.ts';
import type { OrderParts } from '#ordering/server/services.ts';
import { orderPlaced, orderUpdated, orderUpdatedForGuest } from '#ordering/events.ts';
import type { EventMaker } from '#realtime/server/outbox.ts';

declare module '#realtime/server/outbox.ts' {
  interface Topics {
    order: true;
  }
}

/** An order's events: for the store's boards, and for the guest who follows it. */
export function orderEvents(now: () => Date, parts: OrderParts): EventMaker {
  return async (tx, entries) => {
    const orders = await loadOrders(tx, parts, [...new Set(entries.map(({ subjectId }) => subjectId))]);
    const byId = new Map(orders.map((order) => [order.row.id, order]));
    return entries.map(({ subjectId, event, sequence }) => {
      const order = byId.get(subjectId);
      if (!order) return [];
      // Staff of every role listen: each page asks for the calls open to its own viewer's role.
      const whole = presentOrder(order, 'admin', now(), { withSession: false, readerId: null });
      const make = event === 'order.placed' ? orderPlaced : orderUpdated;
      return [make(whole, sequence ?? 0), orderUpdatedForGuest(presentGuestOrder(order))];
    });
  };
}
