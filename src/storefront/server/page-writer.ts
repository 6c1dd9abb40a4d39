import type { Item } from '#menu/menu-shapes.ts';
import type { Shop } from '#shop/server/shop.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { OfficePagePath } from '#office-pages.ts';
import type { PagePath } from '#pages.ts';
import type { Language } from '#platform/language.ts';
import { keepPage, type KeptPage, keepWithDish, type PageKeeping } from '#storefront/server/kept-pages.ts';
import { createPageHtml, type Wish } from '#storefront/server/page-html.ts';
import type { PageServices } from '#storefront/server/services.ts';
import type { ShopPagePath } from '#storefront/server/shop-page.ts';

export interface PageWriter {
  /** A page of the shop as a guest sees it, cached until its text changes. */
  shopPage(shop: Shop, path: ShopPagePath, wish: Wish): KeptPage;
  /** The menu with a linked dish in its title and opened over it: inserted into the common page, without rendering it again. */
  dishPage(menu: KeptPage, shop: Shop, dish: Item, wish: Wish): ReturnType<typeof keepWithDish>;
  notFoundPage(shop: Shop, path: string, language: Language): string;
  /** The public view of an order. Not cached: it changes by the minute, and few people view it. */
  orderPage(shop: Shop, order: GuestOrder, language: Language): string;
  /** A page that the browser fills. */
  shell(shop: Shop | null, path: PagePath | OfficePagePath | null, language: Language): string;
}

/** Writes the pages that `pages.ts` serves. Throws when there is no build. */
export async function createPageWriter(
  { config, now, signInProviders }: Pick<PageServices, 'config' | 'now' | 'signInProviders'>,
  realtimeKey: string,
  compression: Pick<PageKeeping, 'compressor' | 'isCurrent'>,
): Promise<PageWriter> {
  const signIn = () => signInProviders.choices();
  const html = await createPageHtml(config, realtimeKey, signIn);
  const keeping: PageKeeping = { kept: new WeakMap(), ...compression };
  // With other buttons it is another page, at once.
  const nameOf = (path: ShopPagePath, { language, isChosen }: Wish) =>
    `${path} ${language} ${isChosen} ${JSON.stringify(signIn())}`;

  return {
    shopPage: (shop, path, wish) =>
      keepPage(keeping, shop, nameOf(path, wish), now(), (at) => html.shopPage(shop, { path, wish, at })),
    dishPage: (menu, shop, dish, wish) =>
      keepWithDish(keeping, menu, dish.id, (menuHtml) => html.dishPage(menuHtml, shop, dish, wish, now())),
    notFoundPage: (shop, path, language) => html.notFoundPage(shop, path, language, now()),
    orderPage: (shop, order, language) => html.orderPage(shop, order, language, now()),
    shell: (shop, path, language) => html.shell(shop, path, language, now()),
  };
}
