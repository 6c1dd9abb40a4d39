import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentEventHandler } from '#payment/server/events/event-rows.ts';
import { createPaymentContext } from '#payment/server/create-context.ts';
import { createEventWorker, type EventWorker } from '#payment/server/events/event-worker.ts';
import { createPayments } from '#payment/server/payments.ts';
import type { ProviderEvent } from '#payment/server/provider.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';
import { addKeySet } from '#payment/testing/key-sets.ts';

/** The objects of the messages about payouts that were handled. */
const heard: string[] = [];
const payouts: PaymentEventHandler = {
  types: ['payout.'],
  async handle(_context, { object }) {
    if (object === 'po_bad') throw new Error('not now');
    heard.push(object ?? '');
    return 'applied';
  },
};

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench({ eventHandlers: [payouts] });
});
beforeEach(async () => {
  await bench.reset();
  await bench.db.deleteFrom('payment_events').execute();
});
afterAll(() => bench.close());

const none = { object: null, reference: null, paymentId: null, account: null, mode: null };
const message = (said: Partial<ProviderEvent>): ProviderEvent => ({
  id: `evt_${randomUUID()}`,
  type: 'payment',
  amount: null,
  currency: null,
  at: null,
  ...none,
  ...said,
});
const receive = (said: ProviderEvent) =>
  bench.payments.receiveWebhook('sandbox', JSON.stringify(said), () => undefined);
const stored = (id: string) =>
  bench.db.selectFrom('payment_events').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const handle = () => bench.payments.handleEvents();

describe('a message', () => {
  test('is stored whole before anything is done about it', async () => {
    const { id, url } = await bench.paid('authorised');
    const [payment] = await bench.db.selectFrom('payments').select('id').where('order_id', '=', id).execute();
    const at = '2026-11-21T17:59:58.000Z';
    const said = message({
      type: 'checkout.session.completed',
      object: 'cs_1',
      reference: bench.referenceOf(url),
      account: 'acct_1',
      mode: 'test',
      amount: 1250,
      currency: 'GBP',
      ...(payment && { paymentId: payment.id }),
    });
    await bench.payments.receiveWebhook('sandbox', JSON.stringify({ ...said, at }), () => undefined);
    expect(await stored(said.id)).toMatchObject({
      provider: 'sandbox',
      key_set: null,
      type: 'checkout.session.completed',
      object: 'cs_1',
      reference: bench.referenceOf(url),
      account: 'acct_1',
      mode: 'test',
      amount: 1250,
      currency: 'GBP',
      payment_id: payment?.id,
      at: new Date(at),
      received_at: bench.clock.now,
    });
    expect(await stored(said.id)).toMatchObject({ outcome: null, handled_at: null, tries: 0 });
    expect((await bench.order(id)).status).toBe('pending_payment');
    bench.wait(1);
    await handle();
    expect(await stored(said.id)).toMatchObject({ outcome: 'applied', handled_at: bench.clock.now, tries: 1 });
    expect((await bench.order(id)).status).toBe('placed');
  });

  test('that arrives a hundred times is stored and handled once', async () => {
    const { id, url } = await bench.paid('authorised');
    const said = message({ reference: bench.referenceOf(url) });
    await Promise.all(Array.from({ length: 100 }, () => receive(said)));
    await handle();
    expect(await stored(said.id)).toMatchObject({ outcome: 'applied', tries: 1, check_at: null });
    expect(await bench.order(id)).toMatchObject({ status: 'placed', version: 2 });
    await receive(said);
    expect(await handle()).toBe(0);
  });

  test('whose work fails is tried again, less and less often, until it succeeds', async () => {
    const { id, url } = await bench.paid('authorised');
    const said = message({ reference: bench.referenceOf(url) });
    await receive(said);
    const pauses: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      bench.provider.moods.push('lost');
      await handle();
      const { check_at } = await stored(said.id);
      const pause = ((check_at?.getTime() ?? 0) - bench.clock.now.getTime()) / 1000;
      pauses.push(pause);
      bench.wait(pause);
    }
    expect(pauses).toEqual([2, 8, 32, 128]);
    await handle();
    expect(await stored(said.id)).toMatchObject({ outcome: 'applied', tries: 5 });
    expect((await bench.order(id)).status).toBe('placed');
  });

  test('that fails for three days is given up, and says so', async () => {
    const { url } = await bench.paid('authorised');
    const said = message({ reference: bench.referenceOf(url) });
    await receive(said);
    bench.wait(3 * 24 * 3600);
    bench.provider.moods.push('lost');
    await handle();
    expect(await stored(said.id)).toMatchObject({ outcome: 'failed', check_at: null });
  });

  test('about nothing of this shop is looked up for ten minutes, and then left', async () => {
    const said = message({ reference: 'cs_of_another_shop' });
    await receive(said);
    let tries = 0;
    for (let second = 0; second <= 720; second += 1) {
      tries += await handle();
      bench.wait(1);
    }
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThan(12);
    expect(await stored(said.id)).toMatchObject({ outcome: 'unknown', check_at: null });
  });

  test('that names nothing is left at once', async () => {
    const said = message({ type: 'account.updated' });
    await receive(said);
    await handle();
    expect(await stored(said.id)).toMatchObject({ outcome: 'unknown', check_at: null });
  });

  test('of another key set does not move a payment, whatever it names', async () => {
    const { id, url } = await bench.paid('authorised');
    await addKeySet(bench.db, 'ks_old');
    await bench.db.updateTable('payments').set({ key_set: 'ks_old' }).where('order_id', '=', id).execute();
    const said = message({ reference: bench.referenceOf(url) });
    await receive(said);
    await handle();
    expect(await stored(said.id)).toMatchObject({ outcome: null, tries: 1 });
    expect((await bench.order(id)).status).toBe('pending_payment');
  });
});

