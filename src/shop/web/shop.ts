import { createContext, use, useSyncExternalStore } from 'react';
import type { Store } from '#store/contract.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { ShopLoader } from '#shop/web/shop-loader.ts';

interface PageShop extends ShopLoader {
  readonly isRendered: boolean;
}

export const ShopContext = createContext<PageShop | null>(null);

export function useShopLoader(): PageShop {
  const store = use(ShopContext);
  if (!store) throw new Error('No ShopContext.');
  return store;
}

export function useStoreIfLoaded(): Store | null {
  const { readStore, subscribe } = useShopLoader();
  return useSyncExternalStore(subscribe, readStore, readStore);
}

/** Returns the shop with its menus. Suspends until the menus are loaded, and throws if they cannot be fetched. */
export function useShop(): PublicShop {
  const { read, subscribe, first } = useShopLoader();
  return useSyncExternalStore(subscribe, read, read) ?? use(first());
}

/** Returns the store. Suspends until the store is loaded, if the page came without it. */
export function useStore(): Store {
  const { first } = useShopLoader();
  return useStoreIfLoaded() ?? use(first()).store;
}
