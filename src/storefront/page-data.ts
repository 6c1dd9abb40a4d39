import type { Item } from '#menu/menu-shapes.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { BrowserConfig } from '#platform/browser-config.ts';
import type { Language } from '#platform/language.ts';
import type { KnownZoneOffset } from '#platform/zone-clock.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { Store, StoreConfig } from '#store/contract.ts';

export interface PageData {
  config: BrowserConfig & StoreConfig;
  /** The URL of the shop's data with which the server rendered the page; null if it rendered none. */
  shopUrl: string | null;
  /** The store, on a page that is sent without its menu; otherwise null. */
  store: Store | null;
  /** The order that the server rendered, in its guest's view; null on other pages. */
  order: GuestOrder | null;
  /** The shop's name; null while there is none. */
  shopName: string | null;
  /** When the page was rendered (ISO 8601), for the browser's first render. */
  now: string;
  /** The shop's offset from UTC, with the time span in which it is valid; null without a shop. */
  offset: KnownZoneOffset | null;
}

/** Renders a storefront path as a guest sees it, to HTML. */
export type RenderPage = (
  path: string,
  config: BrowserConfig & StoreConfig,
  shop: PublicShop,
  now: Date,
  language: Language,
) => string;

/** Renders an order's page, as people without its session see it, to HTML. */
export type RenderOrder = (
  order: GuestOrder,
  config: BrowserConfig & StoreConfig,
  store: Store,
  now: Date,
  language: Language,
) => string;

/** Renders the message that a page shows in a browser without scripts. */
export type RenderWithoutScript = (store: Pick<Store, 'name' | 'phone'>, language: Language) => string;
export type RenderLinkedDish = (item: Item, currency: string, language: Language) => string;
