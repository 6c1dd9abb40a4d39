import { describe, expect, test } from 'vitest';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import { sampleLine } from '#printing/testing/sample-receipts.ts';
import { mustEnterPaymentMethod, predictOrderAfter, stepOnTicketTap, undoDeadline } from '#kitchen/board-steps.ts';
import type { Order } from '#ordering/order.ts';
import { nextStepCall } from '#ordering/next-status.ts';

const now = Date.parse('2026-11-20T18:05:00.000Z');
const at = new Date(now).toISOString();

function walk(fulfilment_type: Order['fulfilment_type']): string[] {
  let order = sampleOrder({ fulfilment_type });
  const calls: string[] = [];
  for (let call = nextStepCall(order); call !== null; call = nextStepCall(order)) {
    calls.push(call);
    order = predictOrderAfter(order, call, {}, now);
  }
  return [...calls, order.status];
}

test('one step after another carries a delivery to the door', () => {
  expect(walk('delivery')).toEqual(['accept', 'packed', 'collected-by-driver', 'delivered-to-customer', 'delivered']);
});

test('a collection ends when the customer has it', () => {
  expect(walk('collection')).toEqual(['accept', 'packed', 'collected-by-customer', 'collected']);
});

test('accepting promises the time that was asked for', () => {
  const readyAt = now + 25 * 60_000;
  const accepted = predictOrderAfter(sampleOrder(), 'accept', { readyAt }, now);
  expect(accepted).toMatchObject({ status: 'accepted', accepted_at: at, promised_at: '2026-11-20T18:30:00.000Z' });
});

test('a scheduled order is promised for the time its customer wants', () => {
  const requested_for = '2026-11-20T21:00:00.000Z';
  expect(predictOrderAfter(sampleOrder({ requested_for }), 'accept', {}, now).promised_at).toBe(requested_for);
});

test('handing out straight from the kitchen records the packing', () => {
  const accepted = predictOrderAfter(sampleOrder(), 'accept', {}, now);
  const collected = predictOrderAfter(accepted, 'collected-by-customer', {}, now);
  expect(collected).toMatchObject({ status: 'collected', packed_at: at, completed_at: at });
  expect(predictOrderAfter(collected, 'undo', {}, now)).toMatchObject({
    status: 'packed',
    packed_at: at,
    completed_at: null,
  });
});

test('undo returns to the step before, and lasts two minutes', () => {
  const packed = predictOrderAfter(predictOrderAfter(sampleOrder(), 'accept', {}, now), 'packed', {}, now);
  expect(undoDeadline(packed)).toBe(now + 120_000);
  const back = predictOrderAfter(packed, 'undo', {}, now + 1000);
  expect(back).toMatchObject({ status: 'accepted', packed_at: null });
  expect(undoDeadline(back)).toBeNull();
});

test('accepting and rejecting cannot be undone', () => {
  expect(undoDeadline(predictOrderAfter(sampleOrder(), 'accept', {}, now))).toBeNull();
  expect(undoDeadline(predictOrderAfter(sampleOrder(), 'reject', { reason: 'too_busy' }, now))).toBeNull();
});

test('a call that the order is past changes nothing', () => {
  const rejected = sampleOrder({ status: 'rejected' });
  expect(predictOrderAfter(rejected, 'packed', {}, now)).toBe(rejected);
});

test('a tick shows before the server answers, keeps the time of the first, and moves nothing', () => {
  const order = predictOrderAfter(sampleOrder(), 'accept', {}, now);
  const ids = order.lines.map(({ id }) => id);
  const ticked = predictOrderAfter(order, 'lines/done', { ticks: { lines: ids, done: true } }, now);
  expect(ticked).toEqual({ ...order, lines: order.lines.map((line) => ({ ...line, done_at: at })) });
  expect(predictOrderAfter(ticked, 'lines/done', { ticks: { lines: ids, done: true } }, now + 1000)).toEqual(ticked);
  const cleared = predictOrderAfter(ticked, 'lines/done', { ticks: { lines: ids, done: false } }, now);
  expect(cleared.lines.map(({ done_at: doneAt }) => doneAt)).toEqual(ids.map(() => null));
});

