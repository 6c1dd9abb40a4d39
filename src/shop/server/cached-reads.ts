import type { IncomingHttpHeaders } from 'node:http';
import { m } from '#messages';
import { paginateArray } from '#database/read-page.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { Menu } from '#menu/menu-shapes.ts';
import type { menuEndpoints as calls, menuRelations } from '#menu/contract-parts.ts';
import { isWithinAvailability } from '#menu/menu-availability.ts';
import { loadMenus, pickMenuRelations } from '#menu/server/reading/load-menus.ts';
import type { CachedMenuCall } from '#menu/server/services.ts';
import { AppError } from '#platform/errors.ts';
import { PrebuiltAnswer, type EncodedBodies, prebuiltVaryHeader } from '#platform/http/answer.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { isStaff, isStaffOf, type Viewer } from '#platform/http/viewer.ts';
import type { FastPath } from '#platform/server/fast-path.ts';
import { prebuildAnswer } from '#platform/server/prebuilt-answers.ts';
import { cacheBuiltAnswer, type Shop, type ShopCache } from '#shop/server/shop-cache.ts';
import { readLiveStoreIds, publicStore } from '#store/server/store-views.ts';
import { LRUCache } from 'lru-cache';
import type { Endpoint, EndpointKey, Endpoints } from '#platform/http/endpoint.ts';
import { createCallLimiter } from '#platform/server/call-limits.ts';
import { createSerialQueue } from '#platform/server/call-queues.ts';

type Relation = (typeof menuRelations)[number];

/**
 * Answers the reads of menus from the cached shop. Staff also get hidden menus, so their menus are read from the
 * database.
 */
export function publicMenusHandlers(
  menus: Pick<ShopCache, 'isCurrent' | 'shop'>,
  fastPath: FastPath,
): Handlers<Pick<typeof calls, CachedMenuCall>, Db, Tx> {
  /** Reads every menu that the viewer may read, of every store. Staff also get inactive menus. */
  const readable = async (db: Db, viewer: Viewer) => {
    const shops = await Promise.all((await readLiveStoreIds(db)).map((id) => menus.shop(id)));
    const lists = await Promise.all(
      shops.map(async (shop) => {
        if (!shop) return [];
        const own = isStaff(viewer) ? await loadEvery(db, shop.store.id) : shop.menus;
        return own.map((one) => ({ menu: one, shop }));
      }),
    );
    return lists.flat();
  };

  return {
    'GET /v1/menus': async ({ db, query, viewer }) => {
      const all = await readable(db, viewer);
      return paginateArray(
        '/v1/menus',
        query,
        all.map((one) => pickMenuRelations(one.menu, one.shop.store, query.include)),
      );
    },

    'GET /v1/menus/{id}': async ({ db, params, query, viewer }) => {
      const found = (await readable(db, viewer)).find((one) => one.menu.id === params.id.toLowerCase());
      if (!found) throw new AppError('not_found', m.menu_not_found());
      return { data: pickMenuRelations(found.menu, found.shop.store, query.include) };
    },

    'GET /v1/menus/store/{storeId}': async ({ db, params, query, viewer, now }) => {
      const shop = await menus.shop(params.storeId.toLowerCase());
      if (!shop) throw new AppError('not_found', m.store_not_found());
      if (query.all === '1' && isStaffOf(viewer, shop.store.id)) {
        const every = await loadEvery(db, shop.store.id);
        return { data: every.map((one) => pickMenuRelations(one, shop.store, query.include)) };
      }
      const open = shop.menus.filter((one) => isWithinAvailability(shop.store, one.availability, now));
      const bytes = await builtOnce(shop, open, query.include);
      if (query.all === '0') rememberExact(shop, query.include, bytes);
      return new PrebuiltAnswer(bytes);
    },
  };

  /**
   * Lets the fast path answer requests for this menu until the shop changes. The fast path compares whole URLs, so the
   * URL is stored in each usual spelling.
   */
  function rememberExact(shop: Shop, include: readonly Relation[], bytes: PrebuiltAnswer['bytes']): void {
    const isWindowed = shop.menus.some((one) => one.availability !== null);
    if (isWindowed) return;
    const base = `/v1/menus/store/${shop.store.id}`;
    const urls =
      include.length === 0
        ? [base]
        : [`${base}?include=${include.join(',')}`, `${base}?include=${encodeURIComponent(include.join(','))}`];
    // A relation includes its parents, so a request that names only the deepest relation gets the same answer. An
    // answer with `store` has no such short URL, because no other relation includes `store`.
    if (include.length > 1 && !include.includes('store')) urls.push(`${base}?include=${include.at(-1)}`);
    const headers = { vary: prebuiltVaryHeader };
    const isCurrent = () => menus.isCurrent(shop);
    // The fast path does not check tokens, so it only answers requests without one.
    const isFor = ({ authorization }: IncomingHttpHeaders) => authorization === undefined;
    for (const url of urls) fastPath.remember(url, { bytes, headers, isFor, isCurrent });
  }
}

