import { insertDevice } from '#accounts/server/devices/device-tokens.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';

const tablet = (storeId: string) => ({ store_id: storeId, name: 'Kitchen tablet', station: '' });

/** A new tablet of a store, signed in. It has no address for mail. */
export async function addDevice(
  db: Db,
  now: Date,
  storeId: string,
): Promise<{ id: string; token: string; email: string }> {
  const made = await inTransaction(db, (tx) => insertDevice(tx, { ...tablet(storeId), kind: 'tablet' }, now));
  return { id: made.device.id, token: made.token, email: 'none@example.com' };
}
