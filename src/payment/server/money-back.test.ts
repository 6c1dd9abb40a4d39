import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { orderRefundWords, refundsNotMadeWords, removedDishesMoneyWords } from '#ordering/order-words.ts';
import { loadOrders, presentGuestOrder } from '#ordering/server/present-order.ts';
import { removeOrderLines } from '#ordering/server/remove-order-lines.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { chips, meal, pizza } from '#payment/testing/meal.ts';
import { workOf } from '#payment/testing/model/all-work.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

/* What an order says of the money that goes back of it, as its refunds and disputes come out at Stripe. */

const by = { actor: 'Olive Owner', actorId: null };
const day = 24 * 60 * 60;

let bench: StripeBench;
beforeEach(async () => {
  bench = await openStripeBench();
});
afterEach(() => bench.close());

const off = (orderId: string, id: string) =>
  inTransaction(bench.db, (tx) =>
    removeOrderLines(tx, bench.services, {
      orderId,
      lines: [{ line_id: id, quantity: 1 }],
      reason: 'sold_out',
      role: 'store_admin',
      by,
      now: bench.clock.now,
    }),
  );
/** What its customer is told. */
async function told(id: string) {
  const [order] = await loadOrders(bench.db, bench.services.orderParts, [id]);
  if (!order) throw new Error('the order is gone');
  const guest = presentGuestOrder(order);
  return { refunds: guest.removed_refunds, words: removedDishesMoneyWords(guest, 'GBP') };
}
const refundIds = async (orderId: string) =>
  (await bench.db.selectFrom('refunds').select('id').where('order_id', '=', orderId).orderBy('id').execute()).map(
    ({ id }) => id,
  );
async function work(times = 2): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await bench.jobs.run();
    bench.wait(360);
    await bench.payments.sweep();
  }
}
async function readStatement(): Promise<void> {
  bench.wait(day + 60);
  await workOf(bench.payments, 'bank');
  await work();
}
/** The bank sends the money of the newest refund back. */
async function sendBack(id: string): Promise<void> {
  const made = [...bench.stripe.control.books().tables.refund.values()].at(-1);
  bench.stripe.control.finishRefund(made?.id ?? '', 'failed');
  await bench.payments.reconcile(id, true);
}

describe('the money for a dish taken off a charged order', () => {
  test('is on its way, then made', async () => {
    const { id } = await bench.charged(meal);
    expect((await told(id)).refunds).toEqual([]);
    await off(id, pizza);
    expect(await told(id)).toEqual({
      refunds: [{ state: 'on_its_way', amount: 500 }],
      words: '£5.00 for what was taken off goes back to your card. Your bank shows it in 5 to 10 days.',
    });
    await bench.jobs.run();
    expect((await told(id)).refunds).toEqual([{ state: 'made', amount: 500 }]);
  });

  test('goes back where the whole charge was asked for before, though nobody knows yet that it was made', async () => {
    const { id, session } = await bench.begun(meal);
    bench.stripe.control.pay(session);
    await bench.payments.reconcile(id);
    await off(id, chips);
    expect(await told(id)).toEqual({
      refunds: [],
      words: 'Your card will be charged £10.00. What was taken off is not charged.',
    });
    await bench.move(id, 'accept');
    const path = '/v1/payment_intents/*/capture';
    bench.stripe.control.faults.add({ kind: 'reset_after', method: 'POST', path, times: 2 });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_status: 'authorised' });
    await off(id, pizza);
    expect(await told(id)).toEqual({
      refunds: [{ state: 'on_its_way', amount: 500 }],
      words: '£5.00 for what was taken off goes back to your card. Your bank shows it in 5 to 10 days.',
    });
    await bench.jobs.run();
    await bench.jobs.run();
    expect(bench.atStripe(session).charge).toMatchObject({ amount_captured: 1000, amount_refunded: 500 });
    expect((await told(id)).refunds).toEqual([{ state: 'made', amount: 500 }]);
  });

  test('is not made where the bank sends it back, until people give it back', async () => {
    const { id } = await bench.charged(meal);
    await off(id, pizza);
    await bench.jobs.run();
    await sendBack(id);
    expect(await told(id)).toEqual({
      refunds: [{ state: 'not_made', amount: 500 }],
      words:
        '£5.00 for what was taken off could not go back to your card. The shop gives it back to you in another way.',
    });
    const [refund = ''] = await refundIds(id);
    await inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id: refund, by: 'hand', ...by }));
    expect(await told(id)).toEqual({
      refunds: [{ state: 'by_hand', amount: 500 }],
      words: 'The shop gave you back £5.00 for what was taken off.',
    });
  });

  test('that failed is part of the refund of the next dish', async () => {
    const { id } = await bench.charged(meal);
    await off(id, pizza);
    await bench.jobs.run();
    await sendBack(id);
    await off(id, chips);
    expect((await told(id)).refunds).toEqual([{ state: 'on_its_way', amount: 750 }]);
    await bench.jobs.run();
    expect((await told(id)).refunds).toEqual([{ state: 'made', amount: 750 }]);
  });

  test('is not made through keys that have ended', async () => {
    const { id } = await bench.charged(meal);
    await bench.endKeys();
    await off(id, pizza);
    await work(3);
    expect((await told(id)).refunds).toEqual([{ state: 'not_made', amount: 500 }]);
  });

  test.each([
    ['won', 'made'],
    ['lost', 'by_bank'],
  ] as const)('waits while the payment is disputed; a dispute that is %s ends that', async (decision, state) => {
    const { id, session } = await bench.charged(meal);
    const dispute = bench.stripe.control.openDispute(bench.atStripe(session).charge.id, {});
    await readStatement();
    await off(id, pizza);
    await work();
    expect((await told(id)).refunds).toEqual([{ state: 'waits', amount: 500 }]);
    bench.stripe.control.closeDispute(dispute.id, decision);
    await readStatement();
    expect((await told(id)).refunds).toEqual([{ state, amount: 500 }]);
  });
});

