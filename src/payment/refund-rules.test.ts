import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { removeLines } from '#ordering/remove-lines.ts';
import { drawnOrder, drawnPicks, pick, type DrawnOrder } from '#ordering/testing/draw-orders.ts';
import {
  coversEarlierRefunds,
  excessCharge,
  refundsWithinTotal,
  planRefund,
  refundableAmount,
  initialRefundDraft,
  refundOfferSince,
  type EarlierRefund,
  type PaidOrder,
  type RefundPlan,
  type RequestedRefund,
} from '#payment/refund-rules.ts';
import { apportion, vatInGross } from '#platform/money.ts';

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

const plan = (of: PaidOrder, earlier: readonly EarlierRefund[], wanted: RequestedRefund): RefundPlan => {
  const found = planRefund(of, earlier, wanted);
  if ('fault' in found) throw new Error(found.fault);
  return found;
};
const asked = (made: RefundPlan): EarlierRefund => ({ ...made, kind: 'asked' });
const ofLines = (amount: number): EarlierRefund => ({ amount, tip: 0, vat: [], lines: [], kind: 'line_removed' });

describe('the form of a refund', () => {
  const wanted = [
    { line_id: 'pizza', quantity: 3 },
    { line_id: 'gone', quantity: 1 },
  ];
  const refunded = (quantity: number) => asked(plan(order, [], { lines: [{ line_id: 'pizza', quantity }] }));
  const begun = (...earlier: EarlierRefund[]) => initialRefundDraft(order, earlier, { lines: wanted, reason: 'Cold' });

  test('begins with the pieces of a complaint up to those left, and without unknown lines', () => {
    expect(begun()).toMatchObject({ way: 'lines', pieces: { pizza: 3 }, reason: 'Cold' });
    expect(begun(refunded(2)).pieces).toEqual({ pizza: 1 });
  });

  test('begins with no piece, not with the whole order, if everything of a complaint is already refunded', () => {
    expect(begun(refunded(3))).toMatchObject({ way: 'lines', pieces: {} });
  });

  test('begins with the whole order if no complaint names a dish', () => {
    expect(initialRefundDraft(order, []).way).toBe('all');
    expect(initialRefundDraft(order, [], { lines: [], reason: 'Cold' }).way).toBe('all');
  });
});

test.each([
  [[], 500, [], 'first'],
  [['17:59:59 succeeded'], 500, [], 'first'],
  [['18:00:00 failed'], 500, ['18:00:00 failed'], 'first'],
  [['17:00:00 succeeded', '18:05:00 pending'], 500, ['18:05:00 pending'], 'more'],
  [['18:05:00 succeeded', '18:06:00 failed'], 0, ['18:05:00 succeeded', '18:06:00 failed'], 'none'],
  // The form says why nothing can be refunded.
  [[], 0, [], 'first'],
] as const)(
  'a complaint at 18:00 and refunds %j, with %i left, show %j and offer %s',
  (made, refundable, shown, offer) => {
    const refunds = made.map((text) => {
      const [time = '', status] = text.split(' ');
      return { created_at: `2026-11-21T${time}.000Z`, status: status as 'succeeded', text };
    });
    const found = refundOfferSince('2026-11-21T18:00:00.000Z', { refunds, refundable });
    expect([found.refunds.map(({ text }) => text), found.offer]).toEqual([shown, offer]);
  },
);

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
    const first = asked(plan(order, [], { lines: [{ line_id: 'salad', quantity: 2 }] }));
    expect(planRefund(order, [first], { lines: [{ line_id: 'salad', quantity: 1 }] })).toEqual({
      fault: 'too_many',
      index: 0,
      left: 0,
    });
    expect(planRefund(order, [first], { amount: 2511 })).toEqual({ fault: 'too_much', left: 2510 });
  });
});

