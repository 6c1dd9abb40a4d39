import { m } from '#messages';
import type { Language } from '#platform/language.ts';
import type { ShownShop } from '#storefront/page-data.ts';
import type { HtmlPage } from '#storefront/server/html.ts';
import { menuData, restaurantData } from '#storefront/server/structured-data.ts';

/** The pages that the server renders, as a guest sees them, and the files of those that are not part of the entry. */
export const shopPages = {
  '/': 'src/storefront/web/home-page.tsx',
  '/menu': undefined,
  '/allergens': 'src/storefront/web/allergens-page.tsx',
  '/privacy': 'src/storefront/web/privacy-page.tsx',
  '/terms': 'src/storefront/web/terms-page.tsx',
} as const satisfies Record<string, string | undefined>;

export type ShopPagePath = keyof typeof shopPages;

export function isShopPage(path: string | undefined): path is ShopPagePath {
  return path !== undefined && Object.hasOwn(shopPages, path);
}

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
  const common = {
    canonical: origin ? origin + path + (language ? `?lang=${language}` : '') : undefined,
    address: origin ? origin + path : undefined,
    image: origin ? `${origin}/share.jpg?v=${shop.store.version}` : undefined,
  };
  switch (path) {
    case '/':
      return {
        ...common,
        title: m.store_home_page_title({ name, city }),
        description: m.store_home_page_description({ name, city }),
        structuredData: restaurantData(shop.store, origin),
      };
    case '/menu':
      return {
        ...common,
        title: m.menu_page_title({ name, city }),
        description: m.menu_page_description({ name, sections: sectionsOf(shop) }),
        structuredData: menuData(shop, origin),
      };
    case '/allergens':
      return {
        ...common,
        title: `${m.store_allergens_title()} · ${name}`,
        description: m.store_allergens_page_description({ name }),
      };
    case '/privacy':
      return {
        ...common,
        title: `${m.store_privacy_title()} · ${name}`,
        description: m.store_privacy_page_description({ name }),
      };
    case '/terms':
      return {
        ...common,
        title: `${m.store_terms_title()} · ${name}`,
        description: m.store_terms_page_description({ name }),
      };
  }
}

function sectionsOf({ menus }: ShownShop): string {
  const names = menus.flatMap((menu) => menu.categories ?? []).map((category) => category.name);
  return names.slice(0, 6).join(', ');
}
