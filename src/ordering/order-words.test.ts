import { describe, expect, test } from 'vitest';
import type {
  GuestOrder,
  HistoryEntry,
  OrderStatus,
  PaymentStatus,
  RemovedLine,
  RemovedLinesRefundState,
} from '#ordering/order.ts';
import {
  findLastCancellation,
  cancelPromptMoneyWords,
  orderHeadline,
  minutesLate,
  orderRefundWords,
  paymentWords,
  promisedTimeRange,
  removedDishesMoneyWords,
  orderStatusSentence,
  trackerSteps,
} from '#ordering/order-words.ts';
import { aStore, aZone } from '#ordering/testing/samples.ts';

const at = '2026-11-21T18:00:00.000Z';
const cancelled: HistoryEntry = { from: 'accepted', to: 'cancelled', actor: 'Olive', reason: 'No more rice', at };

test('money that goes back later does not change who cancelled an order, and why', () => {
  const refund: HistoryEntry = {
    from: 'cancelled',
    to: 'cancelled',
    actor: 'Pat',
    reason: 'Refund of £8.00: Cancelled',
    note: { kind: 'refund', amount: 800, currency: 'GBP', reason: 'Cancelled' },
    at,
  };
  expect(findLastCancellation([cancelled, refund])).toMatchObject({ actor: 'Olive', reason: 'No more rice' });
});

test('an order that nobody cancelled has no reason', () => {
  expect(findLastCancellation([])).toEqual({ actor: 'system', reason: null });
});

describe('what is said of the money of a card payment', () => {
  const order = (
    status: OrderStatus,
    payment_status: PaymentStatus,
    more: { total?: number; refunded?: number } = {},
  ) => ({
    status,
    payment_status,
    payment_method: 'card' as const,
    fulfilment_type: 'collection' as const,
    requested_for: null,
    total: 1250,
    refunded: 0,
    money_back: [] as GuestOrder['money_back'],
    payment_processing: false,
    ...more,
  });

  test.each<[OrderStatus, PaymentStatus, RegExp]>([
    ['accepted', 'authorised', /^Card approved, and being charged now$/],
    ['placed', 'authorised', /charged when the shop accepts/],
    ['placed', 'paid', /If the shop cannot take your order, your money comes back in 5 to 10 days/],
    ['accepted', 'paid', /^Paid by card$/],
    ['rejected', 'voided', /nothing was taken/],
    ['rejected', 'refunded', /^Refunded$/],
  ])('%s and %s', (status, money, words) => {
    expect(paymentWords(order(status, money), 'GBP')).toMatch(words);
  });

  test('while the payer’s bank is asked', () => {
    const pending = order('pending_payment', 'unpaid');
    expect(paymentWords(pending, 'GBP')).toBe('Not paid yet');
    expect(paymentWords({ ...pending, payment_processing: true }, 'GBP')).toBe('Your bank is confirming the payment');
  });

  test('of an order that was called off while the payer’s bank is asked', () => {
    const cancelled = { ...order('cancelled', 'unpaid'), payment_processing: true };
    expect(orderRefundWords(cancelled, 'GBP')).toMatch(/^Your bank is still confirming the payment\. If it takes/);
    expect(paymentWords(cancelled, 'GBP')).toBe('Your bank is confirming the payment');
  });

  test.each<[OrderStatus, PaymentStatus, RegExp | null]>([
    ['rejected', 'authorised', /^We never took your money/],
    ['rejected', 'voided', /^We never took your money/],
    ['cancelled', 'paid', /^You get your money back\. It arrives in 5 to 10 days/],
    ['cancelled', 'partially_refunded', /^You get your money back/],
    ['cancelled', 'refunded', /on its way back\. It arrives in 5 to 10 days/],
    ['expired', 'unpaid', /^Nothing was taken/],
    ['cancelled', 'failed', /^Nothing was taken/],
    ['accepted', 'paid', null],
  ])('of an order that is %s and %s', (status, money, words) => {
    const said = orderRefundWords(order(status, money), 'GBP');
    expect(words === null ? said === null : words.test(said ?? '')).toBe(true);
  });

  test.each<[GuestOrder['money_back'], string]>([
    [[{ state: 'on_its_way', amount: 1250 }], 'You get your money back. It arrives in 5 to 10 days.'],
    [[{ state: 'waits', amount: 1250 }], 'Your bank has £12.50 of this payment while it looks at your complaint.'],
    [[{ state: 'by_bank', amount: 1250 }], 'Your bank gave you £12.50 back.'],
    [
      [
        { state: 'by_hand', amount: 250 },
        { state: 'on_its_way', amount: 1000 },
      ],
      'The shop gave you £2.50 back. £10.00 goes back to your card. Your bank shows it in 5 to 10 days.',
    ],
  ])('of a cancelled order, where %j', (money_back, words) => {
    expect(orderRefundWords({ ...order('cancelled', 'paid'), money_back }, 'GBP')).toBe(words);
  });

  test('an order that cost nothing has nothing to give back', () => {
    const free = order('cancelled', 'paid', { total: 0 });
    expect(orderRefundWords(free, 'GBP')).toBeNull();
    expect(paymentWords(free, 'GBP')).toBe('There is nothing to pay.');
  });

  test.each<[PaymentStatus, RegExp | null]>([
    ['authorised', /nothing is taken/],
    ['paid', /comes? back|money back/],
    ['voided', null],
  ])('before a customer cancels, %s', (money, words) => {
    const said = cancelPromptMoneyWords(order('placed', money));
    expect(words === null ? said === null : words.test(said ?? '')).toBe(true);
  });
});

