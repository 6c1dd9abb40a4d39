import { sql } from 'kysely';
import type { Tx } from '#database/schema.ts';
import type { OrderPrints } from '#ordering/server/services.ts';
import { forgetMailsOfOrders } from '#mail/server/keep-mail.ts';
import { endFollows } from '#push/server/follows.ts';
import { eraseDetails } from '#ordering/server/change-orders.ts';

/** Removes everything from orders that names a person. They stay as sales: lines, prices, taxes, payments and times. */
export async function forgetOrders(tx: Tx, prints: OrderPrints, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await prints.forget(tx, ids);
  await eraseDetails(tx, ids);
  await forgetMailsOfOrders(tx, ids);
  await endFollows(tx, sql`select unnest(${ids}::uuid[])`);
}
