import { expect, test } from 'vitest';
import { weekdays } from '#database/page-values.ts';
import { startingPrice } from '#menu/starting-price.ts';
import { findPricesByOffer } from '#ordering/offers/find-discounts.ts';
import { aGroup, aMenu, anItem, anOffer, anOption, aStore } from '#ordering/testing/samples.ts';
import { everyOrderFeesWords } from '#ordering/fee-words.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';

/** Saturday 21 November 2026 at 18:00; the shop is open from 12:00 to 22:00. */
const now = new Date('2026-11-21T18:00:00Z');
const operational_hours = weekdays.map((day) => ({ day, open: '12:00', close: '22:00' }));
const store = aStore({ operational_hours, special_hours: [], closures: [] });
const size = aGroup('size', [anOption('small', { price: 700 }), anOption('large', { price: 1200 })], {
  pricing: 'is_price',
});
const menus = [
  aMenu([
    anItem('pizza', { price: 900 }),
    anItem('calzone', { price: 0, option_groups: [size] }),
    anItem('chips', { price: 300 }),
    anItem('beer', { price: 500, min_age: 18 }),
  ]),
];
const fiver = (rest: Partial<StoredOffer>) => anOffer('item_price', { value: 500, ...rest });
const pricesOf = (offers: StoredOffer[], at = now) =>
  [...findPricesByOffer({ store: { ...store, offers }, menus, now: at })].map(([id, { item, usual }]) => [
    id,
    startingPrice(item).price,
    usual,
  ]);

test.each<[string, Partial<StoredOffer>, usual: number | null]>([
  ['an offer for two hours a day has the usual price beside it', { from_time: '17:00', until_time: '19:00' }, 900],
  ['an offer on one day has it too', { days: ['Saturday'] }, 900],
  ['one that covers most of the opening hours has none', { from_time: '12:00', until_time: '21:00' }, null],
  ['one on most days has none', { days: ['Saturday', 'Sunday', 'Monday', 'Tuesday'] }, null],
  ['one with dates alone has none', { starts_at: '2026-11-20T00:00:00Z', ends_at: '2026-11-23T00:00:00Z' }, null],
  ['one without an end has none', {}, null],
])('%s', (_, rest, usual) => {
  expect(pricesOf([fiver({ item_ids: ['pizza'], ...rest })])).toEqual([['pizza', 500, usual]]);
});

test('the lowest price counts, sizes too; dearer dishes, cheap ones and those with an age stay as they are', () => {
  expect(pricesOf([fiver({ id: 'a' }), fiver({ id: 'b', value: 400, item_ids: ['pizza'] })])).toEqual([
    ['pizza', 400, null],
    ['calzone', 500, null],
  ]);
});

test('a large size saves its own difference', () => {
  const calzone = findPricesByOffer({ store: { ...store, offers: [fiver({})] }, menus, now }).get('calzone');
  const large = { group: size, option: anOption('large', { price: 1200 }), quantity: 1, place: 0 };
  expect(calzone?.savingWith([large])).toBe(700);
});

test.each<[string, Partial<StoredOffer>]>([
  ['outside its hours', { from_time: '19:00', until_time: '20:00' }],
  ['before its dates', { starts_at: '2026-11-22T00:00:00Z' }],
  ['from a minimum', { minimum_subtotal: 1000 }],
  ['for some pieces only', { max_pieces: 1 }],
  ['for delivery only', { fulfilment_types: ['delivery'] }],
  ['on the telephone only', { channels: ['phone'] }],
  ['of another kind', { kind: 'percent' }],
])('no dish has the lower price of an offer %s', (_, rest) => {
  expect(pricesOf([fiver(rest)])).toEqual([]);
});

test('nor that of an offer which depends on people or limits', () => {
  const offers = [{ ...fiver({}), is_checked: true as const }];
  expect(findPricesByOffer({ store: { ...store, offers }, menus, now }).size).toBe(0);
});

test('the fees of every order are one sentence', () => {
  expect(everyOrderFeesWords({ ...store, service_fee: 0, bag_fee: 0 })).toBeNull();
  expect(everyOrderFeesWords({ ...store, service_fee: 50, bag_fee: 10 })).toBe(
    'Plus for each order: Service fee £0.50, Bag £0.10.',
  );
});
