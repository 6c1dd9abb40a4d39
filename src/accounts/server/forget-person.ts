import { m } from '#messages';
import type { UserRow } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import type { PersonOrders } from '#accounts/server/services.ts';
import { AppError } from '#platform/errors.ts';

/**
 * Deletes an account and everything that names its person. Their orders stay, as sales: lines, prices and times.
 * Throws 409 `conflict` while one of them is open, and for the shop's only admin.
 */
export async function forgetPerson(tx: Tx, user: UserRow, orders: PersonOrders): Promise<void> {
  // An order being placed now locks the same row, so none can be added in between.
  await tx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().executeTakeFirst();
  if (user.role === 'admin') await refuseLastAdmin(tx, user.id);
  if (await orders.hasOpen(tx, user.id)) throw new AppError('conflict', m.accounts_order_open());
  await orders.forget(tx, user.id);
  // Sign-ins and reset links are deleted with the row; `placed_by` of orders they entered for others becomes null.
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}

/** Throws 409 `conflict` when nobody else is an admin. */
export async function refuseLastAdmin(tx: Tx, id: string): Promise<void> {
  // Locked in one order, so that the last two admins cannot both leave together.
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (!admins.some((admin) => admin.id !== id)) throw new AppError('conflict', m.accounts_last_admin());
}
