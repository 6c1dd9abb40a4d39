import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { createPaymentContext } from '#payment/server/create-context.ts';
import { fetchPaymentsSinceBackup } from '#payment/server/since-copy/ask-providers.ts';
import {
  restartProviderReads,
  scheduleProviderReads,
  readPaymentsSinceBackup,
} from '#payment/server/since-copy/provider-reads.ts';
import { refundUnknownPayment } from '#payment/server/since-copy/unknown-payments.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

/* Payments, refunds and disputes at a provider that are newer than a restored copy. */

let bench: StripeBench;
let copied: Date;
beforeAll(async () => {
  bench = await openStripeBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  // Payments of earlier tests are too old to be listed.
  bench.wait(3 * 60 * 60);
  bench.stripe.control.faults.clear();
  copied = bench.clock.now;
});

const context = () => createPaymentContext(bench.services, []);
const ask = () => fetchPaymentsSinceBackup(context());
async function restore(): Promise<void> {
  await inTransaction(bench.db, (tx) => scheduleProviderReads(tx, copied, bench.clock.now));
}
const since = () => readPaymentsSinceBackup(bench.db);
/** A page at Stripe of an order that no copy has. */
async function pageOf(amount = 1250): Promise<{ paymentId: string; session: string; intent: string }> {
  const paymentId = randomUUIDv7();
  const metadata = { payment_id: paymentId, order_id: randomUUIDv7() };
  const price_data = { currency: 'gbp', unit_amount: amount, product_data: { name: 'Pizza' } };
  const session = await bench.keySet.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price_data, quantity: 1 }],
    metadata,
    payment_intent_data: { metadata, description: 'Napoli: Order 12', capture_method: 'manual' },
    success_url: 'https://shop.example/',
  });
  return { paymentId, session: session.id, intent: '' };
}
async function paidUnknown(isCaptured = true): Promise<{ paymentId: string; session: string; intent: string }> {
  const page = await pageOf();
  bench.stripe.control.pay(page.session);
  const { intent } = bench.atStripe(page.session);
  if (isCaptured) await bench.keySet.stripe.paymentIntents.capture(intent.id);
  return { ...page, intent: intent.id };
}
const refundsAt = (intent: string) =>
  [...bench.stripe.control.books().tables.refund.values()].filter((refund) => refund.payment_intent === intent);
const changes = () =>
  bench.stripe.control.log.filter(({ method, path }) => method === 'POST' && !path.includes('sessions')).length;

test('every payment without its order is listed, page by page, and nothing is changed at the provider', async () => {
  const [charged, held, open] = [await paidUnknown(), await paidUnknown(false), await pageOf()];
  const others = await Promise.all(Array.from({ length: 60 }, () => pageOf()));
  for (const { session } of others) await bench.keySet.stripe.checkout.sessions.expire(session);
  await restore();
  const before = changes();
  await ask();
  expect(changes()).toBe(before);
  const { readings, payments } = await since();
  expect(readings).toEqual([expect.objectContaining({ state: 'answered', payments: 63, failure: null })]);
  const found = Object.fromEntries(payments.map(({ id, state, description }) => [id, [state, description]]));
  expect(found).toEqual({
    [charged.paymentId]: ['captured', 'Napoli: Order 12'],
    [held.paymentId]: ['authorised', 'Napoli: Order 12'],
    [open.paymentId]: ['open', null],
  });
});

test('money of others at the same account is not listed', async () => {
  const price_data = { currency: 'gbp', unit_amount: 500, product_data: { name: 'Hat' } };
  const { id } = await bench.keySet.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price_data, quantity: 1 }],
    success_url: 'https://hats.example/',
  });
  bench.stripe.control.pay(id);
  await restore();
  await ask();
  expect(await since()).toMatchObject({ payments: [], readings: [{ payments: 0 }] });
});

