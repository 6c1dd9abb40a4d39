import { m } from '#messages';
import type { Language } from '#platform/language.ts';
import type { ShownShop } from '#shop/shown-shop.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { hasOwnPicture } from '#storefront/server/app-pictures.ts';
import type { Described, HtmlPage } from '#storefront/server/html.ts';
import { menuData, restaurantData } from '#storefront/server/structured-data.ts';

/** The pages that the server renders, as a guest sees them, and the files of those that are not part of the entry. */
export const shopPages = {
  '/': ['src/storefront/web/home-page.tsx'],
  '/menu': [],
  '/allergens': ['src/storefront/web/allergens-page.tsx'],
  '/privacy': ['src/storefront/web/privacy-page.tsx'],
  '/terms': ['src/storefront/web/terms-page.tsx'],
} as const satisfies Record<string, readonly string[]>;

export type ShopPagePath = keyof typeof shopPages;

export function isShopPage(path: string | undefined): path is ShopPagePath {
  return path !== undefined && Object.hasOwn(shopPages, path);
}

type Description = Described & Pick<HtmlPage, 'structuredData'>;

/**
 * What a search engine or a shared link says of a page at a moment. `origin` is the shop's own address, without a slash
 * at its end; `language` the one that is part of the page's address, if any.
 */
export function describeShopPage(
  path: ShopPagePath,
  shop: ShownShop,
  origin: string,
  language: Language | null,
  at: Date,
): Description {
  const { name, address } = shop.store;
  const city = address.city || name;
  const common = {
    canonical: origin + path + (language ? `?lang=${language}` : ''),
    address: origin + path,
    image: `${origin}/share.jpg?v=${shop.store.version}`,
  };
  switch (path) {
    case '/':
      return {
        ...common,
        title: m.store_home_page_title({ name, city }),
        description: m.store_home_page_description({ name, city }),
        structuredData: restaurantData(shop.store, origin, at),
      };
    case '/menu':
      return {
        ...common,
        title: m.menu_page_title({ name, city }),
        description: m.menu_page_description({ name, sections: sectionsOf(shop) }),
        structuredData: menuData(shop, origin, at),
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

/** What a shared link says of a dish. To a search engine it stays the menu, which is the same page. */
export function describeDish(
  dish: Item,
  { store }: ShownShop,
  origin: string,
  language: Language | null,
  menu: Described,
): Described {
  const query = new URLSearchParams({ item: dish.id, ...(language && { lang: language }) });
  return {
    ...menu,
    title: `${dish.name} · ${store.name}`,
    description: dish.description || menu.description || '',
    shared: `${origin}/menu?${query.toString()}`,
    ...(hasOwnPicture(dish) && { image: `${origin}/share/${dish.id}.jpg?v=${store.version}` }),
  };
}

function sectionsOf({ menus }: ShownShop): string {
  const names = menus.flatMap((menu) => menu.categories ?? []).map((category) => category.name);
  return names.slice(0, 6).join(', ');
}
