import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { compareOrdersWithMoney } from '#payment/server/journal/compare-orders.ts';
import { readOrderPayments } from '#payment/server/read-payments.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { workOf } from '#payment/testing/model/all-work.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

/* Refunds and charges that Stripe does not make: while the payer's bank has the money, and once keys or holds have ended. */

const by = { actor: 'Olive Owner', actorId: null };
const minute = 60;
const day = 24 * 60 * minute;

let bench: StripeBench;
let alerts: { kind: string; subject: string; text: string }[];
beforeEach(() => {
  alerts = [];
});
async function openBench(): Promise<void> {
  bench = await openStripeBench({ ALERT_WEBHOOK_URL: 'https://alerts.example' });
  await bench.jobs.work('alert', async (alert: (typeof alerts)[number]) => void alerts.push(alert));
}

const ask = (orderId: string, amount: number) =>
  inTransaction(bench.db, (tx) =>
    refundOrder(tx, bench.services, { orderId, key: randomUUID(), wanted: { amount }, reason: 'Cold', ...by }),
  );
const retry = (id: string, how: 'provider' | 'hand') =>
  inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id, by: how, ...by }));
const money = (id: string) => readOrderPayments(bench.db, id);
const disagreements = async () => (await compareOrdersWithMoney(bench.db, bench.clock.now)).disagreements;
const notes = async (id: string) =>
  (await bench.db.selectFrom('order_history').select('note').where('order_id', '=', id).orderBy('version').execute())
    .flatMap(({ note }) => note ?? [])
    .map(({ kind }) => kind);
/** How often Stripe was asked for a refund. */
const asked = () =>
  bench.stripe.control.log.filter((call) => `${call.method} ${call.path}` === 'POST /v1/refunds').length;

/** The jobs and the sweep, every few minutes. */
async function work(times = 3): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await bench.jobs.run();
    bench.wait(6 * minute);
    await bench.payments.sweep();
  }
}

/** The next daily reading, which finds disputes whose messages were lost, and what follows. */
async function readStatement(): Promise<void> {
  bench.wait(day + minute);
  await workOf(bench.payments, 'bank');
  await work();
}

async function dispute({ session }: { session: string }, amount?: number): Promise<string> {
  const { charge } = bench.atStripe(session);
  const { id } = bench.stripe.control.openDispute(charge.id, { ...(amount !== undefined && { amount }) });
  return id;
}

