import { expect, test } from 'vitest';
import { aGroup, aMenu, anItem, anOffer, anOption, aStore } from '#ordering/testing/samples.ts';
import { menuJsonLd, restaurantJsonLd } from '#storefront/server/shop-page.ts';

const now = new Date('2026-11-21T19:00:00Z');
const origin = 'https://oven.example';
const address = { line1: '1 High Street', line2: 'Unit 2', city: 'Rugby', postcode: 'CV21 1AA' };
const store = aStore({ name: 'The Oven', address, location: { latitude: 52.37, longitude: -1.26 }, version: 3 });

/** As a search engine reads it: what is undefined is not there. */
function read(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data));
}

test('a restaurant is somewhere, can be rung, has a picture, and leads to its menu', () => {
  const data = read(restaurantJsonLd({ ...store, phone: '01632 960001' }, origin, now));
  expect(data).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    name: 'The Oven',
    url: 'https://oven.example/',
    telephone: '01632 960001',
    image: 'https://oven.example/share.jpg?v=3',
    address: {
      '@type': 'PostalAddress',
      streetAddress: '1 High Street, Unit 2',
      addressLocality: 'Rugby',
      postalCode: 'CV21 1AA',
      addressCountry: 'GB',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 52.37, longitude: -1.26 },
    hasMenu: 'https://oven.example/menu',
  });
});

test('a place that nobody has confirmed is told by its address alone', () => {
  const data = restaurantJsonLd({ ...store, location_confirmed: false }, origin, now);
  expect(JSON.stringify(data)).not.toMatch(/geo|52\.37/i);
  expect(data.address.streetAddress).toBe('1 High Street, Unit 2');
});

test('lunch and dinner of one day are two spans; a night past twelve closes on the morning; round the clock is a whole day', () => {
  const hours = [
    { day: 'Monday', open: '12:00', close: '14:30' },
    { day: 'Monday', open: '17:00', close: '01:00' },
    { day: 'Sunday', open: '05:00', close: '05:00' },
  ] as const;
  const { openingHoursSpecification: spans } = restaurantJsonLd(
    { ...store, operational_hours: [...hours] },
    origin,
    now,
  );
  const span = { '@type': 'OpeningHoursSpecification' };
  expect(spans).toEqual([
    { ...span, dayOfWeek: 'Monday', opens: '12:00', closes: '14:30' },
    { ...span, dayOfWeek: 'Monday', opens: '17:00', closes: '01:00' },
    { ...span, dayOfWeek: 'Sunday', opens: '00:00', closes: '23:59' },
  ]);
});

test('closures are closed days, as schema.org and as Google read them, until they are over', () => {
  const closures = [
    { from: '2026-11-01', to: '2026-11-20', reason: 'Holiday' },
    { from: '2026-11-18', to: '2026-11-21', reason: '' },
    { from: '2026-12-25', to: '2026-12-26', reason: 'Christmas' },
  ];
  const operational_hours = [{ day: 'Monday', open: '12:00', close: '14:30' } as const];
  const data = restaurantJsonLd({ ...store, closures, operational_hours }, origin, now);
  const span = { '@type': 'OpeningHoursSpecification' };
  const closed = [
    { ...span, opens: '00:00', closes: '00:00', validFrom: '2026-11-18', validThrough: '2026-11-21' },
    { ...span, opens: '00:00', closes: '00:00', validFrom: '2026-12-25', validThrough: '2026-12-26' },
  ];
  expect(data.specialOpeningHoursSpecification).toEqual(closed);
  expect(data.openingHoursSpecification).toEqual([
    { ...span, dayOfWeek: 'Monday', opens: '12:00', closes: '14:30' },
    ...closed,
  ]);
  expect(read(restaurantJsonLd(store, origin, now))).not.toHaveProperty('specialOpeningHoursSpecification');
});

test('openings that overlap are one, on a weekday and on a special day', () => {
  const spans = [
    { open: '12:00', close: '15:00' },
    { open: '14:00', close: '18:00' },
  ];
  const operational_hours = spans.map((span) => ({ day: 'Monday' as const, ...span }));
  const special_hours = [{ date: '2026-12-25', repeats_yearly: false, hours: spans, reason: '' }];
  const data = restaurantJsonLd({ ...store, closures: [], operational_hours, special_hours }, origin, now);
  expect(data.openingHoursSpecification).toMatchObject([
    { dayOfWeek: 'Monday', opens: '12:00', closes: '18:00' },
    { validFrom: '2026-12-25', opens: '12:00', closes: '18:00' },
  ]);
});

