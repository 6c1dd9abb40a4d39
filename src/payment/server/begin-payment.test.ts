import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';
import { ProviderRefusal } from '#payment/server/provider.ts';
import { renewIdempotencyKey } from '#payment/server/owed-calls.ts';
import { addKeySet } from '#payment/testing/key-sets.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

describe('beginning to pay', () => {
  test('the page is the same however often it is asked for, even at once', async () => {
    const id = await bench.newOrder();
    const urls = await Promise.all(Array.from({ length: 8 }, () => bench.payments.begin(id)));
    urls.push(await bench.payments.begin(id));
    expect(new Set(urls).size).toBe(1);
    expect(await bench.statesOf(id)).toEqual(['pending']);
    expect(bench.kept(urls[0] ?? '')).toMatchObject({ amount: 1250, currency: 'GBP' });
  });

  test.each(['lost', 'answer_lost'] as const)(
    'with the call %s the order stays pending and the next try gets its page',
    async (mood) => {
      const id = await bench.newOrder();
      const before = bench.provider.payments.size;
      bench.provider.moods.push(mood);
      await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
      expect((await bench.order(id)).status).toBe('pending_payment');
      await bench.payments.begin(id);
      expect(await bench.statesOf(id)).toEqual(['pending']);
      expect(bench.provider.payments.size).toBe(before + 1);
    },
  );

  test('an amount that is too little for the provider is said in words', async () => {
    const id = await bench.newOrder();
    const ask = bench.provider.createCheckout;
    bench.provider.createCheckout = () => Promise.reject(new ProviderRefusal('no', { isTooLittle: true }));
    try {
      await expect(bench.payments.begin(id)).rejects.toMatchObject({
        code: 'payment_unavailable',
        message: expect.stringContaining('too little'),
      });
    } finally {
      bench.provider.createCheckout = ask;
    }
    expect((await bench.order(id)).status).toBe('pending_payment');
  });

  test('a shop without a provider takes no card', async () => {
    const id = await bench.newOrder();
    await bench.changeStore({ is_demo: false });
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    expect(await bench.statesOf(id)).toEqual([]);
  });

  test('an order that waits for no payment is refused', async () => {
    const id = await bench.newOrder({ status: 'placed', payment_method: 'cash' });
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'illegal_transition' });
    await expect(bench.payments.begin(randomUUIDv7())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the page that was shown first stays the order’s, whichever else the provider makes', async () => {
    const id = await bench.newOrder();
    const hold = bench.provider.hold('checkout');
    const first = bench.payments.begin(id);
    await hold.reached;
    // As a call does whose key was spent.
    const [payment] = await bench.db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
    if (!payment) throw new Error('there is no payment');
    await renewIdempotencyKey(bench.db, payment, { updated_at: bench.clock.now });
    const shown = await bench.payments.begin(id);
    hold.release();
    expect(await first).toBe(shown);
    bench.provider.payer(bench.referenceOf(shown), 'authorised');
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  });

  test('a call whose attempt is refused after another one got its page shows that page, and asks for no other', async () => {
    const id = await bench.newOrder();
    bench.provider.moods.push('lost');
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    const ask = bench.provider.createCheckout;
    const [reached, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const keys: string[] = [];
    bench.provider.createCheckout = async (request) => {
      const times = keys.push(request.idempotencyKey.split(':').at(-1) ?? '');
      reached.resolve();
      if (times === 1) await refused.promise;
      if (times <= 2) throw new ProviderRefusal('the page would end too soon');
      return ask(request);
    };
    try {
      const late = bench.payments.begin(id);
      await reached.promise;
      const shown = await bench.payments.begin(id);
      bench.wait(30);
      refused.resolve();
      expect(await late).toBe(shown);
      expect(keys).toEqual(['1', '1', '2']);
    } finally {
      bench.provider.createCheckout = ask;
    }
  });

  test.each([
    ['expired', (id: string) => bench.move(id, 'expire'), { status: 'expired', payment_status: 'unpaid' }],
    ['became cash', (id: string) => bench.payments.payAgain(id, 'cash'), { status: 'placed', payment_method: 'cash' }],
  ])('an order that %s while the provider was asked shows no page', async (_name, end, state) => {
    const id = await bench.newOrder();
    const hold = bench.provider.hold('checkout');
    const asked = bench.payments.begin(id).catch((error: unknown) => error);
    await hold.reached;
    await end(id);
    hold.release();
    expect(await asked).toMatchObject({ code: 'illegal_transition' });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject(state);
    expect(await bench.paymentsOf(id)).toEqual([{ status: 'voided', owed: null, failure: null, check_at: null }]);
    const [made] = await bench.db.selectFrom('payments').select('reference').where('order_id', '=', id).execute();
    expect(bench.provider.payments.get(made?.reference ?? '')?.state).toBe('voided');
  });
});

