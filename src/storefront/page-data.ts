import type { Item, Menu } from '#menu/contract.ts';
import type { PackedMenus } from '#menu/packed-menus.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { Language } from '#platform/language.ts';
import type { OffsetSpan } from '#platform/zone-clock.ts';
import type { Store } from '#store/contract.ts';

/** The shop as everyone sees it: its store, and its menus with everything in them. */
export interface ShownShop {
  store: Store;
  menus: Menu[];
}

/** What a page holds of the shop: at least the store, and its menus once something needed them. */
export type HeldShop = ShownShop | { store: Store; menus?: undefined };

/** What the browser needs to know of this installation. */
export interface BrowserConfig {
  /** Where the API lives; empty for the page's own origin. */
  apiUrl: string;
  /** The shop that `/` shows, by id, slug or name; null for the first one. */
  storeName: string | null;
  /** Whose pictures maps are made of; null: there are no maps. */
  map: { url: string; attribution: string } | null;
  /** What the OpenID provider is called where people may sign in; null where there is none. */
  signInAt: string | null;
  realtime: {
    key: string;
    /** Empty for the page's own host; port 0 for the page's own port. */
    host: string;
    port: number;
    cluster: string;
  };
}

/** What travels in a page beside its HTML. */
export interface PageData {
  config: BrowserConfig;
  /** Where the shop is that the server rendered the page with; null for a page that it did not render. */
  shopUrl: string | null;
  /** The store, on a page that comes without its menu. */
  store: Store | null;
  /** The order that the server rendered, as everyone sees it who knows its id. */
  order: GuestOrder | null;
  /** What the shop is called; null while there is none. */
  shopName: string | null;
  /** When the page was rendered, ISO 8601: open or closed is the same at the first rendering in the browser. */
  now: string;
  /** What the clocks of the shop's zone show these weeks; null while there is no shop. */
  offset: OffsetSpan | null;
}

/** What is behind `shopUrl`. */
export interface PackedShop {
  store: Store;
  menus: PackedMenus;
}

/** Renders a storefront path as a guest sees it, to HTML. */
export type RenderPage = (
  path: string,
  config: BrowserConfig,
  shop: ShownShop,
  now: Date,
  language: Language,
) => string;

/** Renders an order's page as everyone sees it who knows its id. */
export type RenderOrder = (
  order: GuestOrder,
  config: BrowserConfig,
  store: Store,
  now: Date,
  language: Language,
) => string;

/** Renders what stands where a page needs scripts and there are none. */
export type RenderWithoutScript = (store: Pick<Store, 'name' | 'phone'>, language: Language) => string;
export type RenderLinkedDish = (item: Item, currency: string, language: Language) => string;