describe('what is said of the money of dishes that were taken off', () => {
  const chips: RemovedLine = {
    line_id: 'chips',
    name: 'Chips',
    kitchen_name: null,
    options: [],
    quantity: 1,
    amount: 375,
    reason: 'sold_out',
    actor: 'Olive',
    at,
  };
  const order = {
    status: 'accepted' as OrderStatus,
    payment_status: 'paid' as PaymentStatus,
    payment_method: 'card' as 'card' | 'cash',
    fulfilment_type: 'collection' as const,
    requested_for: null,
    total: 1250,
    refunded: 0,
    removed: [chips],
    removed_refunds: [] as GuestOrder['removed_refunds'],
  };

  const back = (state: RemovedLinesRefundState) => [{ state, amount: 375 }];
  test.each<[string, Partial<typeof order>, string | null]>([
    [
      'of a hold',
      { status: 'placed', payment_status: 'authorised' },
      'Your card will be charged £12.50. What was taken off is not charged.',
    ],
    ['before the charge', {}, 'What was taken off was not charged.'],
    [
      'after the charge',
      { removed_refunds: back('on_its_way') },
      '£3.75 for what was taken off goes back to your card. Your bank shows it in 5 to 10 days.',
    ],
    ['that will be paid in cash', { payment_method: 'cash', payment_status: 'unpaid' }, 'You now pay £12.50.'],
    [
      'that was paid in cash',
      { payment_method: 'cash', removed_refunds: back('by_hand') },
      'The shop gives you back £3.75 for what was taken off.',
    ],
    [
      'once it was made',
      { removed_refunds: back('made') },
      '£3.75 for what was taken off was sent back to your card. Your bank shows it after 5 to 10 days.',
    ],
    [
      'that waits for a dispute',
      { removed_refunds: back('waits') },
      '£3.75 for what was taken off is not refunded yet: your bank has the money until the dispute about this payment is decided.',
    ],
    [
      'that a dispute gave back',
      { removed_refunds: back('by_bank') },
      '£3.75 for what was taken off is part of the payment that your bank took back from the shop.',
    ],
    [
      'that the card does not get',
      { removed_refunds: back('not_made') },
      '£3.75 for what was taken off could not go back to your card. The shop gives it back to you in another way.',
    ],
    [
      'that went back in two ways',
      { removed_refunds: [...back('made'), { state: 'by_hand', amount: 500 }] },
      '£3.75 for what was taken off was sent back to your card. Your bank shows it after 5 to 10 days. The shop gave you back £5.00 for what was taken off.',
    ],
    [
      'that was charged the second time only',
      { removed: [chips, { ...chips, at: '2026-11-21T18:05:00.000Z' }], removed_refunds: back('made') },
      '£3.75 for what was taken off was sent back to your card. Your bank shows it after 5 to 10 days.',
    ],
    [
      'that is the sum of two times',
      {
        removed: [chips, { ...chips, at: '2026-11-21T18:05:00.000Z' }],
        removed_refunds: [{ state: 'made', amount: 750 }],
      },
      '£7.50 in all for what was taken off was sent back to your card. Your bank shows it after 5 to 10 days.',
    ],
    [
      'that is of two dishes taken off together',
      { removed: [chips, chips], removed_refunds: back('by_hand') },
      'The shop gave you back £3.75 for what was taken off.',
    ],
    // Its own words say what becomes of the whole payment.
    ['of an order that was cancelled since', { status: 'cancelled', payment_status: 'voided' }, null],
    ['of an order from which nothing was taken', { removed: [] }, null],
  ])('%s', (_case, change, words) => {
    expect(removedDishesMoneyWords({ ...order, ...change }, 'GBP')).toBe(words);
  });
});

const atOfTracker = (clock: string) => `2026-11-21T${clock}:00.000Z`;
const order = {
  status: 'accepted',
  payment_status: 'unpaid',
  payment_processing: false,
  fulfilment_type: 'delivery',
  placed_at: atOfTracker('18:00'),
  accepted_at: atOfTracker('18:02'),
  packed_at: null,
  left_at: null,
  completed_at: null,
  closed_at: null,
  promised_at: atOfTracker('18:43'),
  requested_for: null,
  prep_minutes: 0,
} as const;

