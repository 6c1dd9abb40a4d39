import { createContext, use, useSyncExternalStore } from 'react';
import type { ShownShop } from '#storefront/page-data.ts';
import type { ShopStore } from '#storefront/web/shop-store.ts';

export const ShopContext = createContext<ShopStore | null>(null);

export function useShopStore(): ShopStore {
  const store = use(ShopContext);
  if (!store) throw new Error('No ShopContext.');
  return store;
}

/** Whether the server has rendered the page that is shown first, and named it. */
export function useIsRendered(): boolean {
  return useShopStore().isRendered;
}

/** Wherever a page can do without it for now. */
export function useShopIfLoaded(): ShownShop | null {
  const { read, subscribe } = useShopStore();
  return useSyncExternalStore(subscribe, read, read);
}

/** For what needs it: the page waits (suspends) until it is there, and throws when it cannot be had. */
export function useShop(): ShownShop {
  const store = useShopStore();
  return useShopIfLoaded() ?? use(store.first());
}