test('payments, refunds and disputes of known orders are reconciled as ever', async () => {
  const [refunded, disputed, held] = [await bench.charged(), await bench.charged(), await bench.paid()];
  bench.wait(2 * 60 * 60);
  copied = bench.clock.now;
  await restore();
  // By the old shop, after the copy.
  await bench.keySet.stripe.refunds.create({ payment_intent: bench.atStripe(refunded.session).intent.id, amount: 399 });
  bench.stripe.control.openDispute(bench.atStripe(disputed.session).charge.id);
  await ask();
  expect(await bench.order(refunded.id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 399 });
  expect(await bench.order(held.id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  expect(await since()).toMatchObject({ payments: [], disputes: 1, readings: [{ state: 'answered' }] });
});

test('a provider that does not answer is said, and asked again later or by a person', async () => {
  const { paymentId } = await paidUnknown();
  await restore();
  bench.stripe.control.faults.setDown(true);
  await ask();
  expect(await since()).toMatchObject({ payments: [], readings: [{ state: 'failed', failure: 'unreachable' }] });
  bench.stripe.control.faults.setDown(false);
  await ask();
  expect((await since()).readings).toMatchObject([{ state: 'failed' }]);
  bench.wait(16);
  await ask();
  expect(await since()).toMatchObject({ payments: [{ id: paymentId }], readings: [{ state: 'answered' }] });
  const later = await paidUnknown();
  await inTransaction(bench.db, (tx) => restartProviderReads(tx, copied, bench.clock.now));
  expect((await since()).readings).toMatchObject([{ state: 'asking', payments: 0 }]);
  await ask();
  expect((await since()).payments.map(({ id }) => id)).toContain(later.paymentId);
});

test('refused keys are said in the provider’s words', async () => {
  await restore();
  bench.stripe.control.faults.add({
    kind: 'refused',
    method: 'GET',
    path: '/v1/checkout/sessions',
    refusal: { message: 'Expired API Key provided', status: 401 },
  });
  await ask();
  expect((await since()).readings).toMatchObject([
    { state: 'failed', failure: 'keys_refused', said: expect.stringContaining('Expired') },
  ]);
});

test('a payment is given back once, whoever taps, how often, and whatever the old shop did', async () => {
  const [twice, old, held, open] = [await paidUnknown(), await paidUnknown(), await paidUnknown(false), await pageOf()];
  await restore();
  await ask();
  await Promise.all([
    refundUnknownPayment(context(), twice.paymentId),
    refundUnknownPayment(context(), twice.paymentId),
  ]);
  await refundUnknownPayment(context(), twice.paymentId);
  // The old shop refunded it after the list was made.
  await bench.keySet.stripe.refunds.create({ payment_intent: old.intent });
  await refundUnknownPayment(context(), old.paymentId);
  await refundUnknownPayment(context(), held.paymentId);
  await refundUnknownPayment(context(), open.paymentId);
  for (const { intent } of [twice, old]) expect(refundsAt(intent).map(({ amount }) => amount)).toEqual([1250]);
  expect(bench.atStripe(held.session).intent.status).toBe('canceled');
  const states = Object.fromEntries((await since()).payments.map(({ id, state }) => [id, state]));
  expect(states).toEqual({
    [twice.paymentId]: 'refunded',
    [old.paymentId]: 'refunded',
    [held.paymentId]: 'voided',
  });
});

test('a part that the old shop had given back is not given back again', async () => {
  const { paymentId, intent } = await paidUnknown();
  await bench.keySet.stripe.refunds.create({ payment_intent: intent, amount: 250 });
  await restore();
  await ask();
  expect((await since()).payments).toMatchObject([{ captured: 1250, refunded: 250 }]);
  await refundUnknownPayment(context(), paymentId);
  expect(refundsAt(intent).reduce((sum, { amount }) => sum + amount, 0)).toBe(1250);
});

test('a refund that failed can be made again, and one whose answer was lost is not repeated', async () => {
  const { paymentId, intent } = await paidUnknown();
  await restore();
  await ask();
  bench.stripe.control.faults.add({ kind: 'reset_after', method: 'POST', path: '/v1/refunds', times: 2 });
  await expect(refundUnknownPayment(context(), paymentId)).rejects.toMatchObject({ code: 'payment_unavailable' });
  await refundUnknownPayment(context(), paymentId);
  expect(refundsAt(intent)).toHaveLength(1);
  bench.stripe.control.finishRefund(refundsAt(intent)[0]?.id ?? '', 'failed');
  await refundUnknownPayment(context(), paymentId);
  expect(refundsAt(intent).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
});

test('money that the payer’s bank has is not given back twice', async () => {
  const { paymentId, session, intent } = await paidUnknown();
  bench.stripe.control.openDispute(bench.atStripe(session).charge.id);
  await restore();
  await ask();
  expect((await since()).payments).toMatchObject([{ id: paymentId, dispute_status: 'needs_response' }]);
  await expect(refundUnknownPayment(context(), paymentId)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('bank has this money'),
  });
  expect(refundsAt(intent)).toEqual([]);
});
