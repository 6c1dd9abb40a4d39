import type { Item } from '#menu/menu-shapes.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { BrowserConfig } from '#platform/browser-config.ts';
import type { Language } from '#platform/language.ts';
import type { KnownZoneOffset } from '#platform/zone-clock.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { Store, StoreConfig } from '#store/contract.ts';

export interface PageData {
  config: BrowserConfig & StoreConfig;
  /** The URL of the shop's data with which the server rendered the page; null: the server rendered no page. */
  shopUrl: string | null;
  /** The store, on a page without its menu; otherwise null. */
  store: Store | null;
  /** The rendered order, in its guest's view; null on other pages. */
  order: GuestOrder | null;
  /** The shop's name; null: no shop yet. */
  shopName: string | null;
  /** When the page was rendered (ISO 8601), for an equal first render in the browser. */
  now: string;
  /** The shop's offset from UTC, with its validity; null without a shop. */
  offset: KnownZoneOffset | null;
}

/** Renders a storefront path as a guest sees it, to HTML. `category`: the category in the address, if there is one. */
export type RenderPage = (
  path: string,
  config: BrowserConfig & StoreConfig,
  shop: PublicShop,
  now: Date,
  language: Language,
  category?: string,
) => string;

/** Renders an order's page to HTML, in the view of people without its session. */
export type RenderOrder = (
  order: GuestOrder,
  config: BrowserConfig & StoreConfig,
  store: Store,
  now: Date,
  language: Language,
) => string;

export type RenderWithoutScript = (store: Pick<Store, 'name' | 'phone'>, language: Language) => string;
export type RenderLinkedDish = (item: Item, currency: string, language: Language) => string;
