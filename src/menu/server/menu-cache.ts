import pg from 'pg';
import type { Menu } from '#menu/contract.ts';
import { loadMenus } from '#menu/server/load-menus.ts';
import { findStoreId, firstStore } from '#store/server/find-store.ts';
import { indexMenus, type MenuIndex } from '#menu/menu-index.ts';
import { connect } from '#database/connect.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import { listenForChanges } from '#store/server/shop-changes.ts';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import type { Store } from '#store/contract.ts';
import { presentStore, type StoreRow } from '#store/server/present-store.ts';

/** A store as it is at one version. */
export interface KnownStore {
  store: Store;
  isDemo: boolean;
  version: number;
}

/** A store and its public menu at one version: never half of a change. */
export interface Shop extends KnownStore {
  menus: Required<Menu>[];
  index: MenuIndex;
  /** Answers built from this version, by what was asked; they go when it goes. */
  built: Map<string, BuiltAnswer>;
}

export interface BuiltAnswer {
  bytes: Promise<PrebuiltBytes>;
  /** How the same is built of another version. */
  make: (shop: Shop) => Promise<PrebuiltBytes>;
}

export interface MenuCache {
  /**
   * null when there is no such store. While its menu is written again and again this is a version of up to two seconds ago,
   * ready to be sent; otherwise the newest.
   */
  shop(storeId: string): Promise<Shop | null>;
  /** The same by id, slug or name. */
  find(idSlugOrName: string): Promise<Shop | null>;
  /** The same for the store that pages show, the one named or the first; never waits for a run of changes to end. */
  primary(): Promise<Shop | null>;
  /** The newest version, whatever it costs. */
  newest(storeId: string): Promise<Shop | null>;
  /**
   * The store alone, by id, slug or name, or the one that `/` shows; read with `db` where it is not known. Transactions
   * ask here: everything above may need a connection of its own.
   */
  store(db: Db, idSlugOrName?: string): Promise<KnownStore | null>;
  /** The shop as `tx` sees it. It is one version where `tx` has locked the store's row. */
  shopIn(tx: Tx, storeId: string): Promise<Shop | null>;
  /** Whether this is the newest known version of its shop. */
  isCurrent(shop: Shop): boolean;
  /** Whether this is what `shop` answers, be there a newer one or not. */
  isShown(shop: Shop): boolean;
  /**
   * Called after a commit that changed the store, with the version that it made; other instances
   * hear of it from the database.
   */
  forget(storeId: string, version?: number): void;
  /** Runs `listener` whenever a store was forgotten, here, because another instance changed it, or because that could not be heard for a while. */
  onChange(listener: () => void): void;
  /** Runs `prepare` with each version that is to take the place of an older one that is shown meanwhile, before it does. */
  onNext(prepare: (next: Shop) => Promise<void>): void;
  /** Runs `listener` when such a version has taken its place, if somebody had got the older one. */
  onShown(listener: (shop: Shop) => void): void;
  stop(): Promise<void>;
}

export interface MenuCacheOptions {
  database: string | pg.PoolConfig;
  config: { STORE_NAME?: string | undefined; PAYMENT_SANDBOX: boolean };
  onError(error: unknown): void;
}

/** So many changes within so many milliseconds are a run: an import by another program, several people at once. */
const runLength = 6;
const runSpan = 500;
/** Milliseconds between two versions that are shown during a run. */
const showEvery = 500;

/** What is known of one store. */
interface Entry {
  /** What was read last; null before the first reading. */
  newest: Shop | null;
  /** The newest version that was heard of: whoever makes a change here hears of it twice. */
  heard: number;
  /** `newest`, or an older version during a run. */
  shown: Shop | null;
  /** Somebody got the older one: they are to ask again when the next is shown. */
  wasOlderSeen: boolean;
  /** The reading that began after the last change. */
  loading: Promise<Shop | null> | null;
  /** When the last changes were, on the monotonic clock: at most `runLength` of them. */
  changes: number[];
  /** Told of the next change. */
  waiting: Set<() => void>;
  /** When the next version is made ready, while another one is shown. */
  next: NodeJS.Timeout | undefined;
  isNextRunning: boolean;
}

