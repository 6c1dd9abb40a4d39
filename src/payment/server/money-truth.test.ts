import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#platform/errors.ts';
import type { PaymentMethod } from '#store/contract.ts';
import { createStrictProvider, type Mood } from '#payment/server/strict-provider.ts';
import { openPaymentBench, type PaymentBench } from '#payment/server/testing.ts';

const provider = createStrictProvider();
let bench: PaymentBench;
beforeAll(async () => {
  bench = await openPaymentBench({ providers: [provider] });
  await bench.payments.start();
});
afterAll(() => bench.close());

/** All that can happen around one order, in any order, any number of times and several at once. */
type Happening =
  | { kind: 'begin' | 'return' | 'sweep' | 'jobs' | 'job_again' | 'accept' | 'reject' | 'cancel' | 'expire' }
  | { kind: 'payer'; state: 'authorised' | 'declined' | 'abandoned'; page: number }
  | { kind: 'webhook'; event: number; page: number }
  | { kind: 'pay'; method: PaymentMethod }
  | { kind: 'moods'; moods: Mood[] };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Happening>({ kind: 'begin' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('payer' as const),
      state: fc.constantFrom('authorised' as const, 'authorised' as const, 'declined' as const, 'abandoned' as const),
      page: fc.nat(3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('webhook' as const), event: fc.nat(3), page: fc.nat(3) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'return' as const,
        'sweep' as const,
        'jobs' as const,
        'job_again' as const,
        'accept' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('reject' as const, 'cancel' as const, 'expire' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), method: fc.constantFrom<PaymentMethod>('card', 'cash') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('moods' as const),
      moods: fc.array(fc.constantFrom<Mood>('fine', 'lost', 'answer_lost', 'refused'), { minLength: 1, maxLength: 4 }),
    }),
  },
);

/** Pages that were really shown to somebody: nobody can pay on another. */
interface Shown {
  pages: string[];
}

