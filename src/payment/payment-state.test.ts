import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyProviderState,
  nextProviderCall,
  type OrderFacts,
  type PaymentFacts,
  type PaymentAttemptStatus,
  type PaymentStep,
  type ProviderState,
  type ProviderPayment,
  markKnownFailedRefunds,
} from '#payment/payment-state.ts';
import { OrderStatus, PaymentStatus } from '#ordering/order.ts';

const money = { amount: 1250, currency: 'GBP' };
const payment = (change: Partial<PaymentFacts> = {}): PaymentFacts => ({
  status: 'pending',
  owed: null,
  failure: null,
  ...money,
  isLatest: true,
  ...change,
});
const order = (status: OrderFacts['status'] = 'pending_payment', change: Partial<OrderFacts> = {}): OrderFacts => ({
  status,
  payment_method: 'card',
  payment_status: 'authorised',
  ...change,
});
const unchanged = (of: PaymentFacts) => ({
  status: of.status,
  owed: of.owed,
  failure: of.failure,
  isPlacing: false,
  orderPayment: null,
});

const isUnchanged = (step: PaymentStep, of: PaymentFacts) => isDeepStrictEqual(step, unchanged(of));

const states: ProviderState[] = ['open', 'authorised', 'declined', 'abandoned', 'captured', 'voided', 'refunded'];

describe('a payment follows its provider one way only', () => {
  const moves: [from: PaymentAttemptStatus, seen: ProviderState, to: PaymentAttemptStatus][] = [
    ['pending', 'open', 'pending'],
    ['pending', 'authorised', 'authorised'],
    ['pending', 'declined', 'failed'],
    ['pending', 'abandoned', 'failed'],
    ['pending', 'captured', 'captured'],
    ['pending', 'voided', 'voided'],
    ['pending', 'refunded', 'refunded'],
    ['authorised', 'open', 'authorised'],
    ['authorised', 'authorised', 'authorised'],
    ['authorised', 'declined', 'authorised'],
    ['authorised', 'abandoned', 'authorised'],
    ['authorised', 'captured', 'captured'],
    ['authorised', 'voided', 'voided'],
    ['authorised', 'refunded', 'refunded'],
    ['captured', 'open', 'captured'],
    ['captured', 'authorised', 'captured'],
    ['captured', 'declined', 'captured'],
    ['captured', 'abandoned', 'captured'],
    ['captured', 'captured', 'captured'],
    ['captured', 'voided', 'captured'],
    ['captured', 'refunded', 'refunded'],
    ...(['voided', 'refunded', 'failed'] as const).flatMap((end) =>
      states.map((seen): [PaymentAttemptStatus, ProviderState, PaymentAttemptStatus] => [end, seen, end]),
    ),
  ];
  test.each(moves)('%s, seen %s: %s', (from, seen, to) => {
    const of = payment({ status: from });
    const step = applyProviderState(of, order(from === 'pending' ? 'pending_payment' : 'placed'), {
      state: seen,
      ...money,
    });
    expect(step.status).toBe(to);
    const isForgotten = (from === 'voided' || from === 'failed') && (seen === 'authorised' || seen === 'captured');
    expect(from !== to || isUnchanged(step, isForgotten ? { ...of, owed: 'release' } : of)).toBe(true);
  });
});

