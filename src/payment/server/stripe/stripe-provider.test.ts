import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentProvider, CheckoutRequest } from '#payment/server/provider.ts';
import { openStripe } from '#payment/server/stripe/client.ts';
import { createStripeProvider } from '#payment/server/stripe/stripe-provider.ts';
import { startTestingShop, type TestingShop } from '#simulators/stripe/testing-shop.ts';

let shop: TestingShop;
let stripe: Stripe;
let provider: PaymentProvider;
const secrets = ['whsec_old', 'whsec_new'];
beforeEach(async () => {
  shop = await startTestingShop();
  stripe = openStripe(shop.secretKey, new URL(shop.origin));
  provider = createStripeProvider({
    stripe,
    keySet: { id: 'set_1', mode: 'test', account: 'acct_1' },
    webhookSecrets: secrets,
    customers: { of: async () => null },
  });
});
afterEach(() => shop.close());

let made = 0;
const request = (change: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
  idempotencyKey: `key-${(made += 1)}`,
  paymentId: '0199d3a0-0000-7000-8000-000000000001',
  orderId: '0199d3a0-0000-7000-8000-000000000002',
  amount: 1250,
  currency: 'GBP',
  parts: [{ name: 'Margherita', amount: 1250, quantity: 1 }],
  discount: null,
  merchant: { id: 'store-1', name: 'Napoli' },
  description: 'Order 12',
  note: 'Taken when the shop accepts.',
  payer: { email: 'ada@example.com', userId: null, language: 'en' },
  isHeld: true,
  expiresAt: new Date(shop.clock.now + 31 * 60_000),
  returnUrl: 'https://napoli.example/orders/1/payment/callback',
  cancelUrl: 'https://napoli.example/orders/1',
  ...change,
});
const open = async (change: Partial<CheckoutRequest> = {}) =>
  (await provider.createCheckout(request(change))).reference;
const held = async () => {
  const reference = await open();
  shop.control.pay(reference);
  return reference;
};
const captured = async () => {
  const reference = await held();
  await provider.capture(reference, 'capture', 1250);
  return reference;
};
const postsTo = (path: string) =>
  shop.control.log.filter((entry) => entry.method === 'POST' && entry.path.endsWith(path)).length;