async function happen(orderId: string, shown: Shown, what: Happening): Promise<void> {
  const { payments, jobs } = bench;
  const page = 'page' in what ? shown.pages[what.page % Math.max(1, shown.pages.length)] : undefined;
  switch (what.kind) {
    case 'begin':
      shown.pages.push((await payments.begin(orderId)).replace('/pay/', ''));
      return;
    case 'pay': {
      await payments.payAgain(orderId, what.method);
      const latest = await bench.db
        .selectFrom('payments')
        .select('reference')
        .where('order_id', '=', orderId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (latest?.reference) shown.pages.push(latest.reference);
      return;
    }
    case 'payer':
      if (page) provider.payer(page, what.state);
      return;
    case 'webhook':
      if (page)
        await payments.receiveWebhook(
          'sandbox',
          JSON.stringify({ id: `${page}${what.event}`, reference: page }),
          () => undefined,
        );
      return;
    case 'return':
      return payments.reconcile(orderId);
    case 'sweep':
      bench.wait(40);
      await payments.sweep();
      return;
    case 'jobs':
      await jobs.run();
      return;
    case 'job_again':
      return jobs.repeat();
    case 'moods':
      provider.moods.push(...what.moods);
      return;
    default:
      return bench.move(orderId, what.kind, { reason: 'Because' });
  }
}

/** A refusal, or the network's fault; which refusals are right is told elsewhere, here counts what is left in the end. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof AppError ||
    (error instanceof Error && /the network is down|the answer was lost/.test(error.message))
  );
}

/** The network heals, and whoever works in the background gets the time it needs. */
async function settle(orderId: string): Promise<void> {
  provider.moods.length = 0;
  for (let round = 0; round < 4; round += 1) {
    bench.wait(400);
    await bench.payments.sweep();
    await bench.jobs.run();
  }
  await bench.payments.reconcile(orderId);
}

async function expectMoneyTruth(orderId: string): Promise<void> {
  const order = await bench.order(orderId);
  const rows = await bench.db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
  const kept = rows.flatMap(({ reference }) => (reference ? (provider.payments.get(reference) ?? []) : []));
  const count = (state: string) => kept.filter((payment) => payment.state === state).length;
  const wasAccepted = order.accepted_at !== null;

  // Nobody is charged twice, refunded twice, or charged for what the shop never took.
  expect(kept.reduce((sum, { captures }) => sum + captures, 0)).toBeLessThanOrEqual(
    wasAccepted && order.payment_method === 'card' ? 1 : 0,
  );
  expect(kept.reduce((sum, { refunds }) => sum + refunds, 0)).toBeLessThanOrEqual(1);
  // What we hold to be so is so, and nothing is left to do.
  for (const row of rows) {
    expect(row.owed).toBeNull();
    const there = row.reference === null ? undefined : provider.payments.get(row.reference)?.state;
    if (row.status === 'pending') expect([undefined, 'open']).toContain(there);
    else if (row.status === 'failed') {
      expect(row.failure === 'capture_failed' ? ['voided', 'refunded'] : ['declined', 'abandoned']).toContain(there);
    } else if (row.reference !== null) expect(there).toBe(row.status);
  }
  expect(count('open')).toBeLessThanOrEqual(order.status === 'pending_payment' ? 1 : 0);

  const held = { authorised: count('authorised'), captured: count('captured') };
  const truth = { status: order.status, method: order.payment_method, payment: order.payment_status, ...held };
  if (order.payment_method === 'cash') {
    expect(truth).toMatchObject({ payment: 'unpaid', authorised: 0, captured: 0 });
  } else if (order.status === 'placed') {
    expect(truth).toMatchObject({ payment: 'authorised', authorised: 1, captured: 0 });
  } else if (order.status === 'accepted' && order.payment_status === 'failed') {
    // Refused for good: nothing taken, nothing held.
    expect(rows.at(-1)?.failure).toBe('capture_failed');
    expect(truth).toMatchObject({ authorised: 0, captured: 0 });
  } else if (order.status === 'accepted') {
    expect(truth).toMatchObject({ payment: 'paid', authorised: 0, captured: 1 });
  } else {
    expect(truth).toMatchObject({ authorised: 0, captured: 0 });
    const isPending = order.status === 'pending_payment';
    expect(isPending ? ['unpaid', 'failed'] : ['unpaid', 'failed', 'voided', 'refunded']).toContain(
      order.payment_status,
    );
    if (count('refunded') > 0) expect(order.payment_status).toBe('refunded');
  }
}

/** How far the order has come, without trouble, before anything may happen. */
const starts = ['begun', 'paid', 'placed', 'accepted', 'captured'] as const;
type Start = (typeof starts)[number];

async function reach(start: Start): Promise<{ orderId: string; shown: Shown }> {
  const orderId = await bench.newOrder();
  const shown: Shown = { pages: [] };
  const way: Happening[] = [
    { kind: 'begin' },
    { kind: 'payer', state: 'authorised', page: 0 },
    { kind: 'return' },
    { kind: 'accept' },
    { kind: 'jobs' },
  ];
  for (const step of way.slice(0, starts.indexOf(start) + 1)) await happen(orderId, shown, step);
  return { orderId, shown };
}

const scenario = fc.record({
  start: fc.constantFrom(...starts),
  batches: fc.array(fc.array(happening, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 10 }),
});

test('whatever happens in whatever order, the money ends where the order says', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ start, batches }) => {
      provider.moods.length = 0;
      const { orderId, shown } = await reach(start);
      for (const batch of batches) {
        const ends = await Promise.allSettled(batch.map((what) => happen(orderId, shown, what)));
        for (const end of ends) {
          if (end.status === 'rejected') expect(isExpected(end.reason), String(end.reason)).toBe(true);
        }
      }
      await settle(orderId);
      await expectMoneyTruth(orderId);
      if ((await bench.order(orderId)).status !== 'pending_payment') return;
      await bench.move(orderId, 'expire');
      await bench.jobs.run();
      await expectMoneyTruth(orderId);
    }),
    { numRuns: 150 },
  );
}, 120_000);

test.each<[end: string, start: Start, batches: Happening[][]]>([
  ['accepted paid', 'accepted', [[{ kind: 'sweep' }, { kind: 'jobs' }]]],
  ['accepted failed', 'accepted', [[{ kind: 'moods', moods: ['fine', 'refused'] }], [{ kind: 'jobs' }]]],
  ['cancelled refunded', 'captured', [[{ kind: 'cancel' }, { kind: 'job_again' }]]],
  ['cancelled refunded', 'accepted', [[{ kind: 'jobs' }, { kind: 'return' }], [{ kind: 'cancel' }]]],
  ['cancelled voided', 'accepted', [[{ kind: 'cancel' }]]],
  ['rejected voided', 'placed', [[{ kind: 'reject' }, { kind: 'sweep' }]]],
  ['expired voided', 'paid', [[{ kind: 'expire' }], [{ kind: 'return' }]]],
  ['pending_payment failed', 'begun', [[{ kind: 'payer', state: 'declined', page: 0 }], [{ kind: 'return' }]]],
  ['placed unpaid', 'begun', [[{ kind: 'pay', method: 'cash' }], [{ kind: 'payer', state: 'authorised', page: 0 }]]],
])('one way to end %s, from %s', async (end, start, batches) => {
  provider.moods.length = 0;
  const { orderId, shown } = await reach(start);
  for (const batch of batches) await Promise.allSettled(batch.map((what) => happen(orderId, shown, what)));
  await settle(orderId);
  const { status, payment_status } = await bench.order(orderId);
  expect(`${status} ${payment_status}`).toBe(end);
  await expectMoneyTruth(orderId);
});
