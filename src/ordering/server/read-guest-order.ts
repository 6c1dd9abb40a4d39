import type { Db } from '#database/schema.ts';
import { GuestOrder } from '#ordering/order.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import { presentGuestOrder } from '#ordering/server/present-order.ts';
import { Id } from '#platform/http/shapes.ts';

/** The view for anyone who knows an order's id; null when there is no such order. */
export async function readGuestOrder(db: Db, id: string): Promise<GuestOrder | null> {
  if (!Id.safeParse(id).success) return null;
  const row = await findOrder(db, id);
  // Through the schema, like an answer of the API, so that an undeclared field never leaves the server.
  return row ? GuestOrder.parse(presentGuestOrder(row)) : null;
}
