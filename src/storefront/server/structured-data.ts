import type { Dietary, Menu } from '#menu/menu-shapes.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import { startingPrice } from '#menu/starting-price.ts';
import type { Store } from '#store/contract.ts';
import { isAllDay } from '#store/sessions.ts';
import type { ShownShop } from '#shop/shown-shop.ts';
import { plainMoney } from '#platform/money.ts';
import { dateOf, dayOf, wallTimeAt } from '#platform/zone-clock.ts';

const diets: Record<Dietary, string> = {
  vegetarian: 'https://schema.org/VegetarianDiet',
  vegan: 'https://schema.org/VeganDiet',
  halal: 'https://schema.org/HalalDiet',
  gluten_free: 'https://schema.org/GlutenFreeDiet',
};

/** schema.org's Restaurant. `origin` makes addresses absolute; a closure that is over is left out. */
export function restaurantData(store: Store, origin: string, now: Date) {
  const { address, location } = store;
  const closed = closedDays(store, now);
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
      ...store.operational_hours.map((entry) => ({
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: entry.day,
        // Round the clock is told to machines as the whole of a day.
        opens: isAllDay(entry) ? '00:00' : entry.open,
        closes: isAllDay(entry) ? '23:59' : entry.close,
      })),
      // Google reads them here, schema.org and others below.
      ...closed,
    ],
    specialOpeningHoursSpecification: closed.length > 0 ? closed : undefined,
    hasMenu: `${origin}/menu`,
    potentialAction: { '@type': 'OrderAction', target: `${origin}/menu` },
  };
}

/** Closures, as Google documents them: on dates from midnight to midnight, so that nothing of these days is open. */
function closedDays({ closures, timezone }: Store, now: Date) {
  const today = dateOf(dayOf(wallTimeAt(timezone, now.getTime())));
  return closures
    .filter(({ to }) => to >= today)
    .map(({ from, to }) => ({
      '@type': 'OpeningHoursSpecification',
      opens: '00:00',
      closes: '00:00',
      validFrom: from,
      validThrough: to,
    }));
}

/** schema.org's Menu with its sections and items, and which of these are sold out. */
export function menuData({ store, menus }: ShownShop, origin: string, now: Date) {
  return {
    '@context': 'https://schema.org',
    '@type': 'Menu',
    name: store.name,
    url: `${origin}/menu`,
    hasMenuSection: menus.flatMap((menu) => sectionsOf(menu, store.currency, now)),
  };
}

function sectionsOf(menu: Menu, currency: string, now: Date) {
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
        price: plainMoney(startingPrice(item).price, currency),
        priceCurrency: currency,
        availability: `https://schema.org/${isDishSoldOut(item, now) ? 'SoldOut' : 'InStock'}`,
      },
    })),
  }));
}