test.each([
  ['an order in the kitchen', { status: 'accepted' }, 'packed'],
  ['a driver’s order, even to be paid', { status: 'packed', fulfilment_type: 'delivery' }, 'collected-by-driver'],
  ['a paid handover', { status: 'packed', payment_status: 'paid' }, 'collected-by-customer'],
  ['a handover that is to be paid', { status: 'packed' }, null],
  ['a delivery that is to be paid', { status: 'out_for_delivery', fulfilment_type: 'delivery' }, null],
  ['an order whose payment failed', { status: 'accepted', payment_status: 'failed' }, null],
  ['a new order', { status: 'placed' }, null],
  ['a cancelled order', { status: 'cancelled' }, null],
] as const)('a tap on the ticket of %s', (_case, fields, call) => {
  expect(stepOnTicketTap(sampleOrder({ total: 500, payment_status: 'unpaid', ...fields }))).toBe(call);
});

describe('before the server answers, a dish taken off', () => {
  const pies = { ...sampleLine({ name: 'Beef pie', quantity: 3, unit_price: 600 }), id: 'pies', kitchen_name: 'Pie' };
  const slaw = { ...sampleLine({ name: 'Slaw', unit_price: 300, vat_rate: 0 }), id: 'slaw' };
  /** Three pies at £6 with 20 % VAT, a slaw at £3 without, delivery £2.10 over both, a tip of £1: £24.10. */
  const order = sampleOrder({
    status: 'accepted',
    fulfilment_type: 'delivery',
    lines: [pies, slaw],
    subtotal: 2100,
    fees: [{ code: 'delivery', name: 'Delivery', amount: 210, vat_rate: null }],
    tip: 100,
    total: 2410,
    vat: [
      // £18 and £1.80 of the delivery; £3 and 30p.
      { rate: 2000, net: 1650, vat: 330 },
      { rate: 0, net: 330, vat: 0 },
    ],
  });
  const takeOff = (lines: { line_id: string; quantity: number; was: number }[]) =>
    predictOrderAfter(order, 'lines/remove', { lines, reason: 'sold_out' }, now);

  test('is gone from lines, sums and VAT, and stands among what was removed', () => {
    expect(takeOff([{ line_id: 'pies', quantity: 1, was: 3 }])).toEqual({
      ...order,
      lines: [{ ...pies, quantity: 2, total: 1200 }, slaw],
      subtotal: 1500,
      total: 1810,
      // £12 and £1.68 of the delivery, a sixth of which is VAT; £3 and 42p.
      vat: [
        { rate: 2000, net: 1140, vat: 228 },
        { rate: 0, net: 342, vat: 0 },
      ],
      removed: [
        {
          line_id: 'pies',
          name: 'Beef pie',
          kitchen_name: 'Pie',
          station: null,
          options: [],
          quantity: 1,
          amount: 600,
          reason: 'sold_out',
          actor: '',
          at,
        },
      ],
    });
  });

  test('that is the last one cancels the order, which keeps its lines', () => {
    const everything = [
      { line_id: 'pies', quantity: 3, was: 3 },
      { line_id: 'slaw', quantity: 1, was: 1 },
    ];
    const cancelled = takeOff(everything);
    expect(cancelled).toMatchObject({ status: 'cancelled', lines: [pies, slaw], total: 2410, removed: [] });
    expect(cancelled.history.at(-1)).toMatchObject({ from: 'accepted', to: 'cancelled', reason: 'sold_out' });
  });

  test('changes nothing if a colleague took some of it off meanwhile, or the order has left', () => {
    expect(takeOff([{ line_id: 'pies', quantity: 1, was: 4 }])).toBe(order);
    const left = { ...order, status: 'out_for_delivery' as const };
    const one = { lines: [{ line_id: 'pies', quantity: 1, was: 3 }], reason: 'sold_out' };
    expect(predictOrderAfter(left, 'lines/remove', one, now)).toBe(left);
  });
});

test.each([
  ['an order to be paid, to its customer', { total: 900 }, 'collected-by-customer', true],
  ['one that is packed', { total: 900 }, 'packed', false],
  ['one that is paid', { total: 900, payment_status: 'paid' }, 'collected-by-customer', false],
  ['one whose card is held', { total: 900, payment_status: 'authorised' }, 'collected-by-customer', false],
  ['one that costs nothing', { total: 0 }, 'collected-by-customer', false],
  ['a delivery, to its driver', { total: 900, fulfilment_type: 'delivery' }, 'collected-by-driver', false],
  [
    'a delivery, at the door',
    { total: 900, fulfilment_type: 'delivery', status: 'out_for_delivery' },
    'delivered-to-customer',
    true,
  ],
] as const)('whether staff are asked how it was paid: %s', (_, fields, call, needsAnswer) => {
  expect(mustEnterPaymentMethod(sampleOrder({ status: 'accepted', ...fields }), call)).toBe(needsAnswer);
});
