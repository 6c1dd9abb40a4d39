import type { PersonExport } from '#people/contract.ts';
import { listSignIns } from '#accounts/server/sign-ins.ts';
import { presentUser, type UserRow } from '#accounts/server/users.ts';
import { listIdentities } from '#accounts/server/identities.ts';
import type { OrderParts } from '#ordering/server/services.ts';
import type { Db } from '#database/schema.ts';
import { ordersOfCustomer } from '#ordering/server/order-views.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import type { Viewer } from '#platform/http/viewer.ts';

/** All that names a person here: their account, their devices, their identities elsewhere and their orders, newest first. */
export async function exportPerson(
  db: Db,
  parts: OrderParts,
  user: UserRow,
  viewer: Viewer,
  now: Date,
): Promise<PersonExport> {
  const identities = await listIdentities(db, user.id);
  const orders = await loadOrders(db, parts, await ordersOfCustomer(db, user.id));
  return {
    exported_at: now.toISOString(),
    user: { ...presentUser(user), created_at: user.created_at.toISOString() },
    sign_ins: await listSignIns(db, viewer, now),
    identities: identities.map((identity) => ({ ...identity, created_at: identity.created_at.toISOString() })),
    orders: orders.map((order) => presentOrder(order, 'customer', now, { withSession: true })),
  };
}
