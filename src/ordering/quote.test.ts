import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Basket, BasketQuote } from '#ordering/basket.ts';
import { indexMenus, quoteBasket, type QuoteRequest } from '#ordering/quote.ts';
import { lineAllergens } from '#ordering/quote-lines.ts';
import type { DeliveryZone } from '#store/contract.ts';
import { aBasket, aGroup, aLine, aMenu, anItem, anOption, aStore, aZone, choices } from '#ordering/testing/samples.ts';

// A Friday; the shop is open from 17:00 to 23:00.
const open = new Date('2026-11-20T18:00:00Z');
const closed = new Date('2026-11-20T12:00:00Z');

const curry = anItem('Curry', {
  price: 950,
  kitchen_name: 'CUR',
  allergens: { contains: ['milk'], may_contain: ['nuts'] },
});
const pizza = anItem('Pizza', {
  price: 1000,
  option_groups: [
    aGroup('size', [anOption('small'), anOption('large', { price: 300 })], {
      name: 'Size',
      min_select: 1,
      max_select: 1,
    }),
    aGroup('toppings', [anOption('ham', { price: 100 }), anOption('corn', { is_available: false })], {
      name: 'Toppings',
    }),
  ],
});
const menu = aMenu([
  curry,
  pizza,
  anItem('Soup', { is_available: false }),
  anItem('Wrap', {
    option_groups: [aGroup('filling', [anOption('lamb', { is_available: false })], { min_select: 1 })],
  }),
  anItem('Cake', { is_available: false, unavailable_until: '2026-11-20T17:59:00Z' }),
  anItem('Fish', { max_per_order: 2 }),
  anItem('Pie', { portions_left: 2 }),
  anItem('Roast', { prep_minutes: 90 }),
  anItem('Old', { is_active: false }),
]);

function quote(basket: Basket, rest: Partial<QuoteRequest> = {}) {
  return quoteBasket({ store: aStore(), index: indexMenus([menu]), basket, now: open, ...rest });
}

function problemsOf(basket: Basket, rest?: Partial<QuoteRequest>) {
  return quote(basket, rest).problems.map(({ code, path }) => `${code} ${path}`);
}

const delivered = (postcode: string | null, ...lines: Basket['lines']) =>
  aBasket(lines, { fulfilment_type: 'delivery', address: postcode === null ? null : { postcode } });

