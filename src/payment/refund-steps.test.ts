import { expect, test } from 'vitest';
import {
  isMailedRefundStep,
  refundsAfterStep,
  startRefundSteps,
  nextRefundSteps,
  type RefundFacts,
  type RefundStep,
  type RefundRecord,
  addExcessRefund,
  addRetriedRefund,
  addManualRefundOfRest,
} from '#payment/refund-steps.ts';
import type { PaymentStep, ProviderPayment, ProviderRefund } from '#payment/payment-state.ts';

const order: RefundFacts['order'] = {
  payment_method: 'card',
  payment_status: 'paid',
  total: 1200,
  tip: 0,
  discounts: [],
  lines: [{ id: 'pizza', quantity: 2, total: 1200, vat_rate: 2000, vat_parts: [] }],
  vat: [{ rate: 2000, net: 1000, vat: 200 }],
  removed: [],
};

interface Known {
  refunds?: RefundRecord[];
  order?: Partial<RefundFacts['order']>;
  owed?: 'release' | null;
  movements?: RefundFacts['money']['movements'];
  disputes?: RefundFacts['money']['disputes'];
}

function factsOf({ refunds = [], owed = null, movements = [], disputes = [], ...known }: Known): RefundFacts {
  return {
    order: { ...order, ...known.order },
    payment: { id: 'pay', owed },
    isLatest: true,
    money: { payments: [{ id: 'pay', status: 'captured', amount: 1200, captured: 1200 }], disputes, movements },
    refunds,
  };
}

function refund(id: string, amount: number, change: Partial<RefundRecord> = {}): RefundRecord {
  const vat = [{ rate: 2000, net: amount - Math.round(amount / 6), vat: Math.round(amount / 6) }];
  const by = { reason: 'Cold', actor: 'Olive', actor_id: null };
  const made = { payment_id: 'pay', status: 'succeeded', provider_refund: null, part_of: null, attempts: 1 } as const;
  return { id, amount, tip: 0, vat, lines: [], kind: 'asked', ...made, ...by, ...change };
}

const there = (id: string, amount: number, change: Partial<ProviderRefund> = {}): ProviderRefund => ({
  id,
  key: null,
  amount,
  status: 'succeeded',
  ...change,
});

function seenOf(refundList: ProviderRefund[], state: ProviderPayment['state'] = 'captured'): ProviderPayment {
  const made = refundList.filter(({ status }) => status !== 'failed');
  const refunded = made.reduce((sum, { amount }) => sum + amount, 0);
  return { state, amount: 1200, currency: 'GBP', captured: 1200, refunded, refundList };
}

interface Case {
  known: Known;
  seen: ProviderPayment;
  step?: Partial<Pick<PaymentStep, 'status' | 'owed'>>;
  settled?: string;
  isNew?: boolean;
  /** A word for each step. */
  steps: string[];
  refunded: number | null;
}

const [pending, failed] = [{ status: 'pending' } as const, { status: 'failed' } as const];
const removed = [{ line_id: 'pizza', quantity: 1, amount: 600, reason: 'Sold out', actor: 'Olive' }];

