import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OrderStatus } from '#ordering/order.ts';
import {
  orderEndingCalls,
  firstOrderStatus,
  isAcceptedAtOnce,
  mailAfterCall,
  needsReason,
  effectOfCall,
  possibleOrderCalls,
  type OrderState,
  nextStepCall,
  timeColumnsAfterCall,
  undoableCalls,
  statusesUntilHandover,
} from '#ordering/next-status.ts';
import { orderStatusTable, statusTransitions, unfinishedStatuses, orderDeadlines } from '#ordering/order-status.ts';
import type { Actor, OrderCall, SystemCall } from '#ordering/status-row.ts';
import type { FulfilmentType } from '#store/contract.ts';

/** Calls about single lines, after which the order is as open as before. */
const onLines: OrderCall[] = ['lines/remove', 'lines/done'];
const start = Date.parse('2026-11-20T18:00:00Z');
const after = (seconds: number) => new Date(start + seconds * 1000);

function order(
  status: OrderStatus,
  fulfilment_type: FulfilmentType = 'delivery',
  from: OrderStatus | null = null,
): OrderState {
  return { status, fulfilment_type, history: [{ from, to: status, at: new Date(start).toISOString() }] };
}

function make(state: OrderState, call: OrderCall | SystemCall, role: Actor, now: Date): OrderState {
  const move = effectOfCall(state, call, role, now);
  if (move.kind !== 'legal') return state;
  const history = [...state.history, ...move.steps.map((step) => ({ ...step, at: now }))];
  return {
    ...state,
    status: move.to,
    history,
    ...(call === 'arrived' && { arrived_at: now }),
    ...(call === 'rating' && { rated_at: now }),
  };
}

test.each(OrderStatus.options.flatMap((status) => [[status, 'delivery'] as const, [status, 'collection'] as const]))(
  'of %s, for %s, one call at most is the next step, and staff may make it',
  (status, fulfilment) => {
    const next = orderStatusTable[status].ways.filter(({ isNext, only }) => isNext && (!only || only === fulfilment));
    expect(next.length).toBeLessThanOrEqual(1);
    const open = possibleOrderCalls(order(status, fulfilment), 'store_admin', after(1));
    expect([null, ...open]).toContain(nextStepCall(order(status, fulfilment)));
  },
);

test('an order whose money is not held any more can be rejected, not accepted', () => {
  const card = { payment_method: 'card', payment_status: 'authorised', heldUntil: after(120) } as const;
  const open = (seconds: number) => possibleOrderCalls({ ...order('placed'), ...card }, 'store_admin', after(seconds));
  expect(open(59)).toEqual(['accept', 'reject', 'lines/remove', 'cancel']);
  expect(open(60)).toEqual(['reject', 'lines/remove', 'cancel']);
});

describe('legal calls', () => {
  test.each<[OrderStatus, FulfilmentType, OrderCall | SystemCall, Actor, OrderStatus[]]>([
    ['pending_payment', 'delivery', 'authorised', 'system', ['placed']],
    ['pending_payment', 'delivery', 'expire', 'system', ['expired']],
    ['placed', 'delivery', 'accept', 'store_admin', ['accepted']],
    ['placed', 'delivery', 'accept', 'admin', ['accepted']],
    ['placed', 'delivery', 'accept', 'system', ['accepted']],
    ['placed', 'delivery', 'reject', 'store_admin', ['rejected']],
    ['placed', 'delivery', 'reject', 'system', ['rejected']],
    ['accepted', 'delivery', 'packed', 'store_admin', ['packed']],
    ['accepted', 'delivery', 'collected-by-driver', 'store_admin', ['packed', 'out_for_delivery']],
    ['packed', 'delivery', 'collected-by-driver', 'store_admin', ['out_for_delivery']],
    ['accepted', 'collection', 'collected-by-customer', 'admin', ['packed', 'collected']],
    ['packed', 'collection', 'collected-by-customer', 'admin', ['collected']],
    ['out_for_delivery', 'delivery', 'delivered-to-customer', 'store_admin', ['delivered']],
    ['accepted', 'delivery', 'promise', 'store_admin', []],
    ['packed', 'collection', 'promise', 'store_admin', []],
    ['placed', 'delivery', 'lines/remove', 'store_admin', []],
    ['accepted', 'collection', 'lines/remove', 'admin', []],
    ['packed', 'delivery', 'lines/remove', 'store_admin', []],
    ['accepted', 'collection', 'lines/done', 'store_admin', []],
    ['packed', 'delivery', 'lines/done', 'admin', []],
    ['accepted', 'collection', 'arrived', 'customer', []],
    ['packed', 'collection', 'arrived', 'customer', []],
    ['delivered', 'delivery', 'rating', 'customer', []],
    ['collected', 'collection', 'rating', 'customer', []],
    ['placed', 'delivery', 'cancel', 'customer', ['cancelled']],
    ['accepted', 'delivery', 'cancel', 'store_admin', ['cancelled']],
    ['packed', 'delivery', 'cancel', 'store_admin', ['cancelled']],
    ['pending_payment', 'delivery', 'cancel', 'admin', ['cancelled']],
    ['pending_payment', 'delivery', 'cancel', 'customer', ['cancelled']],
    ['out_for_delivery', 'delivery', 'cancel', 'admin', ['cancelled']],
  ])('%s, %s: %s by %s', (status, fulfilment, call, role, reached) => {
    const move = effectOfCall(order(status, fulfilment), call, role, after(3600));
    if (move.kind !== 'legal') throw new Error(move.kind);
    expect(move.steps.map(({ to }) => to)).toEqual(reached);
    expect(move.to).toBe(reached.at(-1) ?? status);
    expect(move.steps[0]?.from ?? status).toBe(status);
  });
});

