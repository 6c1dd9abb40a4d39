import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';
import { markPaid } from '#payment/server/mark-paid.ts';
import { insertKeySet } from '#payment/testing/bank-bench.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

test('a capture that is refused to one worker and made for another pays the order', async () => {
  const { id, url } = await bench.placed();
  const holdNext = () => bench.provider.hold(bench.referenceOf(url));
  await bench.move(id, 'accept');
  bench.wait(21);

  const sweepLooks = holdNext();
  const swept = bench.payments.sweep();
  await sweepLooks.reached;
  const [jobLooks, jobTakes, jobLooksAgain] = [holdNext(), holdNext(), holdNext()];
  bench.provider.moods.push('fine', 'refused');
  jobLooks.release();
  jobTakes.release();
  const worked = bench.jobs.run();
  await jobLooksAgain.reached;
  const sweepTakes = holdNext();
  sweepLooks.release();
  await sweepTakes.reached;
  expect(bench.kept(url)).toMatchObject({ state: 'captured' });
  jobLooksAgain.release();
  await worked;
  sweepTakes.release();
  await swept;
  await bench.jobs.run();

  expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1, refunds: 0 });
  expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
  expect(await bench.paymentsOf(id)).toEqual([{ status: 'captured', owed: null, failure: null, check_at: null }]);
});

describe('a capture whose answer is lost, by a provider that is out for a day', () => {
  async function loseAnswer(): Promise<{ id: string; url: string }> {
    const order = await bench.placed();
    await bench.move(order.id, 'accept');
    bench.provider.moods.push('fine', 'answer_lost');
    await bench.jobs.run();
    bench.provider.moods.push(...Array<'lost'>(40).fill('lost'));
    bench.wait(25 * 3600);
    await bench.payments.sweep();
    bench.provider.moods.length = 0;
    expect(bench.kept(order.url)).toMatchObject({ state: 'captured' });
    expect(await bench.order(order.id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
    return order;
  }
  const refundsOf = (orderId: string) =>
    bench.db.selectFrom('refunds').select(['kind', 'amount', 'status']).where('order_id', '=', orderId).execute();

  test('pays the order once it is seen', async () => {
    const { id, url } = await loseAnswer();
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1, refunds: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid', refunded: 0 });
  });

  test('pays the order also where a message of the provider is the first to tell', async () => {
    const { id, url } = await loseAnswer();
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', refunds: 0 });
  });

  test('is given back, and told of, where the order was cancelled', async () => {
    const { id, url } = await loseAnswer();
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'refunded', captures: 1, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded', refunded: 1250 });
    expect(await refundsOf(id)).toEqual([{ kind: 'order_ended', amount: 1250, status: 'succeeded' }]);
  });

  test('and that the payer’s bank took a part of, paid in cash since, is left to people for the rest', async () => {
    const { id } = await loseAnswer();
    const viewer = { id: null, name: 'Test' };
    await inTransaction(bench.db, (tx) => markPaid(tx, bench.services, { orderId: id, method: 'cash', viewer }));
    await insertKeySet(bench.db, 'set_lost', bench.clock.now);
    const { id: payment, store_id } = await bench.db
      .selectFrom('payments')
      .innerJoin('orders', 'orders.id', 'payments.order_id')
      .select(['payments.id', 'orders.store_id'])
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow();
    const about = { payment_id: payment, order_id: id, store_id, key_set: 'set_lost', reason: 'fraudulent' };
    const at = { created_at: bench.clock.now, seen_at: bench.clock.now, closed_at: bench.clock.now };
    await bench.db
      .insertInto('payment_disputes')
      .values({ id: 'dp_lost', ...about, ...at, amount: 600, currency: 'GBP', status: 'lost' })
      .execute();
    await bench.jobs.run();
    expect(await bench.paymentsOf(id)).toMatchObject([{ owed: null, check_at: null }]);
    expect(await refundsOf(id)).toEqual([{ kind: 'late_payment', amount: 650, status: 'failed' }]);
  });

  test.each(['cash', 'card'] as const)('is given back where the order was paid by %s since', async (method) => {
    const { id, url } = await loseAnswer();
    const viewer = { id: null, name: 'Test' };
    await inTransaction(bench.db, (tx) => markPaid(tx, bench.services, { orderId: id, method, viewer }));
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'refunded', captures: 1, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ payment_method: method, payment_status: 'paid', refunded: 0 });
    expect(await refundsOf(id)).toEqual([]);
  });
});

test('a capture that nobody heard of is in the books as taken and given back when its order is cancelled', async () => {
  const { id, url } = await bench.placed();
  await bench.move(id, 'accept');
  bench.provider.moods.push('fine', 'answer_lost');
  await bench.jobs.run();
  await bench.move(id, 'cancel', { reason: 'No more rice' });
  await bench.jobs.run();
  expect(bench.kept(url)).toMatchObject({ state: 'refunded', captures: 1, refunds: 1 });
  expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded', refunded: 1250 });
});