export async function openMenuCache({ database, config, onError }: MenuCacheOptions): Promise<MenuCache> {
  // Connections of its own: orders that hold all of the application's need not wait behind whoever looks at the menu.
  const { db, close } = connect(database, onError, 2);
  const entries = new Map<string, Entry>();
  const ids = new Map<string, string>();
  const changeListeners: (() => void)[] = [];
  const preparations: ((next: Shop) => Promise<void>)[] = [];
  const shownListeners: ((shop: Shop) => void)[] = [];
  let isStopped = false;

  const entryOf = (storeId: string): Entry => {
    const known = entries.get(storeId);
    if (known) return known;
    const entry: Entry = {
      newest: null,
      heard: 0,
      shown: null,
      wasOlderSeen: false,
      loading: null,
      changes: [],
      waiting: new Set(),
      next: undefined,
      isNextRunning: false,
    };
    entries.set(storeId, entry);
    return entry;
  };
  const forget = (storeId: string, version?: number) => {
    const entry = entries.get(storeId);
    if (entry && version !== undefined) {
      if (version <= entry.heard) return;
      entry.heard = version;
      // Whoever waits for it gets it, but nobody after them.
      entry.loading = null;
      if (entry.changes.push(performance.now()) > runLength) entry.changes.shift();
      for (const tell of entry.waiting) tell();
    } else if (entry) {
      clearTimeout(entry.next);
      entries.delete(storeId);
    }
    // The name may have changed, or whom it belongs to.
    if (!entry || !isRun(entry)) ids.clear();
    for (const listener of changeListeners) listener();
  };
  const forgetAll = () => {
    for (const { next } of entries.values()) clearTimeout(next);
    entries.clear();
    ids.clear();
    for (const listener of changeListeners) listener();
  };
  const listener = listenForChanges(database, forget, forgetAll, onError);
  await listener.ready;

  const read = (storeId: string, entry: Entry): Promise<Shop | null> => {
    if (entry.loading) return entry.loading;
    const loading = loadShop(db, config, storeId);
    entry.loading = loading;
    loading.then(
      (loaded) => {
        if (entry.loading === loading) entry.loading = null;
        if (loaded) keepNewest(entry, loaded);
        else forgetOne(storeId, entry);
      },
      () => {
        if (entry.loading === loading) entry.loading = null;
      },
    );
    return loading;
  };
  const forgetOne = (storeId: string, entry: Entry) => {
    if (entries.get(storeId) === entry) entries.delete(storeId);
    ids.clear();
  };

  /** Makes the next version ready while an older one is shown: what was asked of that one, and what others prepare. */
  const showNext = async (storeId: string, entry: Entry) => {
    const next = isStale(entry) ? await loadShop(db, config, storeId) : entry.newest;
    if (!next) return forgetOne(storeId, entry);
    for (const [name, { make }] of entry.shown?.built ?? []) void keepBuilt(next, name, make).catch(() => {});
    // What could not be prepared is made when it is asked for.
    await Promise.allSettled([...next.built.values()].map(({ bytes }) => bytes));
    await Promise.all(preparations.map((prepare) => prepare(next).catch(onError)));
    if (isStopped || entries.get(storeId) !== entry) return;
    keepNewest(entry, next);
    entry.shown = next;
    ids.clear();
    if (!entry.wasOlderSeen) return;
    entry.wasOlderSeen = false;
    for (const tell of shownListeners) tell(next);
  };
  const planNext = (storeId: string, entry: Entry) => {
    if (entry.next || entry.isNextRunning || isStopped) return;
    entry.next = setTimeout(() => {
      entry.next = undefined;
      if (!isStale(entry) && entry.shown === entry.newest) return;
      entry.isNextRunning = true;
      void showNext(storeId, entry)
        .catch(onError)
        .finally(() => (entry.isNextRunning = false));
    }, showEvery);
  };

  const newest = async (storeId: string): Promise<Shop | null> => {
    const entry = entryOf(storeId);
    return isStale(entry) ? read(storeId, entry) : entry.newest;
  };

  const shop = async (storeId: string, isForPage = false): Promise<Shop | null> => {
    const entry = entryOf(storeId);
    if (entry.shown && (isStale(entry) || entry.shown !== entry.newest) && isRun(entry)) {
      planNext(storeId, entry);
      // Whoever made the last change of a run sees it: that there comes no other is waited for. A page is not.
      if (isForPage || (await isChangedSoon(entry))) {
        entry.wasOlderSeen = true;
        return entry.shown;
      }
    }
    const found = await newest(storeId);
    if (!isRun(entry)) entry.shown = found;
    return found;
  };

  const find = async (wanted: string, isForPage = false): Promise<Shop | null> => {
    const known = ids.get(wanted) ?? (await findStoreId(db, wanted));
    if (!known) return null;
    if (ids.size > 1000) ids.clear();
    ids.set(wanted, known);
    return shop(known, isForPage);
  };

  return {
    shop: (storeId) => shop(storeId),
    find: (wanted) => find(wanted),
    newest,
    async store(asking, wanted = config.STORE_NAME ?? firstStore) {
      const id = ids.get(wanted) ?? (uuid.test(wanted) ? wanted.toLowerCase() : await findStoreId(asking, wanted));
      if (!id) return null;
      const entry = entries.get(id);
      if (entry?.newest && !isStale(entry)) return entry.newest;
      const row = await readRow(asking, id);
      return row && knownStore(row, config);
    },
    async shopIn(tx, storeId) {
      const row = await readRow(tx, storeId);
      if (!row) return null;
      const entry = entries.get(storeId);
      if (entry?.newest?.version === row.version) return entry.newest;
      const found = await withMenus(tx, row, config);
      if (entry) keepNewest(entry, found);
      return found;
    },
    isCurrent(shop) {
      const entry = entries.get(shop.store.id);
      return entry?.newest === shop && !isStale(entry);
    },
    isShown: (shop) => entries.get(shop.store.id)?.shown === shop,
    forget,
    onChange: (listener) => void changeListeners.push(listener),
    onNext: (prepare) => void preparations.push(prepare),
    onShown: (listener) => void shownListeners.push(listener),
    primary: () => find(config.STORE_NAME ?? firstStore, true),
    async stop() {
      isStopped = true;
      for (const { next } of entries.values()) clearTimeout(next);
      await listener.stop();
      await close();
    },
  };
}