describe('refused calls', () => {
  test.each<[OrderStatus, FulfilmentType, OrderCall | SystemCall, Actor, OrderCall[]]>([
    ['pending_payment', 'delivery', 'accept', 'store_admin', []],
    ['placed', 'delivery', 'packed', 'store_admin', ['accept', 'reject', 'lines/remove', 'cancel']],
    ['packed', 'delivery', 'accept', 'store_admin', ['collected-by-driver', 'promise', ...onLines, 'cancel']],
    [
      'accepted',
      'collection',
      'collected-by-driver',
      'store_admin',
      ['packed', 'collected-by-customer', 'promise', ...onLines, 'cancel'],
    ],
    [
      'accepted',
      'delivery',
      'collected-by-customer',
      'store_admin',
      ['packed', 'collected-by-driver', 'promise', ...onLines, 'cancel'],
    ],
    ['accepted', 'delivery', 'cancel', 'customer', []],
    ['accepted', 'delivery', 'arrived', 'customer', []],
    ['placed', 'collection', 'arrived', 'customer', ['cancel']],
    ['out_for_delivery', 'delivery', 'rating', 'customer', []],
    ['out_for_delivery', 'delivery', 'cancel', 'store_admin', ['delivered-to-customer']],
    ['placed', 'delivery', 'promise', 'store_admin', ['accept', 'reject', 'lines/remove', 'cancel']],
    ['out_for_delivery', 'delivery', 'lines/remove', 'store_admin', ['delivered-to-customer']],
    ['out_for_delivery', 'delivery', 'lines/done', 'store_admin', ['delivered-to-customer']],
    ['placed', 'delivery', 'lines/done', 'store_admin', ['accept', 'reject', 'lines/remove', 'cancel']],
    ['pending_payment', 'delivery', 'lines/remove', 'store_admin', []],
    ['cancelled', 'delivery', 'accept', 'admin', []],
    ['expired', 'delivery', 'authorised', 'system', []],
    ['delivered', 'delivery', 'cancel', 'admin', []],
  ])('%s, %s: %s by %s is illegal, and it says what is open', (status, fulfilment, call, role, open) => {
    expect(effectOfCall(order(status, fulfilment), call, role, after(3600))).toEqual({ kind: 'illegal', open });
  });

  test.each<[OrderCall | SystemCall, Actor]>([
    ['accept', 'customer'],
    ['cancel', 'guest'],
    ['undo', 'customer'],
    ['lines/remove', 'customer'],
    ['lines/done', 'customer'],
    ['arrived', 'store_admin'],
    ['arrived', 'guest'],
    ['rating', 'store_admin'],
    ['rating', 'guest'],
    ['authorised', 'admin'],
    ['packed', 'system'],
  ])('%s is never for a %s', (call, role) => {
    expect(effectOfCall(order('placed'), call, role, after(1))).toEqual({ kind: 'forbidden' });
  });
});