function loadEvery(db: Db, storeId: string): Promise<Required<Menu>[]> {
  return inSnapshot(db, (tx) => loadMenus(tx, storeId, { activeOnly: false }));
}

/**
 * Returns the answer with these menus. The answer is serialised and compressed once for each version of the shop and
 * each list of menus and relations.
 */
function builtOnce(
  shop: Shop,
  open: readonly Required<Menu>[],
  include: readonly Relation[],
): Promise<PrebuiltAnswer['bytes']> {
  return cacheBuiltAnswer(shop, `${open.map(({ id }) => id).join()} ${include.join()}`, () => {
    const body = JSON.stringify({ data: open.map((one) => pickMenuRelations(one, publicStore(shop.store), include)) });
    return prebuildAnswer(body, 'application/json; charset=utf-8', 'no-cache');
  });
}

/** The limit of the cache in bytes, summed over all answers in all their encodings. */
const maxKept = 16 * 1024 * 1024;
const longestKey = 500;

/**
 * Caches the answers of the GET calls that guests may make, as bytes, until a shop changes. Staff are answered without
 * the cache. Calls that miss the cache are rate-limited for each client network. Lists are built one at a time, so that
 * a flood of requests occupies only one connection.
 */
export function cacheGuestReads<const C extends Endpoints>(
  menus: Pick<ShopCache, 'onChange'>,
  contract: C,
  handlers: Handlers<C, Db, Tx>,
  /** The calls that cache their answers themselves, or whose answers depend on the time. */
  except: readonly (keyof C)[],
): Handlers<C, Db, Tx> {
  const kept = new LRUCache<string, EncodedBodies>({ maxSize: maxKept, sizeCalculation: sizeOf });
  const building = new Map<string, Promise<unknown>>();
  const turns = createSerialQueue({ maxWaiting: 50, pause: 20 });
  const limitLists = createCallLimiter({ burst: 100, perSecond: 2 });
  const limitOthers = createCallLimiter({ burst: 600, perSecond: 20 });
  let version = 0;
  menus.onChange(() => {
    version += 1;
    kept.clear();
    // A running build may be stale after the change, so it is dropped, and later callers start another build.
    building.clear();
  });

  async function build(key: string, endpoint: Endpoint | undefined, read: () => unknown): Promise<unknown> {
    const begun = version;
    const answer = await read();
    // The endpoint's schema parses the answer, so that an undeclared field never leaves the server.
    const body = JSON.stringify(endpoint?.response?.parse(answer));
    const bytes = await prebuildAnswer(body, 'application/json; charset=utf-8', 'no-cache');
    if (version === begun && key.length <= longestKey) kept.set(key, bytes);
    return new PrebuiltAnswer(bytes);
  }

  function keep<K extends keyof C & EndpointKey>(name: K): Handlers<C, Db, Tx>[K] {
    const handler = handlers[name];
    const answer = (call: HandlerInput<C, K, Db, Tx>) => {
      if (isStaff(call.viewer)) return handler(call);
      const key = JSON.stringify([name, call.params, call.query]);
      const bytes = kept.get(key);
      if (bytes) return new PrebuiltAnswer(bytes);
      const begun = building.get(key);
      if (begun) return begun;
      const isList = !name.includes('{');
      (isList ? limitLists : limitOthers)(call);
      const work = () => build(key, contract[name], () => handler(call));
      const built = isList ? turns.take(work) : work();
      building.set(key, built);
      const end = () => {
        if (building.get(key) === built) building.delete(key);
      };
      built.then(end, end);
      return built;
    };
    // The cast is right: the function returns the handler's answer, or the same answer as bytes.
    return answer as Handlers<C, Db, Tx>[K];
  }

  const isKept = (name: keyof C & EndpointKey) =>
    name.startsWith('GET ') && contract[name]?.access === 'guest' && !except.includes(name);
  // The cast is right: a contract's keys are endpoints.
  const reads = (Object.keys(contract) as (keyof C & EndpointKey)[]).filter(isKept);
  return { ...handlers, ...Object.fromEntries(reads.map((name) => [name, keep(name)])) };
}

function sizeOf({ identity, br, gzip }: EncodedBodies): number {
  return identity.length + br.length + gzip.length + 1;
}
