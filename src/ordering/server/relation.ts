import { hashSession } from '#ordering/server/order-sessions.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import { equalInConstantTime } from '#platform/server/secrets/equal-in-constant-time.ts';

/** The caller's relation to an order. Its own customer, and the holder of its session, may read it whole. */
export type Relation = 'staff' | 'owner' | 'stranger';

export function relationTo(order: OrderRow, viewer: Viewer, session: string | null): Relation {
  if (isStaffOf(viewer, order.store_id)) return 'staff';
  if (viewer.id !== null && order.customer_id === viewer.id) return 'owner';
  return holdsSession(order, session) ? 'owner' : 'stranger';
}

/** Whether the caller has the secret of who placed the order. */
export function holdsSession(order: OrderRow, session: string | null): boolean {
  return session !== null && equalInConstantTime(hashSession(session), order.session_hash);
}
