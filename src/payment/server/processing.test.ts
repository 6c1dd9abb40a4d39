import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAwaitingProvider } from '#payment/awaiting-provider.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import { openStripeBench, type StripeBench } from '#payment/testing/stripe-bench.ts';

/* A payer who has paid on the page, and whose bank has not answered yet. */

let bench: StripeBench;
beforeEach(async () => {
  bench = await openStripeBench();
});
afterEach(() => bench.close());

/** An order whose payer has paid by their bank. */
async function paidByBank(): Promise<{ id: string; intent: string }> {
  const { id, session } = await bench.begun();
  bench.stripe.control.pay(session, { method: 'pay_by_bank', bank: 'later' });
  await bench.payments.reconcile(id);
  return { id, intent: bench.atStripe(session).intent.id };
}
async function shown(id: string) {
  const [order] = await loadOrders(bench.db, bench.services.orderParts, [id]);
  if (!order) throw new Error('the order is gone');
  return presentOrder(order, 'customer', bench.clock.now, { withSession: false, readerId: null });
}
const eventsOf = async (id: string) =>
  (await bench.db.selectFrom('outbox').select('event').where('subject_id', '=', id).execute()).map(
    ({ event }) => event,
  );

test('the order says that the bank is being asked, and tells those who look at it once', async () => {
  const { id } = await paidByBank();
  await bench.payments.reconcile(id);
  const order = await shown(id);
  expect(order).toMatchObject({ status: 'pending_payment', payment_status: 'unpaid', payment_processing: true });
  expect(isAwaitingProvider(order)).toBe(false);
  expect(order.version).toBe(2);
  expect(await eventsOf(id)).toEqual(['order.updated']);
});

test('a bank that pays places it', async () => {
  const { id, intent } = await paidByBank();
  bench.stripe.control.finishPayment(intent, true);
  await bench.payments.reconcile(id);
  expect(await shown(id)).toMatchObject({ status: 'placed', payment_status: 'paid', payment_processing: false });
});

test('a bank that refuses leaves it to be paid again', async () => {
  const { id, intent } = await paidByBank();
  bench.stripe.control.finishPayment(intent, false);
  await bench.payments.reconcile(id);
  const refused = await shown(id);
  expect(refused).toMatchObject({ status: 'pending_payment', payment_status: 'failed', payment_processing: false });
  await bench.payments.begin(id);
  const again = await shown(id);
  expect(again).toMatchObject({ payment_status: 'unpaid', payment_processing: false });
  expect(isAwaitingProvider(again)).toBe(true);
});

test('an order that is cancelled or expires meanwhile keeps no money, and says so once the payment is cancelled', async () => {
  for (const call of ['cancel', 'expire'] as const) {
    const { id, intent } = await paidByBank();
    await bench.move(id, call, call === 'cancel' ? { reason: 'No more rice' } : {});
    expect(await shown(id)).toMatchObject({ payment_processing: true });
    const before = (await eventsOf(id)).length;
    await bench.jobs.run();
    expect(await shown(id)).toMatchObject({ payment_processing: false });
    expect(await eventsOf(id)).toHaveLength(before + 1);
    expect(bench.stripe.control.books().tables.payment_intent.get(intent)).toMatchObject({ status: 'canceled' });
  }
});
