import { createContext, use, useSyncExternalStore } from 'react';
import type { Store } from '#store/contract.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { ShopStore } from '#shop/web/shop-store.ts';

interface PageShop extends ShopStore {
  /** Whether the server has rendered the page that is shown first, and named it. */
  readonly isRendered: boolean;
}

export const ShopContext = createContext<PageShop | null>(null);

export function useShopStore(): PageShop {
  const store = use(ShopContext);
  if (!store) throw new Error('No ShopContext.');
  return store;
}

/** Wherever a page can do without it for now. */
export function useStoreIfLoaded(): Store | null {
  const { readStore, subscribe } = useShopStore();
  return useSyncExternalStore(subscribe, readStore, readStore);
}

/** For components that need the menus too: the page waits for them, and throws when they cannot be had. */
export function useShop(): PublicShop {
  const { read, subscribe, first } = useShopStore();
  return useSyncExternalStore(subscribe, read, read) ?? use(first());
}

/** For components that need only the store: the page waits (suspends) where it did not come with it. */
export function useStore(): Store {
  const { first } = useShopStore();
  return useStoreIfLoaded() ?? use(first()).store;
}
