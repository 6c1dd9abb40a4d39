import type { Menu } from '#menu/menu-shapes.ts';
import type { PackedMenus } from '#menu/packed-menus.ts';
import type { Store } from '#store/contract.ts';

/** The shop as everyone sees it: the store, and the store's menus with their categories, items and options. */
export interface PublicShop {
  store: Store;
  menus: Menu[];
}

/** The shop that a page has: at least the store, and the menus if the page needs them. */
export type PageShop = PublicShop | { store: Store; menus?: undefined };

/** A shop as a page fetches it from the server: each item, group and option is written once. */
export interface PackedShop {
  store: Store;
  menus: PackedMenus;
}