describe('a second try', () => {
  const wrongAmount = async () => {
    const { id, url } = await bench.paid('authorised');
    Object.assign(bench.kept(url), { amount: 1 });
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'failed' });
    return { id, url };
  };

  test('begins after the earlier one was closed, without waiting for a job', async () => {
    const { id, url } = await wrongAmount();
    const again = await bench.payments.begin(id);
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(bench.kept(again)).toMatchObject({ state: 'open', amount: 1250 });
    expect(await bench.statesOf(id)).toEqual(['voided', 'pending']);
  });

  test('does not begin while the earlier one cannot be closed; cash is still taken', async () => {
    const { id, url } = await wrongAmount();
    bench.provider.moods.push('lost');
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    expect(await bench.statesOf(id)).toEqual(['authorised']);
    await bench.payments.payAgain(id, 'cash');
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_method: 'cash' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
  });

  test('with other keys replaces an attempt that got no page with the old ones', async () => {
    const id = await bench.newOrder();
    bench.provider.moods.push('lost');
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    await addKeySet(bench.db, 'ks_old');
    await bench.db.updateTable('payments').set({ key_set: 'ks_old' }).where('order_id', '=', id).execute();
    await bench.payments.begin(id);
    expect(await bench.statesOf(id)).toEqual(['voided', 'pending']);
  });
});

describe('paying again', () => {
  test('by card on the page that is still open', async () => {
    const id = await bench.newOrder();
    const url = await bench.payments.begin(id);
    await bench.payments.payAgain(id, 'card');
    expect(await bench.payments.begin(id)).toBe(url);
    expect(await bench.statesOf(id)).toEqual(['pending']);
  });

  test('is not needed when the payment has arrived meanwhile', async () => {
    const { id } = await bench.paid('authorised');
    await bench.payments.payAgain(id, 'cash');
    expect(await bench.order(id)).toMatchObject({
      status: 'placed',
      payment_method: 'card',
      payment_status: 'authorised',
    });
    await bench.payments.payAgain(id, 'card');
    expect(await bench.statesOf(id)).toEqual(['authorised']);
  });

  test('in cash places the order and closes the card page; twice is as good as once', async () => {
    const id = await bench.newOrder();
    const url = await bench.payments.begin(id);
    await Promise.all([bench.payments.payAgain(id, 'cash'), bench.payments.payAgain(id, 'cash')]);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({
      status: 'placed',
      payment_method: 'cash',
      payment_status: 'unpaid',
      version: 2,
    });
    expect(bench.kept(url).state).toBe('voided');
  });

  test('by card is refused below the least amount of the provider', async () => {
    const id = await bench.newOrder({ total: 29, subtotal: 29 });
    await expect(bench.payments.payAgain(id, 'card')).rejects.toMatchObject({
      code: 'invalid',
      detail: { errors: { payment_method: [expect.stringContaining('£0.30')] } },
    });
    expect(await bench.statesOf(id)).toEqual([]);
  });

  test('in cash is refused where the shop takes none, or not so much', async () => {
    const id = await bench.newOrder();
    await bench.changeStore({ cash_max: 1249 });
    await expect(bench.payments.payAgain(id, 'cash')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('£12.49'),
    });
    await bench.changeStore({
      cash_max: 1250,
      payment_methods: JSON.stringify({ collection: ['card'], delivery: ['cash'] }),
    });
    await expect(bench.payments.payAgain(id, 'cash')).rejects.toMatchObject({
      detail: { errors: { payment_method: [expect.any(String)] } },
    });
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_method: 'card' });
  });

  test('is refused once the order has ended', async () => {
    const id = await bench.newOrder();
    await bench.move(id, 'expire');
    await expect(bench.payments.payAgain(id, 'card')).rejects.toMatchObject({ code: 'illegal_transition' });
    await expect(bench.payments.payAgain(id, 'cash')).rejects.toMatchObject({ code: 'illegal_transition' });
  });
});
