import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import type { BrowserConfig, ShownShop } from '#storefront/page-data.ts';

/** The shop that the page shows, from the page itself or from the API, and kept up to date. */
export interface ShopStore {
  /** What the shop is called, even before it is fetched; null while there is none. */
  readonly name: string | null;
  read(): ShownShop | null;
  subscribe(listener: () => void): () => void;
  /** Fetches it in up to three attempts; calling again waits for the same ones. */
  load(): Promise<ShownShop>;
  /** Fetches it anew; what is shown stays until the answer is there. */
  reload(): Promise<ShownShop>;
  /** Takes the store's new state in place of the one that is held. */
  replaceStore(store: Store): void;
}

const attempts = 3;

export function createShopStore(config: BrowserConfig, first: ShownShop | null, name: string | null): ShopStore {
  let shown = first;
  let loading: Promise<ShownShop> | null = first && Promise.resolve(first);
  const listeners = new Set<() => void>();
  const show = (shop: ShownShop) => {
    shown = shop;
    for (const listener of listeners) listener();
    return shop;
  };
  const fetchAnew = () => {
    const fetching = fetchShop(config, attempts).then(show);
    fetching.catch(() => {
      if (loading === fetching && !shown) loading = null;
    });
    loading = fetching;
    return fetching;
  };
  return {
    name,
    read: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: () => loading ?? fetchAnew(),
    reload: fetchAnew,
    replaceStore(store) {
      if (shown?.store.id === store.id) show({ ...shown, store });
    },
  };
}

async function fetchShop(config: BrowserConfig, left: number): Promise<ShownShop> {
  try {
    const store = config.storeName
      ? (await api('GET /v1/stores/{id}', { id: config.storeName })).data
      : (await api('GET /v1/stores', { per_page: 1 })).data[0];
    if (!store) throw new Error('There is no shop yet.');
    // Every menu, not only those of this hour: an order for later may be made from them.
    const { data: all } = await api('GET /v1/menus', {
      include: 'categories.items.option_groups.options',
      per_page: 200,
    });
    return { store, menus: all.filter((menu) => menu.store_id === store.id && menu.is_active) };
  } catch (error) {
    if (left <= 1) throw error;
    await new Promise((resolve) => void setTimeout(resolve, 1000));
    return fetchShop(config, left - 1);
  }
}