test('of an order that goes on, a refund that did not reach its payer is told until it is made', async () => {
  const { id } = await bench.charged(meal);
  const wanted = { orderId: id, key: randomUUID(), wanted: { amount: 450 }, reason: 'Cold chips', ...by };
  await inTransaction(bench.db, (tx) => refundOrder(tx, bench.services, wanted));
  const said = async () => {
    const [order] = await loadOrders(bench.db, bench.services.orderParts, [id]);
    return order && refundsNotMadeWords(presentGuestOrder(order), 'GBP');
  };
  expect(await said()).toBeNull();
  await bench.jobs.run();
  expect(await said()).toBeNull();
  await sendBack(id);
  expect(await said()).toBe('£4.50 could not go back to your card. The shop gives it back to you in another way.');
  const [refund = ''] = await refundIds(id);
  await inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id: refund, by: 'hand', ...by }));
  expect(await said()).toBeNull();
});

describe('the money of an order that was called off', () => {
  const said = async (id: string) => {
    const [order] = await loadOrders(bench.db, bench.services.orderParts, [id]);
    return order && orderRefundWords(presentGuestOrder(order), 'GBP');
  };
  const dispute = async (session: string, amount?: number) => {
    const { charge } = bench.atStripe(session);
    const { id } = bench.stripe.control.openDispute(charge.id, { ...(amount !== undefined && { amount }) });
    await readStatement();
    return id;
  };
  const decide = async (id: string, decision: 'won' | 'lost') => {
    bench.stripe.control.closeDispute(id, decision);
    await readStatement();
  };
  const cancel = async (id: string) => {
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    await work();
  };
  const bankHasAll = 'Your bank has £12.50 of this payment while it looks at your complaint.';

  test('goes back to the card', async () => {
    const { id } = await bench.charged(meal);
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    expect(await said(id)).toBe('You get your money back. It arrives in 5 to 10 days.');
    await work();
    expect(await said(id)).toBe('Your money is on its way back. It arrives in 5 to 10 days.');
  });

  test.each([
    ['won', 'Your money is on its way back. It arrives in 5 to 10 days.'],
    ['lost', 'Your bank gave you £12.50 back.'],
  ] as const)('is at the bank during a dispute; one that is %s ends that', async (decision, words) => {
    const { id, session } = await bench.charged(meal);
    const at = await dispute(session);
    await cancel(id);
    expect(await said(id)).toBe(bankHasAll);
    await decide(at, decision);
    expect(await said(id)).toBe(words);
  });

  test('is with the payer, where the dispute was lost before', async () => {
    const { id, session } = await bench.charged(meal);
    await decide(await dispute(session), 'lost');
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    expect(await said(id)).toBe('Your bank gave you £12.50 back.');
    await work();
    expect(await said(id)).toBe('Your bank gave you £12.50 back.');
  });

  test('of which the bank has a part waits for it, and is then given back by hand', async () => {
    const { id, session } = await bench.charged(meal);
    const at = await dispute(session, 1000);
    await cancel(id);
    expect(await said(id)).toBe(
      'Your bank has £10.00 of this payment while it looks at your complaint. The shop can give back £2.50 only when your bank has decided.',
    );
    await decide(at, 'lost');
    expect(await said(id)).toBe(
      'Your bank gave you £10.00 back. £2.50 could not go back to your card. The shop gives it back to you in another way.',
    );
    const [refund = ''] = await refundIds(id);
    await inTransaction(bench.db, (tx) => retryRefund(tx, bench.services, { id: refund, by: 'hand', ...by }));
    expect(await said(id)).toBe('The shop gave you £2.50 back. Your bank gave you £10.00 back.');
  });

  test('of which a dish was taken off before is told with it', async () => {
    const { id, session } = await bench.charged(meal);
    await off(id, pizza);
    await work();
    await dispute(session, 750);
    await cancel(id);
    expect(await said(id)).toBe(
      '£5.00 was sent back to your card. Your bank shows it after 5 to 10 days. Your bank has £7.50 of this payment while it looks at your complaint.',
    );
  });

  test('is given back in another way, where the bank sends it back', async () => {
    const { id } = await bench.charged(meal);
    await cancel(id);
    await sendBack(id);
    expect(await said(id)).toBe('£12.50 could not go back to your card. The shop gives it back to you in another way.');
  });
});