describe('the money that the payer’s bank has taken back', () => {
  beforeAll(openBench);
  afterAll(() => bench.close());

  test('is not refunded when its order is cancelled, until the dispute is won', async () => {
    const order = await bench.charged();
    const id = await dispute(order);
    await readStatement();
    const before = asked();
    await bench.move(order.id, 'cancel', { reason: 'No more rice' });
    await work();
    expect(asked()).toBe(before);
    expect((await money(order.id)).payments).toMatchObject([
      { status: 'captured', owed: 'release', is_disputed: true },
    ]);
    expect(await bench.paymentsOf(order.id)).toMatchObject([{ check_at: null }]);
    expect(await notes(order.id)).toContain('refund_waits');
    expect(await disagreements()).toEqual([]);
    bench.stripe.control.closeDispute(id, 'won');
    await readStatement();
    expect(await bench.order(order.id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
    expect(bench.atStripe(order.session).charge.amount_refunded).toBe(1250);
    expect(asked()).toBe(before + 1);
    expect(await disagreements()).toEqual([]);
  });

  test('is found when staff have the provider asked about the order', async () => {
    const order = await bench.charged();
    const id = await dispute(order);
    await bench.payments.reconcile(order.id, true);
    expect(await money(order.id)).toMatchObject({ disputes: [{ id, status: 'needs_response' }], refundable: 0 });
  });

  test('is asked for once where nobody has heard of the dispute', async () => {
    const order = await bench.charged();
    const id = await dispute(order);
    const before = asked();
    await bench.move(order.id, 'cancel', { reason: 'No more rice' });
    await work(5);
    expect(asked()).toBe(before + 1);
    expect((await money(order.id)).disputes).toMatchObject([{ id, status: 'needs_response' }]);
    bench.stripe.control.closeDispute(id, 'won');
    await readStatement();
    expect(await bench.order(order.id)).toMatchObject({ payment_status: 'refunded' });
    expect(await disagreements()).toEqual([]);
  });

  test('stays with the payer when the dispute is lost: nothing is refunded, and nobody is asked to', async () => {
    const order = await bench.charged();
    const id = await dispute(order);
    await readStatement();
    await bench.move(order.id, 'cancel', { reason: 'No more rice' });
    await work();
    bench.stripe.control.closeDispute(id, 'lost');
    await readStatement();
    const { payments, refunds } = await money(order.id);
    expect({ payments, refunds }).toMatchObject({ payments: [{ status: 'captured', owed: null }], refunds: [] });
    expect(bench.atStripe(order.session).charge.amount_refunded).toBe(0);
    expect(await disagreements()).toEqual([]);
  });

  test('goes back after all when an appeal is won', async () => {
    const order = await bench.charged();
    const id = await dispute(order);
    await readStatement();
    await bench.move(order.id, 'cancel', { reason: 'No more rice' });
    bench.stripe.control.closeDispute(id, 'lost');
    await readStatement();
    bench.stripe.control.closeDispute(id, 'won');
    await readStatement();
    expect(await bench.order(order.id)).toMatchObject({ payment_status: 'refunded' });
    expect(await disagreements()).toEqual([]);
  });

  test('leaves the part that was not disputed to people, when the dispute is lost', async () => {
    const order = await bench.charged();
    const id = await dispute(order, 1000);
    await readStatement();
    await bench.move(order.id, 'cancel', { reason: 'No more rice' });
    bench.stripe.control.closeDispute(id, 'lost');
    await readStatement();
    const [refund] = (await money(order.id)).refunds;
    expect(refund).toMatchObject({ status: 'failed', kind: 'order_ended', amount: 250 });
    expect(alerts.map(({ kind }) => kind)).toContain('refund_failed');
    expect(await disagreements()).toMatchObject([{ kind: 'kept', found: 250, expected: 0 }]);
    await retry(refund?.id ?? '', 'hand');
    expect((await money(order.id)).refunds).toMatchObject([{ status: 'succeeded', payment_id: null }]);
    expect(refund).toMatchObject({ problem: 'refused' });
    expect(await disagreements()).toEqual([]);
  });

  test('is not refunded when its order is cancelled after the dispute was lost', async () => {
    const order = await bench.charged();
    bench.stripe.control.closeDispute(await dispute(order), 'lost');
    await readStatement();
    const before = asked();
    await bench.move(order.id, 'cancel', { reason: 'No more rice' });
    await work();
    expect((await money(order.id)).payments).toMatchObject([{ status: 'captured', owed: null }]);
    expect(asked()).toBe(before);
    expect(await disagreements()).toEqual([]);
  });

  test('makes a refund wait that was asked for before, and is made when the dispute is won', async () => {
    const order = await bench.charged();
    await ask(order.id, 300);
    const id = await dispute(order);
    await work(5);
    expect((await money(order.id)).refunds).toMatchObject([{ status: 'pending', problem: 'disputed' }]);
    await expect(ask(order.id, 100)).rejects.toMatchObject({ code: 'conflict' });
    bench.stripe.control.closeDispute(id, 'won');
    await readStatement();
    expect((await money(order.id)).refunds).toMatchObject([{ status: 'succeeded', problem: null }]);
    expect(await bench.order(order.id)).toMatchObject({ refunded: 300, payment_status: 'partially_refunded' });
    expect(await disagreements()).toEqual([]);
  });

  test('ends a refund that waits when the dispute is lost, and it cannot be made by hand either', async () => {
    const order = await bench.charged();
    const { id: refundId } = await ask(order.id, 300);
    const id = await dispute(order);
    await work();
    bench.stripe.control.closeDispute(id, 'lost');
    await readStatement();
    expect((await money(order.id)).refunds).toMatchObject([{ status: 'failed', problem: 'disputed' }]);
    await expect(retry(refundId, 'provider')).rejects.toMatchObject({ code: 'conflict' });
    await expect(retry(refundId, 'hand')).rejects.toMatchObject({ code: 'conflict' });
    expect(await disagreements()).toEqual([]);
  });
});

describe('a refund that waited for a dispute about a part of the money', () => {
  beforeEach(openBench);
  afterEach(() => bench.close());

  test('is for people to make when the dispute is lost, and the owner is told', async () => {
    const order = await bench.charged();
    await ask(order.id, 250);
    const id = await dispute(order, 1000);
    await work();
    expect(alerts.map(({ kind }) => kind)).not.toContain('refund_failed');
    bench.stripe.control.closeDispute(id, 'lost');
    await readStatement();
    expect((await money(order.id)).refunds).toMatchObject([{ status: 'failed', due: 250, problem: 'refused' }]);
    const { number } = await bench.order(order.id);
    expect(alerts.filter(({ kind }) => kind === 'refund_failed')).toMatchObject([
      { subject: `The refund of £2.50 for order ${number} failed` },
    ]);
  });
});

describe('a refund through keys that have ended', () => {
  beforeEach(openBench);
  afterEach(() => bench.close());

  test('fails, says why, and tells the owner, once', async () => {
    const order = await bench.charged();
    await bench.endKeys();
    await ask(order.id, 300);
    await work(5);
    expect((await money(order.id)).refunds).toMatchObject([{ status: 'failed', problem: 'keys_ended', amount: 300 }]);
    expect(await notes(order.id)).toContain('refund_failed');
    const { number } = await bench.order(order.id);
    expect(alerts).toMatchObject([{ kind: 'refund_failed' }]);
    expect(alerts[0]?.subject).toContain(String(number));
    expect(alerts[0]?.text).toContain('£3.00');
  });

  test('is made by hand, not by the provider', async () => {
    const order = await bench.charged();
    await bench.endKeys();
    const { id } = await ask(order.id, 300);
    await work();
    await expect(retry(id, 'provider')).rejects.toMatchObject({ code: 'conflict' });
    await retry(id, 'hand');
    expect(await bench.order(order.id)).toMatchObject({ refunded: 300, payment_status: 'partially_refunded' });
    expect(await disagreements()).toEqual([]);
  });

  test('of an order that is cancelled later becomes a refund for people', async () => {
    const order = await bench.charged();
    await bench.endKeys();
    await bench.move(order.id, 'cancel', { reason: 'No more rice' });
    await work();
    const { payments, refunds } = await money(order.id);
    expect(payments).toMatchObject([{ status: 'captured', owed: null }]);
    expect(refunds).toMatchObject([{ status: 'failed', kind: 'order_ended', amount: 1250, problem: 'keys_ended' }]);
    expect(alerts).toMatchObject([{ kind: 'refund_failed' }]);
    await retry(refunds[0]?.id ?? '', 'hand');
    expect(await bench.order(order.id)).toMatchObject({ refunded: 1250, payment_status: 'refunded' });
    expect(await disagreements()).toEqual([]);
  });
});

describe('a refund that the bank refuses', () => {
  beforeAll(openBench);
  afterAll(() => bench.close());

  test('is told to the owner', async () => {
    const order = await bench.charged();
    const { id } = await ask(order.id, 300);
    bench.stripe.control.faults.add({ kind: 'error_before', method: 'POST', path: '/v1/refunds' });
    await work();
    await bench.jobs.run();
    const made = [...bench.stripe.control.books().tables.refund.values()][0];
    bench.stripe.control.finishRefund(made?.id ?? '', 'failed');
    await bench.payments.reconcile(order.id, true);
    await bench.jobs.run();
    expect((await money(order.id)).refunds).toMatchObject([{ id, status: 'failed', problem: 'refused' }]);
    expect(alerts).toMatchObject([{ kind: 'refund_failed' }]);
  });
});

describe('a hold that the owner cancelled at Stripe', () => {
  beforeAll(openBench);
  afterAll(() => bench.close());

  test('cannot be charged when its order is accepted, and the owner is told, once', async () => {
    const order = await bench.paid();
    await bench.payments.reconcile(order.id);
    await bench.keySet.stripe.paymentIntents.cancel(bench.atStripe(order.session).intent.id);
    await bench.move(order.id, 'accept');
    await work(5);
    expect(await bench.order(order.id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
    expect(alerts.map(({ kind }) => kind)).toEqual(['capture_failed']);
  });

  test('is no failure of an order that is called off', async () => {
    const order = await bench.paid();
    await bench.payments.reconcile(order.id);
    await bench.keySet.stripe.paymentIntents.cancel(bench.atStripe(order.session).intent.id);
    await bench.move(order.id, 'reject', { rejectReason: 'too_busy' });
    await work(5);
    expect(alerts).toEqual([]);
  });
});
