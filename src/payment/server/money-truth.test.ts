import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#platform/errors.ts';
import { inTransaction } from '#database/transaction.ts';
import type { PaymentFailure, PaymentAttemptStatus } from '#payment/payment-state.ts';
import type { PaymentMethod } from '#store/contract.ts';
import { balanceOfMovements } from '#payment/movements.ts';
import { markPaid } from '#payment/server/mark-paid.ts';
import { createStrictProvider, type Mood } from '#payment/testing/strict-provider.ts';
import { openPaymentBench, type PaymentBench } from '#payment/testing/bench.ts';
import { slowDraws } from '#testing/draws.ts';

const provider = createStrictProvider();
let bench: PaymentBench;
beforeAll(async () => {
  bench = await openPaymentBench({ providers: [provider], handlesEventsAtOnce: false });
  await bench.payments.start();
});
afterAll(() => bench.close());

/** Everything that can happen to one order, in any order, any number of times and concurrently. */
type Happening =
  | { kind: 'begin' | 'return' | 'sweep' | 'jobs' | 'job_again' | 'accept' | 'reject' | 'cancel' | 'expire' }
  | { kind: 'payer'; state: 'authorised' | 'declined' | 'abandoned'; page: number }
  | { kind: 'webhook'; event: number; page: number }
  | { kind: 'pay' | 'mark'; method: PaymentMethod }
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
    arbitrary: fc.record({
      kind: fc.constantFrom('pay' as const, 'mark' as const),
      method: fc.constantFrom<PaymentMethod>('card', 'cash'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('moods' as const),
      moods: fc.array(fc.constantFrom<Mood>('fine', 'lost', 'answer_lost', 'refused'), { minLength: 1, maxLength: 4 }),
    }),
  },
);

/** Pages that were shown to somebody: no other page can be paid on. */
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
    case 'mark': {
      const request = { orderId, method: what.method, viewer: { id: null, name: 'Test' } };
      return inTransaction(bench.db, (tx) => markPaid(tx, bench.services, request));
    }
    case 'payer':
      if (page) provider.payer(page, what.state);
      return;
    case 'webhook':
      if (!page) return;
      await payments.receiveWebhook(
        'sandbox',
        JSON.stringify({ id: `${page}${what.event}`, reference: page }),
        () => undefined,
      );
      await payments.handleEvents();
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

/** A refusal, or a network error; other tests check which refusals are right, this one checks the final state. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof AppError ||
    (error instanceof Error && /the network is down|the answer was lost/.test(error.message))
  );
}

/** The network works again, and background work gets the time it needs. */
async function settle(orderId: string): Promise<void> {
  provider.moods.length = 0;
  for (let round = 0; round < 4; round += 1) {
    bench.wait(400);
    await bench.payments.sweep();
    await bench.payments.handleEvents();
    await bench.jobs.run();
  }
  await bench.payments.reconcile(orderId);
}

/** Everything wrong with the money of an order in its final state; empty when all is right. */
async function findFaults(orderId: string): Promise<string[]> {
  const order = await bench.order(orderId);
  const rows = await bench.db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
  const kept = rows.flatMap(({ reference }) => (reference ? (provider.payments.get(reference) ?? []) : []));
  const count = (state: string) => kept.filter((payment) => payment.state === state).length;
  const sum = (of: 'captures' | 'refunds') => kept.reduce((total, payment) => total + payment[of], 0);
  // Paid another way since: the provider's money must be released.
  const isMarked = await wasMarkedPaid(orderId);
  const isCard = order.payment_method === 'card' && !isMarked;
  const isPending = order.status === 'pending_payment';
  const isFailed = order.status === 'accepted' && order.payment_status === 'failed';
  const held = `${order.payment_status}, ${count('authorised')} authorised, ${count('captured')} captured`;

  const faults: [isFault: boolean, fault: string][] = [
    [
      sum('captures') > ((isCard || isMarked) && order.accepted_at ? 1 : 0),
      'charged twice, or for what the shop never took',
    ],
    [sum('refunds') > 1, 'refunded twice'],
    [count('open') > (isPending ? 1 : 0), 'a page is open that should not be'],
    [isMarked && held !== 'paid, 0 authorised, 0 captured', `marked as paid: ${held}`],
    [!isCard && !isMarked && held !== 'unpaid, 0 authorised, 0 captured', `cash: ${held}`],
    [isCard && order.status === 'placed' && held !== 'authorised, 1 authorised, 0 captured', `placed: ${held}`],
    [
      isCard && order.status === 'accepted' && !isFailed && held !== 'paid, 0 authorised, 1 captured',
      `accepted: ${held}`,
    ],
    [isFailed && held !== 'failed, 0 authorised, 0 captured', `failed: ${held}`],
    [isFailed && rows.at(-1)?.failure !== 'capture_failed', 'failed without a refusal'],
    [isPending && !/^(unpaid|failed), 0 authorised, 0 captured$/.test(held), `pending: ${held}`],
    [
      isClosed(order.status) && !isMarked && !/^(unpaid|failed|voided|refunded), 0 authorised, 0 captured$/.test(held),
      `ended: ${held}`,
    ],
    [
      count('refunded') > 0 && !isMarked && order.payment_status !== 'refunded',
      'refunded, but the order does not say so',
    ],
    ...(await journalFaults(rows)),
    ...rows.map((row): [boolean, string] => [row.owed !== null, `${row.status} still owes ${row.owed}`]),
    ...rows.map((row): [boolean, string] => {
      const there = row.reference === null ? 'nothing' : (provider.payments.get(row.reference)?.state ?? 'nothing');
      return [!agreeing(row, isMarked).includes(there), `${row.status} here, ${there} there`];
    }),
  ];
  return faults.flatMap(([isFault, fault]) => (isFault ? [fault] : []));
}