describe('the same call twice', () => {
  test.each<[OrderCall | SystemCall, Actor, OrderStatus, FulfilmentType]>([
    ['accept', 'store_admin', 'accepted', 'delivery'],
    ['reject', 'store_admin', 'rejected', 'delivery'],
    ['packed', 'store_admin', 'packed', 'delivery'],
    ['collected-by-driver', 'store_admin', 'out_for_delivery', 'delivery'],
    ['collected-by-customer', 'store_admin', 'collected', 'collection'],
    ['delivered-to-customer', 'store_admin', 'delivered', 'delivery'],
    ['cancel', 'customer', 'cancelled', 'delivery'],
    ['authorised', 'system', 'placed', 'delivery'],
    ['expire', 'system', 'expired', 'delivery'],
  ])('%s', (call, role, status, fulfilment) => {
    expect(effectOfCall(order(status, fulfilment), call, role, after(1))).toEqual({ kind: 'same' });
  });

  test('a double click on undo goes back one step only', () => {
    const left = make(order('accepted'), 'collected-by-driver', 'store_admin', after(1));
    const back = make(left, 'undo', 'store_admin', after(2));
    expect(back.status).toBe('packed');
    expect(effectOfCall(back, 'undo', 'store_admin', after(2))).toEqual({ kind: 'same' });
    expect(possibleOrderCalls(back, 'store_admin', after(2))).toEqual([
      'collected-by-driver',
      'promise',
      ...onLines,
      'cancel',
    ]);
  });

  test('a second promise is a new one', () => {
    expect(effectOfCall(order('accepted'), 'promise', 'store_admin', after(1)).kind).toBe('legal');
  });
});

describe('an order that nobody answered in time', () => {
  const lost: OrderState = { ...order('rejected', 'delivery', 'placed'), reject_reason: 'not_answered' };

  test('is followed up by staff, once, and stays rejected', () => {
    expect(possibleOrderCalls(lost, 'store_admin', after(86_400))).toEqual(['followed-up']);
    expect(effectOfCall(lost, 'followed-up', 'store_admin', after(1))).toEqual({
      kind: 'legal',
      to: 'rejected',
      steps: [],
    });
    const done: OrderState = { ...lost, followed_up: 'rung' };
    expect(effectOfCall(done, 'followed-up', 'store_admin', after(1))).toEqual({ kind: 'same' });
    expect(possibleOrderCalls(done, 'store_admin', after(1))).toEqual([]);
  });

  test('is nobody else’s to follow up, and no other rejected order is followed up at all', () => {
    expect(effectOfCall(lost, 'followed-up', 'customer', after(1))).toEqual({ kind: 'forbidden' });
    const refused: OrderState = { ...lost, reject_reason: 'too_busy' };
    expect(effectOfCall(refused, 'followed-up', 'admin', after(1))).toEqual({ kind: 'illegal', open: [] });
  });
});

describe('undo', () => {
  test.each<[OrderStatus, FulfilmentType, OrderStatus, OrderStatus]>([
    ['packed', 'delivery', 'accepted', 'accepted'],
    ['out_for_delivery', 'delivery', 'packed', 'packed'],
    ['collected', 'collection', 'packed', 'packed'],
    ['delivered', 'delivery', 'out_for_delivery', 'out_for_delivery'],
  ])('%s (%s) goes back within two minutes and not after', (status, fulfilment, from, to) => {
    const done = order(status, fulfilment, from);
    expect(effectOfCall(done, 'undo', 'store_admin', after(120))).toEqual({
      kind: 'legal',
      to,
      steps: [{ from: status, to }],
    });
    expect(possibleOrderCalls(done, 'store_admin', after(120))).toContain('undo');
    expect(effectOfCall(done, 'undo', 'store_admin', after(120.001)).kind).toBe('illegal');
    expect(possibleOrderCalls(done, 'store_admin', after(120.001))).not.toContain('undo');
  });

  test('after the step was made again, it can be undone again', () => {
    let state = order('packed', 'delivery', 'accepted');
    state = make(state, 'undo', 'admin', after(10));
    state = make(state, 'packed', 'admin', after(20));
    expect(possibleOrderCalls(state, 'admin', after(130))).toContain('undo');
    expect(make(state, 'undo', 'admin', after(130)).status).toBe('accepted');
  });

  test('a promise in between does not hide the step', () => {
    const state = order('packed', 'delivery', 'accepted');
    const promised = { ...state, history: [...state.history, { from: state.status, to: state.status, at: after(30) }] };
    expect(possibleOrderCalls(promised, 'admin', after(100))).toContain('undo');
    expect(possibleOrderCalls(promised, 'admin', after(140))).not.toContain('undo');
  });
});

