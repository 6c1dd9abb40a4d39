import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { removeOrderLines } from '#ordering/server/remove-order-lines.ts';
import { refreshDispute } from '#payment/server/bank/refresh-bank.ts';
import { createPaymentContext } from '#payment/server/create-context.ts';
import { compareOrdersWithMoney } from '#payment/server/journal/compare-orders.ts';
import { readOrderPayments } from '#payment/server/read-payments.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { owedCallQueues } from '#payment/server/owed-calls.ts';
import { sweepPayments } from '#payment/server/settle-payments.ts';
import { orderLine } from '#payment/testing/order-line.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

/* What the owner refunds on Stripe's page, beside what the shop refunds. */

let bench: StripeBench;
beforeAll(async () => {
  bench = await openStripeBench();
});
afterAll(() => bench.close());

const by = { actor: 'Olive Owner', actorId: null };

const [pizza, chips] = [randomUUIDv7(), randomUUIDv7()];
/** A pizza at £8.50 and chips at £4. */
const meal = {
  lines: [orderLine(pizza, 'Pizza', 1, 850), orderLine(chips, 'Chips', 1, 400)],
  subtotal: 1250,
  total: 1250,
  vat: [{ rate: 2000, net: 1042, vat: 208 }],
};

async function chargedMeal(): Promise<{ id: string; session: string }> {
  const order = await bench.begun(meal);
  bench.stripe.control.pay(order.session);
  await bench.payments.reconcile(order.id);
  await bench.move(order.id, 'accept');
  await bench.jobs.run();
  return order;
}
const takeChipsOff = (orderId: string) =>
  inTransaction(bench.db, (tx) =>
    removeOrderLines(tx, bench.services, {
      orderId,
      lines: [{ line_id: chips, quantity: 1 }],
      reason: 'sold_out',
      role: 'store_admin',
      by,
      now: bench.clock.now,
    }),
  );
const ask = (orderId: string, amount: number) =>
  inTransaction(bench.db, (tx) =>
    refundOrder(tx, bench.services, { orderId, key: randomUUID(), wanted: { amount }, reason: 'Cold', ...by }),
  );
const retry = (id: string, how: 'provider' | 'hand') =>
  inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id, by: how, ...by }));
const refundAtStripe = (session: string, amount?: number) =>
  bench.keySet.stripe.refunds.create({
    payment_intent: bench.atStripe(session).intent.id,
    ...(amount !== undefined && { amount }),
  });
/** The payer's bank sends the newest refund back. */
async function sendLastBack(orderId: string): Promise<void> {
  const made = [...bench.stripe.control.books().tables.refund.values()].at(-1);
  bench.stripe.control.finishRefund(made?.id ?? '', 'failed');
  await bench.payments.reconcile(orderId, true);
}
const refundsOf = async (id: string) => (await readOrderPayments(bench.db, id)).refunds;
const disagreements = async () => (await compareOrdersWithMoney(bench.db, bench.clock.now)).disagreements;

test('a part that was refunded before the shop heard of the payment is counted at once', async () => {
  const { id, session } = await bench.paid({ method: 'pay_by_bank' });
  await refundAtStripe(session, 399);
  await bench.payments.reconcile(id);
  expect(await bench.order(id)).toMatchObject({
    status: 'placed',
    payment_status: 'partially_refunded',
    refunded: 399,
  });
  expect(await refundsOf(id)).toMatchObject([{ kind: 'at_provider', status: 'succeeded', amount: 399 }]);
  expect(await disagreements()).toEqual([]);
});

test('what went back and came back again before the shop heard of the payment is the order’s', async () => {
  const { id, session } = await bench.paid({ method: 'pay_by_bank' });
  const { id: made } = await refundAtStripe(session, 399);
  bench.stripe.control.finishRefund(made, 'failed');
  await bench.payments.reconcile(id);
  expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'paid', refunded: 0 });
  expect(await refundsOf(id)).toEqual([]);
  expect(await disagreements()).toEqual([]);
});

test('a charge that was undone before the shop heard of it leaves its order to be paid again', async () => {
  const { id, session } = await bench.paid({ method: 'pay_by_bank' });
  const [first] = [await refundAtStripe(session, 1000), await refundAtStripe(session, 250)];
  await bench.payments.reconcile(id);
  expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'unpaid', refunded: 0 });
  expect(await refundsOf(id)).toEqual([]);
  // What comes back of it is the payer's, and nobody else would give it back.
  bench.stripe.control.finishRefund(first?.id ?? '', 'failed');
  await bench.payments.reconcile(id, true);
  const [failed] = await refundsOf(id);
  expect(failed).toMatchObject({ kind: 'late_payment', status: 'failed', amount: 1000 });
  expect(await bench.order(id)).toMatchObject({ payment_status: 'unpaid', refunded: 0 });
  await retry(failed?.id ?? '', 'provider');
  await bench.jobs.run();
  expect(bench.atStripe(session).charge.amount_refunded).toBe(1250);
  expect(await disagreements()).toEqual([]);
});

