import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { inTransaction } from '#database/transaction.ts';
import { applyProviderAnswer } from '#payment/server/reconcile.ts';
import { createPaymentContext } from '#payment/server/create-context.ts';
import { lockPayment } from '#payment/server/owed-calls.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

let bench: StripeBench;
beforeAll(async () => {
  bench = await openStripeBench();
});
afterAll(() => bench.close());

const staff = { actor: 'Olive Owner', actorId: null };

async function refunded(amount: number, ...change: Parameters<StripeBench['charged']>): Promise<string> {
  const { id } = await bench.charged(...change);
  const request = { orderId: id, key: randomUUID(), wanted: { amount }, reason: 'Cold chips', ...staff };
  await inTransaction(bench.db, (tx) => refundOrder(tx, bench.services, request));
  await bench.jobs.run();
  return id;
}

/** The payer's bank sends back the last refund, days later. */
async function sendBack(orderId: string): Promise<void> {
  const { tables } = bench.stripe.control.books();
  const last = [...tables.refund.values()].at(-1);
  bench.stripe.control.finishRefund(last?.id ?? '', 'failed');
  await bench.payments.reconcile(orderId, true);
}

const refundsOf = (id: string) =>
  bench.db
    .selectFrom('refunds')
    .select(['id', 'status', 'amount'])
    .where('order_id', '=', id)
    .orderBy('amount')
    .execute();
const kindsOf = async (id: string) => {
  const rows = await bench.db.selectFrom('order_history').select('note').where('order_id', '=', id).execute();
  return rows.flatMap(({ note }) => note?.kind ?? []);
};

test('a refund that the bank sends back later has failed, and the order is paid again', async () => {
  const id = await refunded(1250);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
  await sendBack(id);
  await bench.payments.reconcile(id, true);
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed', amount: 1250 }]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
  expect(await kindsOf(id)).toEqual(['refund', 'refund_failed']);
});

test('what was read before its money came back, and is applied afterwards, does not make it good again', async () => {
  const id = await refunded(1250);
  const context = createPaymentContext(bench.services, []);
  const payments = bench.db.selectFrom('payments').selectAll().where('order_id', '=', id);
  const payment = await payments.executeTakeFirstOrThrow();
  const readBefore = await context.providerOf(payment).fetch(payment.reference ?? '');
  await sendBack(id);
  await inTransaction(bench.db, async (tx) =>
    applyProviderAnswer(tx, context, await lockPayment(tx, payment), readBefore),
  );
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed', amount: 1250 }]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
  expect(await kindsOf(id)).toEqual(['refund', 'refund_failed']);
});

test('its customer, who was told of the refund, is told once that it failed', async () => {
  const id = await refunded(1250, { contact: { name: 'Ada Byron', phone: '', email: 'ada@example.com' } });
  await sendBack(id);
  await bench.payments.reconcile(id, true);
  const [refund] = await refundsOf(id);
  const mails = bench.db.selectFrom('order_mails').select(['kind', 'refund_id']).where('order_id', '=', id);
  expect(await mails.orderBy('owed_at').execute()).toEqual([
    expect.objectContaining({ kind: 'placed' }),
    expect.objectContaining({ kind: 'accepted' }),
    { kind: 'refunded', refund_id: refund?.id },
    { kind: 'refund_failed', refund_id: refund?.id },
  ]);
});

test('each time that it is made after all, and each time that it fails then, is told again', async () => {
  const id = await refunded(450, { contact: { name: 'Ada Byron', phone: '', email: 'ada@example.com' } });
  await sendBack(id);
  const [refund] = await refundsOf(id);
  /** Sends what is owed, and says what that was. */
  const sent = async () => {
    const rows = await bench.db
      .updateTable('order_mails')
      .set({ mail_id: sql<string>`gen_random_uuid()` })
      .where('order_id', '=', id)
      .where('refund_id', '=', refund?.id ?? '')
      .where('mail_id', 'is', null)
      .returning('kind')
      .execute();
    return rows.map(({ kind }) => kind).toSorted();
  };
  const retry = (by: 'provider' | 'hand') =>
    inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id: refund?.id ?? '', by, ...staff }));
  expect(await sent()).toEqual(['refund_failed', 'refunded']);
  bench.wait(60);
  await retry('provider');
  await bench.jobs.run();
  expect(await sent()).toEqual(['refunded']);
  bench.wait(60);
  await sendBack(id);
  expect(await sent()).toEqual(['refund_failed']);
  bench.wait(60);
  await retry('hand');
  expect(await sent()).toEqual(['refunded']);
});

