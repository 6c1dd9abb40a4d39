import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paymentStatuses } from '#ordering/payment-status.ts';
import { inTransaction } from '#database/transaction.ts';
import { refreshDispute } from '#payment/server/bank/refresh-bank.ts';
import { createPaymentContext } from '#payment/server/create-context.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

let bench: StripeBench;
beforeAll(async () => {
  bench = await openStripeBench();
});
beforeEach(() => bench.stripe.control.faults.clear());
afterAll(() => bench.close());

const refundsOf = (id: string) =>
  bench.db
    .selectFrom('refunds')
    .select(['kind', 'amount', 'status'])
    .where('order_id', '=', id)
    .orderBy('id')
    .execute();

/** An order whose customer chose cash, and was charged by their bank all the same. */
async function chargedAfterCash(): Promise<string> {
  const { id, session } = await bench.begun();
  await bench.payments.payAgain(id, 'cash');
  bench.stripe.control.pay(session, { method: 'pay_by_bank' });
  await bench.payments.reconcile(id);
  return id;
}

test('a charge beside cash goes back once, also if the owner’s refund of it came back before the shop heard', async () => {
  const { id, session } = await bench.begun();
  await bench.payments.payAgain(id, 'cash');
  bench.stripe.control.pay(session, { method: 'pay_by_bank' });
  const { id: made } = await bench.keySet.stripe.refunds.create({
    payment_intent: bench.atStripe(session).intent.id,
    amount: 399,
  });
  bench.stripe.control.finishRefund(made, 'failed');
  await bench.payments.reconcile(id);
  await bench.jobs.run();
  expect(bench.atStripe(session).charge.amount_refunded).toBe(1250);
  expect(await refundsOf(id)).toEqual([]);
});

describe('a charge that arrives after its order has ended', () => {
  test('is said to be on its way back, and never that nothing was taken', async () => {
    const { id, session } = await bench.begun();
    await bench.move(id, 'cancel', { reason: 'Changed my mind' });
    bench.stripe.control.pay(session, { method: 'pay_by_bank' });
    await bench.payments.reconcile(id);
    const { payment_status: says } = await bench.order(id);
    expect(paymentStatuses[says]).toMatchObject({ isRefundable: true });
  });

  test('is a payment and a refund of the order, so that takings are what is kept', async () => {
    const { id, session } = await bench.begun();
    await bench.move(id, 'expire');
    bench.stripe.control.pay(session, { method: 'pay_by_bank' });
    await bench.payments.reconcile(id);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'expired', payment_status: 'refunded', refunded: 1250 });
    expect(await refundsOf(id)).toEqual([{ kind: 'order_ended', amount: 1250, status: 'succeeded' }]);
  });

  test('does not pay an order that goes on without it', async () => {
    const id = await chargedAfterCash();
    await bench.move(id, 'accept');
    await bench.move(id, 'collected-by-customer');
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_method: 'cash', payment_status: 'paid', refunded: 0 });
    expect(await refundsOf(id)).toEqual([]);
  });
});

