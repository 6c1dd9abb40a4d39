import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#database/schema.ts';

/** Takes everything out of orders that names a person. They stay as sales: lines, prices, taxes, payments and times. */
export async function forgetOrders(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  // The paper names the person too. What was printed stays counted.
  await tx.updateTable('prints').set({ source: null }).where('order_id', 'in', ids).execute();
  await tx
    .updateTable('orders')
    .set({
      contact: JSON.stringify({ name: '', phone: '', email: '' }),
      address: null,
      note: '',
      allergy_note: '',
      lines: sql`(select coalesce(jsonb_agg(line || '{"note":""}'), '[]') from jsonb_array_elements(lines) line)`,
      // What it was made from names the person, and could be guessed.
      request_hash: randomBytes(32),
    })
    .where('id', 'in', ids)
    .execute();
}
