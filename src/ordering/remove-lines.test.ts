import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VatRow } from '#ordering/order.ts';
import { priceBasket } from '#ordering/pricing.ts';
import { vatRowsOf } from '#ordering/vat-rows.ts';
import {
  grossByRateOf,
  removeLines,
  type PricedLine,
  type PricedOrder,
  type ReducedOrder,
  type WantedRemoval,
} from '#ordering/remove-lines.ts';
import { drawnBasket, drawnOrder, drawnPicks, orderOf, pick } from '#ordering/testing/draw-orders.ts';
import { vatInGross } from '#platform/money.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);
const grossOfVat = (vat: readonly VatRow[]) => sum(vat.map(({ net, vat: tax }) => net + tax));

function reduce(
  order: PricedOrder<PricedLine>,
  wanted: readonly WantedRemoval[],
  endsOffers = false,
): ReducedOrder<PricedLine> {
  const found = removeLines(order, wanted, { endsOffers });
  if ('fault' in found) throw new Error(found.fault);
  return found;
}

/** Two pizzas at £9 with a £1 salad each (zero-rated), a cola at £2: 10 % off, delivery £2.50 by the lines, bag 10p, tip £1. */
const order: PricedOrder<PricedLine> = {
  lines: [
    {
      id: 'pizza',
      quantity: 2,
      unit_price: 1000,
      vat_rate: 2000,
      vat_parts: [
        { rate: 2000, amount: 900 },
        { rate: 0, amount: 100 },
      ],
      total: 2000,
    },
    { id: 'cola', quantity: 1, unit_price: 200, vat_rate: 2000, total: 200 },
  ],
  subtotal: 2200,
  discounts: [{ code: 'p', name: 'Ten', amount: 220 }],
  fees: [
    { code: 'delivery', amount: 250, vat_rate: null },
    { code: 'bag', amount: 10, vat_rate: 2000 },
  ],
  tip: 100,
  total: 2340,
};

describe('an order without some of its dishes', () => {
  test('costs what is left, with fees and tip, and the discount of what is left', () => {
    expect(reduce(order, [{ line_id: 'pizza', quantity: 1 }])).toEqual({
      lines: [
        { ...order.lines[0], quantity: 1, total: 1000, discount: 100 },
        { ...order.lines[1], discount: 20 },
      ],
      subtotal: 1200,
      discounts: [{ code: 'p', name: 'Ten', amount: 120 }],
      total: 1440,
      // £11 and £1 of food less £1.10 and 10p, delivery £2.29 and 21p, the bag.
      vat: [
        { rate: 2000, net: 1024, vat: 205 },
        { rate: 0, net: 111, vat: 0 },
      ],
      removed: [{ line: order.lines[0], quantity: 1, amount: 900 }],
    });
  });

  test.each([
    ['ends the offer where staff say so', 'pizza', 2, [0], 560, 1780],
    ['never costs more, so that only so much of the offer goes', 'cola', 1, [20], 2340, 0],
  ])('%s', (_name, line_id, quantity, discounts, total, back) => {
    const without = reduce(order, [{ line_id, quantity }], true);
    expect(without.lines.map(({ discount }) => discount)).toEqual(discounts);
    expect([without.total, sum(without.removed.map(({ amount }) => amount))]).toEqual([total, back]);
  });

  test('a line of which nothing is left is gone, and so is its rate', () => {
    const { lines, vat, total } = reduce(order, [{ line_id: 'pizza', quantity: 2 }]);
    expect(lines.map(({ id }) => id)).toEqual(['cola']);
    expect(vat).toEqual([{ rate: 2000, net: 367, vat: 73 }]);
    expect(total).toBe(540);
  });

  test('no lines are left of an order that lost all', () => {
    expect(
      reduce(order, [
        { line_id: 'cola', quantity: 1 },
        { line_id: 'pizza', quantity: 2 },
      ]).lines,
    ).toEqual([]);
  });

  test.each<[name: string, wanted: WantedRemoval[], fault: unknown]>([
    ['a line that it does not have', [{ line_id: 'x', quantity: 1 }], { fault: 'unknown_line', index: 0 }],
    [
      'a line named twice',
      [
        { line_id: 'pizza', quantity: 1 },
        { line_id: 'pizza', quantity: 1 },
      ],
      { fault: 'unknown_line', index: 1 },
    ],
    ['more than there is', [{ line_id: 'pizza', quantity: 3 }], { fault: 'too_many', index: 0, left: 2 }],
    [
      'a line that was another when it was looked at',
      [
        { line_id: 'cola', quantity: 1, was: 1 },
        { line_id: 'pizza', quantity: 1, was: 3 },
      ],
      { fault: 'changed', index: 1 },
    ],
  ])('nothing goes for %s', (_name, wanted, fault) => {
    expect(removeLines(order, wanted)).toEqual(fault);
  });
});

