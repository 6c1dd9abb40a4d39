import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexItem } from '#menu/menu-index.ts';
import { checkChosenOptions } from '#menu/option-rules.ts';
import { type PriceableBasket, type PriceableLine, priceBasket, unitPrice } from '#ordering/pricing.ts';
import { aGroup, anItem, anOption, choices } from '#ordering/testing/samples.ts';

const now = new Date('2026-11-20T18:00:00Z');
const noFees = { service_fee: 0, bag_fee: 0 };

/** A line of an item at `price` and `vat_rate`, without options. */
function line(price: number, quantity = 1, vat_rate = 2000): PriceableLine {
  return { item: { price, vat_rate }, selected: [], quantity };
}

function price(lines: PriceableLine[], rest: Partial<PriceableBasket> = {}) {
  return priceBasket({ store: noFees, fulfilment_type: 'collection', zone: null, lines, tip: 0, ...rest });
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, value) => total + value, 0);

const delivery = (free_over: number | null = null): Partial<PriceableBasket> => ({
  fulfilment_type: 'delivery',
  zone: { fee: 250, free_over },
});

const burger = indexItem(
  anItem('Burger', {
    price: 1000,
    option_groups: [
      aGroup('size', [anOption('regular'), anOption('large', { price: 250 })]),
      aGroup(
        'extras',
        [anOption('cheese', { price: 100 }), anOption('bacon', { price: 150 }), anOption('egg', { price: 120 })],
        {
          free_select: 2,
        },
      ),
      aGroup('drink', [anOption('cola', { price: 200 }), anOption('milk', { price: 180, vat_rate: 0 })]),
    ],
  }),
);

function burgerWith(quantity: number, ...texts: string[]): PriceableLine {
  return { item: burger.item, selected: checkChosenOptions(burger, choices(...texts), now, 'p').selected, quantity };
}

describe('lines', () => {
  test.each([
    ['the item alone', ['size/regular'], 1000],
    ['an option that costs', ['size/large'], 1250],
    ['an option several times', ['drink/cola*3'], 1600],
    ['free selections', ['extras/cheese', 'extras/egg'], 1000],
    ['the dearest are the free ones', ['extras/cheese', 'extras/bacon', 'extras/egg'], 1100],
    ['tapped in another order', ['extras/egg', 'extras/bacon', 'extras/cheese'], 1100],
    ['quantities count', ['extras/bacon*3', 'extras/cheese'], 1250],
    ['free in one group only', ['extras/bacon', 'drink/cola'], 1200],
  ])('%s', (_, texts, expected) => {
    const one = burgerWith(1, ...texts);
    expect(unitPrice(one.item, one.selected)).toBe(expected);
    expect(price([burgerWith(3, ...texts)])).toMatchObject({
      lines: [{ unit_price: expected, total: expected * 3 }],
      subtotal: expected * 3,
      total: expected * 3,
    });
  });

  const sizes = aGroup(
    'size',
    [anOption('9 inch', { price: 700 }), anOption('12 inch', { price: 1000, vat_rate: 0 })],
    {
      pricing: 'is_price',
      min_select: 1,
      max_select: 1,
    },
  );
  const sized = indexItem(
    anItem('Margherita', {
      price: 700,
      option_groups: [sizes, aGroup('extras', [anOption('cheese', { price: 100 }), anOption('egg', { price: 90 })])],
    }),
  );
  const margheritaWith = (...texts: string[]) => checkChosenOptions(sized, choices(...texts), now, 'p').selected;

  test.each([
    ['the size is the price', ['size/9 inch'], 700],
    ['a larger size', ['size/12 inch'], 1000],
    ['other groups add to it', ['extras/cheese*2', 'size/12 inch'], 1200],
    ['the cheapest size, until one is chosen', ['extras/egg'], 790],
  ])('%s', (_, texts, expected) => {
    expect(unitPrice(sized.item, margheritaWith(...texts))).toBe(expected);
  });

  test('a size with a VAT rate of its own takes the whole price there', () => {
    const selected = margheritaWith('size/12 inch', 'extras/cheese');
    expect(price([{ item: sized.item, selected, quantity: 2 }]).vat).toEqual([
      { rate: 2000, net: 167, vat: 33 },
      { rate: 0, net: 2000, vat: 0 },
    ]);
  });

  test('the subtotal is the sum of the lines', () => {
    expect(price([line(995, 2), line(350), line(120, 10)])).toMatchObject({
      lines: [{ total: 1990 }, { total: 350 }, { total: 1200 }],
      subtotal: 3540,
    });
  });

  test('nothing costs nothing', () => {
    const everything = {
      store: { service_fee: 50, bag_fee: 10 },
      fulfilment_type: 'delivery' as const,
      zone: { fee: 250, free_over: null },
    };
    expect(price([], everything)).toEqual({
      lines: [],
      subtotal: 0,
      discounts: [],
      fees: [],
      tip: 0,
      total: 0,
      vat: [],
    });
  });
});

