import { describe, expect, test } from 'vitest';
import { aStore, aZone } from '#ordering/testing/samples.ts';
import { headlineOf, minutesLate, promisedRange, statusWords, trackerSteps } from '#ordering/tracker.ts';

const at = (clock: string) => `2026-11-21T${clock}:00.000Z`;
const order = {
  status: 'accepted',
  payment_status: 'unpaid',
  payment_processing: false,
  fulfilment_type: 'delivery',
  placed_at: at('18:00'),
  accepted_at: at('18:02'),
  packed_at: null,
  left_at: null,
  completed_at: null,
  closed_at: null,
  promised_at: at('18:43'),
  requested_for: null,
  prep_minutes: 0,
} as const;

const shop = aStore({ prep_minutes: 25, delivery_zones: [aZone(['CV21'], { extra_minutes: 10 })] });

test('a promise shows as the ten minutes from the five-minute mark it falls on', () => {
  const { from, to } = promisedRange(at('18:43'), null, 15);
  expect([from.toISOString(), to.toISOString()]).toEqual([at('18:40'), at('18:50')]);
});

test('a slot that was chosen shows as that slot, until the kitchen promises another time', () => {
  const slot = promisedRange(at('19:00'), '2026-11-21T19:00:00Z', 15);
  expect([slot.from.toISOString(), slot.to.toISOString()]).toEqual([at('19:00'), at('19:15')]);
  const moved = promisedRange(at('19:21'), at('19:00'), 15);
  expect([moved.from.toISOString(), moved.to.toISOString()]).toEqual([at('19:20'), at('19:30')]);
});

describe('lateness', () => {
  test('an order for a slot is late after the slot, not in it', () => {
    const slot = { ...order, promised_at: at('19:00'), requested_for: at('19:00') };
    expect(minutesLate(slot, new Date(at('19:14')), 15)).toBe(0);
    expect(minutesLate(slot, new Date(at('19:18')), 15)).toBe(3);
  });

  test.each([
    ['accepted', 'delivery', '18:50', 0],
    ['accepted', 'delivery', '18:57', 7],
    ['out_for_delivery', 'delivery', '18:57', 7],
    ['packed', 'delivery', '18:57', 7],
    ['packed', 'collection', '18:57', 0],
    ['placed', 'delivery', '18:57', 0],
    ['delivered', 'delivery', '19:57', 0],
    ['rejected', 'delivery', '19:57', 0],
  ] as const)('%s for %s at %s is %i minutes late', (status, fulfilment_type, clock, minutes) => {
    expect(minutesLate({ ...order, status, fulfilment_type }, new Date(at(clock)), 15)).toBe(minutes);
  });

  test('without a promise nothing is late', () => {
    expect(minutesLate({ ...order, promised_at: null }, new Date(at('23:00')), 15)).toBe(0);
  });
});

describe('steps', () => {
  test('a delivery has five, and what is ahead has no time', () => {
    const steps = trackerSteps({ ...order, packed_at: at('18:20') }, shop, new Date(at('18:21')));
    expect(steps.map(({ status }) => status)).toEqual([
      'placed',
      'accepted',
      'packed',
      'out_for_delivery',
      'delivered',
    ]);
    expect(steps.map(({ state }) => state)).toEqual(['done', 'now', 'ahead', 'ahead', 'ahead']);
    // Undone by the shop: it was packed, and is not any more.
    expect(steps[2]?.at).toBeNull();
  });

  test('a collection ends at the counter, and its last step is done', () => {
    const collected = {
      ...order,
      fulfilment_type: 'collection',
      status: 'collected',
      completed_at: at('18:40'),
    } as const;
    const steps = trackerSteps(collected, shop, new Date(at('18:41')));
    expect(steps.map(({ status }) => status)).toEqual(['placed', 'accepted', 'packed', 'collected']);
    expect(steps.at(-1)?.state).toBe('done');
  });
});

describe('an order for later', () => {
  const ordered = { ...order, requested_for: '2026-11-22T12:30:00.000Z', promised_at: '2026-11-22T12:30:00.000Z' };
  // Cooking and the way take 35 minutes.
  const [before, begun] = [new Date('2026-11-22T11:54:00Z'), new Date('2026-11-22T11:55:00Z')];
  const kitchenStep = (now: Date) => trackerSteps(ordered, shop, now)[1];

  test('is not said to be cooked before the kitchen begins', () => {
    const cooking = headlineOf(order, shop, before);
    expect(headlineOf(ordered, shop, before)).toBe('Accepted for later');
    expect(headlineOf(ordered, shop, begun)).toBe(cooking);
  });

  test('has been in the kitchen since it began, not since it was accepted', () => {
    expect(kitchenStep(before)).toMatchObject({ name: 'Accepted', at: at('18:02'), state: 'now' });
    expect(kitchenStep(begun)).toMatchObject({ name: 'In the kitchen', at: begun.toISOString(), state: 'now' });
  });
});

test('an order for later with a slow dish is in the kitchen as early as that dish needs', () => {
  const requested_for = '2026-11-22T12:30:00.000Z';
  const slow = { ...order, requested_for, promised_at: requested_for, prep_minutes: 95 };
  const [before, begun] = [new Date('2026-11-22T10:44:00Z'), new Date('2026-11-22T10:45:00Z')];
  expect(headlineOf(slow, shop, before)).toBe('Accepted for later');
  expect(headlineOf(slow, shop, begun)).toBe(headlineOf(order, shop, begun));
});

test('a kitchen that packs an order for later early was not in it after that', () => {
  const early = {
    ...order,
    status: 'packed',
    requested_for: '2026-11-22T12:30:00.000Z',
    packed_at: '2026-11-22T11:40:00.000Z',
  } as const;
  const promised = { ...early, promised_at: early.requested_for };
  for (const clock of ['11:41', '12:20']) {
    expect(trackerSteps(promised, shop, new Date(`2026-11-22T${clock}:00Z`))[1]?.at).toBe(order.accepted_at);
  }
});

test('a declined card is said in the headline', () => {
  const pending = { ...order, status: 'pending_payment' } as const;
  expect(statusWords({ ...pending, payment_status: 'failed' })).not.toBe(statusWords(pending));
});

test('so is a bank that has not answered yet', () => {
  const pending = { ...order, status: 'pending_payment' } as const;
  expect(headlineOf(pending, shop, new Date(at('18:00')))).toBe('Waiting for your payment');
  expect(headlineOf({ ...pending, payment_processing: true }, shop, new Date(at('18:00')))).toBe(
    'Waiting for your bank',
  );
});