const cases: Record<string, Case> = {
  'nothing was refunded': { known: {}, seen: seenOf([]), steps: [], refunded: null },
  'the refund that was just made is named, made and told': {
    known: { refunds: [refund('a', 300, pending)] },
    seen: seenOf([there('re_1', 300, { key: 'refund:a:1' })]),
    settled: 'a',
    steps: ['record_provider_id a re_1', 'succeed a re_1, told'],
    refunded: 300,
  },
  'so is one whose answer was lost, once it is listed': {
    known: { refunds: [refund('a', 300, pending)] },
    seen: seenOf([there('re_1', 300, { key: 'refund:a:1' })]),
    steps: ['record_provider_id a re_1', 'succeed a re_1, told'],
    refunded: 300,
  },
  'a provider that lists none says which it has just made': {
    known: { refunds: [refund('a', 300, pending), refund('b', 200, pending)] },
    seen: { state: 'captured', amount: 1200, currency: 'GBP', refunded: 300 },
    settled: 'a',
    steps: ['succeed a, told'],
    refunded: 300,
  },
  'one on its way is not made by another': {
    known: { refunds: [refund('a', 300, pending), refund('b', 200, pending)] },
    seen: seenOf([there('re_1', 300, { key: 'refund:a:1' })]),
    settled: 'a',
    steps: ['record_provider_id a re_1', 'succeed a re_1, told'],
    refunded: 300,
  },
  'all of them are made once everything went back': {
    known: { refunds: [refund('a', 700, pending), refund('b', 500, pending)] },
    seen: seenOf([there('re_1', 1200)], 'refunded'),
    step: { status: 'refunded' },
    steps: ['succeed a, told', 'succeed b, told'],
    refunded: 1200,
  },
  'a dish that was taken off was told when it was': {
    known: { refunds: [refund('a', 300, { ...pending, kind: 'line_removed' })], order: { total: 900 } },
    seen: seenOf([there('re_1', 300, { key: 'refund:a:1' })]),
    settled: 'a',
    steps: ['record_provider_id a re_1', 'succeed a re_1'],
    refunded: 0,
  },
  'so is a later attempt of it, of which the customer is told': {
    known: { refunds: [refund('a', 300, { ...pending, kind: 'line_removed', attempts: 2 })], order: { total: 900 } },
    seen: seenOf([there('re_1', 300, { key: 'refund:a:2' })]),
    settled: 'a',
    steps: ['record_provider_id a re_1', 'succeed a re_1, told'],
    refunded: 0,
  },
  'one that fails in the answer of its own call is not made': {
    known: { refunds: [refund('a', 300, pending)] },
    seen: seenOf([there('re_1', 300, { key: 'refund:a:1', ...failed })]),
    settled: 'a',
    steps: [],
    refunded: null,
  },
  'one of another payment is not made by this one': {
    known: { refunds: [refund('a', 300, { ...pending, payment_id: 'earlier' })] },
    seen: seenOf([there('re_1', 1200)], 'refunded'),
    step: { status: 'refunded' },
    steps: [],
    refunded: null,
  },
  'one of money that did not pay the order changes nothing of it': {
    known: { refunds: [refund('a', 1200, { ...pending, kind: 'late_payment' })], order: { payment_method: 'cash' } },
    seen: seenOf([there('re_1', 1200, { key: 'refund:a:1' })], 'refunded'),
    step: { status: 'refunded' },
    steps: ['record_provider_id a re_1', 'succeed a re_1, told'],
    refunded: null,
  },
  'a refund on the provider’s page has a row of its own': {
    known: {},
    seen: seenOf([there('re_1', 400)]),
    steps: ['add at_provider succeeded 400, told'],
    refunded: 400,
  },
  'what is listed nowhere is one sum, of the order that ended': {
    known: { owed: 'release' },
    seen: { state: 'refunded', amount: 1200, currency: 'GBP' },
    step: { status: 'refunded' },
    steps: ['add order_ended succeeded 1200, told'],
    refunded: 1200,
  },
  'it is never more than the order costs': {
    known: { refunds: [refund('a', 1000, { payment_id: null })] },
    seen: seenOf([there('re_1', 400)]),
    steps: ['add at_provider succeeded 200, told'],
    refunded: 1200,
  },
  'it waits while a refund on its way leaves it no room': {
    known: { refunds: [refund('a', 1000, pending)] },
    seen: seenOf([there('re_1', 400)]),
    steps: [],
    refunded: null,
  },
  'as much as is due of a failed refund is that refund': {
    known: { refunds: [refund('a', 400, failed)] },
    seen: seenOf([there('re_9', 400)]),
    steps: ['retry_another_way a re_9, told'],
    refunded: 400,
  },
  'so is as much as is due of a dish, of which the customer is told': {
    known: { refunds: [refund('a', 400, { ...failed, kind: 'line_removed' })], order: { total: 800 } },
    seen: seenOf([there('re_9', 400)]),
    steps: ['retry_another_way a re_9, told'],
    refunded: 0,
  },
  'as much of a late payment is not': {
    known: { refunds: [refund('a', 400, { ...failed, kind: 'late_payment' })] },
    seen: seenOf([there('re_9', 400)]),
    steps: ['add at_provider succeeded 400, told'],
    refunded: 400,
  },
  'nor is what the release of the payment refunds': {
    known: { refunds: [refund('a', 400, failed)] },
    seen: seenOf([there('re_9', 400, { key: 'order:1' })]),
    steps: ['add order_ended succeeded 400, told'],
    refunded: 400,
  },
  'another amount is not': {
    known: { refunds: [refund('a', 400, failed)] },
    seen: seenOf([there('re_9', 300)]),
    steps: ['add at_provider succeeded 300, told'],
    refunded: 300,
  },
  'a refund whose money came back is returned': {
    known: { refunds: [refund('a', 400, { provider_refund: 're_1' })] },
    seen: seenOf([there('re_1', 400, failed)]),
    steps: ['return a 400'],
    refunded: 0,
  },
  'half of a refund that is part of others is returned, and the rest stays': {
    known: { refunds: [refund('a', 600)] },
    seen: seenOf([there('re_1', 250, { key: 'order:1' }), there('re_2', 350, { key: 'order:1', ...failed })]),
    steps: ['add at_provider succeeded 250 of a, told', 'return a 350', 'record_provider_id new-1 re_1'],
    refunded: 250,
  },
  'of a dish it is returned as a whole': {
    known: { refunds: [refund('a', 600, { kind: 'line_removed' })], order: { total: 600 } },
    seen: seenOf([there('re_1', 250, { key: 'order:1' }), there('re_2', 350, { key: 'order:1', ...failed })]),
    steps: ['return a 600', 'add order_ended succeeded 250, told'],
    refunded: 250,
  },
  'of two that are not listed, the newer one is returned': {
    known: { refunds: [refund('a', 500, { kind: 'order_ended' }), refund('b', 400, { kind: 'order_ended' })] },
    seen: seenOf([there('re_1', 500, { key: 'order:1' }), there('re_2', 400, { key: 'order:1', ...failed })]),
    steps: ['return b 400', 'record_provider_id a re_1'],
    refunded: 500,
  },
  'money that did not pay the order is refunded there without a row': {
    known: { order: { payment_method: 'cash' } },
    seen: seenOf([there('re_1', 400)]),
    steps: [],
    refunded: null,
  },
  'a refund of another payment is not returned': {
    known: { refunds: [refund('a', 400, { payment_id: 'earlier' })] },
    seen: seenOf([there('re_1', 400, { key: 'order:1', ...failed })]),
    steps: [],
    refunded: null,
  },
  'money that did not pay the order and came back is left to people': {
    known: { order: { payment_method: 'cash' } },
    seen: seenOf([there('re_1', 1200, failed)]),
    steps: ['add late_payment failed 1200'],
    refunded: null,
  },
  'what was charged for a dish that was taken off goes back': {
    known: { order: { total: 600, removed } },
    seen: seenOf([]),
    isNew: true,
    steps: ['add line_removed pending 600'],
    refunded: null,
  },
  'but not where all of it goes back': {
    known: { order: { total: 600, removed } },
    seen: seenOf([]),
    step: { owed: 'release' },
    isNew: true,
    steps: [],
    refunded: null,
  },
  'but not again when the payment was captured before': {
    known: { order: { total: 600, removed } },
    seen: seenOf([]),
    steps: [],
    refunded: null,
  },
};