test.each([
  ['web', 'card', 1250, 'pending_payment'],
  ['web', 'card', 0, 'placed'],
  ['app', 'cash', 1250, 'placed'],
  ['phone', 'card', 1250, 'placed'],
  ['counter', 'cash', 1250, 'placed'],
] as const)('an order from the %s, paid by %s, of %i, starts %s', (channel, payment_method, total, status) => {
  expect(firstOrderStatus({ channel, payment_method, total })).toBe(status);
});

test.each([
  ['phone', 'placed', false, true],
  ['web', 'placed', true, true],
  ['web', 'placed', false, false],
  ['web', 'pending_payment', true, false],
] as const)(
  'from the %s, %s, in a shop that always accepts: %s; is accepted at once: %s',
  (channel, status, always, is) => {
    expect(isAcceptedAtOnce({ channel, status }, { auto_accept: always })).toBe(is);
  },
);

test('what ends an order is not undone, and is sent late enough to be taken back', () => {
  expect(orderEndingCalls).toEqual(new Set(['expire', 'cancel', 'reject', 'followed-up']));
  expect([...orderEndingCalls].filter((call) => undoableCalls.has(call))).toEqual([]);
});

test('an order that waits ends when its time has passed', () => {
  expect(orderDeadlines).toEqual([
    { status: 'pending_payment', column: 'expires_at', call: 'expire' },
    { status: 'placed', column: 'answer_by', call: 'reject', rejectReason: 'not_answered' },
  ]);
  for (const { status, call } of orderDeadlines)
    expect(effectOfCall(order(status), call, 'system', after(1)).kind).toBe('legal');
});

test('a customer hears of a status when it is reached, and not when a step is undone', () => {
  expect(mailAfterCall('accept', { from: 'placed', to: 'accepted' }, 'delivery')).toBe('accepted');
  expect(mailAfterCall('undo', { from: 'packed', to: 'accepted' }, 'collection')).toBeNull();
  expect(mailAfterCall('packed', { from: 'accepted', to: 'packed' }, 'collection')).toBe('ready');
  expect(mailAfterCall('packed', { from: 'accepted', to: 'packed' }, 'delivery')).toBeNull();
  expect(mailAfterCall('promise', { from: 'accepted', to: 'accepted' }, 'delivery')).toBe('promised');
  expect(mailAfterCall('followed-up', { from: 'rejected', to: 'rejected' }, 'delivery')).toBeNull();
});

test.each<[FulfilmentType, OrderStatus[]]>([
  ['delivery', ['placed', 'accepted', 'packed', 'out_for_delivery', 'delivered']],
  ['collection', ['placed', 'accepted', 'packed', 'collected']],
])('a %s goes step by step to its end', (fulfilment, path) => {
  expect(statusesUntilHandover(fulfilment)).toEqual(path);
});

test('staff give a reason to cancel, a customer need not', () => {
  expect(needsReason('cancel', 'admin')).toBe(true);
  expect(needsReason('cancel', 'customer')).toBe(false);
  expect(needsReason('reject', 'store_admin')).toBe(true);
  expect(needsReason('packed', 'store_admin')).toBe(false);
  expect(needsReason('undo', 'store_admin')).toBe(false);
});

test('an order can be cancelled until it is over, and then only what staff did last can be undone', () => {
  for (const status of OrderStatus.options) {
    const isCancellable = orderStatusTable[status].ways.some(({ call }) => call === 'cancel');
    expect([status, unfinishedStatuses.includes(status)]).toEqual([status, isCancellable]);
  }
});

test('a step writes the times of all it passes, and its undoing takes out its own alone', () => {
  const fromAccepted = [
    { from: 'accepted', to: 'packed' },
    { from: 'packed', to: 'collected' },
  ] as const;
  expect(timeColumnsAfterCall('collected-by-customer', fromAccepted, 7)).toEqual({ packed_at: 7, completed_at: 7 });
  expect(timeColumnsAfterCall('undo', [{ from: 'collected', to: 'packed' }], 7)).toEqual({ completed_at: null });
  expect(timeColumnsAfterCall('promise', [{ from: 'packed', to: 'packed' }], 7)).toEqual({});
});

