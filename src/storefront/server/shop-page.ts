import { m } from '#messages';
import type { Language } from '#platform/language.ts';
import type { ShownShop } from '#storefront/page-data.ts';
import type { HtmlPage } from '#storefront/server/html.ts';
import { menuData, restaurantData } from '#storefront/server/structured-data.ts';

export type ShopPagePath = '/' | '/menu';

type Description = Pick<HtmlPage, 'title' | 'description' | 'canonical' | 'address' | 'image' | 'structuredData'>;

/**
 * What a search engine or a shared link says of a page. `origin` is the shop's own address, or empty while it is not
 * known; `language` the one that is part of the page's address, if any.
 */
export function describeShopPage(
  path: ShopPagePath,
  shop: ShownShop,
  origin: string,
  language: Language | null,
): Description {
  const { name, address } = shop.store;
  const city = address.city || name;
  const image = shop.store.logo;
  const common = {
    canonical: origin ? origin + path + (language ? `?lang=${language}` : '') : undefined,
    address: origin ? origin + path : undefined,
    image: image && origin ? new URL(image, origin).href : undefined,
  };
  if (path === '/') {
    return {
      ...common,
      title: m.store_home_page_title({ name, city }),
      description: m.store_home_page_description({ name, city }),
      structuredData: restaurantData(shop.store, origin),
    };
  }
  const sections = shop.menus
    .flatMap((menu) => menu.categories ?? [])
    .slice(0, 6)
    .map((category) => category.name)
    .join(', ');
  return {
    ...common,
    title: m.menu_page_title({ name, city }),
    description: m.menu_page_description({ name, sections }),
    structuredData: menuData(shop, origin),
  };
}
