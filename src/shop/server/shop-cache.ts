import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { connect } from '#database/connect.ts';
import { type Listener, listenToDatabase } from '#database/listen.ts';
import type { Db, Tx } from '#database/schema.ts';
import { isUuid } from '#platform/uuid.ts';
import { shopChangedChannel } from '#store/server/change-store.ts';
import { findStoreId, firstStoreLookupName } from '#store/server/find-store.ts';
import { findStoreRow, presentStore, type StoreRow } from '#store/server/store-views.ts';
import { inSnapshot } from '#database/transaction.ts';
import { indexMenus, type MenuIndex } from '#menu/menu-index.ts';
import { loadMenus } from '#menu/server/reading/load-menus.ts';
import type { Menu } from '#menu/menu-shapes.ts';
import type { EncodedBodies } from '#platform/http/answer.ts';
import { getOrCreateCached } from '#platform/server/prebuilt-answers.ts';
import type { StaffStore } from '#store/contract.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';

export interface ShopCache {
  /** Returns the newest version of a shop, which is read if it is not cached; null when there is no such store. */
  shop(storeId: string): Promise<Shop | null>;
  /** The newest version of a shop, by id, slug or name; null when there is no such store. */
  find(idSlugOrName: string): Promise<Shop | null>;
  /**
   * Returns the snapshot of the configured or first store, which pages show; null if there is no store. During repeated
   * changes the snapshot is up to a second old, so decisions and answers use the other functions.
   */
  forPages(): Promise<Shop | null>;
  /**
   * Returns a store by id, slug or name; without a name, the store that `/` shows. An uncached store is read with `db`,
   * so that a transaction needs only its own connection. The functions above may use a second connection.
   */
  store(db: Db, idSlugOrName?: string): Promise<StoreSnapshot | null>;
  /** Reads the shop within `tx`. If `tx` has locked the store's row, all parts of the shop have one version. */
  shopIn(tx: Tx, storeId: string): Promise<Shop | null>;
  isCurrent(shop: Shop): boolean;
  /**
   * Marks a cached shop as stale if its version is below `version`; without `version`, drops the shop. Callers use it
   * after a commit; the database notifies other instances.
   */
  forget(storeId: string, version?: number): void;
  /**
   * Calls `listener` after a change of a shop on any instance, and when the connection for notifications opens or
   * closes.
   */
  onChange(listener: () => void): void;
  stop(): Promise<void>;
}

export interface ShopCacheOptions {
  database: string | pg.PoolConfig;
  config: { STORE_NAME?: string | undefined; PAYMENT_SANDBOX: boolean };
  onError(error: unknown): void;
}

const maxNames = 1000;
/** During repeated changes, pages show one snapshot for this time (ms), because rendering takes longer than reading. */
const snapshotLasts = 1000;

interface CachedShop {
  /** The last result of a read; null before the first read. */
  newest: Shop | null;
  /**
   * The newest version that was announced. The instance that made the change hears of it twice, directly and from the
   * database, so an equal version is ignored.
   */
  heard: number;
  /** The running read that began after the last change; null if no such read is running. */
  loading: Promise<Shop | null> | null;
  /**
   * The version that pages show. `since` is the monotonic time at which this version replaced an older one; -Infinity
   * if it is the first.
   */
  snapshot: { shop: Shop; since: number } | null;
}

export async function openShopCache({ database, config, onError }: ShopCacheOptions): Promise<ShopCache> {
  // The cache has its own connections, so that orders do not wait behind readers of menus.
  const { db, close } = connect(database, onError, { max: 2 });
  /** The shops' ids, by the id, slug or name with which a caller asked for the shop. */
  const ids = new LRUCache<string, string>({ max: maxNames });
  const shops = new Map<string, CachedShop>();
  const newest = readsOnce(
    shops,
    (storeId) => readShop(db, config, storeId),
    () => ids.clear(),
  );
  const changeListeners: (() => void)[] = [];
  // A change of a shop clears the ids, because the shop's old name may now belong to another shop.
  const tellChange = () => {
    ids.clear();
    for (const listener of changeListeners) listener();
  };
  const forget = (storeId: string, version?: number) => {
    const cached = shops.get(storeId);
    if (version === undefined) shops.delete(storeId);
    else if (cached && !hearOf(cached, version)) return;
    tellChange();
  };
  const forgetAll = () => {
    shops.clear();
    tellChange();
  };
  const listener = listenForChanges({ database, onError }, forget, forgetAll);
  await listener.ready.catch(async (error: unknown) => {
    await Promise.all([listener.stop(), close()]);
    throw error;
  });

  const idOf = async (wanted: string) => {
    const id = ids.get(wanted) ?? (await findStoreId(db, wanted));
    if (id) ids.set(wanted, id);
    return id;
  };

  return {
    shop: newest,
    async find(wanted) {
      const id = await idOf(wanted);
      return id ? newest(id) : null;
    },
    async forPages() {
      const id = await idOf(config.STORE_NAME ?? firstStoreLookupName);
      if (!id) return null;
      const cached = entryOf(shops, id);
      const { snapshot } = cached;
      if (snapshot && performance.now() - snapshot.since < snapshotLasts) return snapshot.shop;
      const shop = await newest(id);
      return shop && showNext(cached, shop);
    },
    async store(asking, wanted = config.STORE_NAME ?? firstStoreLookupName) {
      const id = ids.get(wanted) ?? (isUuid(wanted) ? wanted.toLowerCase() : await findStoreId(asking, wanted));
      if (!id) return null;
      const cached = shops.get(id);
      if (cached?.newest && !isStale(cached)) return cached.newest;
      const row = await findStoreRow(asking, id);
      return row && knownStore(row, config);
    },
    shopIn: (tx, storeId) => shopIn(tx, storeId, config, shops.get(storeId)),
    isCurrent(shop) {
      const cached = shops.get(shop.store.id);
      return cached?.newest === shop && !isStale(cached);
    },
    forget,
    onChange: (listener) => void changeListeners.push(listener),
    async stop() {
      await listener.stop();
      shops.clear();
      await close();
    },
  };
}

