import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { historyNoteWords } from '#ordering/history-words.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';
import { inTransaction } from '#database/transaction.ts';
import { addNextRefundAttempt, findRefund, claimDueRefunds } from '#payment/server/ledger.ts';
import { refundOrder, type RefundRequest, retryRefund } from '#payment/server/refund-order.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

/** A card order of £12.50 that was accepted and paid. */
async function paid() {
  const order = await bench.placed();
  await bench.move(order.id, 'accept');
  await bench.jobs.run();
  return order;
}

const refund = (orderId: string, amount: number, more: Partial<RefundRequest> = {}) =>
  bench.db.transaction().execute((tx) =>
    refundOrder(tx, bench.services, {
      orderId,
      key: randomUUID(),
      wanted: { amount },
      reason: 'Cold chips',
      actor: 'Olive Owner',
      actorId: null,
      ...more,
    }),
  );
const retry = (id: string, by: 'provider' | 'hand') =>
  bench.db.transaction().execute((tx) => retryRefund(tx, bench.services, { id, by, actor: 'Olive', actorId: null }));
const refundsOf = (orderId: string) =>
  bench.db
    .selectFrom('refunds')
    .select(['amount', 'status', 'actor'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
const kindsOf = async (orderId: string) => {
  const rows = await bench.db
    .selectFrom('refunds')
    .select(['kind', 'reason'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
  return rows.map(({ kind, reason }) => [kind, reason]);
};
const historyOf = async (orderId: string) =>
  (
    await bench.db
      .selectFrom('order_history')
      .select('note')
      .where('order_id', '=', orderId)
      .orderBy('version')
      .execute()
  ).flatMap(({ note }) => (note ? [historyNoteWords(note)] : []));

describe('giving a card payment back', () => {
  test('in part, and then the rest', async () => {
    const { id, url } = await paid();
    await refund(id, 450);
    expect(bench.kept(url)).toMatchObject({ refunds: 0 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', refunded: 450, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 450 });
    await refund(id, 800, { reason: 'Never came' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'refunded', refunded: 1250, refunds: 2 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250, status: 'accepted' });
    expect(await bench.statesOf(id)).toEqual(['refunded']);
    expect(await historyOf(id)).toEqual(['Refund of £4.50: Cold chips', 'Refund of £8.00: Never came']);
  });

  test('is done once, also when the job comes twice or its answer is lost', async () => {
    const { id, url } = await paid();
    await refund(id, 450);
    bench.provider.moods.push('answer_lost');
    await bench.jobs.run();
    await bench.jobs.run();
    await bench.jobs.repeat();
    expect(bench.kept(url)).toMatchObject({ refunds: 1, refunded: 450 });
    expect(await refundsOf(id)).toEqual([{ amount: 450, status: 'succeeded', actor: 'Olive Owner' }]);
  });

  test('is made up for by the sweep when its job died', async () => {
    const { id, url } = await paid();
    await refund(id, 450);
    bench.wait(21);
    await bench.payments.sweep();
    expect(bench.kept(url)).toMatchObject({ refunds: 1, refunded: 450 });
    expect((await bench.order(id)).payment_status).toBe('partially_refunded');
  });

  test('tells the board and the customer', async () => {
    const { id } = await paid();
    const before = (await bench.order(id)).version;
    await refund(id, 450);
    await bench.jobs.run();
    expect((await bench.order(id)).version).toBe(before + 2);
    const events = await bench.db.selectFrom('outbox').select('event').where('subject_id', '=', id).execute();
    expect(events.slice(-2)).toEqual([{ event: 'order.updated' }, { event: 'order.updated' }]);
  });

  test('the same key is the same refund, and never another', async () => {
    const { id, url } = await paid();
    const key = randomUUID();
    const both = await Promise.all([refund(id, 450, { key }), refund(id, 450, { key })]);
    expect(both.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    expect(both[0].id).toBe(both[1].id);
    await expect(refund(id, 451, { key })).rejects.toMatchObject({ code: 'conflict' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ refunds: 1, refunded: 450 });
  });

  test('two people at once never give back more than was paid', async () => {
    const { id, url } = await paid();
    const tries = await Promise.allSettled([refund(id, 1000), refund(id, 1000), refund(id, 1000)]);
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.detail.errors] : []));
    expect(refused).toEqual(Array(2).fill({ amount: ['You can refund £2.50 at most.'] }));
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ refunded: 1000 });
  });

  test('an order that nobody paid for has nothing to give back', async () => {
    const { id } = await bench.placed();
    await expect(refund(id, 1)).rejects.toMatchObject({ code: 'conflict' });
    const cash = await bench.newOrder({ status: 'placed', payment_method: 'cash' });
    await expect(refund(cash, 1)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a refund that the bank refuses is failed, leaves the order paid, and can be tried again', async () => {
    const { id, url } = await paid();
    const { id: refundId } = await refund(id, 450);
    bench.provider.moods.push('refused');
    await bench.jobs.run();
    expect(await refundsOf(id)).toMatchObject([{ status: 'failed' }]);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
    expect((await historyOf(id)).at(-1)).toBe('The refund of £4.50 failed at the payment provider');
    await retry(refundId, 'provider');
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ refunds: 1, refunded: 450 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 450 });
    await expect(retry(refundId, 'provider')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a failed refund can be given back by hand, unless it has gone back in another way since', async () => {
    const { id, url } = await paid();
    const { id: first } = await refund(id, 450);
    const { id: second } = await refund(id, 500);
    bench.provider.moods.push('refused', 'fine', 'refused');
    await bench.jobs.run();
    await retry(first, 'hand');
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 450 });
    await refund(id, 800);
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ refunded: 800 });
    await expect(retry(second, 'hand')).rejects.toMatchObject({ code: 'conflict' });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
  });

  test('a refund made at the provider itself is written down as well', async () => {
    const { id, url } = await paid();
    await refund(id, 250);
    await bench.jobs.run();
    bench.kept(url).refunded = 650;
    await bench.payments.reconcile(id);
    await bench.payments.reconcile(id);
    expect(await refundsOf(id)).toEqual([
      { amount: 250, status: 'succeeded', actor: 'Olive Owner' },
      { amount: 400, status: 'succeeded', actor: 'system' },
    ]);
    expect(await kindsOf(id)).toEqual([
      ['asked', 'Cold chips'],
      ['at_provider', ''],
    ]);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 650 });
  });
});