describe('an order that lost dishes', () => {
  test('owes what was charged beyond what it costs now, once', () => {
    expect(excessCharge({ total: 2000 }, 3050, [])).toBe(1050);
    expect(excessCharge({ total: 2000 }, 3050, [ofLines(1050)])).toBe(0);
    expect(excessCharge({ total: 1500 }, 3050, [ofLines(1050)])).toBe(500);
  });

  test('owes nothing if it was charged after they went, or was never charged too much', () => {
    expect(excessCharge({ total: 2000 }, 2000, [])).toBe(0);
    expect(excessCharge({ total: 2000 }, 1500, [])).toBe(0);
  });

  test('is still refunded what people give back of the rest', () => {
    const given = asked(plan(order, [], { amount: 500 }));
    expect(excessCharge({ total: 2000 }, 3050, [given])).toBe(1050);
    expect(refundableAmount({ total: 2000 }, [given, ofLines(1050)])).toBe(1500);
  });

  test.each([
    ['less money than was given back', { amount: 2950 }, { ...order, total: 2900 }],
    [
      'less of a rate than was given back',
      { lines: [{ line_id: 'salad', quantity: 2 }] },
      { ...order, vat: order.vat.slice(0, 1) },
    ],
    [
      'fewer pieces than were given back',
      { lines: [{ line_id: 'salad', quantity: 2 }] },
      { ...order, lines: [line('pizza', 3, 2400, 2000), line('salad', 1, 300, 0)] },
    ],
  ])('may not be left with %s', (_name, wanted, after) => {
    const given = asked(plan(order, [], wanted));
    expect(coversEarlierRefunds(order, [given])).toBe(true);
    expect(coversEarlierRefunds(after, [given])).toBe(false);
  });

  test('goes back by line at the rates of the line’s options too', () => {
    const mixed = {
      ...line('meal', 1, 1000, 2000),
      vat_parts: [
        { rate: 2000, amount: 800 },
        { rate: 0, amount: 200 },
      ],
    };
    const of = {
      lines: [mixed, line('cola', 1, 1200, 2000)],
      discounts: [],
      vat: [
        { rate: 2000, net: 1667, vat: 333 },
        { rate: 0, net: 200, vat: 0 },
      ],
      tip: 0,
      total: 2200,
    };
    expect(plan(of, [], { lines: [{ line_id: 'meal', quantity: 1 }] }).vat).toEqual([
      { rate: 2000, net: 667, vat: 133 },
      { rate: 0, net: 200, vat: 0 },
    ]);
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
        const vat = vatInGross(amount, rate);
        return amount === 0 ? [] : [{ rate, net: amount - vat, vat }];
      }),
      tip,
      total: subtotal - discount + tip,
    };
  });

test('refunds of whatever kinds sum to the order once all went back, net and VAT at every rate, and never go beyond', () => {
  fc.assert(
    fc.property(anyOrder, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 8 }), (of, wishes) => {
      const made: EarlierRefund[] = [];
      const give = (wanted: RequestedRefund) => {
        const next = planRefund(of, made, wanted);
        if ('fault' in next || next.amount === 0) return;
        expect(next.tip + next.vat.reduce((sum, { net, vat }) => sum + net + vat, 0)).toBe(next.amount);
        expect(Math.min(next.tip, ...next.vat.flatMap(({ net, vat }) => [net, vat]))).toBeGreaterThanOrEqual(0);
        made.push(asked(next));
      };
      for (const [a, b, isLine] of wishes) {
        const one = of.lines[a % of.lines.length];
        if (isLine && one) give({ lines: [{ line_id: one.id, quantity: 1 + (b % one.quantity) }] });
        else give({ amount: 1 + (a % of.total) });
      }
      if (refundableAmount(of, made) > 0) give({ amount: refundableAmount(of, made) });
      expect(refundableAmount(of, made)).toBe(0);
      for (const row of of.vat) {
        const back = made.flatMap(({ vat }) => vat).filter(({ rate }) => rate === row.rate);
        expect(back.reduce((sum, { net }) => sum + net, 0)).toBe(row.net);
        expect(back.reduce((sum, { vat }) => sum + vat, 0)).toBe(row.vat);
      }
      expect(made.reduce((sum, { tip }) => sum + tip, 0)).toBe(of.tip);
    }),
  );
});

