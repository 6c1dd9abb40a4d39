import type { Menu } from '#menu/menu-shapes.ts';
import type { PackedMenus } from '#menu/packed-menus.ts';
import type { Store } from '#store/contract.ts';

/** The shop as everyone sees it: its store, and its menus with everything in them. */
export interface PublicShop {
  store: Store;
  menus: Menu[];
}

/** The page's data: at least the store, and its menus once needed. */
export type PageShop = PublicShop | { store: Store; menus?: undefined };

/** A shop as it travels beside its page. */
export interface PackedShop {
  store: Store;
  menus: PackedMenus;
}