test('a charge that was undone after its order ended, before the shop heard of it, is told as a payment and refunds', async () => {
  const { id, session } = await bench.begun();
  await bench.move(id, 'cancel', { reason: 'Changed my mind' });
  bench.stripe.control.pay(session, { method: 'pay_by_bank' });
  const [first] = [await refundAtStripe(session, 1000), await refundAtStripe(session, 250)];
  await bench.jobs.run();
  await bench.payments.reconcile(id, true);
  expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded', refunded: 1250 });
  const made = async () => (await refundsOf(id)).toSorted((a, b) => a.amount - b.amount);
  expect(await made()).toMatchObject([
    { kind: 'at_provider', status: 'succeeded', amount: 250 },
    { kind: 'at_provider', status: 'succeeded', amount: 1000 },
  ]);
  bench.stripe.control.finishRefund(first?.id ?? '', 'failed');
  await bench.payments.reconcile(id, true);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 250 });
  expect(await made()).toMatchObject([
    { status: 'succeeded', amount: 250 },
    { status: 'failed', amount: 1000 },
  ]);
  await retry((await made()).at(-1)?.id ?? '', 'hand');
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
  expect(await disagreements()).toEqual([]);
});

test('a dish whose refund is on its way is refunded although all the rest was refunded before it', async () => {
  const { id, session } = await chargedMeal();
  await takeChipsOff(id);
  const [ofChips] = await bench.jobs.pending();
  await ask(id, 850);
  const [, ofRest] = (await bench.jobs.pending()).filter(({ queue }) => queue === 'payment.refund');
  await bench.jobs.attempt(ofRest?.id ?? '');
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 850 });
  await bench.jobs.attempt(ofChips?.id ?? '');
  expect(await refundsOf(id)).toMatchObject([
    { kind: 'line_removed', status: 'succeeded', amount: 400 },
    { kind: 'asked', status: 'succeeded', amount: 850 },
  ]);
  expect(bench.atStripe(session).charge.amount_refunded).toBe(1250);
  expect(await disagreements()).toEqual([]);
});

test('a refund that failed is not given back by hand after everything was refunded at Stripe', async () => {
  const { id, session } = await chargedMeal();
  await takeChipsOff(id);
  await bench.jobs.run();
  await sendLastBack(id);
  const [failed] = await refundsOf(id);
  expect(failed).toMatchObject({ kind: 'line_removed', status: 'failed', amount: 400 });
  await refundAtStripe(session);
  await bench.payments.reconcile(id, true);
  await expect(retry(failed?.id ?? '', 'hand')).rejects.toMatchObject({ code: 'conflict' });
  await expect(retry(failed?.id ?? '', 'provider')).rejects.toMatchObject({ code: 'conflict' });
  expect(await disagreements()).toEqual([]);
});

test('of a dish whose refund Stripe refuses, because more was refunded there, the rest is given back by hand', async () => {
  const { id, session } = await chargedMeal();
  await takeChipsOff(id);
  await refundAtStripe(session, 1000);
  await bench.jobs.run();
  const ofChips = (await refundsOf(id)).find(({ kind }) => kind === 'line_removed');
  expect(ofChips).toMatchObject({ status: 'failed', amount: 400 });
  await retry(ofChips?.id ?? '', 'hand');
  expect((await refundsOf(id)).filter(({ kind }) => kind === 'line_removed')).toMatchObject([
    { status: 'failed', amount: 150, lines: [] },
    { status: 'succeeded', payment_id: null, amount: 250, lines: [] },
  ]);
  expect(await disagreements()).toEqual([]);
});

test('what was given back by hand is not refunded again when the order is cancelled', async () => {
  const { id, session } = await chargedMeal();
  await ask(id, 400);
  await bench.jobs.run();
  await sendLastBack(id);
  const [failed] = await refundsOf(id);
  await retry(failed?.id ?? '', 'hand');
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  await bench.jobs.run();
  expect(bench.atStripe(session).charge.amount_refunded).toBe(850);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
  expect(await bench.paymentsOf(id)).toMatchObject([{ status: 'captured', owed: null, check_at: null }]);
  expect(await disagreements()).toEqual([]);
});

test('the part that was not given back by hand is refunded once, also if the answer is lost', async () => {
  const { id, session } = await chargedMeal();
  await ask(id, 800);
  await bench.jobs.run();
  await sendLastBack(id);
  const [failed] = await refundsOf(id);
  await retry(failed?.id ?? '', 'hand');
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  bench.stripe.control.faults.add({ kind: 'reset_after', method: 'POST', path: '/v1/refunds', times: 3 });
  const release = (await bench.jobs.pending()).findLast(({ queue }) => queue === owedCallQueues.release);
  await bench.jobs.attempt(release?.id ?? '').catch(() => undefined);
  expect(bench.atStripe(session).charge.amount_refunded).toBe(450);
  bench.stripe.control.faults.clear();
  await bench.jobs.run();
  await bench.payments.reconcile(id, true);
  expect(bench.atStripe(session).charge.amount_refunded).toBe(450);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
});

