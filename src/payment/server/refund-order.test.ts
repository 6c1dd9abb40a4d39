import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { removeOrderLines, type RemoveLinesRequest } from '#ordering/server/remove-order-lines.ts';
import { markPaid } from '#payment/server/mark-paid.ts';
import { readOrderPayments } from '#payment/server/read-payments.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { orderLine } from '#payment/testing/order-line.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const [pizza, chips, water] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
/** Two pizzas at £5, chips at £2, tap water for nothing and a tip of 50p: £12.50. */
const meal = {
  lines: [orderLine(pizza, 'Pizza', 2, 500), orderLine(chips, 'Chips', 1, 200), orderLine(water, 'Water', 1, 0)],
  subtotal: 1200,
  tip: 50,
  total: 1250,
  vat: [{ rate: 2000, net: 1000, vat: 200 }],
};
const everythingPaid = [
  { line_id: pizza, quantity: 2 },
  { line_id: chips, quantity: 1 },
];

/** A meal of which the card's money is held. */
async function placed(change: Record<string, unknown> = {}) {
  const id = await bench.newOrder({ ...meal, ...change });
  const url = await bench.payments.begin(id);
  bench.provider.payer(bench.referenceOf(url), 'authorised');
  await bench.payments.reconcile(id);
  return { id, url };
}
async function paid() {
  const order = await placed();
  await bench.move(order.id, 'accept');
  await bench.jobs.run();
  return order;
}
const off = (orderId: string, lines: RemoveLinesRequest['lines'], reason = 'sold_out') =>
  inTransaction(bench.db, (tx) =>
    removeOrderLines(tx, bench.services, {
      orderId,
      lines,
      reason,
      role: 'store_admin',
      by: { actor: 'Cook', actorId: null },
      now: bench.clock.now,
    }),
  );
const refund = (orderId: string, wanted: Parameters<typeof refundOrder>[2]['wanted']) =>
  inTransaction(bench.db, (tx) =>
    refundOrder(tx, bench.services, {
      orderId,
      key: randomUUID(),
      wanted,
      reason: 'Late',
      actor: 'Olive',
      actorId: null,
    }),
  );
const refundsOf = (orderId: string) =>
  bench.db
    .selectFrom('refunds')
    .select(['kind', 'amount', 'status', 'reason', 'actor', 'lines', 'vat'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
const payment = async (orderId: string) =>
  bench.db
    .selectFrom('payments')
    .select(['status', 'owed', 'capture_amount', 'captured'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();

describe('a dish taken off before the capture', () => {
  test('is never charged', async () => {
    const { id, url } = await placed();
    await off(id, [{ line_id: chips, quantity: 1 }]);
    await bench.move(id, 'accept');
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captured: 1050, captures: 1, refunds: 0 });
    expect(await payment(id)).toMatchObject({ captured: 1050, owed: null });
    // What the board and the office show: what was charged, beside what was held.
    expect((await readOrderPayments(bench.db, id)).payments).toMatchObject([{ amount: 1250, captured: 1050 }]);
    expect(await bench.order(id)).toMatchObject({
      payment_status: 'paid',
      total: 1050,
      refunded: 0,
      removed_refunded: 0,
      vat: [{ rate: 2000, net: 833, vat: 167 }],
    });
    expect(await refundsOf(id)).toEqual([]);
  });

  test('releases the hold where nothing is left to pay, and the order counts as paid', async () => {
    const { id, url } = await placed({ tip: 0, total: 1200 });
    await off(id, everythingPaid);
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'paid', total: 0 });
    await bench.move(id, 'accept');
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
  });

  test('is refused where less would be left than a card can be charged, and nothing changes', async () => {
    const { id } = await placed({ tip: 29, total: 1229 });
    const before = await bench.order(id);
    await expect(off(id, everythingPaid)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/£0\.29.*£0\.30.*Cancel the order/),
    });
    expect(await bench.order(id)).toEqual(before);
    await off(id, [{ line_id: pizza, quantity: 2 }]);
    expect(await bench.order(id)).toMatchObject({ total: 229 });
  });

  test('may leave as much as a card can just be charged', async () => {
    const { id, url } = await placed({ tip: 30, total: 1230 });
    await off(id, everythingPaid);
    await bench.move(id, 'accept');
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captured: 30 });
  });

  test('takes the whole order with it if it was the last', async () => {
    const { id, url } = await placed();
    await off(id, [...everythingPaid, { line_id: water, quantity: 1 }], 'No gas');
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0, refunds: 0 });
    expect(await bench.order(id)).toMatchObject({
      status: 'cancelled',
      payment_status: 'voided',
      total: 1250,
      removed: [],
    });
  });
});

