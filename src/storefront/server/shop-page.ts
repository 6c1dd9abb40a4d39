import { m } from '#messages';
import type { Language } from '#platform/language.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { Dietary, Item, Menu } from '#menu/menu-shapes.ts';
import { hasStoredPicture } from '#storefront/server/app-pictures.ts';
import type { PageMetadata, HtmlPage } from '#storefront/server/html.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import { startingPrice } from '#menu/starting-price.ts';
import { findPricesByOffer } from '#ordering/offers/find-discounts.ts';
import type { Store } from '#store/contract.ts';
import { type DayEntry, hoursOfDay, isAllDay, mergedEntries } from '#store/opening-hours.ts';
import { formatDecimalAmount } from '#platform/money.ts';
import { dateOfDayNumber, dayNumberOfWallTime, wallTimeAt } from '#platform/zone-clock.ts';
import { weekdays } from '#database/page-values.ts';

/**
 * The pages that the server renders from the shop's data alone, each with the source files that it needs in addition to
 * the entry.
 */
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

type Description = PageMetadata & Pick<HtmlPage, 'structuredData'>;

/**
 * Describes a page to search engines and shared links. `origin`: the shop's origin, without a final slash. `language`:
 * the language in the URL; null without one.
 */
export function describeShopPage(
  path: ShopPagePath,
  shop: PublicShop,
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
        structuredData: restaurantJsonLd(shop.store, origin, at),
      };
    case '/menu':
      return {
        ...common,
        title: m.menu_page_title({ name, city }),
        description: m.menu_page_description({ name, sections: sectionsOf(shop) }),
        structuredData: menuJsonLd(shop, origin, at),
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

/**
 * Returns the metadata of the menu's page when its address names a dish. Previews of a shared link show the dish;
 * search engines index the page as the menu.
 */
export function describeLinkedDish(
  dish: Item,
  { store }: PublicShop,
  origin: string,
  language: Language | null,
  menu: PageMetadata,
): PageMetadata {
  const query = new URLSearchParams({ item: dish.id, ...(language && { lang: language }) });
  return {
    ...menu,
    title: `${dish.name} · ${store.name}`,
    description: dish.description || menu.description || '',
    shared: `${origin}/menu?${query.toString()}`,
    ...(hasStoredPicture(dish) && { image: `${origin}/share/${dish.id}.jpg?v=${store.version}` }),
  };
}

function sectionsOf({ menus }: PublicShop): string {
  const names = menus.flatMap((menu) => menu.categories ?? []).map((category) => category.name);
  return names.slice(0, 6).join(', ');
}

const diets: Record<Dietary, string> = {
  vegetarian: 'https://schema.org/VegetarianDiet',
  vegan: 'https://schema.org/VeganDiet',
  halal: 'https://schema.org/HalalDiet',
  gluten_free: 'https://schema.org/GlutenFreeDiet',
};

/** Builds schema.org's Restaurant with absolute URLs. Past closures and special days are left out. */
export function restaurantJsonLd(store: Store, origin: string, now: Date) {
  const { address, location } = store;
  const dated = datedHours(store, now);
  return {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    name: store.name,
    legalName: store.legal_name || undefined,
    url: `${origin}/`,
    telephone: store.phone || undefined,
    email: store.email || undefined,
    vatID: store.vat_number ?? undefined,
    currenciesAccepted: store.currency,
    address: {
      '@type': 'PostalAddress',
      streetAddress: [address.line1, address.line2].filter(Boolean).join(', '),
      addressLocality: address.city,
      postalCode: address.postcode,
      addressCountry: 'GB',
    },
    geo: store.location_confirmed ? { '@type': 'GeoCoordinates', ...location } : undefined,
    image: `${origin}/share.jpg?v=${store.version}`,
    openingHoursSpecification: [
      ...weekdays
        .flatMap((day) => mergedEntries(store.operational_hours.filter((entry) => entry.day === day)))
        .map((entry) => ({
          '@type': 'OpeningHoursSpecification',
          dayOfWeek: entry.day,
          ...schemaTimes(entry),
        })),
      // Google reads closures and special days here; other programs read them in `specialOpeningHoursSpecification`.
      ...dated,
    ],
    specialOpeningHoursSpecification: dated.length > 0 ? dated : undefined,
    hasMenu: `${origin}/menu`,
    potentialAction: { '@type': 'OrderAction', target: `${origin}/menu` },
  };
}

/**
 * The number of days for which special days are listed. In a longer period, a yearly special day would be listed twice.
 */
const specialDaysAhead = 365;

/** The closures and special days in Google's form, where opening and closing at midnight means closed. */
function datedHours(store: Store, now: Date) {
  const today = dayNumberOfWallTime(wallTimeAt(store.timezone, now.getTime()));
  const specials = Array.from({ length: specialDaysAhead }, (_, ahead) => today + ahead).flatMap((day) => {
    const { special } = hoursOfDay(store, day);
    if (!special) return [];
    const hours = special.hours.length === 0 ? [closedAllDay] : special.hours.map(schemaTimes);
    return hours.map((times) => hoursSpecification(times, dateOfDayNumber(day), dateOfDayNumber(day)));
  });
  return [
    ...store.closures
      .filter(({ to }) => to >= dateOfDayNumber(today))
      .map(({ from, to }) => hoursSpecification(closedAllDay, from, to)),
    ...specials,
  ];
}

const closedAllDay = { opens: '00:00', closes: '00:00' };

/** Search engines read 00:00 to 23:59 as open all day. */
function schemaTimes(entry: DayEntry) {
  return isAllDay(entry) ? { opens: '00:00', closes: '23:59' } : { opens: entry.open, closes: entry.close };
}

function hoursSpecification(times: ReturnType<typeof schemaTimes>, from: string, to: string) {
  return { '@type': 'OpeningHoursSpecification', ...times, validFrom: from, validThrough: to };
}

export function menuJsonLd({ store, menus }: PublicShop, origin: string, now: Date) {
  const offered = findPricesByOffer({ store, menus, now });
  return {
    '@context': 'https://schema.org',
    '@type': 'Menu',
    name: store.name,
    url: `${origin}/menu`,
    hasMenuSection: menus.flatMap((menu) => menuSectionsOf(menu, store.currency, offered, now)),
  };
}

function menuSectionsOf(menu: Menu, currency: string, offered: ReturnType<typeof findPricesByOffer>, now: Date) {
  return (menu.categories ?? []).map((category) => ({
    '@type': 'MenuSection',
    name: category.name,
    description: category.description || undefined,
    hasMenuItem: (category.items ?? []).map((item) => ({
      '@type': 'MenuItem',
      name: item.name,
      description: item.description || undefined,
      suitableForDiet: item.dietary.length > 0 ? item.dietary.map((diet) => diets[diet]) : undefined,
      offers: {
        '@type': 'Offer',
        price: formatDecimalAmount(startingPrice(offered.get(item.id)?.item ?? item).price, currency),
        priceCurrency: currency,
        availability: `https://schema.org/${isDishSoldOut(item, now) ? 'SoldOut' : 'InStock'}`,
      },
    })),
  }));
}
