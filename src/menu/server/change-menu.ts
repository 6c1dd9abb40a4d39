import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { findStoreId, firstStore } from '#store/server/find-store.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { announceMenu } from '#store/server/announce-store.ts';
import type { MenuServices } from '#menu/server/services.ts';

export interface ChangingCall {
  db: Tx;
  afterCommit(effect: () => void): void;
  /** Stores whose change was announced already, where this is one of several changes. */
  announced?: Set<string>;
}

/**
 * Begins a change of a store's menu: takes the store's turn and owes `menu.updated`. The store's row stays locked until the
 * commit, so changes follow one another; what `find` answers is read again after the wait, and throws if it is gone by then.
 */
export async function beginChange<T extends { store_id: string }>(
  { menus, outbox }: Pick<MenuServices, 'menus' | 'outbox'>,
  call: ChangingCall,
  find: (tx: Tx) => Promise<T>,
): Promise<{ tx: Tx; found: T }> {
  const tx = call.db;
  const found = await find(tx);
  const storeId = found.store_id;
  // Its row is locked since the first of these changes.
  if (call.announced?.has(storeId)) return { tx, found };
  call.announced?.add(storeId);
  const version = await announceMenu(tx, outbox, storeId);
  call.afterCommit(() => {
    menus.forget(storeId, version);
    outbox.wake();
  });
  return { tx, found: await find(tx) };
}

/** The store that a new thing is for: the one with this id, or the one that `/` shows. Throws 422 on `store_id`. */
export async function findStore(
  tx: Db,
  { config }: Pick<MenuServices, 'config'>,
  storeId: string | undefined,
): Promise<{ store_id: string }> {
  // Not from the cache: that may read with another connection, and a transaction that waits for one can wait for itself.
  const found = await findStoreId(tx, storeId ?? config.STORE_NAME ?? firstStore);
  if (found === null) throw invalid('store_id', m.store_not_found());
  return { store_id: found };
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
