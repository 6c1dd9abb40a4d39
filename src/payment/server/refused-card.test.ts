import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#database/transaction.ts';
import { removeOrderLines } from '#ordering/server/remove-order-lines.ts';
import { markPaid } from '#payment/server/mark-paid.ts';
import { type CardBench, openCardBench } from '#payment/testing/card-bench.ts';
import { meal } from '#payment/testing/meal.ts';

/* The shop accepts, and only then the bank refuses the card: the order goes on, and somebody still has to pay it. */

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

async function placed() {
  const contact = { name: 'Ada', phone: '07700 900123', email: 'ada@example.com' };
  const id = await bench.newOrder({ ...meal, contact });
  const url = await bench.payments.begin(id);
  bench.provider.payer(bench.referenceOf(url), 'authorised');
  await bench.payments.reconcile(id);
  return { id, url };
}

/** An accepted order whose card was refused, with the page of its first payment. */
async function refused() {
  const { id, url } = await placed();
  await bench.move(id, 'accept');
  bench.provider.moods.push('fine', 'refused');
  await bench.jobs.run();
  expect((await bench.order(id)).payment_status).toBe('failed');
  return { id, url };
}
const pageOf = async (id: string) => {
  const payments = bench.db
    .selectFrom('payments')
    .select('redirect_url')
    .where('order_id', '=', id)
    .orderBy('id', 'desc');
  return (await payments.executeTakeFirst())?.redirect_url ?? '';
};
const mailsOf = async (id: string) => {
  const mails = await bench.db.selectFrom('order_mails').select('kind').where('order_id', '=', id).execute();
  return mails.map(({ kind }) => kind);
};

describe('by card', () => {
  test('a new page charges at once, and the order stays where it is', async () => {
    const { id, url } = await refused();
    await bench.payments.payAgain(id, 'card');
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
    const page = await pageOf(id);
    bench.provider.payer(bench.referenceOf(page), 'authorised');
    await bench.payments.reconcile(id);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_method: 'card', payment_status: 'paid' });
    expect(bench.kept(page)).toMatchObject({ isHeld: false, state: 'captured', captures: 1, refunds: 0 });
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
  });

  test('a packed order is paid so, and money that comes after it was handed over is kept', async () => {
    const { id } = await refused();
    await bench.move(id, 'packed');
    await bench.payments.payAgain(id, 'card');
    const page = await pageOf(id);
    await bench.move(id, 'collected-by-customer');
    bench.provider.payer(bench.referenceOf(page), 'authorised');
    await bench.payments.reconcile(id);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'collected', payment_status: 'paid' });
    expect(bench.kept(page).refunds).toBe(0);
  });

  test('a page that is declined, or left, leaves it refused, and the next one can be paid', async () => {
    const { id } = await refused();
    await bench.payments.payAgain(id, 'card');
    bench.provider.payer(bench.referenceOf(await pageOf(id)), 'declined');
    await bench.payments.reconcile(id);
    expect((await bench.order(id)).payment_status).toBe('failed');
    await bench.payments.payAgain(id, 'card');
    bench.provider.payer(bench.referenceOf(await pageOf(id)), 'authorised');
    await bench.payments.reconcile(id);
    expect((await bench.order(id)).payment_status).toBe('paid');
    expect(await bench.statesOf(id)).toEqual(['failed', 'failed', 'captured']);
  });

  test('money for an order that was cancelled meanwhile goes back', async () => {
    const { id } = await refused();
    await bench.payments.payAgain(id, 'card');
    const page = await pageOf(id);
    bench.provider.payer(bench.referenceOf(page), 'authorised');
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    await bench.jobs.run();
    expect(bench.kept(page)).toMatchObject({ state: 'refunded', refunds: 1 });
  });

  test('a dish taken off closes the open page, and the next one asks for the new price', async () => {
    const { id } = await refused();
    await bench.payments.payAgain(id, 'card');
    const page = await pageOf(id);
    const { lines, total: before } = await bench.order(id);
    await inTransaction(bench.db, (tx) =>
      removeOrderLines(tx, bench.services, {
        orderId: id,
        lines: [{ line_id: lines[0]?.id ?? '', quantity: 1 }],
        reason: 'sold_out',
        role: 'store_admin',
        by: { actor: 'Olive', actorId: null },
        now: bench.clock.now,
      }),
    );
    await bench.payments.payAgain(id, 'card');
    const next = await pageOf(id);
    const { total } = await bench.order(id);
    expect(total).toBeLessThan(before);
    expect([bench.kept(page).state, bench.kept(next).amount]).toEqual(['voided', total]);
  });
});

describe('another way', () => {
  test('cash is paid at handover, whatever its page was shown before', async () => {
    const { id } = await refused();
    await bench.payments.payAgain(id, 'card');
    const page = await pageOf(id);
    await bench.payments.payAgain(id, 'cash');
    await bench.payments.payAgain(id, 'cash');
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({
      status: 'accepted',
      payment_method: 'cash',
      payment_status: 'unpaid',
    });
    expect(bench.kept(page).state).toBe('voided');
    const notes = await bench.db.selectFrom('order_history').select('note').where('order_id', '=', id).execute();
    expect(notes.filter(({ note }) => note?.kind === 'cash_instead')).toHaveLength(1);
    await bench.move(id, 'packed');
    await bench.move(id, 'collected-by-customer');
    expect((await bench.order(id)).payment_status).toBe('paid');
  });

  test('cash is refused where the shop takes none', async () => {
    const { id } = await refused();
    await bench.changeStore({ payment_methods: JSON.stringify({ collection: ['card'], delivery: ['card'] }) });
    await expect(bench.payments.payAgain(id, 'cash')).rejects.toMatchObject({ code: 'invalid' });
    expect((await bench.order(id)).payment_status).toBe('failed');
  });

  test('noted as paid by staff, the open page is closed', async () => {
    const { id } = await refused();
    await bench.payments.payAgain(id, 'card');
    const page = await pageOf(id);
    const viewer = { id: null, name: 'Olive' };
    await inTransaction(bench.db, (tx) => markPaid(tx, bench.services, { orderId: id, method: 'cash', viewer }));
    await bench.jobs.run();
    expect(bench.kept(page).state).toBe('voided');
    expect(await bench.order(id)).toMatchObject({ payment_method: 'cash', payment_status: 'paid' });
  });

  test.each(['out_for_delivery', 'delivered', 'cancelled'] as const)(
    'an order that is %s is not paid again',
    async (to) => {
      const { id } = await refused();
      await bench.db.updateTable('orders').set({ status: to }).where('id', '=', id).execute();
      for (const method of ['card', 'cash'] as const) {
        await expect(bench.payments.payAgain(id, method)).rejects.toMatchObject({ code: 'illegal_transition' });
      }
    },
  );
});

test('its customer is told by a mail of its own, once', async () => {
  const { id } = await refused();
  expect((await mailsOf(id)).filter((kind) => kind === 'payment_failed')).toHaveLength(1);
});

test('also where somebody cancelled the hold at the provider', async () => {
  const { id, url } = await placed();
  await bench.move(id, 'accept');
  bench.kept(url).state = 'voided';
  await bench.jobs.run();
  expect(await mailsOf(id)).toContain('payment_failed');
});