describe('a checkout', () => {
  test('asks for the total, with the discount taken off', async () => {
    const parts = [
      { name: 'Margherita', amount: 1000, quantity: 2 },
      { name: 'Delivery', amount: 250, quantity: 1 },
    ];
    const reference = await open({ parts, discount: { name: 'Ten off', amount: 1000 }, amount: 1250 });
    const session = await shop.client.checkout.sessions.retrieve(reference, { expand: ['line_items'] });
    expect(session).toMatchObject({ amount_subtotal: 2250, amount_total: 1250 });
    expect(session.line_items?.data.map(({ description }) => description)).toEqual(['Margherita', 'Delivery']);
    expect(await provider.fetch(reference)).toMatchObject({ state: 'open', amount: 1250, currency: 'GBP' });
  });

  test('with more parts than Stripe shows is one line of the same total', async () => {
    const parts = Array.from({ length: 101 }, (_, at) => ({ name: `Dish ${at}`, amount: 100 + at, quantity: 1 }));
    const reference = await open({ parts });
    const session = await shop.client.checkout.sessions.retrieve(reference, { expand: ['line_items'] });
    expect(session.amount_total).toBe(100 * 101 + 5050);
    expect(session.line_items?.data).toHaveLength(1);
  });

  test('asked for twice is one, also when both ask at the same moment', async () => {
    const asked = request({ discount: { name: 'Off', amount: 50 } });
    shop.control.faults.add({ kind: 'slow_work', path: '/v1/checkout/sessions', milliseconds: 300 });
    const [first, second] = await Promise.all([provider.createCheckout(asked), provider.createCheckout(asked)]);
    expect(second).toEqual(first);
    expect((await provider.createCheckout(asked)).reference).toBe(first.reference);
  });

  test.each([
    ['customer_email', 'customer_email'],
    ['payment_method_options[mobilepay][capture_method]', 'mobilepay'],
    ['allowed_payment_method_types[5]', 'mobilepay'],
  ])('that is refused for %s is opened without it, also when it is asked for again', async (param, left) => {
    const refusal = { message: 'Not for this account.', param };
    shop.control.faults.add({ kind: 'refused', path: '/v1/checkout/sessions', method: 'POST', refusal });
    const asked = request();
    const { reference } = await provider.createCheckout(asked);
    const [, call] = shop.control.log.filter(
      ({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions',
    );
    expect(call?.params).toMatchObject({ payment_method_options: { card: { capture_method: 'manual' } } });
    expect(JSON.stringify(call?.params)).not.toContain(left);
    shop.control.faults.add({ kind: 'refused', path: '/v1/checkout/sessions', method: 'POST', refusal });
    expect((await provider.createCheckout(asked)).reference).toBe(reference);
  });

  test('that is refused for many methods, one after the other, is opened without them', async () => {
    const inactive = ['affirm', 'afterpay_clearpay', 'alipay', 'klarna', 'mobilepay', 'revolut_pay'];
    for (const method of inactive) {
      const refusal = { message: 'Not active.', param: `payment_method_options[${method}][capture_method]` };
      shop.control.faults.add({ kind: 'refused', path: '/v1/checkout/sessions', method: 'POST', refusal });
    }
    await provider.createCheckout(request());
    const call = shop.control.log.findLast(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions');
    const allowed = call?.params['allowed_payment_method_types'];
    expect(allowed).toContain('card');
    for (const method of inactive) expect(allowed).not.toContain(method);
  });

  test('of somebody with an account is opened without saving cards where that is refused', async () => {
    const { id: customer } = await shop.client.customers.create({});
    provider = createStripeProvider({
      stripe,
      keySet: { id: 'set_1', mode: 'test', account: 'acct_1' },
      webhookSecrets: secrets,
      customers: { of: async () => customer },
    });
    const refusal = { message: 'Not with manual capture.', param: 'saved_payment_method_options[payment_method_save]' };
    shop.control.faults.add({ kind: 'refused', path: '/v1/checkout/sessions', method: 'POST', refusal });
    const session = await shop.client.checkout.sessions.retrieve(await open());
    expect(session).toMatchObject({ customer, saved_payment_method_options: { payment_method_save: null } });
  });

  test.each(['line_items', 'payment_method_options[card][capture_method]'])(
    'that is refused for %s is not opened',
    async (param) => {
      const refusal = { message: 'No.', param };
      shop.control.faults.add({ kind: 'refused', path: '/v1/checkout/sessions', method: 'POST', refusal });
      await expect(open()).rejects.toMatchObject({ name: 'ProviderRefusal', said: 'No.' });
    },
  );

  test('is not asked for with another body under the same key', async () => {
    const asked = request();
    await provider.createCheckout(asked);
    await expect(provider.createCheckout({ ...asked, description: 'Order 13' })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
  });
});

describe('capturing', () => {
  test('takes what it is told, and says so when it is told again', async () => {
    const reference = await held();
    const seen = await provider.capture(reference, 'capture', 1000);
    expect(seen).toMatchObject({ state: 'captured', amount: 1250, captured: 1000, refunded: 0 });
    expect(await provider.capture(reference, 'another key', 1000)).toMatchObject({ captured: 1000 });
    expect(postsTo('/capture')).toBe(1);
  });

  test('more than was held is refused', async () => {
    const reference = await held();
    await expect(provider.capture(reference, 'capture', 1251)).rejects.toMatchObject({ name: 'ProviderRefusal' });
  });

  test('nothing is refused', async () => {
    await expect(provider.capture(await open(), 'capture', 1250)).rejects.toMatchObject({ name: 'ProviderRefusal' });
  });

  test('money of another mode is refused before Stripe is told to', async () => {
    const reference = await held();
    const live = createStripeProvider({
      stripe: openStripe(shop.secretKey, new URL(shop.origin)),
      keySet: { id: 'set_2', mode: 'live', account: null },
      webhookSecrets: [],
      customers: { of: async () => null },
    });
    await expect(live.capture(reference, 'capture', 1250)).rejects.toMatchObject({ name: 'ProviderRefusal' });
    expect(postsTo('/capture')).toBe(0);
  });
});

describe('closing', () => {
  test('an open page ends it', async () => {
    const reference = await open();
    expect(await provider.void(reference, 'void')).toMatchObject({ state: 'abandoned' });
    expect(shop.control.pay(reference)).toMatchObject({ problem: expect.any(String) });
  });

  test('a page that was declined on, and one whose payer is at the bank, ends with its money', async () => {
    const declined = await open();
    shop.control.pay(declined, { number: '4000000000000002' });
    expect((await provider.void(declined, 'void-1')).state).toBe('abandoned');
    const asked = await open();
    shop.control.pay(asked, { number: '4000000000003220' });
    expect((await provider.void(asked, 'void-2')).state).toBe('abandoned');
    expect((await provider.fetch(asked)).state).toBe('abandoned');
  });

  test('held money releases it', async () => {
    const reference = await held();
    expect(await provider.void(reference, 'void')).toMatchObject({ state: 'voided', refunded: 0 });
  });

  test('money that was captured is not cancelled, but reported', async () => {
    const reference = await captured();
    expect(await provider.void(reference, 'void')).toMatchObject({ state: 'captured', captured: 1250 });
    expect(postsTo('/cancel')).toBe(0);
  });

  test('money that is captured at the same moment is reported', async () => {
    const reference = await held();
    const cancel = stripe.paymentIntents.cancel.bind(stripe.paymentIntents);
    stripe.paymentIntents.cancel = async (id, ...more) => {
      await shop.client.paymentIntents.capture(id);
      return cancel(id, ...more);
    };
    expect(await provider.void(reference, 'void')).toMatchObject({ state: 'captured', captured: 1250 });
  });

  test('a page that is completed at the same moment ends with its money', async () => {
    const reference = await open();
    const expire = stripe.checkout.sessions.expire.bind(stripe.checkout.sessions);
    stripe.checkout.sessions.expire = async (id, ...more) => {
      shop.control.pay(reference);
      return expire(id, ...more);
    };
    expect(await provider.void(reference, 'void')).toMatchObject({ state: 'voided' });
  });

  test('a hold that Stripe does not release is a refusal', async () => {
    const reference = await held();
    stripe.paymentIntents.cancel = () => {
      const raw = { statusCode: 400, type: 'invalid_request_error', message: 'no', headers: {} };
      return Promise.reject(new Stripe.errors.StripeInvalidRequestError(raw as never));
    };
    await expect(provider.void(reference, 'void')).rejects.toMatchObject({ name: 'ProviderRefusal' });
    expect(await provider.fetch(reference)).toMatchObject({ state: 'authorised' });
  });

  test('a payment that the bank is still thinking about ends', async () => {
    shop.control.set({ bankPayments: 'processing' });
    const reference = await open();
    shop.control.pay(reference, { method: 'pay_by_bank' });
    expect((await provider.fetch(reference)).state).toBe('open');
    expect((await provider.void(reference, 'void')).state).toBe('abandoned');
  });

  test('a bank that says no in the end declines', async () => {
    shop.control.set({ bankPayments: 'processing' });
    const reference = await open();
    shop.control.pay(reference, { method: 'pay_by_bank' });
    const { intent } = await provider.fetch(reference);
    shop.control.finishPayment(intent ?? '', false);
    expect((await provider.fetch(reference)).state).toBe('declined');
  });
});

describe('refunding', () => {
  test('a part, then what is left', async () => {
    const reference = await captured();
    expect(await provider.refund(reference, 'r:1', 250)).toMatchObject({ state: 'captured', refunded: 250 });
    expect(await provider.refund(reference, 'r:2')).toMatchObject({ state: 'refunded', refunded: 1250 });
    expect(await provider.refund(reference, 'r:3')).toMatchObject({ state: 'refunded', refunded: 1250 });
    expect(postsTo('/v1/refunds')).toBe(2);
  });

  test('is looked for first, so that it is made once after Stripe forgot its key', async () => {
    const reference = await captured();
    await provider.refund(reference, 'r:1', 250);
    await shop.control.advance(25 * 3_600_000);
    expect(await provider.refund(reference, 'r:1', 250)).toMatchObject({ refunded: 250 });
    expect(postsTo('/v1/refunds')).toBe(1);
  });

  test('is found among more than the ten that Stripe lists with the charge', async () => {
    const reference = await captured();
    for (let at = 0; at < 12; at += 1) await provider.refund(reference, `r:${at}`, 10);
    const seen = await provider.refund(reference, 'r:0', 10);
    expect(seen.refunded).toBe(120);
    expect(seen.refundList).toHaveLength(12);
  });

  test('that failed later is refused under its key, and possible under another', async () => {
    const reference = await captured();
    const seen = await provider.refund(reference, 'r:1', 250);
    shop.control.finishRefund(seen.refundList?.[0]?.id ?? '', 'failed');
    expect(await provider.fetch(reference)).toMatchObject({ refunded: 0, refundList: [{ status: 'failed' }] });
    await expect(provider.refund(reference, 'r:1', 250)).rejects.toMatchObject({ name: 'ProviderRefusal' });
    expect(await provider.refund(reference, 'r:2', 250)).toMatchObject({ refunded: 250 });
  });

  test('more than is left, or what was never taken, is refused', async () => {
    const reference = await captured();
    await expect(provider.refund(reference, 'r:1', 1251)).rejects.toMatchObject({ name: 'ProviderRefusal' });
    await expect(provider.refund(await open(), 'r:2')).rejects.toMatchObject({ name: 'ProviderRefusal' });
  });
});

test('a payment that Stripe does not know is refused', async () => {
  await expect(provider.fetch('cs_test_nobody')).rejects.toMatchObject({ name: 'ProviderRefusal' });
});

describe('a message', () => {
  const signed = (secret: string, body: string, at = shop.clock.now) => {
    const timestamp = Math.floor(at / 1000);
    const signature = shop.client.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
    return provider.readWebhook(
      body,
      (name) => (name === 'stripe-signature' ? signature : undefined),
      new Date(shop.clock.now),
    );
  };
  const event = (type: string, object: object, more: object = {}) =>
    JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type,
      created: 1_800_000_000,
      livemode: false,
      data: { object },
      ...more,
    });
  const none = { amount: null, currency: null, paymentId: null };

  test.each([
    [
      'a session',
      event('checkout.session.completed', {
        id: 'cs_1',
        object: 'checkout.session',
        payment_intent: 'pi_1',
        amount_total: 1250,
        currency: 'gbp',
        metadata: { payment_id: 'payment-1' },
      }),
      { object: 'cs_1', reference: 'cs_1', paymentId: 'payment-1', amount: 1250, currency: 'GBP' },
    ],
    [
      'an intent',
      event('payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent', amount: 1250, currency: 'gbp' }),
      { object: 'pi_1', reference: 'pi_1', amount: 1250, paymentId: null },
    ],
    [
      'a refund',
      event('refund.failed', { id: 're_1', object: 'refund', payment_intent: 'pi_1', amount: 250, currency: 'gbp' }),
      { object: 're_1', reference: 'pi_1', amount: 250 },
    ],
    [
      'a dispute, with its intent whole',
      event('charge.dispute.created', { id: 'dp_1', object: 'dispute', payment_intent: { id: 'pi_1' }, amount: 5 }),
      { object: 'dp_1', reference: 'pi_1' },
    ],
    ['a payout', event('payout.paid', { id: 'po_1', object: 'payout' }), { object: 'po_1', reference: null, ...none }],
    ['an object without an id', event('balance.available', { object: 'balance' }), { object: null, reference: null }],
  ])('about %s', async (_name, body, expected) => {
    expect(await signed('whsec_new', body)).toMatchObject({
      id: 'evt_1',
      type: JSON.parse(body).type,
      account: 'acct_1',
      mode: 'test',
      at: new Date(1_800_000_000_000),
      ...expected,
    });
  });

  test('of live money, for a connected account', async () => {
    const body = event('payout.paid', { id: 'po_1' }, { livemode: true, account: 'acct_9' });
    expect(await signed('whsec_old', body)).toMatchObject({ mode: 'live', account: 'acct_9' });
  });

  test.each([
    ['signed with another secret', () => signed('whsec_other', event('payout.paid', {}))],
    ['signed six minutes ago', () => signed('whsec_new', event('payout.paid', {}), shop.clock.now - 360_000)],
    ['that is no JSON', () => signed('whsec_new', 'not json')],
    ['without a signature', () => provider.readWebhook('{}', () => undefined, new Date(shop.clock.now))],
    ['of the thin kind', () => signed('whsec_new', '{"id":"evt_1","object":"v2.core.event"}')],
    ['that is no event', () => signed('whsec_new', '{"id":"evt_1"}')],
    [
      'that is about nothing',
      () => signed('whsec_new', event('payout.paid', {}).replace('"object":{}', '"nothing":{}')),
    ],
  ])('%s is none', async (_name, read) => {
    expect(await read()).toBeNull();
  });

  test('changed on its way is none', async () => {
    const body = event('payout.paid', { id: 'po_1' });
    const timestamp = Math.floor(shop.clock.now / 1000);
    const signature = shop.client.webhooks.generateTestHeaderString({ payload: body, secret: 'whsec_new', timestamp });
    const changed = body.replace('po_1', 'po_2');
    expect(await provider.readWebhook(changed, () => signature, new Date(shop.clock.now))).toBeNull();
  });
});
