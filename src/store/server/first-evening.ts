import type { Db, Tx } from '#database/schema.ts';

/** Whether the store's owner is shown what is left to do before it opens. */
export async function isFirstEvening(db: Db, storeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('first_evenings')
    .select('store_id')
    .where('store_id', '=', storeId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Shows the list, or puts it away; what it is already stays so. */
export async function setFirstEvening(tx: Tx, storeId: string, isShown: boolean): Promise<void> {
  if (!isShown) {
    await tx.deleteFrom('first_evenings').where('store_id', '=', storeId).execute();
    return;
  }
  await tx
    .insertInto('first_evenings')
    .values({ store_id: storeId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