describe('an order that is cancelled after it was paid', () => {
  test('has the rest given back, and a refund for it', async () => {
    const { id, url } = await paid();
    await refund(id, 450);
    await bench.jobs.run();
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    await expect(refund(id, 100)).rejects.toMatchObject({ code: 'conflict' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'refunded', refunded: 1250, refunds: 2 });
    expect(await refundsOf(id)).toEqual([
      { amount: 450, status: 'succeeded', actor: 'Olive Owner' },
      { amount: 800, status: 'succeeded', actor: 'system' },
    ]);
    expect(await kindsOf(id)).toEqual([
      ['asked', 'Cold chips'],
      ['order_ended', ''],
    ]);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250, status: 'cancelled' });
  });

  test('while a refund is on its way, everything goes back once, whoever comes first', async () => {
    for (const isSweepFirst of [true, false]) {
      const { id, url } = await paid();
      await refund(id, 450);
      await bench.move(id, 'cancel', { reason: 'No more rice' });
      bench.wait(21);
      if (isSweepFirst) await bench.payments.sweep();
      await bench.jobs.run();
      await bench.payments.sweep();
      expect(bench.kept(url)).toMatchObject({ state: 'refunded', refunded: 1250 });
      const sums = (await refundsOf(id)).map(({ amount, status }) => [amount, status]);
      expect(sums).toEqual([
        [450, 'succeeded'],
        [800, 'succeeded'],
      ]);
      expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
    }
  });

  test('and was never paid has no refunds', async () => {
    const { id } = await bench.placed();
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    await bench.jobs.run();
    expect(await refundsOf(id)).toEqual([]);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'voided', refunded: 0 });
  });
});

describe('giving cash back', () => {
  test('is done as it is noted, and stays noted when the step is taken back', async () => {
    const id = await bench.newOrder({ status: 'placed', payment_method: 'cash' });
    await bench.move(id, 'accept');
    await bench.move(id, 'collected-by-customer');
    await refund(id, 250);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 250 });
    await bench.move(id, 'undo');
    expect(await bench.order(id)).toMatchObject({ status: 'packed', payment_status: 'partially_refunded' });
    await bench.move(id, 'collected-by-customer');
    await refund(id, 1000);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 1250 });
    await expect(refund(id, 1)).rejects.toMatchObject({ code: 'conflict' });
  });
});

test('the sweep looks at a refund no more once it was made, also if the key of its first call was spent', async () => {
  const order = await paid();
  const { id } = await refund(order.id, 300);
  const asked = await findRefund(bench.db, id);
  if (!asked) throw new Error('the refund is gone');
  await inTransaction(bench.db, (tx) => addNextRefundAttempt(tx, asked, bench.clock.now));
  const due = () => claimDueRefunds(bench.db, new Date(bench.services.now().getTime() + 60_000), 20);
  expect(await due()).toEqual([id]);
  await bench.jobs.run();
  expect(await refundsOf(order.id)).toMatchObject([{ amount: 300, status: 'succeeded' }]);
  expect(await due()).toEqual([]);
});
