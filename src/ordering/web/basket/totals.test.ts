import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import * as pricing from '#ordering/offers/find-discounts.ts';
import * as words from '#ordering/offers/offer-words.ts';
import { aMenu, anItem, anOffer, aStore, aZone } from '#ordering/testing/samples.ts';
import { createBasketView } from '#ordering/web/basket/basket-view.ts';
import {
  BasketAdvice,
  PriceTotals,
  findLostFreeDelivery,
  findNearestAdvice,
  missingToMinimum,
} from '#ordering/web/basket/totals.tsx';

const offers = { ...pricing, ...words };
const evening = new Date('2026-11-21T19:00:00Z');
const line = (item_id: string, seen_price: number) => ({
  key: item_id,
  item_id,
  name: item_id,
  quantity: 1,
  note: '',
  options: [],
  seen_price,
});

function lost(fee: number, free_over: number | null, isAvailable: boolean) {
  const store = aStore({ delivery_zones: [aZone(['CV21'], { fee, minimum_order: 0, free_over, extra_minutes: 0 })] });
  const menu = aMenu([anItem('pizza', { price: 2000 }), anItem('soup', { price: 500, is_available: isAvailable })]);
  const lines = [line('pizza', 2000), line('soup', 500)];
  const held = { session: 'x', store_id: store.id, fulfilment_type: 'delivery' as const, postcode: 'CV21 1AA', lines };
  const view = createBasketView(store, [menu], held, evening);
  return findLostFreeDelivery(view, { subtotal: view.subtotal });
}

test('free delivery that falls away with a sold-out dish names the dish and the amount', () => {
  expect(lost(250, 2500, false)).toEqual({ dishes: ['soup'], over: 2500 });
});

test.each([
  ['nothing is sold out', 250, 2500, true],
  ['the rest is enough', 250, 2000, false],
  ['it was never enough', 250, 3000, false],
  ['delivery is never free', 250, null, false],
  ['delivery is always free', 0, 2500, false],
])('there is nothing to tell when %s', (_, fee, freeOver, isAvailable) => {
  expect(lost(fee, freeOver, isAvailable)).toBeNull();
});

test.each([
  ['free delivery that is nearer', 2600, 2700, { missing: 100, offer: null }],
  ['an offer that is nearer', 2700, 2600, { missing: 100, offer: 'percent' }],
  ['an offer, where delivery is never free', null, 2600, { missing: 100, offer: 'percent' }],
  ['nothing, where both are reached', 2500, 2500, null],
])('the advice is %s', (_, free_over, minimum_subtotal, expected) => {
  const zone = aZone(['CV21'], { fee: 250, minimum_order: 0, free_over, extra_minutes: 0 });
  const offer = anOffer('percent', { value: 1000, minimum_subtotal });
  const store = aStore({ delivery_zones: [zone], offers: [offer] });
  const held = { session: 'x', store_id: store.id, fulfilment_type: 'delivery' as const, postcode: 'CV21 1AA' };
  const menu = aMenu([anItem('pizza', { price: 2500 })]);
  const view = createBasketView(store, [menu], { ...held, lines: [line('pizza', 2500)] }, evening, offers);
  expect(findNearestAdvice(view)).toEqual(expected);
});

test.each([
  ['the minimum before all else', 500, '£5.00 more'],
  ['free delivery, once the minimum is reached', 2400, '£1.00 more for free delivery'],
  ['the nearest offer, once delivery is free', 2600, '£4.00 more for “percent”'],
  ['the nearest offer with its conditions', 2600, '10% off, on orders from £30.00, until 29 November 2026.'],
  ['nothing, once all are reached', 3000, ''],
])('the basket says in one line %s', (_, price, words) => {
  const zone = aZone(['CV21'], { fee: 250, minimum_order: 1000, free_over: 2500, extra_minutes: 0 });
  const offer = anOffer('percent', { value: 1000, minimum_subtotal: 3000, ends_at: '2026-11-30T00:00:00Z' });
  const store = aStore({ delivery_zones: [zone], offers: [offer] });
  const held = { session: 'x', store_id: store.id, fulfilment_type: 'delivery' as const, postcode: 'CV21 1AA' };
  const menu = aMenu([anItem('pizza', { price })]);
  const view = createBasketView(store, [menu], { ...held, lines: [line('pizza', price)] }, evening, offers);
  const shown = renderToStaticMarkup(createElement(BasketAdvice, { view, problems: view.quote?.problems ?? [] }));
  expect([shown.split('<p').length - 1, shown]).toEqual([words === '' ? 0 : 1, expect.stringContaining(words)]);
});

test('a basket of sold-out dishes is asked for no minimum', () => {
  const store = aStore({ delivery_zones: [aZone(['CV21'], { fee: 250, minimum_order: 1000, free_over: null })] });
  const held = { session: 'x', store_id: store.id, fulfilment_type: 'delivery' as const, lines: [line('pizza', 500)] };
  const menu = (is_available: boolean) => aMenu([anItem('pizza', { price: 500, is_available })]);
  const missing = ['CV21 1AA', ''].flatMap((postcode) =>
    [true, false].map((isAvailable) =>
      missingToMinimum(createBasketView(store, [menu(isAvailable)], { ...held, postcode }, evening)),
    ),
  );
  expect(missing).toEqual([500, 0, 500, 0]);
});

test('a discount stands in the totals with its conditions, one of a code with those of the quote', () => {
  const automatic = anOffer('percent', { id: 'rule', value: 1000, minimum_subtotal: 2000, item_ids: ['pizza'] });
  const store = aStore({ offers: [automatic] });
  const menu = aMenu([anItem('pizza', { price: 2500 })]);
  const held = {
    session: 'x',
    store_id: store.id,
    fulfilment_type: 'collection' as const,
    postcode: '',
    lines: [line('pizza', 2500)],
  };
  const { quote, offerWords } = createBasketView(store, [menu], held, evening, offers);
  if (!quote) throw new Error('The basket is empty.');
  const typed = { code: 'HELLO', name: 'Hello', amount: 100, offer_id: 'typed' };
  const conditions = [{ offer_id: 'typed', sentence: '£1.00 off.' }];
  const price = { ...quote, discounts: [...quote.discounts, typed], offers: { near: [], on_order: [], conditions } };
  const props = { price, currency: 'GBP', delivery: 'none' as const, offerWords };
  const shown = renderToStaticMarkup(createElement(PriceTotals, props))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/ +/g, ' ');
  expect(shown).toContain('percent −£2.50 10% off on pizza, on orders from £20.00. Hello −£1.00 £1.00 off. Total');
  expect(createBasketView(store, [menu], held, evening).offerWords('rule')).toBeNull();
});