type Step =
  | { kind: 'remove'; picks: readonly (readonly [number, number])[] }
  | { kind: 'refund lines'; picks: readonly (readonly [number, number])[] }
  | { kind: 'refund'; amount: number }
  | { kind: 'decide' | 'capture' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('remove' as const, 'refund lines' as const), picks: drawnPicks }),
  fc.record({ kind: fc.constant('refund' as const), amount: fc.nat() }),
  fc.record({ kind: fc.constantFrom('decide' as const, 'capture' as const) }),
);

/** The money of one order: the amount to capture is decided before it is captured, and dishes may go in between. */
class Money {
  order: DrawnOrder;
  decided: number | null = null;
  captured: number | null = null;
  refunds: EarlierRefund[] = [];

  constructor(order: DrawnOrder) {
    this.order = order;
  }

  take(step: Step): void {
    switch (step.kind) {
      case 'remove': {
        const after = removeLines(this.order, pick(this.order, step.picks));
        if ('fault' in after || after.lines.length === 0) return;
        const order: DrawnOrder = { ...this.order, ...after };
        if (!coversEarlierRefunds(order, this.refunds)) return;
        this.order = order;
        return this.settle();
      }
      case 'decide':
        this.decided ??= this.order.total;
        return;
      case 'capture':
        this.captured ??= this.decided ?? this.order.total;
        return this.settle();
      case 'refund lines':
        return this.give({ lines: pick(this.order, step.picks) });
      case 'refund':
        return this.give({ amount: 1 + (step.amount % Math.max(1, this.order.total)) });
    }
  }

  give(wanted: RequestedRefund): void {
    if (this.captured === null) return;
    const made = planRefund(this.order, this.refunds, wanted);
    if (!('fault' in made) && made.amount > 0) this.refunds.push(asked(made));
  }

  private settle(): void {
    if (this.captured === null) return;
    const excess = excessCharge(this.order, this.captured, this.refunds);
    if (excess > 0) this.refunds.push(ofLines(excess));
  }
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

test('with dishes that go before, during and after the capture and refunds of all kinds, no more goes back than was paid, and net and VAT add up', () => {
  const seen = { removedAfter: 0, raced: 0 };
  fc.assert(
    fc.property(drawnOrder, fc.array(anyStep, { maxLength: 14 }), (drawn, steps) => {
      const money = new Money(drawn);
      const check = () => {
        if (money.captured === null) return;
        const back = sum(money.refunds.map(({ amount }) => amount));
        const ofRest = sum(refundsWithinTotal(money.refunds).map(({ amount }) => amount));
        expect(back).toBeLessThanOrEqual(money.captured);
        expect(money.captured - back).toBe(money.order.total - ofRest);
        for (const { tip, vat, amount } of refundsWithinTotal(money.refunds)) {
          expect(tip + sum(vat.map(({ net, vat: tax }) => net + tax))).toBe(amount);
          expect(Math.min(tip, ...vat.flatMap(({ net, vat: tax }) => [net, tax]))).toBeGreaterThanOrEqual(0);
        }
      };
      for (const step of steps) {
        const before = money.refunds.length;
        money.take(step);
        if (money.refunds.length > before) {
          if (step.kind === 'remove') seen.removedAfter += 1;
          if (step.kind === 'capture') seen.raced += 1;
        }
        check();
      }
      money.take({ kind: 'capture' });
      const left = refundableAmount(money.order, money.refunds);
      if (left > 0) money.give({ amount: left });
      check();
      expect(refundableAmount(money.order, money.refunds)).toBe(0);
      const given = refundsWithinTotal(money.refunds);
      for (const row of money.order.vat) {
        const rows = given.flatMap(({ vat }) => vat).filter(({ rate }) => rate === row.rate);
        expect(sum(rows.map(({ net }) => net))).toBe(row.net);
        expect(sum(rows.map(({ vat }) => vat))).toBe(row.vat);
      }
      expect(sum(given.map(({ tip }) => tip))).toBe(money.order.tip);
    }),
    { numRuns: 2000 },
  );
  expect(seen.removedAfter).toBeGreaterThan(50);
  expect(seen.raced).toBeGreaterThan(20);
});
