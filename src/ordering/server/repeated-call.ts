import { createHash } from 'node:crypto';
import type { Tx } from '#database/schema.ts';

/** No device holds a call back for longer (milliseconds). */
export const callsKeptFor = 2 * 24 * 60 * 60_000;

/**
 * Whether this very call was made on the order before, going by its caller's `Idempotency-Key`; written down in the call's own
 * transaction, so a refused call may be made again. A second one at the same time waits for the first.
 */
export async function isRepeated(tx: Tx, orderId: string, key: string | undefined, now: Date): Promise<boolean> {
  if (!key) return false;
  const hash = createHash('sha256').update(key).digest();
  const written = await tx
    .insertInto('order_calls')
    .values({ order_id: orderId, key: hash, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('order_id')
    .executeTakeFirst();
  return written === undefined;
}
