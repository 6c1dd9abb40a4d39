import type { Item } from '#menu/menu-shapes.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { BrowserConfig } from '#platform/browser-config.ts';
import type { Language } from '#platform/language.ts';
import type { OffsetSpan } from '#platform/zone-clock.ts';
import type { ShownShop } from '#shop/shown-shop.ts';
import type { Store } from '#store/contract.ts';

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