const shop = aStore({ prep_minutes: 25, delivery_zones: [aZone(['CV21'], { extra_minutes: 10 })] });

test('a promise shows as the ten minutes from the five-minute mark it falls on', () => {
  const { from, to } = promisedTimeRange(atOfTracker('18:43'), { ...order, fulfilment_type: 'collection' }, 15);
  expect([from.toISOString(), to.toISOString()]).toEqual([atOfTracker('18:40'), atOfTracker('18:50')]);
});

test('the range of a delivery narrows when the driver leaves, and keeps its end', () => {
  const rangeAt = (status: 'placed' | 'accepted' | 'packed' | 'out_for_delivery') => {
    const { from, to } = promisedTimeRange(atOfTracker('18:43'), { ...order, status }, 15);
    return [from.toISOString(), to.toISOString()];
  };
  const wide = [atOfTracker('18:30'), atOfTracker('18:50')];
  for (const status of ['placed', 'accepted', 'packed'] as const) expect(rangeAt(status)).toEqual(wide);
  expect(rangeAt('out_for_delivery')).toEqual([atOfTracker('18:40'), atOfTracker('18:50')]);
});

test('a slot that was chosen shows as that slot, until the kitchen promises another time', () => {
  const slot = promisedTimeRange(atOfTracker('19:00'), { ...order, requested_for: '2026-11-21T19:00:00Z' }, 15);
  expect([slot.from.toISOString(), slot.to.toISOString()]).toEqual([atOfTracker('19:00'), atOfTracker('19:15')]);
  const moved = promisedTimeRange(
    atOfTracker('19:21'),
    { ...order, fulfilment_type: 'collection', requested_for: atOfTracker('19:00') },
    15,
  );
  expect([moved.from.toISOString(), moved.to.toISOString()]).toEqual([atOfTracker('19:20'), atOfTracker('19:30')]);
});

describe('lateness', () => {
  test('an order for a slot is late after the slot, not in it', () => {
    const slot = { ...order, promised_at: atOfTracker('19:00'), requested_for: atOfTracker('19:00') };
    expect(minutesLate(slot, new Date(atOfTracker('19:14')), 15)).toBe(0);
    expect(minutesLate(slot, new Date(atOfTracker('19:18')), 15)).toBe(3);
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
    expect(minutesLate({ ...order, status, fulfilment_type }, new Date(atOfTracker(clock)), 15)).toBe(minutes);
  });

  test('without a promise nothing is late', () => {
    expect(minutesLate({ ...order, promised_at: null }, new Date(atOfTracker('23:00')), 15)).toBe(0);
  });
});

describe('steps', () => {
  test('a delivery has five, and what is ahead has no time', () => {
    const steps = trackerSteps({ ...order, packed_at: atOfTracker('18:20') }, shop, new Date(atOfTracker('18:21')));
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
      completed_at: atOfTracker('18:40'),
    } as const;
    const steps = trackerSteps(collected, shop, new Date(atOfTracker('18:41')));
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
    const cooking = orderHeadline(order, shop, before);
    expect(orderHeadline(ordered, shop, before)).toBe('Accepted for later');
    expect(orderHeadline(ordered, shop, begun)).toBe(cooking);
  });

  test('has been in the kitchen since it began, not since it was accepted', () => {
    expect(kitchenStep(before)).toMatchObject({ name: 'Accepted', at: atOfTracker('18:02'), state: 'now' });
    expect(kitchenStep(begun)).toMatchObject({ name: 'In the kitchen', at: begun.toISOString(), state: 'now' });
  });
});

test('an order for later with a slow dish is in the kitchen as early as that dish needs', () => {
  const requested_for = '2026-11-22T12:30:00.000Z';
  const slow = { ...order, requested_for, promised_at: requested_for, prep_minutes: 95 };
  const [before, begun] = [new Date('2026-11-22T10:44:00Z'), new Date('2026-11-22T10:45:00Z')];
  expect(orderHeadline(slow, shop, before)).toBe('Accepted for later');
  expect(orderHeadline(slow, shop, begun)).toBe(orderHeadline(order, shop, begun));
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
  expect(orderStatusSentence({ ...pending, payment_status: 'failed' })).not.toBe(orderStatusSentence(pending));
});

test('so is a bank that has not answered yet', () => {
  const pending = { ...order, status: 'pending_payment' } as const;
  expect(orderHeadline(pending, shop, new Date(atOfTracker('18:00')))).toBe('Waiting for your payment');
  expect(orderHeadline({ ...pending, payment_processing: true }, shop, new Date(atOfTracker('18:00')))).toBe(
    'Waiting for your bank',
  );
});