/** With new ids in their order. */
const newIds = () => {
  let count = 0;
  return () => `new-${(count += 1)}`;
};

test.each(Object.entries(cases))('%s', (_name, { known, seen, step, settled, isNew = false, steps, refunded }) => {
  const facts = factsOf(known);
  const found = { step: { status: 'captured', owed: null, ...step } as const, seen, settled, isNew };
  const decided = nextRefundSteps(facts, found, newIds());
  expect(decided.steps.map(inWords)).toEqual(steps);
  expect(decided.money?.refunded ?? null).toBe(refunded);
  // Once they are taken, nothing is left to do.
  const refunds = decided.steps.reduce(refundsAfterStep, facts.refunds);
  expect(
    nextRefundSteps({ ...facts, refunds }, { ...found, settled: undefined, isNew: false }, newIds()).steps,
  ).toEqual([]);
});

test.each([
  ['an amount', {}, [{ rate: 2000, net: 333, vat: 67 }]],
  ['a line', { lines: [{ line_id: 'pizza', quantity: 1, amount: 400 }] }, []],
  ['a dish that was taken off', { kind: 'line_removed' as const }, []],
])('the VAT of %s that failed is planned again if it may have changed', (_what, change, vat) => {
  const known = refund('a', 400, { ...failed, ...change, vat: [] });
  const draft = startRefundSteps({ order, refunds: [known] }, newIds());
  addRetriedRefund(draft, known, { due: 400, through: 'pay' });
  expect(draft.refunds).toMatchObject([{ amount: 400, vat }]);
});

