import { sql } from 'kysely';
import { forgetAudited, forgetMentions } from '#database/audit.ts';
import type { Tx } from '#database/schema.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { forgetMailsOfOrders } from '#mail/server/keep-mail.ts';
import { forgetFollowers } from '#push/server/follows.ts';
import { eraseDetails } from '#ordering/server/change-orders.ts';
import { readNames } from '#ordering/server/order-views.ts';

/** The services by which other domains erase their data of an order. */
export type ForgetServices = Pick<OrderServices, 'owed' | 'prints'>;

/** Removes everything from orders that names a person. They stay as sales: lines, prices, taxes, payments and times. */
export async function forgetOrders(tx: Tx, { owed, prints }: ForgetServices, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await prints.forget(tx, ids);
  await owed.forget(tx, ids);
  await eraseDetails(tx, ids);
  await forgetMailsOfOrders(tx, ids);
  await forgetFollowers(tx, ids);
  await forgetAudited(tx, ids);
  await tx.deleteFrom('order_origins').where('order_id', 'in', ids).execute();
  await tx
    .deleteFrom('account_links')
    .where(sql<boolean>`order_ids && ${ids}::uuid[]`)
    .execute();
}

/** Erases other tables' data about the customers of these orders, who are still named in them: `names` too. */
export async function forgetElsewhere(
  tx: Tx,
  { prints }: Pick<ForgetServices, 'prints'>,
  ids: readonly string[],
  names: readonly string[] = [],
): Promise<void> {
  const all = [...new Set([...names, ...(ids.length > 0 ? await readNames(tx, ids) : [])])];
  await prints.forgetDrafts(tx, all);
  await forgetMentions(tx, all);
}