/** The journal of movements says the same as the provider about each payment. */
async function journalFaults(
  rows: readonly { id: string; reference: string | null }[],
): Promise<[isFault: boolean, fault: string][]> {
  const movements = await bench.db.selectFrom('payment_movements').selectAll().execute();
  return rows.map(({ id, reference }) => {
    const there = reference === null ? undefined : provider.payments.get(reference);
    const kept = (there?.captured ?? 0) - (there?.refunded ?? 0);
    const held = there?.state === 'authorised' ? there.amount : 0;
    const own = balanceOfMovements(movements.filter(({ payment_id }) => payment_id === id));
    const said = `the journal has ${own.kept} kept, ${own.held} held; the provider ${kept}, ${held}`;
    return [own.kept !== kept || own.held !== held, said];
  });
}

/** The possible states at the provider for a state on our side. */
function agreeing(
  { status, failure }: { status: PaymentAttemptStatus; failure: PaymentFailure | null },
  isMarked: boolean,
): string[] {
  if (status === 'pending') return ['nothing', 'open'];
  if (status === 'failed' && failure === 'capture_failed') return isMarked ? ['voided', 'refunded'] : ['voided'];
  if (status === 'failed') return ['declined', 'abandoned'];
  return status === 'voided' ? ['nothing', 'voided'] : [status];
}

async function wasMarkedPaid(orderId: string): Promise<boolean> {
  const notes = await bench.db.selectFrom('order_history').select('note').where('order_id', '=', orderId).execute();
  return notes.some(({ note }) => note?.kind === 'marked_paid');
}

function isClosed(status: string): boolean {
  return status === 'rejected' || status === 'cancelled' || status === 'expired';
}

/** How far the order has come, without errors, before the events begin. */
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
        const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
        expect(refusals.filter((error) => !isExpected(error))).toEqual([]);
      }
      await settle(orderId);
      expect(await findFaults(orderId)).toEqual([]);
      if ((await bench.order(orderId)).status !== 'pending_payment') return;
      await bench.move(orderId, 'expire');
      await bench.jobs.run();
      expect(await findFaults(orderId)).toEqual([]);
    }),
    { numRuns: slowDraws },
  );
  // Only what hangs takes so long.
}, 600_000);

test.each<[end: string, start: Start, batches: Happening[][]]>([
  ['accepted paid', 'accepted', [[{ kind: 'sweep' }, { kind: 'jobs' }]]],
  ['accepted failed', 'accepted', [[{ kind: 'moods', moods: ['fine', 'refused'] }], [{ kind: 'jobs' }]]],
  [
    'accepted paid',
    'accepted',
    [[{ kind: 'moods', moods: ['fine', 'refused'] }], [{ kind: 'jobs' }], [{ kind: 'mark', method: 'cash' }]],
  ],
  ['placed authorised', 'placed', [[{ kind: 'mark', method: 'cash' }]]],
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
  expect(await findFaults(orderId)).toEqual([]);
});