describe('properties', () => {
  const calls = [...new Set(statusTransitions.map(({ call }) => call))];
  const actors = ['guest', 'customer', 'store_admin', 'admin', 'system'] as const;
  const act = fc.record({
    // Calls that move an order on come more often, so that whole lives are walked.
    call: fc.constantFrom(
      ...calls,
      'authorised' as const,
      'accept' as const,
      'packed' as const,
      'collected-by-driver' as const,
    ),
    role: fc.constantFrom(...actors, 'store_admin' as const, 'system' as const),
    wait: fc.integer({ min: 0, max: 200 }),
  });
  const first = fc.constantFrom<OrderStatus>('pending_payment', 'placed', 'accepted');
  const life = fc.tuple(
    first,
    fc.constantFrom<FulfilmentType>('delivery', 'collection'),
    fc.array(act, { maxLength: 25 }),
  );

  const strangers = { delivery: ['collected'], collection: ['out_for_delivery', 'delivered'] };

  test('a status and a call have one way at most', () => {
    const keys = statusTransitions.map(({ from, call }) => `${from} ${call}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('no sequence of calls reaches an undeclared status, or one of the other fulfilment', () => {
    fc.assert(
      fc.property(life, (calls) => {
        for (const { after: state } of walk(calls)) {
          expect(OrderStatus.options).toContain(state.status);
          expect(strangers[state.fulfilment_type]).not.toContain(state.status);
        }
      }),
    );
  });

  test('a closed order stays as it is, except for an undo within two minutes', () => {
    fc.assert(
      fc.property(life, (calls) => {
        for (const { before, call, now, after: state } of walk(calls)) {
          if (unfinishedStatuses.includes(before.status) || state.status === before.status) continue;
          expect(call).toBe('undo');
          expect(['collected', 'delivered']).toContain(before.status);
          expect(now.getTime() - new Date(before.history.at(-1)?.at ?? 0).getTime()).toBeLessThanOrEqual(120_000);
        }
      }),
    );
  });

  test('the history is a chain that ends at the status', () => {
    fc.assert(
      fc.property(life, (calls) => {
        const state = walk(calls).at(-1)?.after;
        if (!state) return;
        state.history.reduce((previous, step) => {
          expect(step.from).toBe(previous.to);
          return step;
        });
        expect(state.history.at(-1)?.to).toBe(state.status);
      }),
    );
  });

  test('a call is legal exactly when it is listed as open', () => {
    fc.assert(
      fc.property(life, (calls) => {
        for (const { before, call, role, now } of walk(calls)) {
          const open: string[] = possibleOrderCalls(before, role, now);
          const isOfTheApi = call !== 'authorised' && call !== 'expire';
          expect(open.includes(call)).toBe(isOfTheApi && effectOfCall(before, call, role, now).kind === 'legal');
        }
      }),
    );
  });

  test('a legal call made again at once is the same, or a new promise, removal or tick', () => {
    fc.assert(
      fc.property(life, (calls) => {
        for (const { before, call, role, now, after: state } of walk(calls)) {
          if (effectOfCall(before, call, role, now).kind !== 'legal') continue;
          if (call === 'promise' || onLines.some((each) => each === call)) continue;
          expect(effectOfCall(state, call, role, now)).toEqual({ kind: 'same' });
        }
      }),
    );
  });
});

function walk([status, fulfilment, acts]: [
  OrderStatus,
  FulfilmentType,
  { call: OrderCall | SystemCall; role: Actor; wait: number }[],
]) {
  let state = order(status, fulfilment);
  let seconds = 0;
  return acts.map(({ call, role, wait }) => {
    seconds += wait;
    const before = state;
    const now = after(seconds);
    state = make(state, call, role, now);
    return { before, call, role, now, after: state };
  });
}

test('the calls that an undo takes back are the steps of the work', () => {
  const steps = ['packed', 'collected-by-driver', 'collected-by-customer', 'delivered-to-customer'];
  expect([...undoableCalls].toSorted()).toEqual(steps.toSorted());
});