describe('what becomes of the order', () => {
  test('an authorised payment places the order that waits for it', () => {
    expect(applyProviderState(payment(), order(), { state: 'authorised', ...money })).toEqual({
      status: 'authorised',
      owed: null,
      failure: null,
      isPlacing: true,
      orderPayment: 'authorised',
    });
  });

  test('a provider that takes the money at once places the order as paid', () => {
    expect(applyProviderState(payment(), order(), { state: 'captured', ...money })).toMatchObject({
      isPlacing: true,
      orderPayment: 'paid',
    });
  });

  test.each(OrderStatus.options.filter((status) => status !== 'pending_payment'))(
    'a payment that arrives when the order is %s already is owed back at once',
    (status) => {
      expect(applyProviderState(payment(), order(status), { state: 'authorised', ...money })).toMatchObject({
        status: 'authorised',
        owed: 'release',
        isPlacing: false,
        orderPayment: null,
      });
    },
  );

  test('a payment that is to be released and arrives after all is released still', () => {
    const step = applyProviderState(payment({ owed: 'release' }), order(), { state: 'authorised', ...money });
    expect(step).toMatchObject({ status: 'authorised', owed: 'release', isPlacing: false, orderPayment: null });
  });

  test.each([
    ['another amount', { amount: 1249, currency: 'GBP' }],
    ['another currency', { amount: 1250, currency: 'EUR' }],
    ['another mode or account', { ...money, isForeign: true }],
  ])('an authorisation of %s is refused and owed back', (_name, given) => {
    expect(applyProviderState(payment(), order(), { state: 'authorised', ...given })).toEqual({
      status: 'authorised',
      owed: 'release',
      failure: 'wrong_amount',
      isPlacing: false,
      orderPayment: 'failed',
    });
  });

  test('a declined card fails the payment and the order stays pending', () => {
    expect(applyProviderState(payment(), order(), { state: 'declined', ...money })).toMatchObject({
      status: 'failed',
      failure: 'declined',
      isPlacing: false,
      orderPayment: 'failed',
    });
  });

  test('walking away leaves the order unpaid, not failed', () => {
    expect(applyProviderState(payment(), order(), { state: 'abandoned', ...money })).toMatchObject({
      status: 'failed',
      failure: 'abandoned',
      orderPayment: 'unpaid',
    });
  });

  const owed = (of: 'capture' | 'release', status: PaymentAttemptStatus = 'authorised') =>
    payment({ status, owed: of });
  test.each([
    ['capture of an accepted order', owed('capture'), order('accepted'), 'captured', 'paid', null],
    ['release of a rejected order', owed('release'), order('rejected'), 'voided', 'voided', null],
    ['refund of a cancelled order', owed('release', 'captured'), order('cancelled'), 'refunded', 'refunded', null],
    ['capture that a cancellation overtook', owed('release'), order('cancelled'), 'captured', 'paid', 'release'],
    ['lapse before the capture', owed('capture'), order('accepted'), 'voided', 'failed', null],
    ['lapse while nothing is owed', payment({ status: 'authorised' }), order('placed'), 'voided', 'voided', null],
    ['refund made at the provider', payment({ status: 'captured' }), order('delivered'), 'refunded', 'refunded', null],
    [
      'release of an order that became cash',
      owed('release'),
      order('placed', { payment_method: 'cash' }),
      'voided',
      null,
      null,
    ],
    [
      'release of an order that became cash and was rejected',
      owed('release'),
      order('rejected', { payment_method: 'cash' }),
      'voided',
      null,
      null,
    ],
    ['release of a wrong amount', owed('release'), order(), 'voided', null, null],
    ['release of an earlier attempt', { ...owed('release'), isLatest: false }, order('rejected'), 'voided', null, null],
    ['close of a page nobody paid on', owed('release', 'pending'), order('expired'), 'voided', null, null],
  ] as const)('%s', (_name, of, its, seen, orderPayment, stillOwed) => {
    const step = applyProviderState(of, its, { state: seen, ...money });
    expect(step).toMatchObject({ orderPayment, owed: stillOwed, isPlacing: false });
  });

  test('what was refused for good and then let go stays failed', () => {
    const of = payment({ status: 'failed', owed: 'release', failure: 'capture_failed' });
    const step = applyProviderState(of, order('accepted'), { state: 'voided', ...money });
    expect(step).toEqual({ ...unchanged(of), owed: null });
  });

  const givenUp = payment({ status: 'failed', owed: 'release', failure: 'capture_failed' });
  const taken = { state: 'captured', ...money } as const;
  test.each([
    ['pays the order that goes on', 'accepted', null],
    ['is given back for one that was called off', 'cancelled', 'release'],
  ] as const)('a capture that was given up, and was made after all, %s', (_name, status, owed) => {
    const step = applyProviderState(givenUp, order(status, { payment_status: 'failed' }), taken);
    expect(step).toEqual({ status: 'captured', owed, failure: null, isPlacing: false, orderPayment: 'paid' });
  });

  test.each([
    ['paid in cash since', givenUp, { payment_method: 'cash', payment_status: 'paid' }],
    ['paid by another card machine since', givenUp, { payment_status: 'paid' }],
    ['let go already', { ...givenUp, owed: null }, { payment_status: 'failed' }],
  ] as const)('a capture that was given up, and was made after all, pays nothing where it was %s', (_name, of, its) => {
    expect(applyProviderState(of, order('accepted', its), taken)).toEqual(unchanged(of));
  });
});