describe('a dish taken off after the capture', () => {
  test('goes back, and neither the order’s refunds nor what can be refunded contain it', async () => {
    const { id, url } = await paid();
    await off(id, [{ line_id: pizza, quantity: 1 }]);
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ captured: 1250, refunded: 500, refunds: 1 });
    expect(await refundsOf(id)).toEqual([
      {
        kind: 'line_removed',
        amount: 500,
        status: 'succeeded',
        reason: 'sold_out',
        actor: 'Cook',
        lines: [{ line_id: pizza, quantity: 1, amount: 500 }],
        vat: [],
      },
    ]);
    expect(await bench.order(id)).toMatchObject({
      payment_status: 'paid',
      total: 750,
      refunded: 0,
      removed_refunded: 500,
    });
    expect(await readOrderPayments(bench.db, id)).toMatchObject({
      total: 750,
      refunded: 0,
      pending: 0,
      refundable: 750,
    });
  });

  test('goes back beside refunds of the rest, to the last penny and no further', async () => {
    const { id, url } = await paid();
    await refund(id, { lines: [{ line_id: pizza, quantity: 1 }] });
    await off(id, [{ line_id: chips, quantity: 1 }]);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', total: 1050, refunded: 500 });
    await expect(refund(id, { amount: 551 })).rejects.toMatchObject({ code: 'invalid' });
    await refund(id, { amount: 550 });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'refunded', refunded: 1250, refunds: 3 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', total: 1050, refunded: 1050 });
  });

  test('leaves an order that is refunded, where all that it costs now was refunded before', async () => {
    const { id } = await placed({ tip: 0, total: 1200 });
    await bench.move(id, 'accept');
    await bench.jobs.run();
    await refund(id, { amount: 700 });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', refunded: 700 });
    await off(id, [{ line_id: pizza, quantity: 1 }]);
    expect(await bench.order(id)).toMatchObject({ total: 700, payment_status: 'refunded', refunded: 700 });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ payment_status: 'refunded', refunded: 700, removed_refunded: 500 });
    expect(await refundsOf(id)).toMatchObject([{ status: 'succeeded' }, { kind: 'line_removed', status: 'succeeded' }]);
  });

  test('goes back when the provider refunded some of it on its own page', async () => {
    const { id, url } = await paid();
    bench.kept(url).refunded = 300;
    await bench.payments.reconcile(id);
    await off(id, [{ line_id: chips, quantity: 1 }]);
    await bench.jobs.run();
    expect((await refundsOf(id)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['at_provider', 300],
      ['line_removed', 200],
    ]);
    expect(bench.kept(url).refunded).toBe(500);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'partially_refunded', total: 1050, refunded: 300 });
  });

  test('may leave less than a card can be charged once it was charged', async () => {
    const { id, url } = await placed({ tip: 29, total: 1229 });
    await bench.move(id, 'accept');
    await bench.jobs.run();
    await off(id, everythingPaid);
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ captured: 1229, refunded: 1200 });
  });

  test('is refused where more was refunded than would be left, and nothing changes', async () => {
    const { id } = await paid();
    await refund(id, { amount: 1000 });
    const before = await bench.order(id);
    await expect(off(id, [{ line_id: pizza, quantity: 1 }])).rejects.toMatchObject({ code: 'conflict' });
    expect(await bench.order(id)).toEqual(before);
  });

  test('is refused with how many still can, where pieces of it were refunded', async () => {
    const { id } = await paid();
    await refund(id, { lines: [{ line_id: pizza, quantity: 1 }] });
    const before = await bench.order(id);
    const both = off(id, [
      { line_id: chips, quantity: 1 },
      { line_id: pizza, quantity: 2 },
    ]);
    const words = 'Only one more of Pizza can be taken off: the rest was refunded already.';
    await expect(both).rejects.toMatchObject({
      code: 'invalid',
      message: words,
      detail: { errors: { 'lines.1.quantity': [words] } },
    });
    expect(await bench.order(id)).toEqual(before);
    await off(id, [{ line_id: pizza, quantity: 1 }]);
    await expect(off(id, [{ line_id: pizza, quantity: 1 }])).rejects.toMatchObject({
      code: 'invalid',
      message: 'Pizza was refunded already, so it cannot be taken off as well.',
    });
  });

  test('is refused with how many still can, where an amount was refunded', async () => {
    const { id } = await paid();
    await refund(id, { amount: 600 });
    await expect(off(id, [{ line_id: pizza, quantity: 2 }])).rejects.toMatchObject({
      detail: { errors: { 'lines.0.quantity': [expect.stringContaining('Only one more of Pizza')] } },
    });
    await off(id, [{ line_id: pizza, quantity: 1 }]);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ total: 750, refunded: 600 });
  });

  test('that its bank does not take back is tried again, once, by people', async () => {
    const { id, url } = await paid();
    bench.provider.moods.push('refused');
    await off(id, [{ line_id: chips, quantity: 1 }]);
    await bench.jobs.run();
    expect((await refundsOf(id)).map(({ status }) => status)).toEqual(['failed']);
    const { id: refundId } = await bench.db
      .selectFrom('refunds')
      .select('id')
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow();
    const retry = () =>
      inTransaction(bench.db, (tx) =>
        retryRefund(tx, bench.services, { id: refundId, by: 'provider', actor: 'Olive', actorId: null }),
      );
    await retry();
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ refunded: 200, refunds: 1 });
    await expect(retry()).rejects.toMatchObject({ code: 'conflict' });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', refunded: 0 });
  });
});

