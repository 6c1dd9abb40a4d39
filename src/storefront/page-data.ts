import type { Item } from '#menu/menu-shapes.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { BrowserConfig } from '#platform/browser-config.ts';
import type { Language } from '#platform/language.ts';
import type { KnownZoneOffset } from '#platform/zone-clock.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { Store, StoreConfig } from '#store/contract.ts';

export interface PageData {
  config: BrowserConfig & StoreConfig;
  /**
   * The URL of the shop's data with which the server rendered the page. It is null on an order's page, and on a page
   * that the browser renders.
   */
  shopUrl: string | null;
  /** The store, on a customer's page without `shopUrl`; null on other pages, and without a shop. */
  store: Store | null;
  /** The order that the server rendered, in its guest's view; null on other pages. */
  order: GuestOrder | null;
  /** The shop's name; null: no shop yet. */
  shopName: string | null;
  /**
   * When the page was rendered (ISO 8601). The browser's first render uses this time, so that it produces the same
   * HTML.
   */
  now: string;
  /** The shop's offset from UTC, with the span in which it is valid; null without a shop. */
  offset: KnownZoneOffset | null;
}

/** Renders a storefront path to HTML, as a guest sees it. `category`: the category in the URL, if there is one. */
export type RenderPage = (
  path: string,
  config: BrowserConfig & StoreConfig,
  shop: PublicShop,
  now: Date,
  language: Language,
  category?: string,
) => string;

/** Renders an order's page to HTML, as people without the order's session see it. */
export type RenderOrder = (
  order: GuestOrder,
  config: BrowserConfig & StoreConfig,
  store: Store,
  now: Date,
  language: Language,
) => string;

export type RenderNoScriptContent = (store: Pick<Store, 'name' | 'phone'>, language: Language) => string;
export type RenderLinkedDish = (item: Item, currency: string, language: Language) => string;