test.each([
  ['capture', 'authorised', 'capture'],
  ['capture', 'captured', null],
  ['capture', 'voided', null],
  ['capture', 'open', null],
  ['release', 'open', 'void'],
  ['release', 'authorised', 'void'],
  ['release', 'captured', 'refund'],
  ['release', 'declined', null],
  ['release', 'abandoned', null],
  ['release', 'voided', null],
  ['release', 'refunded', null],
  [null, 'authorised', null],
] as const)('what owes %s and is %s there asks for %s', (owes, state, act) => {
  expect(nextProviderCall(owes, state)).toBe(act);
});

describe('properties', () => {
  const ranks: Record<PaymentAttemptStatus, number> = {
    pending: 0,
    authorised: 1,
    captured: 2,
    voided: 3,
    refunded: 3,
    failed: 3,
  };
  // A capture that was given up counts as authorised until it is released.
  const rank = ({ status, failure, owed }: Pick<PaymentFacts, 'status' | 'failure' | 'owed'>) =>
    status === 'failed' && failure === 'capture_failed' && owed === 'release' ? ranks.authorised : ranks[status];
  const anyPayment = fc.record({
    status: fc.constantFrom<PaymentAttemptStatus>('pending', 'authorised', 'captured', 'voided', 'refunded', 'failed'),
    owed: fc.constantFrom(null, 'capture' as const, 'release' as const),
    failure: fc.constantFrom(null, 'capture_failed' as const),
    amount: fc.constant(1250),
    currency: fc.constant('GBP'),
    isLatest: fc.boolean(),
  });
  const anyOrder = fc.record({
    status: fc.constantFrom(...OrderStatus.options),
    payment_method: fc.constantFrom('card' as const, 'cash' as const),
    payment_status: fc.constantFrom(...PaymentStatus.options),
  });
  const anySeen = fc.record({
    state: fc.constantFrom(...states),
    amount: fc.constantFrom(1250, 1),
    currency: fc.constantFrom('GBP', 'EUR'),
  });

  test('no news moves a payment back, and the same news twice is as good as once', () => {
    fc.assert(
      fc.property(anyPayment, anyOrder, anySeen, (of, its, seen) => {
        const step = applyProviderState(of, its, seen);
        expect(rank(step)).toBeGreaterThanOrEqual(rank(of));
        const after = { ...of, status: step.status, owed: step.owed, failure: step.failure };
        const again = applyProviderState(after, step.isPlacing ? { ...its, status: 'placed' } : its, seen);
        expect(again).toEqual(unchanged(after));
      }),
    );
  });

  test('money is held only for the order that waited for it, or else owed back', () => {
    fc.assert(
      fc.property(anyPayment, anyOrder, anySeen, (of, its, seen) => {
        const step = applyProviderState(of, its, seen);
        if (of.status !== 'pending' || (step.status !== 'authorised' && step.status !== 'captured')) return;
        const isWelcome = its.status === 'pending_payment' && of.isLatest && of.owed !== 'release';
        const isRight = seen.amount === of.amount && seen.currency === of.currency;
        expect(step.isPlacing).toBe(isWelcome && isRight);
        expect(step.owed === 'release').toBe(!step.isPlacing);
      }),
    );
  });
});

describe('what was read before a refund was known to have failed', () => {
  const seen: ProviderPayment = {
    state: 'refunded',
    amount: 920,
    currency: 'GBP',
    captured: 920,
    refunded: 920,
    refundList: [
      { id: 're_1', key: null, amount: 700, status: 'succeeded' },
      { id: 're_2', key: null, amount: 220, status: 'succeeded' },
    ],
  };

  test('does not make it good again', () => {
    expect(markKnownFailedRefunds(seen, new Set(['re_1']))).toMatchObject({
      state: 'captured',
      refunded: 220,
      refundList: [
        { id: 're_1', status: 'failed' },
        { id: 're_2', status: 'succeeded' },
      ],
    });
  });

  test('stays as it is where none of its refunds failed', () => {
    expect(markKnownFailedRefunds(seen, new Set(['re_3']))).toBe(seen);
  });
});