describe('a dish taken off while the capture is made', () => {
  test('goes back once the capture is known, whose amount was decided before', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    bench.provider.hold(bench.referenceOf(url)).release();
    const capture = bench.provider.hold(bench.referenceOf(url));
    const jobs = bench.jobs.run();
    await capture.reached;
    expect(await payment(id)).toMatchObject({ status: 'authorised', capture_amount: 1250 });
    await off(id, [{ line_id: pizza, quantity: 1 }]);
    expect(await refundsOf(id)).toEqual([]);
    capture.release();
    await jobs;
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ captured: 1250, captures: 1, refunded: 500, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', total: 750, removed_refunded: 500 });
  });

  test('does not change what a capture asks for whose answer is missing, and goes back afterwards', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    // The call may have reached the provider, and be under way there.
    bench.provider.moods.push('fine', 'lost');
    await bench.jobs.run();
    expect(await payment(id)).toMatchObject({ status: 'authorised', capture_amount: 1250 });
    await off(id, [{ line_id: chips, quantity: 1 }]);
    await bench.jobs.run();
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ captured: 1250, captures: 1, refunded: 200, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', total: 1050, removed_refunded: 200 });
  });

  test('of which nothing is left to pay goes back as a whole', async () => {
    const { id, url } = await placed({ tip: 0, total: 1200 });
    await bench.move(id, 'accept');
    bench.provider.hold(bench.referenceOf(url)).release();
    const capture = bench.provider.hold(bench.referenceOf(url));
    const jobs = bench.jobs.run();
    await capture.reached;
    await off(id, everythingPaid);
    capture.release();
    await jobs;
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ captured: 1200, refunded: 1200, state: 'refunded' });
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'refunded', total: 0 });
  });

  test('by two members of staff, each another dish, leaves what both left', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    await Promise.all([
      off(id, [{ line_id: pizza, quantity: 1 }]),
      bench.jobs.run(),
      off(id, [{ line_id: chips, quantity: 1 }]),
    ]);
    await bench.jobs.run();
    const order = await bench.order(id);
    expect(order).toMatchObject({ payment_status: 'paid', total: 550 });
    expect(order.removed.map(({ name, quantity }) => [quantity, name]).toSorted()).toEqual([
      [1, 'Chips'],
      [1, 'Pizza'],
    ]);
    const { captured, refunded } = bench.kept(url);
    expect(captured - refunded).toBe(550);
    expect((await refundsOf(id)).reduce((sum, { amount }) => sum + amount, 0)).toBe(refunded);
  });

  test('by two members of staff at once, the same piece, goes once', async () => {
    const { id, url } = await paid();
    const same = [{ line_id: pizza, quantity: 1, was: 2 }];
    const both = await Promise.allSettled([off(id, same), off(id, same)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ refunded: 500, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ total: 750 });
  });
});

describe('a dish taken off an order that is paid at the till', () => {
  const till = async () => {
    const id = await bench.newOrder({
      ...meal,
      channel: 'phone',
      status: 'accepted',
      payment_method: 'cash',
      placed_at: bench.clock.now,
    });
    return id;
  };

  test('lowers what is to pay while it is unpaid', async () => {
    const id = await till();
    await off(id, [{ line_id: pizza, quantity: 1 }]);
    expect(await bench.order(id)).toMatchObject({ payment_status: 'unpaid', total: 750, removed_refunded: 0 });
    expect(await refundsOf(id)).toEqual([]);
  });

  test('is given back by hand once it was paid, each dish as it goes', async () => {
    const id = await till();
    await inTransaction(bench.db, (tx) =>
      markPaid(tx, bench.services, { orderId: id, method: 'cash', viewer: { id: null, name: 'Test' } }),
    );
    await off(id, [{ line_id: pizza, quantity: 1 }]);
    await off(id, [{ line_id: chips, quantity: 1 }], 'customer_asked');
    expect((await refundsOf(id)).map(({ amount, status, reason }) => [amount, status, reason])).toEqual([
      [500, 'succeeded', 'sold_out'],
      [200, 'succeeded', 'customer_asked'],
    ]);
    expect(await bench.order(id)).toMatchObject({
      payment_status: 'paid',
      total: 550,
      refunded: 0,
      removed_refunded: 700,
    });
  });
});