test('what goes back for a dish that was taken off is its line, without VAT', () => {
  const draft = startRefundSteps(factsOf({ order: { total: 600, removed } }), newIds());
  addExcessRefund(draft, 1200, { payment_id: 'pay', actor_id: null });
  const lines = [{ line_id: 'pizza', quantity: 1, amount: 600 }];
  expect(draft.refunds).toMatchObject([{ amount: 600, tip: 0, vat: [], lines, reason: 'Sold out', actor: 'Olive' }]);
});

function inWords(step: RefundStep): string {
  const { kind, refund: of } = step;
  const told = isMailedRefundStep(step) ? ', told' : '';
  if (kind === 'return') return `return ${of.id} ${of.amount}`;
  if (kind !== 'add') return `${kind} ${[of.id, of.provider_refund].filter(Boolean).join(' ')}${told}`;
  return `add ${of.kind} ${of.status} ${of.amount}${of.part_of === null ? '' : ` of ${of.part_of}`}${told}`;
}

test.each([
  ['at the provider', { due: 400, through: 'pay' }, ['retry a']],
  ['by hand', { due: 400, through: null }, ['retry_another_way a, told']],
  ['a part at the provider', { due: 150, through: 'pay' }, ['add asked pending 150 of a']],
  ['a part by hand', { due: 150, through: null }, ['add asked succeeded 150 of a, told']],
] as const)('a failed refund is tried again %s', (_how, wish, steps) => {
  const known = refund('a', 400, failed);
  const draft = startRefundSteps({ order, refunds: [known] }, newIds());
  addRetriedRefund(draft, known, wish);
  expect(draft.steps.map(inWords)).toEqual(steps);
  expect(draft.refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(400);
  // The attempt has a key of its own.
  expect(draft.refunds.at(-1)?.attempts).toBe(2);
});

test.each([
  ['all of it', {}, ['add order_ended failed 1200']],
  ['without what was given back', { refunds: [refund('a', 500)] }, ['add order_ended failed 700']],
  ['nothing that the bank gave back', { disputes: [{ payment_id: 'pay', status: 'lost' as const, amount: 1200 }] }, []],
])('what the provider will not refund is left to people: %s', (_what, known, steps) => {
  const draft = startRefundSteps(factsOf(known), newIds());
  addManualRefundOfRest(draft, true);
  expect(draft.steps.map(inWords)).toEqual(steps);
});
