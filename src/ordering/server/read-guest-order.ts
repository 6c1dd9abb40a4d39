import type { Db } from '#database/schema.ts';
import { GuestOrder } from '#ordering/order.ts';
import { loadOrders, presentGuestOrder } from '#ordering/server/present-order.ts';
import type { OrderParts } from '#ordering/server/services.ts';
import { Id } from '#platform/http/shapes.ts';

/** The view for anyone who knows an order's id; null when there is no such order. */
export async function readGuestOrder(db: Db, parts: OrderParts, id: string): Promise<GuestOrder | null> {
  if (!Id.safeParse(id).success) return null;
  const [order] = await loadOrders(db, parts, [id]);
  // Through the schema, like an answer of the API, so that an undeclared field never leaves the server.
  return order ? GuestOrder.parse(presentGuestOrder(order)) : null;
}
