import { readSession } from '#accounts/web/session.ts';
import type { Store, StoreConfig } from '#store/contract.ts';
import { makeStore } from '#platform/web/store.ts';
import type { PageShop, PublicShop } from '#shop/public-shop.ts';

/** The shop that the page shows, from the page itself or from the API, and kept up to date. */
export interface ShopStore {
  /** The shop's name, even before it is fetched; null while there is none. */
  readonly name: string | null;
  /** The store, which most pages come with. */
  readStore(): Store | null;
  /** The store with its menus, once something needed them. */
  read(): PublicShop | null;
  /** Whether the menus are held or on their way. */
  needsMenus(): boolean;
  subscribe(listener: () => void): () => void;
  /**
   * Fetches the shop in up to three attempts, after waiting up to ten seconds for a running load. Only staff refetch a
   * cached one. Rejects and logs after the third.
   */
  load(): Promise<PublicShop>;
  /** The first load, awaited by pages and live connection: one promise until `retry`. */
  first(): Promise<PublicShop>;
  /** Whether anything has awaited `first`, which may have failed. */
  isAwaited(): boolean;
  /** Restarts a failed `first`; false if it never began. */
  retry(): boolean;
  /** Refetches it; the shown one stays meanwhile. */
  reload(): Promise<PublicShop>;
  /** Takes the store's new state in place of the one that is held. */
  replaceStore(store: Store): void;
}

const lookEvery = 100;
const longestWait = 10_000;

/** The functions that tests replace. Most visits never load the code that fetches a shop. */
const browser = {
  fetchShop: async (wanted: string | null, known: PublicShop | null) =>
    (await import('#shop/web/fetch-shop.ts')).fetchShopWithRetries(wanted, known),
  role: () => readSession().role,
};

export function createShopStore(
  config: StoreConfig,
  held: PageShop | null,
  name: string | null,
  { fetchShop, role } = browser,
): ShopStore {
  const wanted = config.storeName ?? name;
  const shown = makeStore(() => held);
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
