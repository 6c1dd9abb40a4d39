import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { findStoreId, firstStore } from '#store/server/find-store.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { changeStore, type ChangingCall, type StoreChanges } from '#store/server/change-store.ts';
import type { MenuServices } from '#menu/server/services.ts';

/**
 * Changes a store's menu while the store is locked: what `find` returned before the lock is read again after it, and throws if
 * it no longer exists.
 */
export async function changeMenu<T extends { store_id: string }, R>(
  services: StoreChanges,
  call: ChangingCall,
  find: (tx: Tx) => Promise<T>,
  write: (tx: Tx, found: T) => Promise<R>,
): Promise<R> {
  const before = await find(call.db);
  return changeStore(services, call, before.store_id, 'menu', async (tx, isFirst) =>
    write(tx, isFirst ? await find(tx) : before),
  );
}

/** The function for `changeMenu` to find the thing with this id. */
export function byId<T>(find: (tx: Tx, id: string) => Promise<T>, id: string): (tx: Tx) => Promise<T> {
  return (tx) => find(tx, id);
}

/** The store for a new thing: the one with this id, or the one that `/` shows. It throws 422 on `store_id`. */
export function storeFor(
  { config }: Pick<MenuServices, 'config'>,
  storeId: string | undefined,
): (tx: Tx) => Promise<{ store_id: string }> {
  return async (tx) => {
    // Not from the cache: it may read with another connection, and a transaction that waits for one can wait for itself.
    const found = await findStoreId(tx, storeId ?? config.STORE_NAME ?? firstStore);
    if (found === null) throw invalid('store_id', m.store_not_found());
    return { store_id: found };
  };
}

export async function findMenu(tx: Db, id: string) {
  const row = await tx.selectFrom('menus').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.menu_not_found());
  return row;
}

/** With its menu's store. */
export async function findCategory(tx: Db, id: string) {
  const row = await tx
    .selectFrom('categories')
    .innerJoin('menus', 'menus.id', 'categories.menu_id')
    .selectAll('categories')
    .select('menus.store_id')
    .where('categories.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', m.menu_category_not_found());
  return row;
}

export async function findItem(tx: Db, id: string) {
  const row = await tx
    .selectFrom('items')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', m.menu_item_not_found());
  return row;
}

export async function findOption(tx: Db, id: string) {
  const row = await tx.selectFrom('options').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.menu_option_not_found());
  return row;
}

export async function findOptionGroup(tx: Db, id: string) {
  const row = await tx.selectFrom('option_groups').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.menu_option_group_not_found());
  return row;
}

/** For ids in a body: if it does not exist, the field is wrong. */
export function invalidField(field: string, message: string) {
  return (error: unknown): never => {
    throw error instanceof AppError && error.code === 'not_found' ? invalid(field, message) : error;
  };
}
