import { use } from 'react';
import type { Store } from '#store/contract.ts';
import { useShopStore, useStoreIfLoaded } from '#shop/web/shop.ts';

/** For what needs the store and not its menus: the page waits (suspends) where it did not come with it. */
export function useStore(): Store {
  const { first } = useShopStore();
  return useStoreIfLoaded() ?? use(first()).store;
}