function isStale({ newest, heard }: Entry): boolean {
  return newest === null || newest.version < heard;
}

/** Readings may end in another order than they began. */
function keepNewest(entry: Entry, shop: Shop): void {
  if (shop.version > (entry.newest?.version ?? 0)) entry.newest = shop;
}

function isRun({ changes }: Entry): boolean {
  return changes.length === runLength && performance.now() - (changes[0] ?? -Infinity) < runSpan;
}

/** Whether another change comes within three times the usual time between two; at once when it does. */
function isChangedSoon({ changes, waiting }: Entry): Promise<boolean> {
  const [first = 0, last = 0] = [changes[0], changes.at(-1)];
  const usual = (last - first) / (changes.length - 1);
  return new Promise((resolve) => {
    const end = (isChanged: boolean) => {
      clearTimeout(timer);
      waiting.delete(tell);
      resolve(isChanged);
    };
    const tell = () => end(true);
    const timer = setTimeout(end, Math.max(30, 3 * usual), false);
    waiting.add(tell);
  });
}

/** Builds an answer once for a version of a shop, and again for the next one where it was asked for. */
export function keepBuilt(shop: Shop, name: string, make: BuiltAnswer['make']): Promise<PrebuiltBytes> {
  const known = shop.built.get(name);
  if (known) return known.bytes;
  const bytes = make(shop);
  shop.built.set(name, { bytes, make });
  // What could not be built is tried again by whoever asks next.
  bytes.catch(() => shop.built.delete(name));
  return bytes;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** No store can be named so: an empty name is not allowed. */
function loadShop(
  db: Db,
  config: { STORE_NAME?: string | undefined; PAYMENT_SANDBOX: boolean },
  storeId: string,
): Promise<Shop | null> {
  return inSnapshot(db, async (tx) => {
    const row = await readRow(tx, storeId);
    return row ? withMenus(tx, row, config) : null;
  });
}

async function readRow(db: Db, storeId: string): Promise<StoreRow | null> {
  const row = await db
    .selectFrom('stores')
    .selectAll()
    .where('id', '=', storeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

function knownStore(row: StoreRow, config: { STORE_NAME?: string | undefined; PAYMENT_SANDBOX: boolean }): KnownStore {
  return { store: presentStore(row, config), isDemo: row.is_demo, version: row.version };
}

async function withMenus(
  tx: Tx,
  row: StoreRow,
  config: { STORE_NAME?: string | undefined; PAYMENT_SANDBOX: boolean },
): Promise<Shop> {
  const menus = await loadMenus(tx, row.id, { activeOnly: true });
  return { ...knownStore(row, config), menus, index: indexMenus(menus), built: new Map() };
}