describe('a message that comes before the shop knows the payment', () => {
  test('places the order once the answer to the call that opened the page is stored', async () => {
    const id = await bench.newOrder();
    const hold = bench.provider.hold('checkout');
    const begun = bench.payments.begin(id);
    await hold.reached;
    const reference = [...bench.provider.payments.keys()].at(-1) ?? '';
    bench.provider.payer(reference, 'authorised');
    const said = message({ reference });
    await receive(said);
    await handle();
    expect(await stored(said.id)).toMatchObject({ outcome: null });
    hold.release();
    await begun;
    bench.wait(2);
    await handle();
    expect(await stored(said.id)).toMatchObject({ outcome: 'applied' });
    expect((await bench.order(id)).status).toBe('placed');
  });

  test('and names our own id of it is believed when the provider confirms it', async () => {
    const id = await bench.newOrder();
    bench.provider.moods.push('answer_lost');
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    const [payment] = await bench.db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
    expect(payment?.reference).toBeNull();
    const reference = [...bench.provider.payments.keys()].at(-1) ?? '';
    bench.provider.payer(reference, 'authorised');
    await receive(message({ reference, paymentId: payment?.id ?? '' }));
    await handle();
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  });

  test('and names our own id of another payment is not believed', async () => {
    const other = await bench.paid('authorised');
    const id = await bench.newOrder();
    bench.provider.moods.push('lost');
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    const [payment] = await bench.db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
    await bench.db.updateTable('payments').set({ reference: 'moved' }).where('order_id', '=', other.id).execute();
    await receive(message({ reference: bench.referenceOf(other.url), paymentId: payment?.id ?? '' }));
    await handle();
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'unpaid' });
    const [after] = await bench.db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
    expect(after?.reference).toBeNull();
  });

  test('lets go what was paid on a page of an order that ended meanwhile', async () => {
    const id = await bench.newOrder();
    bench.provider.moods.push('answer_lost');
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    await bench.move(id, 'expire');
    const [payment] = await bench.db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
    expect(payment).toMatchObject({ status: 'voided', reference: null });
    const reference = [...bench.provider.payments.keys()].at(-1) ?? '';
    bench.provider.payer(reference, 'authorised');
    await receive(message({ reference, paymentId: payment?.id ?? '' }));
    await handle();
    await bench.jobs.run();
    expect(bench.provider.payments.get(reference)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.paymentsOf(id)).toEqual([{ status: 'voided', owed: null, failure: null, check_at: null }]);
  });

  test('leaves nothing to check when nobody paid on the page of an order that ended meanwhile', async () => {
    const id = await bench.newOrder();
    bench.provider.moods.push('answer_lost');
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    await bench.move(id, 'expire');
    const [payment] = await bench.db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
    const reference = [...bench.provider.payments.keys()].at(-1) ?? '';
    bench.provider.payer(reference, 'abandoned');
    await receive(message({ reference, paymentId: payment?.id ?? '' }));
    await handle();
    expect(await bench.paymentsOf(id)).toEqual([{ status: 'voided', owed: null, failure: null, check_at: null }]);
  });
});