test('it can be tried again, or given back by hand', async () => {
  const id = await refunded(450);
  await sendBack(id);
  const [refund] = await refundsOf(id);
  const retry = (by: 'provider' | 'hand') =>
    inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id: refund?.id ?? '', by, ...staff }));
  await retry('provider');
  await bench.jobs.run();
  expect(await refundsOf(id)).toMatchObject([{ status: 'succeeded', amount: 450 }]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 450 });
  await sendBack(id);
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed' }]);
  await retry('hand');
  await bench.payments.reconcile(id, true);
  expect(await refundsOf(id)).toMatchObject([{ status: 'succeeded', amount: 450 }]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 450 });
});

test('what an order that ended got back, and did not reach its customer, is for staff to see', async () => {
  const { id } = await bench.paid({ method: 'pay_by_bank' });
  await bench.payments.reconcile(id);
  await bench.move(id, 'reject', { rejectReason: 'too_busy' });
  await bench.jobs.run();
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
  await sendBack(id);
  expect(await refundsOf(id)).toMatchObject([{ status: 'failed', amount: 1250 }]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
});

test('refunds that were found at the provider together fail each by itself', async () => {
  const { id, session } = await bench.charged();
  await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 179 });
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  await bench.jobs.run();
  expect(await refundsOf(id)).toMatchObject([
    { status: 'succeeded', amount: 179 },
    { status: 'succeeded', amount: 1071 },
  ]);
  await sendBack(id);
  expect(await refundsOf(id)).toMatchObject([{ status: 'succeeded' }, { status: 'failed' }]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 179 });
});

test('one that is refused, because a part was refunded at the provider meanwhile, leaves that part to be counted', async () => {
  const { id, session } = await bench.charged();
  const request = { orderId: id, key: randomUUID(), wanted: { amount: 1250 }, reason: 'Cold chips', ...staff };
  await inTransaction(bench.db, (tx) => refundOrder(tx, bench.services, request));
  await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 171 });
  await bench.payments.reconcile(id);
  await bench.jobs.run();
  expect(await refundsOf(id)).toMatchObject([
    { status: 'succeeded', amount: 171 },
    { status: 'failed', amount: 1250 },
  ]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 171 });
});

test('what was refunded at the provider, and has no room beside one that is on its way, is counted in full afterwards', async () => {
  const { id, session } = await bench.charged();
  const request = { orderId: id, key: randomUUID(), wanted: { amount: 1000 }, reason: 'Cold chips', ...staff };
  await inTransaction(bench.db, (tx) => refundOrder(tx, bench.services, request));
  await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(session).intent.id, amount: 300 });
  await bench.payments.reconcile(id);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
  await bench.jobs.run();
  expect(await refundsOf(id)).toMatchObject([
    { status: 'succeeded', amount: 300 },
    { status: 'failed', amount: 1000 },
  ]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 300 });
});

test('one that was part of what the provider refunded of everything fails in part, if some of that comes back', async () => {
  const { id, session } = await bench.charged();
  const request = { orderId: id, key: randomUUID(), wanted: { amount: 1000 }, reason: 'Cold chips', ...staff };
  await inTransaction(bench.db, (tx) => refundOrder(tx, bench.services, request));
  const { intent } = bench.atStripe(session);
  for (const amount of [700, 550]) await bench.keySet.stripe.refunds.create({ payment_intent: intent.id, amount });
  await bench.jobs.run();
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
  await sendBack(id);
  await bench.payments.reconcile(id, true);
  const rows = await refundsOf(id);
  const sumOf = (wanted: string) =>
    rows.filter(({ status }) => status === wanted).reduce((sum, { amount }) => sum + amount, 0);
  expect([sumOf('succeeded'), sumOf('failed'), sumOf('pending')]).toEqual([700, 550, 0]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 700 });
});
