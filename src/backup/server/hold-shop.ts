import type { Manifest } from '#backup/manifest.ts';
import { noteRestore } from '#database/restores.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { skipOrderNumbers } from '#ordering/server/restored-orders.ts';
import { pauseRestored } from '#store/server/change-store.ts';

/** A shop that was just made from a copy waits for its owner: the world may know later orders than the copy. */
export function holdShop(db: Db, { number, made_at }: Manifest, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    await noteRestore(tx, { number, made_at }, now);
    await skipOrderNumbers(tx, await pauseRestored(tx), now);
  });
}
