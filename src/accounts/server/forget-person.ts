import { m } from '#messages';
import type { UserRow } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import { forgetOrders } from '#ordering/server/forget-orders.ts';
import { AppError } from '#platform/errors.ts';

const open = ['pending_payment', 'placed', 'accepted', 'packed', 'out_for_delivery'] as const;

/**
 * Deletes an account and everything that names its person. Their orders stay, as sales: lines, prices and times.
 * Throws 409 `conflict` while one of them is open, and for the shop's only admin.
 */
export async function forgetPerson(tx: Tx, user: UserRow): Promise<void> {
  // An order being placed right now holds the same row, so none can slip in between.
  await tx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().executeTakeFirst();
  if (user.role === 'admin') await refuseLastAdmin(tx, user.id);
  const opened = await tx
    .selectFrom('orders')
    .select('id')
    .where('customer_id', '=', user.id)
    .where('status', 'in', open)
    .limit(1)
    .executeTakeFirst();
  if (opened) throw new AppError('conflict', m.accounts_order_open());

  const theirs = await tx.selectFrom('orders').select('id').where('customer_id', '=', user.id).execute();
  await tx.updateTable('order_history').set({ actor_id: null }).where('actor_id', '=', user.id).execute();
  await forgetOrders(
    tx,
    theirs.map(({ id }) => id),
  );
  await tx.updateTable('orders').set({ customer_id: null }).where('customer_id', '=', user.id).execute();
  // Sign-ins and reset links go with the row; `placed_by` of orders they took for others empties itself.
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}

/** Throws 409 `conflict` when nobody else is an admin. */
export async function refuseLastAdmin(tx: Tx, id: string): Promise<void> {
  // Locked in one order, so that the last two cannot both leave at once.
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (!admins.some((admin) => admin.id !== id)) throw new AppError('conflict', m.accounts_last_admin());
}
