import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkKeySets } from '#payment/server/keys/check-key-sets.ts';
import { openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';

let shop: StripeShop;
beforeEach(async () => {
  shop = await openStripeShop();
});
afterEach(() => shop.close());

const setUp = (secret_key: string) => shop.call('POST', '/v1/payments/setup', { secret_key });
const rows = () => shop.app.database.db.selectFrom('payment_key_sets').selectAll().orderBy('id').execute();
const refusal = (path: string, body: unknown) => shop.app.request('POST', path, { token: shop.owner, body });

describe('the trial', () => {
  test('in test mode pays and refunds the least amount, and shows that messages arrive', async () => {
    await setUp(shop.newKey());
    expect(await shop.call('POST', '/v1/payments/setup/trial')).toMatchObject({
      current: { trial: { state: 'refunded', amount: 30, currency: 'GBP', redirect_url: null } },
    });
    const { tables } = shop.stripe.control.books();
    expect([...tables.refund.values()]).toMatchObject([{ amount: 30, status: 'succeeded' }]);
    await shop.stripe.control.webhooks.settled();
    await shop.until(async () => (await rows())[0]?.heard_at);
    expect(await shop.call('GET', '/v1/payments/setup')).toMatchObject({ current: { webhook: { state: 'heard' } } });
  });

  test('is one payment for three taps at the same time', async () => {
    await setUp(shop.newKey());
    // Slowly, so that none has ended when the others begin.
    shop.stripe.control.faults.add({ kind: 'slow_answer', milliseconds: 1500, path: '/v1/payment_intents' });
    await Promise.all([1, 2, 3].map(() => shop.call('POST', '/v1/payments/setup/trial')));
    const { tables } = shop.stripe.control.books();
    expect([...tables.payment_intent.values()]).toMatchObject([{ amount: 30, status: 'succeeded' }]);
    expect([...tables.refund.values()]).toMatchObject([{ amount: 30 }]);
    expect(await shop.call('GET', '/v1/payments/setup')).toMatchObject({ current: { trial: { state: 'refunded' } } });
  });

  test('continues under its key when its answer was lost, and is given up if nobody tries again', async () => {
    await setUp(shop.newKey());
    const lose = () =>
      shop.stripe.control.faults.add({ kind: 'reset_after', method: 'POST', path: '/v1/payment_intents', times: 2 });
    lose();
    expect(await refusal('/v1/payments/setup/trial', undefined)).toMatchObject({ status: 503 });
    expect(await shop.call('POST', '/v1/payments/setup/trial')).toMatchObject({
      current: { trial: { state: 'refunded' } },
    });
    expect(shop.stripe.control.books().tables.payment_intent.size).toBe(1);
    lose();
    expect(await refusal('/v1/payments/setup/trial', undefined)).toMatchObject({ status: 503 });
    // The shop's own sweep may be checking the set at the same time.
    await shop.until(async () => {
      shop.wait(61);
      await checkKeySets(shop.app.services);
      const { current } = (await shop.call('GET', '/v1/payments/setup')) as { current: { trial: { state: string } } };
      return current.trial.state === 'failed';
    });
  });

  test('that Stripe refuses is over, and the problem of the key is found', async () => {
    const key = shop.newKey();
    await setUp(key);
    shop.stripe.control.keys.revoke(key);
    expect(await refusal('/v1/payments/setup/trial', undefined)).toMatchObject({ status: 409 });
    await shop.call('POST', '/v1/payments/setup/webhook');
    expect(await shop.call('GET', '/v1/payments/setup')).toMatchObject({
      current: { trial: { state: 'failed' }, problem: { kind: 'keys_refused' } },
    });
  });

  test('begins with a page as customers get theirs: where that is refused, nothing is paid, and the reason is said', async () => {
    await setUp(shop.newKey());
    shop.stripe.control.faults.add({
      kind: 'refused',
      method: 'POST',
      path: '/v1/checkout/sessions',
      times: 20,
      refusal: { message: 'This account cannot do that.' },
    });
    expect(await refusal('/v1/payments/setup/trial', undefined)).toMatchObject({
      status: 409,
      body: { message: 'Stripe refused: This account cannot do that.' },
    });
    expect(shop.stripe.control.books().tables.payment_intent.size).toBe(0);
    await shop.until(async () => (await shop.call('GET', '/v1/payments/setup')).current.problem);
    expect(await shop.call('GET', '/v1/payments/setup')).toMatchObject({
      current: {
        trial: { state: 'failed' },
        problem: { kind: 'some_pages_refused', said: 'This account cannot do that.' },
      },
    });
  });

  test('is refused in a currency that Stripe counts differently, as the cards of customers are', async () => {
    await setUp(shop.newKey());
    const { storeId } = shop.app.shop;
    const cardProvider = async (currency: string) =>
      (await shop.call('PATCH', `/v1/stores/${storeId}`, { currency })).card_provider;
    expect(await cardProvider('ISK')).toBeNull();
    expect(await refusal('/v1/payments/setup/trial', undefined)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: expect.stringContaining('Cards cannot be taken in ISK') },
    });
    expect(shop.stripe.control.books().tables.payment_intent.size).toBe(0);
    expect(await cardProvider('JPY')).toBe('stripe');
    expect(await shop.call('POST', '/v1/payments/setup/trial')).toMatchObject({
      current: { trial: { state: 'refunded', amount: 50, currency: 'JPY' } },
    });
  });

  test('leaves no message waiting for an order', async () => {
    await setUp(shop.newKey());
    await shop.call('POST', '/v1/payments/setup/trial');
    await shop.stripe.control.webhooks.settled();
    await shop.app.services.payments.handleEvents();
    const { messages } = await shop.call('GET', '/v1/payments/checks');
    expect(messages).toMatchObject({ last_at: expect.any(String), waiting: 0, failed: 0 });
  });

  test('shows that messages do not arrive', async () => {
    await setUp(shop.newKey());
    shop.stripe.control.webhooks.plan({ action: 'drop', probability: 1 });
    await shop.call('POST', '/v1/payments/setup/trial');
    await shop.stripe.control.webhooks.settled();
    expect(await shop.call('GET', '/v1/payments/setup')).toMatchObject({ current: { webhook: { state: 'waiting' } } });
    shop.app.clock.now = new Date(shop.app.clock.now.getTime() + 61_000);
    expect(await shop.call('GET', '/v1/payments/setup')).toMatchObject({ current: { webhook: { state: 'silent' } } });
  });

  test('is refunded by itself when the answer to the refund was lost', async () => {
    await setUp(shop.newKey());
    shop.stripe.control.faults.add({ kind: 'error_after', method: 'POST', path: '/v1/refunds', times: 1 });
    expect(await refusal('/v1/payments/setup/trial', undefined)).toMatchObject({ status: 503 });
    expect(await shop.call('GET', '/v1/payments/setup')).toMatchObject({ current: { trial: { state: 'paid' } } });
    shop.app.clock.now = new Date(shop.app.clock.now.getTime() + 10_000);
    await checkKeySets(shop.app.services);
    await shop.until(async () => {
      const { current } = await shop.call('GET', '/v1/payments/setup');
      return current.trial.state === 'refunded';
    });
    expect([...shop.stripe.control.books().tables.refund.values()]).toMatchObject([{ amount: 30 }]);
  });

  describe('with real cards', () => {
    const trialNow = async () => (await shop.call('GET', '/v1/payments/setup')).current.trial;
    const pages = () => [...shop.stripe.control.books().tables['checkout.session'].values()];
    const page = () => {
      // Each check, and the trial, begin with a page of the shop's own that is paid by nobody.
      const session = pages().findLast(({ allowed_payment_method_types: only }) => only?.length === 1);
      if (!session) throw new Error('no page was opened');
      return session;
    };
    // The local Stripe takes test keys only: to the shop this one is real.
    beforeEach(async () => {
      await setUp(shop.newKey());
      await shop.app.database.db.updateTable('payment_key_sets').set({ mode: 'live' }).execute();
      await shop.app.services.keySets.reload();
    });

    test('is paid by the owner on the page of Stripe, and refunded by itself', async () => {
      const { current } = await shop.call('POST', '/v1/payments/setup/trial');
      expect(current.trial).toMatchObject({ state: 'open', amount: 30, redirect_url: page().url });
      expect(page()).toMatchObject({ amount_total: 30, success_url: `${shop.app.url}/admin/payments/setup` });
      expect((await shop.call('POST', '/v1/payments/setup/trial')).current.trial).toEqual(current.trial);
      shop.stripe.control.pay(page().id);
      await shop.call('POST', '/v1/payments/setup/trial');
      expect(await trialNow()).toMatchObject({ state: 'refunded', redirect_url: null });
      expect([...shop.stripe.control.books().tables.refund.values()]).toMatchObject([
        { amount: 30, status: 'succeeded' },
      ]);
    });

    test('is refunded also if the owner never comes back', async () => {
      await shop.call('POST', '/v1/payments/setup/trial');
      shop.stripe.control.pay(page().id);
      shop.wait(5);
      expect(await shop.until(async () => (await trialNow()).state === 'refunded')).toBe(true);
    });

    test('that nobody paid ends with its page, and another can be begun', async () => {
      await shop.call('POST', '/v1/payments/setup/trial');
      shop.wait(24 * 60 * 60 + 1);
      shop.stripe.control.tick();
      await checkKeySets(shop.app.services);
      expect(await trialNow()).toMatchObject({ state: 'abandoned', redirect_url: null });
      shop.stripe.control.books().tables['checkout.session'].clear();
      expect((await shop.call('POST', '/v1/payments/setup/trial')).current.trial).toMatchObject({ state: 'open' });
    });
  });
});
