import type { Tx } from '#database/schema.ts';
import { bumpVersion } from '#store/server/shop-changes.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** Counts the version up and owes `store.updated`, in the transaction that changed the store. Answers the new version. */
export async function announceStore(tx: Tx, outbox: Outbox, storeId: string): Promise<number> {
  const version = await bumpVersion(tx, storeId);
  await outbox.add(tx, { topic: 'store', event: 'store.updated', storeId, subjectId: storeId });
  return version;
}

/** The same for a change of the menu: `menu.updated`. */
export async function announceMenu(tx: Tx, outbox: Outbox, storeId: string): Promise<number> {
  const version = await bumpVersion(tx, storeId);
  await outbox.add(tx, { topic: 'menu', event: 'menu.updated', storeId, subjectId: storeId });
  return version;
}
