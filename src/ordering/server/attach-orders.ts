import { lockAccount } from '#accounts/server/kept-account.ts';
import { completeUser } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { setCustomer } from '#ordering/server/change-orders.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { guestOrders } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';

/**
 * Puts guest orders into an account, and its newest one's phone and address where the account has none. Orders that are in an
 * account stay there. Returns those that are in this one now, newest first.
 */
export async function attachOrders(
  tx: Tx,
  { outbox }: Pick<OrderServices, 'outbox'>,
  ids: readonly string[],
  userId: string,
): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  await lockAccount(tx, userId);
  const attached = await setCustomer(tx, outbox, ids, userId);
  const [newest] = attached;
  if (newest) await completeUser(tx, userId, { phone: newest.contact.phone, address: newest.address });
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('id', 'in', ids)
    .where('customer_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/** The orders of these sessions that guests placed and nobody has in an account; newest first. */
export async function guestOrdersOf(db: Db, sessions: readonly string[]): Promise<OrderRow[]> {
  if (sessions.length === 0) return [];
  return guestOrders(db).where('session_hash', 'in', sessions.map(hashSession)).orderBy('id', 'desc').execute();
}