test('special days have their own hours for a year ahead, as schema.org and as Google read them', () => {
  const special_hours = [
    { date: '2026-11-01', repeats_yearly: false, hours: [], reason: 'Over' },
    {
      date: '2026-12-25',
      repeats_yearly: true,
      hours: [
        { open: '12:00', close: '16:00' },
        { open: '18:00', close: '02:00' },
      ],
      reason: 'Christmas Day',
    },
    { date: '2027-01-01', repeats_yearly: false, hours: [], reason: '' },
  ];
  const data = restaurantJsonLd({ ...store, closures: [], special_hours }, origin, now);
  const on = (date: string, opens: string, closes: string) => ({
    '@type': 'OpeningHoursSpecification',
    opens,
    closes,
    validFrom: date,
    validThrough: date,
  });
  const dated = [
    on('2026-12-25', '12:00', '16:00'),
    on('2026-12-25', '18:00', '02:00'),
    on('2027-01-01', '00:00', '00:00'),
  ];
  expect(data.specialOpeningHoursSpecification).toEqual(dated);
  expect(data.openingHoursSpecification.slice(-dated.length)).toEqual(dated);
});

test('a menu has sections, these have items, and every item what it is, for whom, and what it costs at least', () => {
  const size = aGroup('size', [anOption('small', { price: 100 }), anOption('large', { price: 300 })], {
    min_select: 1,
    max_select: 1,
  });
  const soup = anItem('soup', { description: 'Hot.', price: 450, dietary: ['vegan'] });
  const pizza = anItem('pizza', { price: 950, option_groups: [size] });
  const sized = anItem('calzone', { price: 950, option_groups: [{ ...size, pricing: 'is_price' }] });
  const data = read(menuJsonLd({ store, menus: [aMenu([soup, pizza, sized])] }, origin, now));
  expect(data).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'Menu',
    url: 'https://oven.example/menu',
    hasMenuSection: [
      {
        '@type': 'MenuSection',
        hasMenuItem: [
          {
            '@type': 'MenuItem',
            name: 'soup',
            description: 'Hot.',
            suitableForDiet: ['https://schema.org/VeganDiet'],
            offers: { '@type': 'Offer', price: '4.50', priceCurrency: 'GBP' },
          },
          { name: 'pizza', offers: { '@type': 'Offer', price: '10.50', priceCurrency: 'GBP' } },
          { name: 'calzone', offers: { '@type': 'Offer', price: '1.00', priceCurrency: 'GBP' } },
        ],
      },
    ],
  });
});

test('a dish has the price of an offer that runs', () => {
  const offers = [anOffer('item_price', { value: 400, item_ids: ['soup'] })];
  const shop = { store: { ...store, offers }, menus: [aMenu([anItem('soup', { price: 450 })])] };
  expect(menuJsonLd(shop, origin, now)).toMatchObject({
    hasMenuSection: [{ hasMenuItem: [{ offers: { price: '4.00' } }] }],
  });
});

test('a price is told with the decimals of its currency', () => {
  const { hasMenuSection: sections } = menuJsonLd(
    { store: { ...store, currency: 'ISK' }, menus: [aMenu([anItem('soup', { price: 2490 })])] },
    origin,
    now,
  );
  expect(sections[0]?.hasMenuItem[0]?.offers).toMatchObject({ price: '2490', priceCurrency: 'ISK' });
});

test('a dish that is sold out cannot be had until it comes back', () => {
  const soldOut = { is_available: false };
  const dishes = [
    anItem('soup'),
    anItem('stew', soldOut),
    anItem('pie', { ...soldOut, unavailable_until: '2026-11-21T19:01:00Z' }),
    anItem('tart', { ...soldOut, unavailable_until: '2026-11-21T19:00:00Z' }),
    anItem('pizza', { option_groups: [aGroup('size', [anOption('large', soldOut)], { min_select: 1 })] }),
  ];
  const { hasMenuSection: sections } = menuJsonLd({ store, menus: [aMenu(dishes)] }, origin, now);
  const had = sections.flatMap(({ hasMenuItem }) => hasMenuItem.map(({ offers }) => offers.availability));
  const [inStock, gone] = ['https://schema.org/InStock', 'https://schema.org/SoldOut'];
  expect(had).toEqual([inStock, gone, gone, inStock, gone]);
});