/** Notifications are lost during an outage, so the cache is cleared when the connection closes and opens. */
function listenForChanges(
  { database, onError }: Pick<ShopCacheOptions, 'database' | 'onError'>,
  forget: (storeId: string, version?: number) => void,
  forgetAll: () => void,
): Listener {
  return listenToDatabase({
    database,
    channels: [shopChangedChannel],
    name: 'hatch-shop',
    onNotification(payload) {
      const [storeId = '', version] = payload.split(' ');
      forget(storeId, version === undefined ? undefined : Number(version));
    },
    onOpen: forgetAll,
    onLost: forgetAll,
    onError,
  });
}

/**
 * Returns a function that reads a shop's newest version once for all waiting callers. Calls `onGone` if the shop does
 * not exist.
 */
function readsOnce(
  shops: Map<string, CachedShop>,
  load: (storeId: string) => Promise<Shop | null>,
  onGone: () => void,
): (storeId: string) => Promise<Shop | null> {
  const read = (storeId: string, cached: CachedShop): Promise<Shop | null> => {
    if (cached.loading) return cached.loading;
    const loading = load(storeId);
    cached.loading = loading;
    const end = () => {
      if (cached.loading === loading) cached.loading = null;
    };
    loading.then((loaded) => {
      end();
      if (loaded) return keepNewest(cached, loaded);
      if (shops.get(storeId) === cached) shops.delete(storeId);
      onGone();
    }, end);
    return loading;
  };
  return async (storeId) => {
    const cached = entryOf(shops, storeId);
    return isStale(cached) ? read(storeId, cached) : cached.newest;
  };
}

function entryOf(shops: Map<string, CachedShop>, storeId: string): CachedShop {
  const cached = shops.get(storeId) ?? { newest: null, heard: 0, loading: null, snapshot: null };
  shops.set(storeId, cached);
  return cached;
}

function isStale({ newest, heard }: CachedShop): boolean {
  return newest === null || newest.version < heard;
}

/** Stores a shop that was read, unless a newer version is cached: a read that began earlier may end later. */
function keepNewest(cached: CachedShop, shop: Shop): void {
  if (shop.version > (cached.newest?.version ?? 0)) cached.newest = shop;
}

/** Records an announced version. Returns false if this version or a newer one was known before. */
function hearOf(cached: CachedShop, version: number): boolean {
  if (version <= cached.heard) return false;
  cached.heard = version;
  // Callers that already wait for the running read get its result. Later callers start another read.
  cached.loading = null;
  return true;
}

/**
 * Replaces the snapshot if `shop` is newer, and returns the newer of the two. Pages keep a snapshot for a second after
 * its `since`. The first snapshot has the time -Infinity, so that pages show the first change at once.
 */
function showNext(cached: CachedShop, shop: Shop): Shop {
  const shown = cached.snapshot?.shop;
  if (shown && shown.version >= shop.version) return shown;
  cached.snapshot = { shop, since: shown ? performance.now() : -Infinity };
  return shop;
}

interface ShopConfig {
  PAYMENT_SANDBOX: boolean;
}

/** Reads a store with its public menus in one snapshot of the database; null when there is no such store. */
export function readShop(db: Db, config: ShopConfig, storeId: string): Promise<Shop | null> {
  return inSnapshot(db, async (tx) => {
    const row = await findStoreRow(tx, storeId);
    return row ? withMenus(tx, row, config) : null;
  });
}

async function shopIn(
  tx: Tx,
  storeId: string,
  config: ShopConfig,
  cached: CachedShop | undefined,
): Promise<Shop | null> {
  const row = await findStoreRow(tx, storeId);
  if (!row) return null;
  if (cached?.newest?.version === row.version) return cached.newest;
  const found = await withMenus(tx, row, config);
  if (cached) keepNewest(cached, found);
  return found;
}

function knownStore(row: StoreRow, config: ShopConfig): StoreSnapshot {
  const offers = row.offers.filter(({ is_active }) => is_active);
  return { store: presentStore(row, config), offers, isDemo: row.is_demo, version: row.version };
}

async function withMenus(tx: Tx, row: StoreRow, config: ShopConfig): Promise<Shop> {
  const menus = await loadMenus(tx, row.id, { activeOnly: true });
  return { ...knownStore(row, config), menus, index: indexMenus(menus), built: new Map() };
}

export interface StoreSnapshot {
  store: StaffStore;
  /** The active offers with their codes and limits, which the public store does not have. */
  offers: StoredOffer[];
  isDemo: boolean;
  version: number;
}

/** A store and its public menu, read at one version: a change of the shop is in both or in neither. */
export interface Shop extends StoreSnapshot {
  menus: Required<Menu>[];
  index: MenuIndex;
  /** Answers built from this version of the shop, by name. They are dropped with the version. */
  built: Map<string, Promise<EncodedBodies>>;
}

/** Builds an answer once per version of a shop. `name` identifies the answer among the shop's answers. */
export function cacheBuiltAnswer(shop: Shop, name: string, make: () => Promise<EncodedBodies>): Promise<EncodedBodies> {
  return getOrCreateCached(shop.built, name, make);
}