test('whatever goes, the parts sum to the total, the VAT to what is taxed, and the order never costs more', () => {
  fc.assert(
    fc.property(drawnOrder, drawnPicks, fc.boolean(), (before, picks, endsOffers) => {
      const after = reduce(before, pick(before, picks), endsOffers);
      const off = sum(after.discounts.map(({ amount }) => amount));
      const fees = sum(before.fees.map(({ amount }) => amount));
      expect(after.subtotal).toBe(sum(after.lines.map(({ total }) => total)));
      expect(after.total).toBe(after.subtotal - off + fees + before.tip);
      expect(sum(after.lines.map(({ discount = 0 }) => discount))).toBeLessThanOrEqual(after.subtotal);
      expect(after.total).toBeLessThanOrEqual(before.total);
      expect(sum(after.removed.map(({ amount }) => amount))).toBe(before.total - after.total);
      if (after.lines.length === 0) return;
      expect(grossOfVat(after.vat)).toBe(after.total - before.tip);
      for (const { rate, net, vat } of after.vat) {
        expect(Math.min(net, vat)).toBeGreaterThanOrEqual(0);
        expect(vat).toBe(vatInGross(net + vat, rate));
      }
    }),
  );
});

test('without discounts, what is left costs and is taxed as if it had been ordered so', () => {
  fc.assert(
    fc.property(drawnBasket, drawnPicks, (basket, picks) => {
      const before = orderOf({ ...basket, rules: [] });
      const wanted = pick(before, picks);
      const after = reduce(before, wanted);
      const left = basket.lines.flatMap((line, place) => {
        const gone = wanted.find(({ line_id }) => line_id === `l${place}`)?.quantity ?? 0;
        return gone === line.quantity ? [] : [{ ...line, quantity: line.quantity - gone }];
      });
      const ordered = priceBasket({
        store: { service_fee: 0, bag_fee: 0 },
        fulfilment_type: 'collection',
        zone: null,
        lines: left,
        tip: basket.tip,
      });
      expect(after.subtotal).toBe(ordered.subtotal);
      expect(after.lines.map(({ quantity, total }) => [quantity, total])).toEqual(
        ordered.lines.map(({ quantity, total }) => [quantity, total]),
      );
      expect(vatRowsOf(grossByRateOf(after.lines), [])).toEqual(ordered.vat);
    }),
  );
});

test('an order of which nothing went is taxed as it was priced', () => {
  fc.assert(
    fc.property(drawnOrder, (before) => {
      expect(reduce(before, []).vat).toEqual(before.vat);
    }),
  );
});

test('dishes that go one after the other leave what they leave at once, but for a penny a time by rounding', () => {
  fc.assert(
    fc.property(drawnOrder, drawnPicks, (before, picks) => {
      const wanted = pick(before, picks);
      const atOnce = reduce(before, wanted);
      const order: PricedOrder<PricedLine> = { ...before };
      for (const one of wanted) Object.assign(order, reduce(order, [one]));
      const sold = ({ lines }: Pick<PricedOrder<PricedLine>, 'lines'>) =>
        lines.map(({ id, quantity, total }) => ({ id, quantity, total }));
      expect(sold(order)).toEqual(sold(atOnce));
      expect(order.subtotal).toBe(atOnce.subtotal);
      expect(Math.abs(order.total - atOnce.total)).toBeLessThanOrEqual(wanted.length);
    }),
  );
});
