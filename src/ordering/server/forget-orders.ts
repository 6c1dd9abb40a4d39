import type { Tx } from '#database/schema.ts';
import { eraseDetails } from '#ordering/server/change-orders.ts';

/** Takes everything out of orders that names a person. They stay as sales: lines, prices, taxes, payments and times. */
export async function forgetOrders(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  // The paper names the person too. What was printed stays counted.
  await tx.updateTable('prints').set({ source: null }).where('order_id', 'in', ids).execute();
  await eraseDetails(tx, ids);
}
