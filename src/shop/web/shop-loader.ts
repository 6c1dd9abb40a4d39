import { readSession } from '#accounts/web/session.ts';
import type { Store, StoreConfig } from '#store/contract.ts';
import { createExternalStore } from '#platform/web/external-store.ts';
import type { PageShop, PublicShop } from '#shop/public-shop.ts';

/** Holds the shop that the page shows, which comes from the page itself or from the API. */
export interface ShopLoader {
  /** The shop's name, which may be known before the shop is fetched; null if it is unknown. */
  readonly name: string | null;
  /** Returns the store, which the server sends with most pages; null until it is loaded. */
  readStore(): Store | null;
  /** Returns the store with its menus; null until the menus are loaded. */
  read(): PublicShop | null;
  needsMenus(): boolean;
  subscribe(listener: () => void): () => void;
  /**
   * Loads the shop in up to three attempts, after waiting up to ten seconds for a running load. Keeps a shop that is
   * loaded, unless the person is staff or the page wants another shop. Logs and rejects after the third failure.
   */
  load(): Promise<PublicShop>;
  /** The promise of the first load, shared by pages and the live connection until `retry`. */
  first(): Promise<PublicShop>;
  /** Whether `first` was called since the last `retry`, even if its load failed. */
  isAwaited(): boolean;
  /**
   * After a failure, lets the next call of `first` start another load. Returns false if `first` was not called since
   * the last `retry`.
   */
  retry(): boolean;
  /** Refetches the shop. Until the new shop is loaded, the page shows the present shop. */
  reload(): Promise<PublicShop>;
  /** Replaces the store by its new state; ignores another store. */
  replaceStore(store: Store): void;
}

const lookEvery = 100;
const longestWait = 10_000;

/**
 * The functions that tests replace. The code that fetches a shop is loaded lazily, because most visits never need it.
 */
const browser = {
  fetchShop: async (wanted: string | null, known: PublicShop | null) =>
    (await import('#shop/web/fetch-shop.ts')).fetchShopWithRetries(wanted, known),
  role: () => readSession().role,
};

export function createShopLoader(
  config: StoreConfig,
  held: PageShop | null,
  name: string | null,
  { fetchShop, role } = browser,
): ShopLoader {
  const wanted = config.storeName ?? name;
  const shown = createExternalStore(() => held);
  let loads = 0;
  let firstLoad: Promise<PublicShop> | null = null;
  const show = <T extends PageShop>(shop: T) => {
    shown.set(shop);
    return shop;
  };
  const read = () => {
    const shop = shown.read();
    return shop?.menus ? shop : null;
  };
  const attempt = async (known: PublicShop | null) => {
    loads += 1;
    try {
      return show(await fetchShop(wanted, known));
    } finally {
      loads -= 1;
    }
  };
  const isHeld = ({ store }: PublicShop) => !wanted || [store.id, store.name, store.slug].includes(wanted);
  const load = async () => {
    for (let waited = 0; loads > 0 && waited < longestWait; waited += lookEvery) {
      await new Promise((resolve) => void setTimeout(resolve, lookEvery));
    }
    const isStaff = role() === 'admin' || role() === 'store_admin';
    const shop = read();
    return shop && !isStaff && isHeld(shop) ? shop : attempt(shop);
  };
  return {
    name,
    readStore: () => shown.read()?.store ?? null,
    read,
    needsMenus: () => loads > 0 || read() !== null,
    subscribe: shown.subscribe,
    load,
    first: () => (firstLoad ??= load()),
    isAwaited: () => firstLoad !== null,
    retry() {
      const hasBegun = firstLoad !== null;
      firstLoad = null;
      return hasBegun;
    },
    reload: () => attempt(null),
    replaceStore(store) {
      const shop = shown.read();
      if (shop?.store.id === store.id) show({ ...shop, store });
    },
  };
}
