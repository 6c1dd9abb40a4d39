import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paymentStatuses } from '#ordering/payment-status.ts';
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
    const { id, session } = await bench.begun();
    await bench.payments.payAgain(id, 'cash');
    bench.stripe.control.pay(session, { method: 'pay_by_bank' });
    await bench.payments.reconcile(id);
    await bench.move(id, 'accept');
    await bench.move(id, 'collected-by-customer');
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_method: 'cash', payment_status: 'paid', refunded: 0 });
    expect(await refundsOf(id)).toEqual([]);
  });
});
