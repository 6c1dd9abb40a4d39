import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planRefund, refundable, type EarlierRefund, type PaidOrder, type RefundPlan } from '#payment/refund-rules.ts';
import { apportion, vatWithin } from '#platform/money.ts';

const line = (id: string, quantity: number, total: number, vat_rate: number) => ({ id, quantity, total, vat_rate });

/** £24.00 of hot food, £6.00 of cold, 10 % off, a £2.00 service fee at 20 %, £1.50 tip: £30.50. */
const order: PaidOrder = {
  lines: [line('pizza', 3, 2400, 2000), line('salad', 2, 600, 0)],
  discounts: [{ amount: 300 }],
  vat: [
    { rate: 2000, net: 1967, vat: 393 },
    { rate: 0, net: 540, vat: 0 },
  ],
  tip: 150,
  total: 3050,
};

const plan = (
  of: PaidOrder,
  earlier: readonly EarlierRefund[],
  wanted: Parameters<typeof planRefund>[2],
): RefundPlan => {
  const found = planRefund(of, earlier, wanted);
  if ('fault' in found) throw new Error(found.fault);
  return found;
};

describe('what a refund consists of', () => {
  test('a line goes back at its own rate, with its share of the discount taken off', () => {
    expect(plan(order, [], { lines: [{ line_id: 'salad', quantity: 1 }] })).toEqual({
      amount: 270,
      tip: 0,
      vat: [{ rate: 0, net: 270, vat: 0 }],
      lines: [{ line_id: 'salad', quantity: 1, amount: 270 }],
    });
    expect(plan(order, [], { lines: [{ line_id: 'pizza', quantity: 1 }] })).toMatchObject({
      amount: 720,
      vat: [{ rate: 2000, net: 600, vat: 120 }],
    });
  });

  test('an amount is spread over the rates by what was taken at each', () => {
    expect(plan(order, [], { amount: 1000 })).toEqual({
      amount: 1000,
      tip: 0,
      vat: [
        { rate: 2000, net: 678, vat: 136 },
        { rate: 0, net: 186, vat: 0 },
      ],
      lines: [],
    });
  });

  test('the tip goes back last', () => {
    expect(plan(order, [], { amount: 2900 }).tip).toBe(0);
    expect(plan(order, [], { amount: 2950 }).tip).toBe(50);
    expect(plan(order, [], { amount: 3050 })).toMatchObject({ tip: 150, vat: order.vat });
  });

  test.each([
    ['more than was paid', { amount: 3051 }, { fault: 'too_much', left: 3050 }],
    ['a line of another order', { lines: [{ line_id: 'x', quantity: 1 }] }, { fault: 'unknown_line', index: 0 }],
    [
      'the same line twice',
      {
        lines: [
          { line_id: 'salad', quantity: 1 },
          { line_id: 'salad', quantity: 1 },
        ],
      },
      { fault: 'unknown_line', index: 1 },
    ],
    [
      'more of a line than there was',
      { lines: [{ line_id: 'salad', quantity: 3 }] },
      { fault: 'too_many', index: 0, left: 2 },
    ],
  ])('%s cannot be given back', (_name, wanted, fault) => {
    expect(planRefund(order, [], wanted)).toEqual(fault);
  });

  test('a line that went back already is not given back again, nor more than is left', () => {
    const first = plan(order, [], { lines: [{ line_id: 'salad', quantity: 2 }] });
    expect(planRefund(order, [first], { lines: [{ line_id: 'salad', quantity: 1 }] })).toEqual({
      fault: 'too_many',
      index: 0,
      left: 0,
    });
    expect(planRefund(order, [first], { amount: 2511 })).toEqual({ fault: 'too_much', left: 2510 });
  });
});

const anyOrder: fc.Arbitrary<PaidOrder> = fc
  .record({
    lines: fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 9 }),
        price: fc.integer({ min: 1, max: 3000 }),
        vat_rate: fc.constantFrom(0, 500, 1250, 2000),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    off: fc.integer({ min: 0, max: 9000 }),
    tip: fc.integer({ min: 0, max: 500 }),
  })
  .map(({ lines, off, tip }) => {
    const rates = [...new Set(lines.map(({ vat_rate }) => vat_rate))];
    const gross = rates.map((rate) =>
      lines.reduce((sum, one) => sum + (one.vat_rate === rate ? one.price * one.quantity : 0), 0),
    );
    const subtotal = gross.reduce((sum, amount) => sum + amount, 0);
    const discount = off % subtotal;
    const parts = apportion(discount, gross);
    return {
      lines: lines.map(({ quantity, price, vat_rate }, index) =>
        line(`l${index}`, quantity, price * quantity, vat_rate),
      ),
      discounts: discount > 0 ? [{ amount: discount }] : [],
      vat: rates.flatMap((rate, index) => {
        const amount = (gross[index] ?? 0) - (parts[index] ?? 0);
        const vat = vatWithin(amount, rate);
        return amount === 0 ? [] : [{ rate, net: amount - vat, vat }];
      }),
      tip,
      total: subtotal - discount + tip,
    };
  });

test('refunds of whatever kinds sum to the order once all went back, net and VAT at every rate, and never go beyond', () => {
  fc.assert(
    fc.property(anyOrder, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 8 }), (of, wishes) => {
      const made: RefundPlan[] = [];
      const give = (wanted: Parameters<typeof planRefund>[2]) => {
        const next = planRefund(of, made, wanted);
        if ('fault' in next || next.amount === 0) return;
        expect(next.tip + next.vat.reduce((sum, { net, vat }) => sum + net + vat, 0)).toBe(next.amount);
        expect(Math.min(next.tip, ...next.vat.flatMap(({ net, vat }) => [net, vat]))).toBeGreaterThanOrEqual(0);
        made.push(next);
      };
      for (const [a, b, isLine] of wishes) {
        const one = of.lines[a % of.lines.length];
        if (isLine && one) give({ lines: [{ line_id: one.id, quantity: 1 + (b % one.quantity) }] });
        else give({ amount: 1 + (a % of.total) });
      }
      if (refundable(of, made) > 0) give({ amount: refundable(of, made) });
      expect(refundable(of, made)).toBe(0);
      for (const row of of.vat) {
        const back = made.flatMap(({ vat }) => vat).filter(({ rate }) => rate === row.rate);
        expect(back.reduce((sum, { net }) => sum + net, 0)).toBe(row.net);
        expect(back.reduce((sum, { vat }) => sum + vat, 0)).toBe(row.vat);
      }
      expect(made.reduce((sum, { tip }) => sum + tip, 0)).toBe(of.tip);
    }),
  );
});