const eggsAt = (requested_for: string | null) => aBasket([aLine('Eggs')], { requested_for });
const curryAt = (requested_for: string | null) => aBasket([aLine('Curry')], { requested_for });
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const sum = (list: readonly { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);

test('a sound basket is priced, told when it can be ready, and kept as it is now', () => {
  const basket = aBasket(
    [
      aLine('Curry', { quantity: 2, note: 'hot' }),
      aLine('Pizza', { options: choices('toppings/ham*2', 'size/large') }),
    ],
    { tip: 100 },
  );
  expect(quote(basket, { store: aStore({ bag_fee: 10 }) })).toEqual({
    lines: [
      {
        item_id: 'Curry',
        name: 'Curry',
        kitchen_name: 'CUR',
        station: null,
        min_age: null,
        quantity: 2,
        unit_price: 950,
        options: [],
        note: 'hot',
        vat_rate: 2000,
        allergens: { contains: ['milk'], may_contain: ['nuts'] },
        allergen_conflicts: [],
        total: 1900,
      },
      {
        item_id: 'Pizza',
        name: 'Pizza',
        kitchen_name: null,
        station: null,
        min_age: null,
        quantity: 1,
        unit_price: 1500,
        options: [
          { option_group_id: 'size', option_id: 'large', group_name: 'Size', name: 'large', quantity: 1, price: 300 },
          {
            option_group_id: 'toppings',
            option_id: 'ham',
            group_name: 'Toppings',
            name: 'ham',
            quantity: 2,
            price: 100,
          },
        ],
        note: '',
        vat_rate: 2000,
        allergens: { contains: [], may_contain: [] },
        allergen_conflicts: [],
        total: 1500,
      },
    ],
    subtotal: 3400,
    discounts: [],
    fees: [{ code: 'bag', name: 'Bag', amount: 10, vat_rate: 2000 }],
    tip: 100,
    total: 3510,
    vat: [{ rate: 2000, net: 2842, vat: 568 }],
    earliest_at: '2026-11-20T18:20:00.000Z',
    prep_minutes: 0,
    problems: [],
  });
});

describe('lines', () => {
  test.each<[string, Basket['lines'], string[]]>([
    ['none', [], ['basket_empty lines']],
    ['an unknown item', [aLine('Nothing')], ['item_unknown lines.0.item_id']],
    ['an inactive item', [aLine('Curry'), aLine('Old')], ['item_unknown lines.1.item_id']],
    ['sold out', [aLine('Soup')], ['item_sold_out lines.0.item_id']],
    ['a dish without a required choice that is left', [aLine('Wrap')], ['item_sold_out lines.0.item_id']],
    ['back again', [aLine('Cake')], []],
    ['at the most', [aLine('Fish'), aLine('Fish')], []],
    ['over the most, in one line', [aLine('Fish', { quantity: 3 })], ['item_max lines.0.quantity']],
    ['over the most, across lines', [aLine('Fish', { quantity: 2 }), aLine('Fish')], ['item_max lines.1.quantity']],
    [
      'over the portions left, across lines',
      [aLine('Pie'), aLine('Pie', { quantity: 2 })],
      ['item_max lines.1.quantity'],
    ],
    ['no quantity', [aLine('Curry', { quantity: 0 })], ['item_max lines.0.quantity']],
    ['a thousand', [aLine('Curry', { quantity: 1000 })], ['item_max lines.0.quantity']],
    ['no option chosen', [aLine('Pizza')], ['option_group_min lines.0.options']],
    [
      'an option of another item',
      [aLine('Curry', { options: choices('size/small') })],
      ['option_unknown lines.0.options'],
    ],
    [
      'several at once',
      [aLine('Soup'), aLine('Pizza', { options: choices('toppings/corn') })],
      ['item_sold_out lines.0.item_id', 'option_sold_out lines.1.options', 'option_group_min lines.1.options'],
    ],
  ])('%s', (_, lines, problems) => {
    expect(problemsOf(aBasket(lines))).toEqual(problems);
  });

  test('what cannot be ordered is left out of the price, unknown or sold out', () => {
    const result = quote(aBasket([aLine('Nothing'), aLine('Soup'), aLine('Fish')]));
    expect(result.lines.map(({ name }) => name)).toEqual(['Fish']);
    expect(result.total).toBe(quote(aBasket([aLine('Fish')])).total);
  });

  test('messages name what they are about', () => {
    const messages = quote(aBasket([aLine('Soup'), aLine('Pizza'), aLine('Fish', { quantity: 3 })])).problems.map(
      ({ message }) => message,
    );
    expect(messages).toEqual(['Soup is sold out.', 'Choose your size.', 'You can order at most 2 of Fish.']);
  });
});

describe('menus', () => {
  const item = anItem('Eggs');
  const breakfast = aMenu([item], {
    id: 'b',
    name: 'Breakfast',
    availability: { days: ['Friday'], from: '08:00', to: '11:00' },
  });
  const evening = aMenu([item], {
    id: 'e',
    name: 'Evening',
    availability: { days: ['Friday'], from: '17:00', to: '22:00' },
  });
  const store = aStore({
    operational_hours: [
      { day: 'Friday', open: '08:00', close: '23:00' },
      { day: 'Saturday', open: '08:00', close: '23:00' },
    ],
  });

  test.each<[string, string | null, string, string[]]>([
    ['while it is served', null, '2026-11-20T09:00:00Z', []],
    ['not any more', null, '2026-11-20T12:00:00Z', ['menu_unavailable lines.0.item_id']],
    ['at the time asked for', '2026-11-20T10:00:00.000Z', '2026-11-20T07:00:00Z', []],
    [
      'not at the time asked for',
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T09:00:00Z',
      ['menu_unavailable lines.0.item_id'],
    ],
    ['not on that day', '2026-11-21T10:00:00.000Z', '2026-11-20T09:00:00Z', ['menu_unavailable lines.0.item_id']],
  ])('%s', (_, requested, now, problems) => {
    expect(problemsOf(eggsAt(requested), { store, index: indexMenus([breakfast]), now: new Date(now) })).toEqual(
      problems,
    );
  });

  test('one of two menus is enough', () => {
    const index = indexMenus([breakfast, evening]);
    expect(problemsOf(eggsAt(null), { store, index, now: new Date('2026-11-20T18:00:00Z') })).toEqual([]);
  });

  test('the message says when', () => {
    const index = indexMenus([breakfast]);
    const { problems } = quote(eggsAt(null), { store, index, now: new Date('2026-11-20T12:00:00Z') });
    expect(problems[0]?.message).toBe('Eggs is only served from 08:00 to 11:00 (Breakfast).');
  });

  test('the message names the days of a menu that is served all day on some', () => {
    const weekend = aMenu([item], {
      name: 'Weekend',
      availability: { days: ['Sunday', 'Saturday'], from: '05:00', to: '05:00' },
    });
    const { problems } = quote(eggsAt(null), {
      store,
      index: indexMenus([weekend]),
      now: new Date('2026-11-20T12:00:00Z'),
    });
    expect(problems[0]?.message).toBe('Eggs is only served on some days (Weekend: Saturday, Sunday).');
  });

  test('while the shop is closed, it is the earliest time that counts', () => {
    const late = aStore();
    const index = indexMenus([evening]);
    expect(problemsOf(eggsAt(null), { store: late, index, now: closed })).toEqual(['shop_closed requested_for']);
  });

  test('what no active menu reaches is unknown', () => {
    expect(indexMenus([{ ...breakfast, is_active: false }]).items.size).toBe(0);
    const hidden = (breakfast.categories ?? []).map((category) => Object.assign({}, category, { is_active: false }));
    expect(indexMenus([{ ...breakfast, categories: hidden }]).items.size).toBe(0);
  });
});

describe('fulfilment', () => {
  const zones = [aZone(['CV21'], { fee: 250, minimum_order: 1900, free_over: 3000, extra_minutes: 15 })];
  const store = aStore({ delivery_zones: zones });
  const two = aLine('Curry', { quantity: 2 });

  test.each<[string, Basket, string[]]>([
    ['in a zone', delivered('cv212aa', aLine('Curry', { quantity: 3 })), []],
    ['no address', delivered(null, two), ['address_required address.postcode']],
    ['no postcode', delivered(' ', two), ['address_required address.postcode']],
    ['half a postcode', delivered('CV21', two), ['postcode_invalid address.postcode']],
    ['outside', delivered('CV3 1AA', two), ['outside_zones address.postcode']],
    ['below the minimum', delivered('CV21 2AA', aLine('Curry')), ['below_minimum lines']],
    ['at the minimum', delivered('CV21 2AA', two), []],
    ['no minimum for collection', aBasket([aLine('Curry')]), []],
  ])('%s', (_, basket, problems) => {
    expect(problemsOf(basket, { store })).toEqual(problems);
  });

  test('messages say what is to be done', () => {
    expect(quote(delivered('CV21 2AA', aLine('Curry')), { store }).problems[0]?.message).toBe(
      'Add £9.50 more: the minimum for delivery to CV21 is £19.00.',
    );
    expect(quote(delivered('CV3 1AA', two), { store }).problems[0]?.message).toBe('Sorry, we do not deliver to CV3.');
  });

  test('the zone’s fee is charged and its minutes are counted', () => {
    expect(quote(delivered('CV21 2AA', two), { store })).toMatchObject({
      total: 2150,
      earliest_at: '2026-11-20T18:35:00.000Z',
    });
    expect(quote(delivered('CV21 2AA', aLine('Curry', { quantity: 4 })), { store }).fees).toEqual([]);
  });

  test('switched off', () => {
    const off = aStore({ delivery_enabled: false, collection_enabled: false });
    expect(problemsOf(delivered('CV21 2AA', two), { store: off })).toEqual(['fulfilment_unavailable fulfilment_type']);
    expect(problemsOf(aBasket([two]), { store: off })).toEqual(['fulfilment_unavailable fulfilment_type']);
    expect(quote(aBasket([two]), { store: off }).earliest_at).toBeNull();
  });
});

describe('time', () => {
  test.each<[string, Partial<QuoteRequest>, string | null, string[]]>([
    ['closed', { now: closed }, null, ['shop_closed requested_for']],
    ['ahead, while closed', { now: closed }, '2026-11-20T19:00:00.000Z', []],
    ['paused', { store: aStore({ paused_until: '2026-11-20T19:00:00.000Z' }) }, null, ['shop_paused requested_for']],
    ['not accepting', { store: aStore({ is_accepting_orders: false }) }, null, ['not_accepting_orders requested_for']],
    ['past', {}, '2026-11-20T17:00:00.000Z', ['slot_past requested_for']],
    ['between slots', {}, '2026-11-20T19:01:00.000Z', ['slot_unavailable requested_for']],
    [
      'full',
      { store: aStore({ max_orders_per_slot: 1 }), taken: new Map([['2026-11-20T19:00:00.000Z', 1]]) },
      '2026-11-20T19:00:00.000Z',
      ['slot_full requested_for'],
    ],
  ])('%s', (_, rest, requested, problems) => {
    expect(problemsOf(curryAt(requested), rest)).toEqual(problems);
  });

  test('a slow item takes its own time', () => {
    expect(quote(aBasket([aLine('Roast'), aLine('Curry')]))).toMatchObject({
      earliest_at: '2026-11-20T19:30:00.000Z',
      prep_minutes: 90,
    });
    expect(problemsOf(aBasket([aLine('Roast')], { requested_for: '2026-11-20T19:00:00.000Z' }))).toEqual([
      'slot_unavailable requested_for',
    ]);
  });
});

describe('payment', () => {
  const one = aBasket([aLine('Curry')], { tip: 50 });

  test.each<[string, Parameters<typeof aStore>[0], 'cash' | 'card' | undefined, string[]]>([
    ['taken', {}, 'cash', []],
    [
      'not taken',
      { payment_methods: { collection: ['card'], delivery: ['cash'] } },
      'cash',
      ['payment_method_unavailable payment_method'],
    ],
    ['not asked', { payment_methods: { collection: [], delivery: [] } }, undefined, []],
    ['cash up to the limit', { cash_max: 1000 }, 'cash', []],
    ['cash above it', { cash_max: 999 }, 'cash', ['cash_limit payment_method']],
    ['a card above it', { cash_max: 999 }, 'card', []],
    [
      'a card where there is no provider',
      { card_provider: null },
      'card',
      ['payment_method_unavailable payment_method'],
    ],
    // The basket is £10.00: the least in another currency.
    ['a card up to the least', { currency: 'MXN' }, 'card', []],
    ['a card below the least', { currency: 'CZK' }, 'card', ['payment_method_unavailable payment_method']],
    ['cash below the least', { currency: 'CZK' }, 'cash', []],
  ])('%s', (_, rest, paymentMethod, problems) => {
    expect(problemsOf(one, { store: aStore(rest), ...(paymentMethod && { paymentMethod }) })).toEqual(problems);
  });
});

test('an order beyond any till is refused, and still priced', () => {
  const index = indexMenus([aMenu([anItem('Gold', { price: 100_000_000 })])]);
  const result = quote(aBasket([aLine('Gold', { quantity: 99 })]), { index });
  expect(result.problems).toMatchObject([{ code: 'order_too_large', path: 'lines' }]);
  expect(result.total).toBe(9_900_000_000);
});

describe('allergens', () => {
  const milk = { option: anOption('cheese', { allergens: { contains: ['milk'], may_contain: ['nuts', 'soya'] } }) };
  const unknown = { option: anOption('sauce', { allergens: null }) };

  test('are those of the item and of its options together', () => {
    expect(lineAllergens({ contains: ['gluten'], may_contain: ['milk'] }, [milk])).toEqual({
      contains: ['gluten', 'milk'],
      may_contain: ['nuts', 'soya'],
    });
  });

  test('are not stated when one of them is not', () => {
    expect(lineAllergens(null, [milk])).toBeNull();
    expect(lineAllergens({ contains: ['gluten'], may_contain: [] }, [milk, unknown])).toBeNull();
  });
});

describe('properties', () => {
  const sizes = aGroup(uuid(14), [anOption(uuid(20), { price: 700 }), anOption(uuid(22), { price: 0, vat_rate: 0 })], {
    pricing: 'is_price',
    min_select: 1,
    max_select: 1,
  });
  const items = [0, 1, 2, 3].map((n) =>
    anItem(uuid(n), {
      price: [0, 999, 1250, 100_000_000][n] ?? 0,
      vat_rate: n % 2 === 0 ? 2000 : 0,
      max_per_order: n === 1 ? 3 : null,
      is_available: n !== 2,
      option_groups: [
        aGroup(uuid(10 + n), [anOption(uuid(20), { price: 100 }), anOption(uuid(21), { price: 55, vat_rate: 500 })], {
          min_select: n % 2,
          max_select: 3,
          free_select: n,
        }),
        ...(n === 3 ? [sizes] : []),
      ],
    }),
  );
  const index = indexMenus([
    aMenu(items, { availability: { days: ['Friday', 'Saturday'], from: '10:00', to: '22:00' } }),
  ]);

  const wildNumber = fc.oneof(
    fc.integer({ min: -2, max: 120 }),
    fc.double(),
    fc.constantFrom(NaN, Infinity, -Infinity, 1e300),
  );
  const id = fc.integer({ min: 0, max: 22 }).map(uuid);
  const option = fc.record({ option_group_id: id, option_id: id, quantity: wildNumber });
  const line = fc.record({
    item_id: fc.integer({ min: 0, max: 4 }).map(uuid),
    quantity: wildNumber,
    note: fc.string(),
    options: fc.array(option, { maxLength: 5 }),
  });
  const instant = fc.integer({ min: Date.UTC(2026, 10, 18), max: Date.UTC(2026, 10, 25) });
  const basket = fc.record({
    store_id: fc.constant(uuid(99)),
    fulfilment_type: fc.constantFrom('collection' as const, 'delivery' as const),
    requested_for: fc.oneof(
      fc.constant(null),
      instant.map((at) => new Date(at - (at % 900_000)).toISOString()),
      fc.string(),
    ),
    address: fc.option(
      fc.record({ postcode: fc.oneof(fc.constantFrom('CV21 2AA', 'cv22 1ab', 'LE1 1AA'), fc.string()) }),
      { nil: null },
    ),
    note: fc.constant(''),
    allergy_note: fc.constant(''),
    tip: wildNumber,
    lines: fc.array(line, { maxLength: 6 }),
  });
  const store = fc
    .record({
      service_fee: fc.integer({ min: 0, max: 500 }),
      cash_max: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: null }),
      delivery_zones: fc.constantFrom<DeliveryZone[][]>(
        [],
        [aZone(['CV21']), aZone(['CV22'], { minimum_order: 2000, free_over: 0 })],
      ),
      paused_until: fc.constantFrom(null, '2026-11-20T19:00:00.000Z'),
      max_orders_per_slot: fc.constantFrom(null, 1),
      is_accepting_orders: fc.boolean(),
    })
    .map((fields) => aStore(fields));
  const rules = fc.record({
    discounts: fc.constantFrom(
      [],
      [{ code: 'd', name: 'D', kind: 'percent' as const, value: 1234, minimum_subtotal: 500 }],
    ),
  });
  const request = fc.record({
    store,
    basket,
    now: instant.map((at) => new Date(at)),
    rules,
    paymentMethod: fc.constantFrom('cash' as const, 'card' as const),
  });

  test('any basket gets an answer that keeps the contract, with whole amounts that are never negative', () => {
    fc.assert(
      fc.property(request, (any) => {
        const result = quoteBasket({ index, ...any });
        expect(() => BasketQuote.parse(result)).not.toThrow();
        const amounts = [
          result.subtotal,
          result.tip,
          result.total,
          ...result.lines.flatMap((one) => [one.unit_price, one.total]),
        ];
        expect(amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
        expect(result.total).toBe(result.subtotal - sum(result.discounts) + sum(result.fees) + result.tip);
        expect(result.vat.reduce((total, { net, vat }) => total + net + vat, 0)).toBe(result.total - result.tip);
      }),
    );
  });

  test('every line that can be had is priced, and every other one is a problem beside it', () => {
    fc.assert(
      fc.property(request, (any) => {
        const { lines, problems } = quoteBasket({ index, ...any });
        const unknown = problems.filter(({ code }) => code === 'item_unknown').map(({ path }) => path);
        const expected = any.basket.lines.flatMap(({ item_id }, place) =>
          item_id === uuid(4) ? [`lines.${place}.item_id`] : [],
        );
        expect(unknown).toEqual(expected);
        const soldOut = problems.filter(({ code }) => code === 'item_sold_out');
        expect(lines).toHaveLength(any.basket.lines.length - unknown.length - soldOut.length);
      }),
    );
  });

  test('the paths of problems lead to fields of the basket', () => {
    const path =
      /^(lines|lines\.\d+\.(item_id|quantity|options)|address\.postcode|requested_for|payment_method|fulfilment_type)$/;
    fc.assert(
      fc.property(request, (any) => {
        for (const problem of quoteBasket({ index, ...any }).problems) {
          expect(problem.path).toMatch(path);
          expect(problem.message).toMatch(/^\S.*[.)?]$/);
          const [, place] = problem.path.split('.');
          expect(Number.isNaN(Number(place)) || Number(place) < any.basket.lines.length).toBe(true);
        }
      }),
    );
  });

  test('quoting changes nothing that it is given, and says the same again', () => {
    fc.assert(
      fc.property(request, (any) => {
        const before = structuredClone(any);
        const first = quoteBasket({ index, ...any });
        expect(quoteBasket({ index, ...any })).toEqual(first);
        expect(any).toEqual(before);
      }),
    );
  });
});
