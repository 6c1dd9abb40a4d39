import { expect, test } from 'vitest';
import type { StoredBasket, StoredLine } from '#ordering/web/basket/basket-store.ts';
import { basketPostcodeErrorWords, quoteCheckout, createBasketView } from '#ordering/web/basket/basket-view.ts';
import { aGroup, aMenu, anItem, anOption, aStore, aZone } from '#ordering/testing/samples.ts';

const evening = new Date('2026-11-21T19:00:00Z');
const store = aStore({
  delivery_zones: [aZone(['CV21'], { fee: 200, minimum_order: 1500, free_over: null, extra_minutes: 0 })],
});
const size = aGroup('size', [anOption('small'), anOption('large', { price: 300 })], { min_select: 1, max_select: 1 });
const pizza = anItem('pizza', { name: 'Pizza', price: 900, option_groups: [size] });
const line: StoredLine = {
  key: 'k',
  item_id: 'pizza',
  name: 'Pizza',
  quantity: 2,
  note: '',
  options: [{ option_group_id: 'size', option_id: 'large', quantity: 1 }],
  seen_price: 1200,
};
const held = (rest: Partial<StoredBasket> = {}): StoredBasket => ({
  session: 'x',
  store_id: store.id,
  fulfilment_type: 'collection',
  postcode: '',
  lines: [line],
  ...rest,
});

test('a basket is priced by the menu that is shown', () => {
  const view = createBasketView(store, [aMenu([pizza])], held(), evening);
  expect(view).toMatchObject({ count: 2, quote: { total: 2400 }, blocking: [] });
  expect(view.lines[0]).toMatchObject({ changedFrom: null, problems: [], now: { unit_price: 1200 } });
});

test('what a new menu changed is shown, and nothing vanishes silently', () => {
  const dearer = createBasketView(store, [aMenu([{ ...pizza, price: 1000 }])], held(), evening);
  expect(dearer.lines[0]).toMatchObject({ changedFrom: 1200, now: { unit_price: 1300 } });
  const gone = createBasketView(store, [aMenu([anItem('soup')])], held(), evening);
  expect(gone.lines[0]).toMatchObject({ now: null, line: { name: 'Pizza' } });
  expect(gone.lines[0]?.problems.map(({ code }) => code)).toEqual(['item_unknown']);
  const soldOut = createBasketView(store, [aMenu([{ ...pizza, is_available: false }])], held(), evening);
  expect(soldOut.blocking.map(({ code }) => code)).toEqual(['item_sold_out']);
  expect(soldOut.quote).toMatchObject({ total: 0, lines: [] });
});

test('when the sizes of a menu become the price, the basket shows what the line costs now', () => {
  const sizes = { ...size, pricing: 'is_price' as const, options: [anOption('large', { price: 1000 })] };
  const menus = [aMenu([{ ...pizza, option_groups: [sizes] }])];
  const view = createBasketView(store, menus, held(), evening);
  expect(view.lines[0]).toMatchObject({ changedFrom: 1200, problems: [], now: { unit_price: 1000 } });
  const unsized = createBasketView(store, menus, held({ lines: [{ ...line, options: [] }] }), evening);
  expect(unsized.lines[0]).toMatchObject({ problems: [{ code: 'option_group_min' }], now: { unit_price: 1000 } });
});

test('below the minimum of the zone keeps from ordering; before the postcode is known nothing does', () => {
  const one = { ...line, quantity: 1 };
  const known = createBasketView(
    store,
    [aMenu([pizza])],
    held({ fulfilment_type: 'delivery', postcode: 'CV21 2AA', lines: [one] }),
    evening,
  );
  expect(known.blocking.map(({ code }) => code)).toEqual(['below_minimum']);
  const unknown = createBasketView(
    store,
    [aMenu([pizza])],
    held({ fulfilment_type: 'delivery', lines: [one] }),
    evening,
  );
  expect(unknown.blocking).toEqual([]);
});

test('before the postcode is known the lowest minimum of all zones is what is still to go', () => {
  const zones = [aZone(['CV22'], { minimum_order: 5000 }), aZone(['CV21'], { minimum_order: 3000 })];
  const shop = aStore({ ...store, delivery_zones: zones });
  const view = (rest: Partial<Parameters<typeof held>[0]>) =>
    createBasketView(shop, [aMenu([pizza])], held({ fulfilment_type: 'delivery', lines: [line], ...rest }), evening);
  const { quote, toLowestMinimum, zone } = view({});
  expect(zone).toBeNull();
  expect(toLowestMinimum).toBe(3000 - (quote?.subtotal ?? 0));
  expect(toLowestMinimum).toBeGreaterThan(0);
  expect(view({ postcode: 'CV22 2A' })).toMatchObject({ toLowestMinimum, zone: null });
  expect(view({ postcode: 'CV22 2AA' })).toMatchObject({ toLowestMinimum: 0, zone: zones[0] });
  expect(view({ fulfilment_type: 'collection' }).toLowestMinimum).toBe(0);
});

test.each([
  ['', true, null],
  ['CV21 2A', false, null],
  ['CV21 2A', true, expect.stringContaining('postcode')],
  ['CV21 2AA', true, null],
  ['SW1A 1AA', false, expect.stringContaining('SW1A')],
])('the postcode "%s", its field left: %s, has the error %j', (postcode, isLeft, fault) => {
  const view = createBasketView(store, [aMenu([pizza])], held({ fulfilment_type: 'delivery', postcode }), evening);
  expect(basketPostcodeErrorWords(view, isLeft)).toEqual(fault);
});

test("another shop's basket is empty here, and so is an empty one", () => {
  expect(createBasketView(store, [aMenu([pizza])], held({ store_id: 'other' }), evening)).toMatchObject({
    count: 0,
    quote: null,
  });
  expect(createBasketView(store, [aMenu([pizza])], held({ lines: [] }), evening).quote).toBeNull();
});

test('the checkout prices its tip, and asks for the very basket that it shows the price of', () => {
  const view = createBasketView(
    store,
    [aMenu([pizza])],
    held({ fulfilment_type: 'delivery', postcode: 'CV21 2AA' }),
    evening,
  );
  const quote = quoteCheckout(view, { requestedFor: null, tip: 150, paymentMethod: 'cash', now: evening });
  expect(quote.total).toBe(2400 + 200 + 150);
  expect(quote.basket).toMatchObject({ tip: 150, fulfilment_type: 'delivery', address: { postcode: 'CV21 2AA' } });
});