describe('VAT', () => {
  test('is found from the sum at each rate, dearest first', () => {
    expect(price([line(333, 1, 0), line(999), line(999)]).vat).toEqual([
      { rate: 2000, net: 1665, vat: 333 },
      { rate: 0, net: 333, vat: 0 },
    ]);
  });

  test('an option with a rate of its own takes its part of the line there', () => {
    expect(price([burgerWith(2, 'drink/milk')]).vat).toEqual([
      { rate: 2000, net: 1667, vat: 333 },
      { rate: 0, net: 360, vat: 0 },
    ]);
  });

  test('leaves out the tip', () => {
    expect(price([line(1200)], { tip: 300 })).toMatchObject({
      total: 1500,
      tip: 300,
      vat: [{ rate: 2000, net: 1000, vat: 200 }],
    });
  });
});

describe('fees', () => {
  test.each([
    ['by zone', delivery(), 250],
    ['free from a subtotal', delivery(1200), 0],
    ['not yet free', delivery(1201), 250],
    ['no zone known yet', { fulfilment_type: 'delivery' as const, zone: null }, 0],
    ['collected', { ...delivery(), fulfilment_type: 'collection' as const }, 0],
  ])('delivery: %s', (_, rest, fee) => {
    const result = price([line(1200)], rest);
    expect(result.total).toBe(1200 + fee);
    expect(result.fees).toEqual(fee === 0 ? [] : [{ code: 'delivery', amount: fee, vat_rate: 2000 }]);
  });

  test('delivery follows the lines over their rates', () => {
    const result = price([line(600), line(300, 1, 0)], delivery());
    expect(result.fees).toMatchObject([{ code: 'delivery', vat_rate: null }]);
    expect(result.vat).toEqual([
      { rate: 2000, net: 639, vat: 128 },
      { rate: 0, net: 383, vat: 0 },
    ]);
  });

  test('a service and a bag are charged to every order, at the standard rate', () => {
    const result = price([line(500, 1, 0)], { store: { service_fee: 50, bag_fee: 10 } });
    expect(result.fees).toEqual([
      { code: 'service', amount: 50, vat_rate: 2000 },
      { code: 'bag', amount: 10, vat_rate: 2000 },
    ]);
    expect(result.vat).toEqual([
      { rate: 2000, net: 50, vat: 10 },
      { rate: 0, net: 500, vat: 0 },
    ]);
  });
});