describe('the worker', () => {
  test('asks the provider once for all messages about an order', async () => {
    const { url } = await bench.paid('authorised');
    for (let count = 0; count < 5; count += 1) await receive(message({ reference: bench.referenceOf(url) }));
    // The first call succeeds; a second one would fail, and its messages would be tried again.
    bench.provider.moods.push('fine', 'lost');
    await handle();
    expect(bench.provider.moods).toEqual(['lost']);
    const left = await bench.db.selectFrom('payment_events').select('id').where('outcome', 'is', null).execute();
    expect(left).toEqual([]);
  });

  test('gives a message to the handler of its type, and one that fails does not stop the others', async () => {
    heard.length = 0;
    const [bad, good] = [
      message({ type: 'payout.paid', object: 'po_bad' }),
      message({ type: 'payout.paid', object: 'po_good' }),
    ];
    const { url } = await bench.paid('authorised');
    const paid = message({ reference: bench.referenceOf(url) });
    for (const said of [bad, good, paid]) await receive(said);
    await handle();
    expect(heard).toEqual(['po_good']);
    expect(await stored(bad.id)).toMatchObject({ outcome: null, tries: 1 });
    expect(await stored(good.id)).toMatchObject({ outcome: 'applied' });
    expect(await stored(paid.id)).toMatchObject({ outcome: 'applied' });
  });

  test('of several instances shares the messages', async () => {
    const urls = await Promise.all(Array.from({ length: 20 }, () => bench.paid('authorised')));
    for (const { url } of urls) await receive(message({ reference: bench.referenceOf(url) }));
    const others = [1, 2].map(() => createPayments(bench.services, { providers: [bench.provider] }));
    const counts = await Promise.all([bench.payments, ...others].map((instance) => instance.handleEvents()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(20);
    for (const { id } of urls) expect(await bench.order(id)).toMatchObject({ status: 'placed', version: 2 });
  });

  describe('while messages go on arriving', () => {
    const arrive = (count: number) =>
      Promise.all(Array.from({ length: count }, () => receive(message({ type: 'rush', object: 'any' }))));
    /** A worker that is woken during its work, once `onFirst` has been called. */
    const rushed = (onFirst: (worker: EventWorker) => Promise<unknown>) => {
      let isFirst = true;
      const handler: PaymentEventHandler = {
        types: ['rush'],
        handle: async () => {
          if (isFirst) {
            isFirst = false;
            await onFirst(worker);
            worker.wake();
          }
          return 'applied';
        },
      };
      const worker = createEventWorker(createPaymentContext(bench.services, [bench.provider]), [handler]);
      return worker;
    };

    test('handles those too', async () => {
      const worker = rushed(() => arrive(3));
      await arrive(60);
      expect(await worker.work()).toBe(63);
      expect(await worker.work()).toBe(0);
    });

    test('leaves them to others when it is stopped', async () => {
      let stopped: Promise<void> | undefined;
      const worker = rushed(async (self) => {
        await arrive(1);
        stopped = self.stop();
      });
      await arrive(1);
      expect(await worker.work()).toBe(1);
      await stopped;
      const left = bench.db.selectFrom('payment_events').select('tries').where('outcome', 'is', null);
      expect(await left.execute()).toEqual([{ tries: 0 }]);
    });
  });

  test('leaves what it took to others when it dies', async () => {
    const { id, url } = await bench.paid('authorised');
    await receive(message({ reference: bench.referenceOf(url) }));
    const hold = bench.provider.hold(bench.referenceOf(url));
    const dying = bench.payments.handleEvents();
    await hold.reached;
    const other = createPayments(bench.services, { providers: [bench.provider] });
    expect(await other.handleEvents()).toBe(0);
    bench.wait(120);
    expect(await other.handleEvents()).toBe(1);
    expect((await bench.order(id)).status).toBe('placed');
    hold.release();
    await dying;
    expect(await bench.order(id)).toMatchObject({ status: 'placed', version: 2 });
  });
});