describe('the refund of a charge that its order did not need', () => {
  const staff = { actor: 'Olive Owner', actorId: null };

  /** An order paid in cash, whose late charge went back by itself; the payer's bank then sends that refund back. */
  async function returned(): Promise<string> {
    const id = await chargedAfterCash();
    await bench.move(id, 'accept');
    await bench.move(id, 'collected-by-customer');
    await bench.jobs.run();
    await sendBack(id);
    return id;
  }
  async function sendBack(id: string): Promise<void> {
    const last = [...bench.stripe.control.books().tables.refund.values()].at(-1);
    bench.stripe.control.finishRefund(last?.id ?? '', 'failed');
    await bench.payments.reconcile(id, true);
  }
  async function retry(id: string, by: 'provider' | 'hand'): Promise<void> {
    const { id: refund } = await bench.db
      .selectFrom('refunds')
      .select('id')
      .where('order_id', '=', id)
      .where('kind', '=', 'late_payment')
      .executeTakeFirstOrThrow();
    await inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id: refund, by, ...staff }));
    await bench.jobs.run();
  }
  const notesOf = async (id: string) => {
    const rows = await bench.db.selectFrom('order_history').select('note').where('order_id', '=', id).execute();
    return rows.flatMap(({ note }) => note?.kind ?? []);
  };
  const kept = { payment_method: 'cash', payment_status: 'paid', refunded: 0 };

  test('is for people to make when it comes back, and is told once', async () => {
    const id = await returned();
    await bench.payments.reconcile(id, true);
    expect(await refundsOf(id)).toEqual([{ kind: 'late_payment', amount: 1250, status: 'failed' }]);
    expect((await notesOf(id)).filter((kind) => kind === 'refund_failed')).toHaveLength(1);
    expect(await bench.order(id)).toMatchObject(kept);
  });

  test('can be tried again, and come back again', async () => {
    const id = await returned();
    await retry(id, 'provider');
    expect(await refundsOf(id)).toEqual([{ kind: 'late_payment', amount: 1250, status: 'succeeded' }]);
    expect(await bench.order(id)).toMatchObject(kept);
    await sendBack(id);
    expect(await refundsOf(id)).toEqual([{ kind: 'late_payment', amount: 1250, status: 'failed' }]);
    expect(await bench.order(id)).toMatchObject(kept);
  });

  test('can be made by hand, and the order keeps what it took in cash', async () => {
    const id = await returned();
    await retry(id, 'hand');
    await bench.payments.reconcile(id, true);
    expect(await refundsOf(id)).toEqual([{ kind: 'late_payment', amount: 1250, status: 'succeeded' }]);
    expect(await bench.order(id)).toMatchObject(kept);
  });

  /** Half of a charge that the order did not need is disputed, and lost, before it could go back. */
  async function lostHalf(): Promise<{ id: string; dispute: string; charge: string }> {
    const { id, session } = await bench.begun();
    await bench.payments.payAgain(id, 'cash');
    bench.stripe.control.pay(session, { method: 'pay_by_bank' });
    const charge = bench.atStripe(session).charge.id;
    const { id: dispute } = bench.stripe.control.openDispute(charge, { amount: 625 });
    await hearOf(dispute);
    await bench.payments.reconcile(id);
    await bench.move(id, 'accept');
    await bench.move(id, 'collected-by-customer');
    const wanted = { amount: 1000 };
    await inTransaction(bench.db, (tx) =>
      refundOrder(tx, bench.services, { orderId: id, key: randomUUID(), wanted, reason: 'Cold', ...staff }),
    );
    await bench.jobs.run();
    bench.stripe.control.closeDispute(dispute, 'lost');
    await hearOf(dispute);
    await bench.jobs.run();
    return { id, dispute, charge };
  }
  const hearOf = (dispute: string) =>
    refreshDispute(createPaymentContext(bench.services, []), bench.keySet.id, dispute);
  const refundedCash = { kind: 'asked', amount: 1000, status: 'succeeded' };

  test('is not made smaller by what was given back of the cash', async () => {
    const { id } = await lostHalf();
    expect(await refundsOf(id)).toEqual([refundedCash, { kind: 'late_payment', amount: 625, status: 'failed' }]);
  });

  test('is made once the dispute is won after all', async () => {
    const { id, dispute, charge } = await lostHalf();
    bench.stripe.control.closeDispute(dispute, 'won');
    await hearOf(dispute);
    await bench.jobs.run();
    expect(bench.stripe.control.books().tables.charge.get(charge)?.amount_refunded).toBe(1250);
    expect(await bench.order(id)).toMatchObject({ payment_method: 'cash', refunded: 1000 });
    await expect(retry(id, 'hand')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is for people to make as well when the keys have ended with which it could be asked for', async () => {
    const id = await chargedAfterCash();
    await bench.endKeys();
    await bench.jobs.run();
    expect(await refundsOf(id)).toEqual([{ kind: 'late_payment', amount: 1250, status: 'failed' }]);
    await retry(id, 'hand');
    expect(await refundsOf(id)).toEqual([{ kind: 'late_payment', amount: 1250, status: 'succeeded' }]);
    expect(await bench.order(id)).toMatchObject({ payment_method: 'cash', payment_status: 'unpaid', refunded: 0 });
  });
});