describe('properties', () => {
  const money = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 100_000_000 }));
  const rate = fc.constantFrom(0, 500, 2000);
  const option = fc.record({
    price: money,
    vat_rate: fc.option(rate, { nil: null }),
    quantity: fc.integer({ min: 1, max: 20 }),
  });
  const group = fc.record({ options: fc.array(option, { maxLength: 4 }), free_select: fc.integer({ min: 0, max: 6 }) });
  const lineSpec = fc.record({
    price: money,
    vat_rate: rate,
    groups: fc.array(group, { maxLength: 3 }),
    quantity: fc.integer({ min: 1, max: 99 }),
  });
  const rest = fc.record({
    store: fc.record({ service_fee: money, bag_fee: money }),
    fulfilment_type: fc.constantFrom('collection' as const, 'delivery' as const),
    zone: fc.option(fc.record({ fee: money, free_over: fc.option(money, { nil: null }) }), { nil: null }),
    tip: fc.integer({ min: 0, max: 100_000 }),
  });

  const anyLines = fc.array(lineSpec, { maxLength: 6 }).map((specs) => specs.map(build));
  test('the total is the sum of its parts, and so is the VAT, to the penny', () => {
    fc.assert(
      fc.property(anyLines, rest, (lines, others) => {
        const result = priceBasket({ lines, ...others });
        expect(result.subtotal).toBe(sum(result.lines.map(({ total }) => total)));
        for (const [index, { unit_price, total }] of result.lines.entries()) {
          expect(total).toBe(unit_price * (lines[index]?.quantity ?? 0));
        }
        const discounts = sum(result.discounts.map(({ amount }) => amount));
        const fees = sum(result.fees.map(({ amount }) => amount));
        expect(result.total).toBe(result.subtotal - discounts + fees + result.tip);
        expect(sum(result.vat.map(({ net, vat }) => net + vat))).toBe(result.total - result.tip);
      }),
    );
  });

  test('nothing is ever negative, fractional or beyond the safe integers', () => {
    fc.assert(
      fc.property(anyLines, rest, (lines, others) => {
        const { lines: priced, discounts, fees, vat, subtotal, tip, total } = priceBasket({ lines, ...others });
        const amounts = [
          subtotal,
          tip,
          total,
          ...priced.flatMap((one) => [one.unit_price, one.total]),
          ...[...discounts, ...fees].map(({ amount }) => amount),
          ...vat.flatMap((row) => [row.net, row.vat]),
        ];
        for (const amount of amounts) {
          expect(Number.isSafeInteger(amount)).toBe(true);
          expect(amount).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test('neither the order of the options nor of the lines changes the total or the VAT', () => {
    fc.assert(
      fc.property(anyLines, rest, (lines, others) => {
        const turned = lines
          .toReversed()
          .map(({ item, selected, quantity }) => ({ item, quantity, selected: selected.toReversed() }));
        const a = priceBasket({ lines, ...others });
        const b = priceBasket({ lines: turned, ...others });
        expect(b.total).toBe(a.total);
        const sums = ({ unit_price, total }: { unit_price: number; total: number }) => ({ unit_price, total });
        expect(b.lines.toReversed().map(sums)).toEqual(a.lines.map(sums));
        expect(b.vat).toEqual(a.vat);
      }),
    );
  });

  test('a further free selection never makes it dearer', () => {
    fc.assert(
      fc.property(lineSpec, (spec) => {
        const more = { ...spec, groups: spec.groups.map((one) => ({ ...one, free_select: one.free_select + 1 })) };
        expect(price([build(more)]).total).toBeLessThanOrEqual(price([build(spec)]).total);
      }),
    );
  });
});

function build(spec: {
  price: number;
  vat_rate: number;
  groups: { options: { price: number; vat_rate: number | null; quantity: number }[]; free_select: number }[];
  quantity: number;
}): PriceableLine {
  let place = 0;
  const selected = spec.groups.flatMap(({ options, free_select }, index) => {
    const group = aGroup(`g${index}`, [], { free_select });
    return options.map(({ price, vat_rate, quantity }) => {
      place += 1;
      return { group, option: anOption(`o${place}`, { price, vat_rate }), place, quantity };
    });
  });
  return { item: { price: spec.price, vat_rate: spec.vat_rate }, selected, quantity: spec.quantity };
}
