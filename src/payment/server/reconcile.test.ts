import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadOrders } from '#ordering/server/present-order.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const messageOf = (id: string, url: string) => JSON.stringify({ id: `evt_${id}`, reference: bench.referenceOf(url) });

describe('hearing how it went', () => {
  test('an authorised payment places the order, with its deadline, and tells the board', async () => {
    const { id, url } = await bench.paid('authorised');
    await bench.payments.reconcile(id);
    const order = await bench.order(id);
    expect(order).toMatchObject({ status: 'placed', payment_status: 'authorised', version: 2, expires_at: null });
    expect(order.answer_by).not.toBeNull();
    const events = await bench.db.selectFrom('outbox').select('event').where('subject_id', '=', id).execute();
    expect(events).toEqual([{ event: 'order.placed' }]);
    expect(bench.kept(url)).toMatchObject({ state: 'authorised', captures: 0 });
  });

  test('an order that was paid 20 minutes late is promised from then on; what was put off further stays so', async () => {
    const ids: string[] = [];
    for (const minutes of [25, 300]) {
      const promised_at = new Date(bench.clock.now.getTime() + minutes * 60_000);
      ids.push(await bench.newOrder({ promised_at }));
    }
    const wanted = bench.clock.now.getTime() + 300 * 60_000;
    const urls = await Promise.all(ids.map((id) => bench.payments.begin(id)));
    bench.wait(20 * 60);
    for (const url of urls) bench.provider.payer(bench.referenceOf(url), 'authorised');
    for (const id of ids) await bench.payments.reconcile(id);
    const promised = await Promise.all(ids.map(async (id) => (await bench.order(id)).promised_at));
    // The shop takes 20 minutes.
    expect(promised).toEqual([new Date(bench.clock.now.getTime() + 20 * 60_000), new Date(wanted)]);
  });

  test('an order made before a trading day began and paid after is that day’s, with a number of that day', async () => {
    bench.clock.now = new Date('2026-11-29T04:59:50Z');
    const late = await bench.newOrder({ trading_day: '2026-11-28' });
    const url = await bench.payments.begin(late);
    const own = await bench.newOrder({ trading_day: '2026-11-28' });
    await bench.payments.payAgain(own, 'cash');
    bench.wait(20);
    const first = await bench.newOrder({ trading_day: '2026-11-29' });
    bench.provider.payer(bench.referenceOf(url), 'authorised');
    await bench.payments.reconcile(late);
    const next = await bench.newOrder({ trading_day: '2026-11-29' });
    const days = await Promise.all([own, first, late, next].map((id) => bench.order(id)));
    expect(days.map(({ trading_day, number }) => [trading_day, number])).toEqual([
      ['2026-11-28', 2],
      ['2026-11-29', 1],
      ['2026-11-29', 2],
      ['2026-11-29', 3],
    ]);
  });

  test('webhook, return page and sweep at the same time place it once', async () => {
    const { id, url } = await bench.paid('authorised');
    bench.wait(60);
    const tell = async () => {
      await bench.payments.receiveWebhook('sandbox', messageOf(id, url), () => undefined);
      await bench.payments.handleEvents();
    };
    await Promise.all([tell(), tell(), bench.payments.reconcile(id), bench.payments.sweep(), bench.payments.sweep()]);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', version: 2 });
    const known = await bench.db.selectFrom('payment_events').selectAll().where('id', '=', `evt_${id}`).execute();
    expect(known).toHaveLength(1);
  });

  test('with no webhook and nobody returning, the sweep finds it after 20 seconds', async () => {
    const { id } = await bench.paid('authorised');
    bench.wait(19);
    await bench.payments.sweep();
    expect((await bench.order(id)).status).toBe('pending_payment');
    bench.wait(2);
    await bench.payments.sweep();
    expect((await bench.order(id)).status).toBe('placed');
  });

  test('a page nobody pays on is looked at less and less often', async () => {
    const id = await bench.newOrder();
    await bench.payments.begin(id);
    const looks: number[] = [];
    for (let second = 0; second < 1800; second += 5) {
      bench.wait(5);
      if ((await bench.payments.sweep()) > 0) looks.push(second);
    }
    expect(looks.length).toBeGreaterThan(6);
    expect(looks.length).toBeLessThan(20);
  });

  test('a decline fails the payment; the order stays pending and can be paid again', async () => {
    const { id, url } = await bench.paid('declined');
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'failed', version: 2 });
    await bench.payments.payAgain(id, 'card');
    const again = await bench.payments.begin(id);
    expect(again).not.toBe(url);
    expect(await bench.statesOf(id)).toEqual(['failed', 'pending']);
    expect((await bench.order(id)).payment_status).toBe('unpaid');
    bench.provider.payer(bench.referenceOf(again), 'authorised');
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  });

  test('an authorisation of another amount is refused and let go', async () => {
    const { id, url } = await bench.paid('authorised');
    Object.assign(bench.kept(url), { amount: 1 });
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'failed' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.paymentsOf(id)).toEqual([
      { status: 'voided', owed: null, failure: 'wrong_amount', check_at: null },
    ]);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'failed' });
  });

  test('money of another mode or account is refused and let go', async () => {
    const { id, url } = await bench.paid('authorised');
    Object.assign(bench.kept(url), { isForeign: true });
    await bench.payments.reconcile(id);
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'failed' });
  });

  test('a reference that leads to the money of another payment changes nothing', async () => {
    const { id, url } = await bench.paid('authorised');
    Object.assign(bench.kept(url), { paymentId: randomUUID() });
    await expect(bench.payments.reconcile(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'unpaid' });
    expect(bench.kept(url)).toMatchObject({ state: 'authorised' });
  });

  test('what the provider says of the money is kept, also when it says it late', async () => {
    const { id, url } = await bench.paid('authorised');
    await bench.payments.reconcile(id);
    const heldUntil = new Date('2026-11-28T18:00:00Z');
    Object.assign(bench.kept(url), { intent: 'pi_1', method: 'apple_pay', heldUntil });
    await bench.payments.reconcile(id);
    const kept = () =>
      bench.db
        .selectFrom('payments')
        .select(['intent', 'method', 'held_until', 'captured'])
        .where('order_id', '=', id)
        .executeTakeFirstOrThrow();
    expect(await kept()).toEqual({ intent: 'pi_1', method: 'apple_pay', held_until: heldUntil, captured: null });
    const [whole] = await loadOrders(bench.db, bench.services.orderParts, [id]);
    expect(whole?.heldUntil).toEqual(heldUntil);

    await bench.move(id, 'accept');
    Object.assign(bench.kept(url), { heldUntil: null });
    await bench.jobs.run();
    expect(await kept()).toEqual({ intent: 'pi_1', method: 'apple_pay', held_until: heldUntil, captured: 1250 });
    const [taken] = await loadOrders(bench.db, bench.services.orderParts, [id]);
    expect(taken?.heldUntil).toBeNull();
  });

  test('an outage is said to whoever asks', async () => {
    const { id } = await bench.paid('authorised');
    bench.provider.moods.push('lost');
    await expect(bench.payments.reconcile(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
  });

  test('a shop that accepts by itself accepts the paid order and takes the money', async () => {
    await bench.changeStore({ auto_accept: true });
    const { id, url } = await bench.placed();
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1 });
  });
});

