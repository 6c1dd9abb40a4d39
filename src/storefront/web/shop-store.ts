import { readSession } from '#accounts/web/session.ts';
import type { Store } from '#store/contract.ts';
import { storeLoadFailed } from '#store/web/store-load-failed.ts';
import type { BrowserConfig, ShownShop } from '#storefront/page-data.ts';

/** The shop that the page shows, from the page itself or from the API, and kept up to date. */
export interface ShopStore {
  /** What the shop is called, even before it is fetched; null while there is none. */
  readonly name: string | null;
  /** Whether it came with the page, rendered by the server. */
  readonly isRendered: boolean;
  read(): ShownShop | null;
  subscribe(listener: () => void): () => void;
  /**
   * Fetches the shop in up to three attempts, after waiting up to ten seconds for a load in progress. A guest or a
   * customer keeps the one that is held; staff fetch it again. Rejects, and says so on the console, after the third.
   */
  load(): Promise<ShownShop>;
  /** What pages and the live connection wait for: the first load, the same promise until `retry`. */
  first(): Promise<ShownShop>;
  /** Lets `first` begin again after it failed. */
  retry(): void;
  /** Fetches it anew; what is shown stays until the answer is there. */
  reload(): Promise<ShownShop>;
  /** Takes the store's new state in place of the one that is held. */
  replaceStore(store: Store): void;
}

const attempts = 3;
const retryAfter = 1000;
const lookEvery = 100;
const longestWait = 10_000;

/** What tests stand in for. Most visits come with their shop, and never fetch the code that fetches one. */
const browser = {
  fetchShop: async (wanted: string | null, known: ShownShop | null) =>
    (await import('#storefront/web/fetch-shop.ts')).fetchShop(wanted, known),
  role: () => readSession().role,
  wait: (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds)),
};

export function createShopStore(
  config: Pick<BrowserConfig, 'storeName'>,
  held: ShownShop | null,
  name: string | null,
  { fetchShop: fetchOne, role, wait } = browser,
): ShopStore {
  const wanted = config.storeName ?? name;
  let shown = held;
  let loads = 0;
  let firstLoad: Promise<ShownShop> | null = null;
  const listeners = new Set<() => void>();
  const show = (shop: ShownShop) => {
    shown = shop;
    for (const listener of listeners) listener();
    return shop;
  };
  const attempt = async (known: ShownShop | null) => {
    loads += 1;
    try {
      for (let left = attempts; ; left -= 1) {
        try {
          return show(await fetchOne(wanted, known));
        } catch (error) {
          if (left > 1) await wait(retryAfter);
          else {
            // oxlint-disable-next-line no-console -- the contract's own words, for whoever looks for why
            console.error(storeLoadFailed);
            throw error;
          }
        }
      }
    } finally {
      loads -= 1;
    }
  };
  const isHeld = ({ store }: ShownShop) => !wanted || [store.id, store.name, store.slug].includes(wanted);
  const load = async () => {
    for (let waited = 0; loads > 0 && waited < longestWait; waited += lookEvery) await wait(lookEvery);
    const isStaff = role() === 'admin' || role() === 'store_admin';
    return shown && !isStaff && isHeld(shown) ? shown : attempt(shown);
  };
  return {
    name,
    isRendered: held !== null,
    read: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load,
    first: () => (firstLoad ??= load()),
    retry: () => (firstLoad = null),
    reload: () => attempt(null),
    replaceStore(store) {
      if (shown?.store.id === store.id) show({ ...shown, store });
    },
  };
}