test('a refund whose answer was lost, and of which a message tells, is made, and is not kept when the order is cancelled', async () => {
  const { id, session } = await chargedMeal();
  await ask(id, 400);
  await bench.jobs.run();
  await sendLastBack(id);
  const [failed] = await refundsOf(id);
  await retry(failed?.id ?? '', 'hand');
  await ask(id, 300);
  const refund = (await bench.jobs.pending()).findLast(({ queue }) => queue === 'payment.refund');
  bench.stripe.control.faults.add({ kind: 'reset_after', method: 'POST', path: '/v1/refunds', times: 2 });
  await bench.jobs.attempt(refund?.id ?? '').catch(() => undefined);
  bench.stripe.control.faults.clear();
  await bench.payments.reconcile(id);
  expect(await refundsOf(id)).toMatchObject([{ amount: 400 }, { status: 'succeeded', amount: 300 }]);
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  const release = (await bench.jobs.pending()).findLast(({ queue }) => queue === owedCallQueues.release);
  await bench.jobs.attempt(release?.id ?? '');
  await bench.jobs.run();
  expect(bench.atStripe(session).charge.amount_refunded).toBe(850);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
  expect(await disagreements()).toEqual([]);
});

test('what was refunded at Stripe beside a dispute is not asked for again when the dispute is lost', async () => {
  const { id, session } = await bench.charged();
  await refundAtStripe(session, 250);
  const { id: dispute } = bench.stripe.control.openDispute(bench.atStripe(session).charge.id, { amount: 1000 });
  await hearOf(dispute);
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  await bench.jobs.run();
  bench.stripe.control.closeDispute(dispute, 'lost');
  await hearOf(dispute);
  await bench.jobs.run();
  expect(await refundsOf(id)).toMatchObject([{ kind: 'at_provider', status: 'succeeded', amount: 250 }]);
  expect(await bench.paymentsOf(id)).toMatchObject([{ status: 'captured', owed: null }]);
  expect(await disagreements()).toEqual([]);
});

test('what was refunded at Stripe while a refund waited for a dispute is counted once the dispute is lost', async () => {
  const { id, session } = await chargedMeal();
  await takeChipsOff(id);
  await refundAtStripe(session, 1150);
  const { id: dispute } = bench.stripe.control.openDispute(bench.atStripe(session).charge.id, { amount: 100 });
  await hearOf(dispute);
  await bench.payments.reconcile(id, true);
  await bench.jobs.run();
  expect(await refundsOf(id)).toMatchObject([{ kind: 'line_removed', status: 'pending', amount: 400 }]);
  bench.stripe.control.closeDispute(dispute, 'lost');
  await hearOf(dispute);
  await bench.jobs.run();
  expect(await refundsOf(id)).toMatchObject([
    { kind: 'line_removed', status: 'failed', amount: 400 },
    { kind: 'at_provider', status: 'succeeded', amount: 850 },
  ]);
  expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 850 });
});

test('what comes back of a refund at Stripe while the rest was going back is refunded as well', async () => {
  const { id, session } = await bench.charged();
  const { id: made } = await refundAtStripe(session, 96);
  await bench.payments.reconcile(id, true);
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  bench.stripe.control.faults.add({ kind: 'reset_after', method: 'POST', path: '/v1/refunds', times: 3 });
  const release = (await bench.jobs.pending()).findLast(({ queue }) => queue === owedCallQueues.release);
  await bench.jobs.attempt(release?.id ?? '').catch(() => undefined);
  expect(bench.atStripe(session).charge.amount_refunded).toBe(1250);
  bench.stripe.control.finishRefund(made, 'failed');
  expect(bench.atStripe(session).charge.amount_refunded).toBe(1154);
  bench.clock.now = new Date(bench.clock.now.getTime() + 60_000);
  await bench.jobs.run();
  await sweepPayments(createPaymentContext(bench.services, []));
  expect(bench.atStripe(session).charge.amount_refunded).toBe(1250);
  expect(await bench.paymentsOf(id)).toMatchObject([{ owed: null }]);
});

// The last one: its order stays wrong.
test('of a hold that the owner captured in part at Stripe, the check of the money says what is missing', async () => {
  const { id, session } = await bench.paid();
  await bench.payments.reconcile(id);
  await bench.keySet.stripe.paymentIntents.capture(bench.atStripe(session).intent.id, { amount_to_capture: 500 });
  await bench.move(id, 'accept');
  await bench.jobs.run();
  await bench.payments.reconcile(id, true);
  expect(await disagreements()).toMatchObject([{ order_id: id, kind: 'kept', expected: 1250, found: 500 }]);
});

/** A message about the dispute; those about refunds are lost. */
const hearOf = (dispute: string) => refreshDispute(createPaymentContext(bench.services, []), bench.keySet.id, dispute);