describe('a payment that comes too late', () => {
  test('is let go when the order has expired', async () => {
    const { id, url } = await bench.paid('authorised');
    await bench.move(id, 'expire');
    await bench.payments.reconcile(id);
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'expired', payment_status: 'voided' });
  });

  test('is given back when it was charged at once, and its customer is told', async () => {
    const id = await bench.newOrder({ contact: { name: 'Ada Byron', phone: '', email: 'ada@example.com' } });
    const url = await bench.payments.begin(id);
    Object.assign(bench.kept(url), { state: 'captured', captured: 1250 });
    await bench.move(id, 'expire');
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'refunded', refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'expired', payment_status: 'refunded' });
    const mails = await bench.db.selectFrom('order_mails').select('kind').where('order_id', '=', id).execute();
    expect(mails).toEqual([{ kind: 'late_charge' }]);
    const moved = await bench.db
      .selectFrom('payment_movements')
      .select(['kind', 'amount'])
      .where('order_id', '=', id)
      .orderBy('id')
      .execute();
    expect(moved).toEqual([
      { kind: 'captured', amount: 1250 },
      { kind: 'refunded', amount: 1250 },
    ]);
  });

  test('is let go, and its customer told, where the order is paid in cash meanwhile', async () => {
    const id = await bench.newOrder({ contact: { name: 'Ada Byron', phone: '', email: 'ada@example.com' } });
    const url = await bench.payments.begin(id);
    bench.provider.payer(bench.referenceOf(url), 'authorised');
    bench.provider.moods.push('lost');
    await bench.payments.payAgain(id, 'cash');
    await bench.jobs.run();
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    const mails = await bench.db.selectFrom('order_mails').select('kind').where('order_id', '=', id).execute();
    expect(mails.map(({ kind }) => kind)).toContain('late_hold');
  });

  describe('is let go when its customer has cancelled the order', () => {
    const byCustomer = { actor: 'customer', actorName: 'customer' } as const;
    const tell = async (id: string, url: string) => {
      await bench.payments.receiveWebhook('sandbox', messageOf(id, url), () => undefined);
      await bench.payments.handleEvents();
    };

    test.each([
      ['by the message of the provider', tell],
      ['by the return page', (id: string) => bench.payments.reconcile(id)],
      ['by both', (id: string, url: string) => Promise.all([tell(id, url), bench.payments.reconcile(id)])],
    ])('%s', async (_how, hear) => {
      const { id, url } = await bench.paid('authorised');
      await bench.move(id, 'cancel', byCustomer);
      await hear(id, url);
      await bench.jobs.run();
      expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
      expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'voided' });
    });

    test('at the same moment, whichever comes first', async () => {
      for (let round = 0; round < 10; round++) {
        const { id, url } = await bench.paid('authorised');
        await Promise.all([bench.move(id, 'cancel', byCustomer), tell(id, url), bench.payments.reconcile(id)]);
        await bench.jobs.run();
        expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
        expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'voided' });
      }
    });
  });

  test('is let go when the order was paid in cash meanwhile', async () => {
    const { id, url } = await bench.paid('abandoned');
    const open = await bench.payments.reconcile(id).then(() => bench.payments.begin(id));
    expect(open).not.toBe(url);
    bench.provider.moods.push('lost');
    bench.provider.payer(bench.referenceOf(open), 'authorised');
    await bench.payments.payAgain(id, 'cash');
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_method: 'cash', payment_status: 'unpaid' });
    await bench.jobs.run();
    expect(bench.kept(open)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_method: 'cash', payment_status: 'unpaid' });
  });

  test('the page is closed when the order ends unpaid', async () => {
    const id = await bench.newOrder();
    const url = await bench.payments.begin(id);
    await bench.move(id, 'cancel', { reason: 'Wrong address' });
    await bench.jobs.run();
    expect(bench.kept(url).state).toBe('voided');
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'unpaid' });
  });
});

test('sweeps of several instances share the payments out', async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, () => bench.newOrder()));
  for (const id of ids) bench.provider.payer(bench.referenceOf(await bench.payments.begin(id)), 'authorised');
  bench.wait(30);
  const { due } = await bench.db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<string>().as('due'))
    .where('check_at', '<=', bench.clock.now)
    .executeTakeFirstOrThrow();
  const taken = await Promise.all([bench.payments.sweep(), bench.payments.sweep(), bench.payments.sweep()]);
  expect(taken.reduce((sum, one) => sum + one)).toBe(Number(due));
  for (const id of ids) expect(await bench.order(id)).toMatchObject({ status: 'placed', version: 2 });
});
