import { createContext, use, useSyncExternalStore } from 'react';
import type { Store } from '#store/contract.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { ShopStore } from '#shop/web/shop-store.ts';

interface PageShop extends ShopStore {
  /** Whether the server rendered and named the first page. */
  readonly isRendered: boolean;
}

export const ShopContext = createContext<PageShop | null>(null);

export function useShopStore(): PageShop {
  const store = use(ShopContext);
  if (!store) throw new Error('No ShopContext.');
  return store;
}

/** For pages that can do without it for now. */
export function useStoreIfLoaded(): Store | null {
  const { readStore, subscribe } = useShopStore();
  return useSyncExternalStore(subscribe, readStore, readStore);
}

/** For components with menus: suspends, and throws if they cannot be fetched. */
export function useShop(): PublicShop {
  const { read, subscribe, first } = useShopStore();
  return useSyncExternalStore(subscribe, read, read) ?? use(first());
}

/** For components with the store only: suspends if the page has none. */
export function useStore(): Store {
  const { first } = useShopStore();
  return useStoreIfLoaded() ?? use(first()).store;
}
