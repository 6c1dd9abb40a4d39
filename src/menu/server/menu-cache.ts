import pg from 'pg';
import { sql } from 'kysely';
import type { Menu } from '#menu/contract.ts';
import { loadMenus } from '#menu/server/load-menus.ts';
import { indexMenus, type MenuIndex } from '#ordering/quote.ts';
import type { Config } from '#config.ts';
import { connect } from '#database/connect.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import type { Store } from '#store/contract.ts';
import { presentStore } from '#store/server/present-store.ts';

/** A store and its public menu at one version: never half of a change. */
export interface Shop {
  store: Store;
  isDemo: boolean;
  menus: Required<Menu>[];
  index: MenuIndex;
  version: number;
  /** Answers built from this version, by what was asked; they go when it goes. */
  built: Map<string, Promise<PrebuiltBytes>>;
}

export interface MenuCache {
  /** null when there is no such store. */
  shop(storeId: string): Promise<Shop | null>;
  /** The shop that `/` shows: the one named, or the first. */
  primary(): Promise<Shop | null>;
  /** By id, slug or name. */
  find(idSlugOrName: string): Promise<Shop | null>;
  /** Whether this is still the newest known version of its shop. */
  isCurrent(shop: Shop): boolean;
  /** Called after a commit that changed the store; other instances hear of it from the database. */
  forget(storeId: string): void;
  /** Runs `listener` whenever a store was forgotten, here, because another instance changed it, or because that could not be heard for a while. */
  onChange(listener: () => void): void;
  stop(): Promise<void>;
}

/** The database's notification that a store changed; its payload is the store's id. */
export const shopChangedChannel = 'hatch_shop_changed';

/** Counts the store's version up and tells every instance, in the change's own transaction. */
export async function bumpVersion(tx: Tx, storeId: string): Promise<void> {
  await tx
    .updateTable('stores')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', storeId)
    .execute();
  await sql`select pg_notify(${shopChangedChannel}, ${storeId})`.execute(tx);
}

export interface MenuCacheOptions {
  database: string | pg.PoolConfig;
  config: Config;
  onError(error: unknown): void;
}

export async function openMenuCache({ database, config, onError }: MenuCacheOptions): Promise<MenuCache> {
  // Connections of its own: transactions that hold all of the application's wait for a shop to be read.
  const { db, close } = connect(database, onError, 2);
  const shops = new Map<string, Promise<Shop | null>>();
  const current = new Map<string, Shop>();
  const ids = new Map<string, string>();
  const listeners: (() => void)[] = [];
  const tellAll = () => {
    for (const listener of listeners) listener();
  };
  const forget = (storeId: string) => {
    shops.delete(storeId);
    current.delete(storeId);
    ids.clear();
    tellAll();
  };
  const forgetAll = () => {
    shops.clear();
    current.clear();
    ids.clear();
    tellAll();
  };
  const listener = listenForChanges(database, forget, forgetAll, onError);
  await listener.ready;

  const shop = (storeId: string): Promise<Shop | null> => {
    const known = shops.get(storeId);
    if (known) return known;
    const loading = loadShop(db, config, storeId);
    shops.set(storeId, loading);
    // Forgotten while it was being read: whoever waits gets it, but nobody after them.
    const isStill = () => shops.get(storeId) === loading;
    loading.then(
      (loaded) => {
        if (loaded && isStill()) current.set(storeId, loaded);
        else if (isStill()) shops.delete(storeId);
      },
      () => isStill() && shops.delete(storeId),
    );
    return loading;
  };

  const find = async (wanted: string): Promise<Shop | null> => {
    const known = ids.get(wanted) ?? (await findStoreId(db, wanted));
    if (!known) return null;
    if (ids.size > 1000) ids.clear();
    ids.set(wanted, known);
    return shop(known);
  };

  return {
    shop,
    find,
    isCurrent: (shown) => current.get(shown.store.id) === shown,
    forget,
    onChange: (listener) => void listeners.push(listener),
    primary: () => find(config.STORE_NAME ?? first),
    async stop() {
      await listener.stop();
      await close();
    },
  };
}

/** No store can be named so: an empty name is not allowed. */
const first = '';

/** By id, slug or name; the first one for an empty name. null when there is no such store. */
export async function findStoreId(db: Db, wanted: string): Promise<string | null> {
  const query = db
    .selectFrom('stores')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1);
  const row = await (
    wanted === first
      ? query
      : query.where((eb) =>
          eb.or([
            eb(sql`id::text`, '=', wanted.toLowerCase()),
            eb('slug', '=', wanted.toLowerCase()),
            eb(eb.fn('lower', ['name']), '=', wanted.toLowerCase()),
          ]),
        )
  ).executeTakeFirst();
  return row?.id ?? null;
}

async function loadShop(db: Db, config: Config, storeId: string): Promise<Shop | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const row = await tx
        .selectFrom('stores')
        .selectAll()
        .where('id', '=', storeId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!row) return null;
      const menus = await loadMenus(tx, storeId, { activeOnly: true });
      return {
        store: presentStore(row, config),
        isDemo: row.is_demo,
        menus,
        index: indexMenus(menus),
        version: row.version,
        built: new Map(),
      };
    });
}

/** Holds one connection that hears of changes. While it is away nothing is remembered, so nothing stale is served. */
function listenForChanges(
  database: string | pg.PoolConfig,
  forget: (storeId: string) => void,
  forgetAll: () => void,
  onError: (error: unknown) => void,
): { ready: Promise<void>; stop(): Promise<void> } {
  let client: pg.Client | null = null;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  const open = async () => {
    const next = new pg.Client(typeof database === 'string' ? { connectionString: database } : database);
    next.on('error', onError);
    next.on('notification', (message) => forget(message.payload ?? ''));
    next.on('end', () => {
      forgetAll();
      if (isStopped || client !== next) return;
      retry = setTimeout(() => void open().catch(again), 500);
    });
    await next.connect();
    await next.query(`listen ${shopChangedChannel}`);
    client = next;
    forgetAll();
  };
  const again = (error: unknown) => {
    onError(error);
    if (!isStopped) retry = setTimeout(() => void open().catch(again), 1_000);
  };
  return {
    ready: open(),
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
