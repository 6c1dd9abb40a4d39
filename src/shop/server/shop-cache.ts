import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { connect } from '#database/connect.ts';
import type { Db, Tx } from '#database/schema.ts';
import { isUuid } from '#platform/uuid.ts';
import { isStale, keepNewest } from '#shop/server/kept-shop.ts';
import { keepShops } from '#shop/server/kept-shops.ts';
import { listenForChanges } from '#shop/server/listen-for-changes.ts';
import type { KnownStore, Shop } from '#shop/server/shop.ts';
import { showVersions } from '#shop/server/shown-version.ts';
import { findStoreId, firstStore } from '#store/server/find-store.ts';
import { findStoreRow } from '#store/server/store-views.ts';
import { inSnapshot } from '#database/transaction.ts';
import { indexMenus } from '#menu/menu-index.ts';
import { loadMenus } from '#menu/server/reading/load-menus.ts';
import { presentStore, type StoreRow } from '#store/server/present-store.ts';

export interface ShopCache {
  /**
   * null when there is no such store. While its menu is changed again and again this is a version up to two seconds old
   * that is ready to be sent; otherwise the newest.
   */
  shop(storeId: string): Promise<Shop | null>;
  /** The same by id, slug or name. */
  find(idSlugOrName: string): Promise<Shop | null>;
  /** The same for the store that pages show, the configured one or the first; never waits for a run of changes to end. */
  primary(): Promise<Shop | null>;
  /** The newest version, even if it must be read first. */
  newest(storeId: string): Promise<Shop | null>;
  /**
   * The store alone, by id, slug or name, or the one that `/` shows; read with `db` if it is not cached. Transactions
   * use this one: all functions above may need a connection of their own.
   */
  store(db: Db, idSlugOrName?: string): Promise<KnownStore | null>;
  /** The shop as `tx` sees it. It is consistent if `tx` has locked the store's row. */
  shopIn(tx: Tx, storeId: string): Promise<Shop | null>;
  /** Whether this is the newest known version of its shop. */
  isCurrent(shop: Shop): boolean;
  /** Whether this is what `shop` returns, even if there is a newer one. */
  isShown(shop: Shop): boolean;
  /**
   * Called after a commit that changed the store, with the new version; other instances
   * are notified by the database.
   */
  forget(storeId: string, version?: number): void;
  /** Runs `listener` whenever a store is removed from the cache: changed here, by another instance, or after a lost connection. */
  onChange(listener: () => void): void;
  /** Runs `prepare` with each version that is about to replace the version shown, before it does. */
  onNext(prepare: (next: Shop) => Promise<void>): void;
  /** Runs `listener` when such a version has replaced the older one, if somebody got the older one. */
  onShown(listener: (shop: Shop) => void): void;
  stop(): Promise<void>;
}

export interface ShopCacheOptions {
  database: string | pg.PoolConfig;
  config: { STORE_NAME?: string | undefined; PAYMENT_SANDBOX: boolean };
  onError(error: unknown): void;
}

const mostNames = 1000;

export async function openShopCache({ database, config, onError }: ShopCacheOptions): Promise<ShopCache> {
  // Its own connections: orders that use all of the application's connections need not wait behind readers of the menu.
  const { db, close } = connect(database, onError, { max: 2 });
  /** Ids by the text with which a shop was requested. */
  const ids = new LRUCache<string, string>({ max: mostNames });
  const onRenamed = () => ids.clear();
  const load = (storeId: string) => readShop(db, config, storeId);
  const shops = keepShops(load, onRenamed);
  const versions = showVersions(shops, load, { onRenamed, onError });
  const changeListeners: (() => void)[] = [];
  const tellChange = () => {
    for (const listener of changeListeners) listener();
  };
  const forget = (storeId: string, version?: number) => {
    if (shops.forget(storeId, version)) tellChange();
  };
  const forgetAll = () => {
    shops.clear();
    tellChange();
  };
  const listener = listenForChanges(database, forget, forgetAll, onError);
  await listener.ready.catch(async (error: unknown) => {
    await Promise.all([listener.stop(), close()]);
    throw error;
  });

  const find = async (wanted: string, isForPage: boolean): Promise<Shop | null> => {
    const known = ids.get(wanted) ?? (await findStoreId(db, wanted));
    if (!known) return null;
    ids.set(wanted, known);
    return versions.shop(known, isForPage);
  };

  return {
    shop: (storeId) => versions.shop(storeId, false),
    find: (wanted) => find(wanted, false),
    primary: () => find(config.STORE_NAME ?? firstStore, true),
    newest: shops.newest,
    async store(asking, wanted = config.STORE_NAME ?? firstStore) {
      const id = ids.get(wanted) ?? (isUuid(wanted) ? wanted.toLowerCase() : await findStoreId(asking, wanted));
      if (!id) return null;
      const kept = shops.known(id);
      if (kept?.newest && !isStale(kept)) return kept.newest;
      const row = await findStoreRow(asking, id);
      return row && knownStore(row, config);
    },
    async shopIn(tx, storeId) {
      const row = await findStoreRow(tx, storeId);
      if (!row) return null;
      const kept = shops.known(storeId);
      if (kept?.newest?.version === row.version) return kept.newest;
      const found = await withMenus(tx, row, config);
      if (kept) keepNewest(kept, found);
      return found;
    },
    isCurrent(shop) {
      const kept = shops.known(shop.store.id);
      return kept?.newest === shop && !isStale(kept);
    },
    isShown: (shop) => shops.known(shop.store.id)?.shown === shop,
    forget,
    onChange: (listener) => void changeListeners.push(listener),
    onNext: versions.onNext,
    onShown: versions.onShown,
    async stop() {
      versions.stop();
      await listener.stop();
      shops.clear();
      await close();
    },
  };
}

interface ShopConfig {
  PAYMENT_SANDBOX: boolean;
}

/** The store with its public menu, as of one moment; null when there is no such store. */
export function readShop(db: Db, config: ShopConfig, storeId: string): Promise<Shop | null> {
  return inSnapshot(db, async (tx) => {
    const row = await findStoreRow(tx, storeId);
    return row ? withMenus(tx, row, config) : null;
  });
}

function knownStore(row: StoreRow, config: ShopConfig): KnownStore {
  return { store: presentStore(row, config), isDemo: row.is_demo, version: row.version };
}

async function withMenus(tx: Tx, row: StoreRow, config: ShopConfig): Promise<Shop> {
  const menus = await loadMenus(tx, row.id, { activeOnly: true });
  return { ...knownStore(row, config), menus, index: indexMenus(menus), built: new Map() };
}
