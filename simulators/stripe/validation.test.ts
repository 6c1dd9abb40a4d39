import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faultsOfAnswer, faultsOfError } from './api/validation.ts';
import fixtures from './fixtures.json' with { type: 'json' };
import schemas from './schemas.json' with { type: 'json' };
import { orderSession, startTestingShop, type TestingShop } from './testing-shop.ts';

let shop: TestingShop;
beforeEach(async () => {
  shop = await startTestingShop();
});
afterEach(() => shop.close());

const post = async (path: string, body: string) => {
  const answer = await fetch(`${shop.origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.secretKey}`, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  const { error } = (await answer.json()) as { error?: Record<string, unknown> };
  return { status: answer.status, error };
};

describe('a request', () => {
  test.each([
    ['/v1/refunds', 'nothing=1', 'parameter_unknown', 'nothing', 'Received unknown parameter: nothing'],
    [
      '/v1/checkout/sessions',
      'mode=payment&payment_intent_data[nope]=x',
      'parameter_unknown',
      'payment_intent_data[nope]',
      'Received unknown parameter: payment_intent_data[nope]',
    ],
    [
      '/v1/checkout/sessions',
      'mode=payment&payment_method_types[]=card',
      'parameter_unknown',
      'payment_method_types',
      'Received unknown parameter: payment_method_types',
    ],
    ['/v1/refunds', 'amount=ten', 'parameter_invalid_integer', 'amount', 'Invalid integer: ten'],
    ['/v1/payment_intents', 'amount=100', 'parameter_missing', 'currency', 'Missing required param: currency.'],
    [
      '/v1/refunds',
      'reason=cold',
      undefined,
      'reason',
      'Invalid reason: must be one of duplicate, fraudulent, or requested_by_customer',
    ],
    [
      '/v1/checkout/sessions',
      'mode=payment&payment_method_options[card][capture_method]=later',
      undefined,
      'payment_method_options[card][capture_method]',
      'Invalid payment_method_options[card][capture_method]: must be manual',
    ],
  ])('to %s with %s is refused (%s), and noted', async (path, body, code, param, message) => {
    const { status, error } = await post(path, body);
    expect(status).toBe(400);
    expect(error).toMatchObject({ type: 'invalid_request_error', param, message });
    expect(error?.code).toBe(code);
    expect(shop.control.takeViolations()).toEqual([{ request: `POST ${path}`, where: 'request', problem: message }]);
  });

  test.each([
    ['a value of 501 characters', { order: 'x'.repeat(501) }],
    ['a name of 41 characters', { ['x'.repeat(41)]: '1' }],
    ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`key${at}`, '1']))],
  ])('with %s in its metadata is refused', async (_, metadata) => {
    await expect(shop.client.checkout.sessions.create(orderSession(1250, { metadata }))).rejects.toMatchObject({
      statusCode: 400,
    });
    expect(shop.control.takeViolations()).toHaveLength(1);
  });

  test('to an endpoint that does not exist is 404, and noted', async () => {
    expect((await post('/v1/subscriptions', '')).status).toBe(404);
    expect(shop.control.takeViolations()).toEqual([
      { request: 'POST /v1/subscriptions', where: 'request', problem: 'no such endpoint' },
    ]);
  });
});

test('the schemas were made from the library that is installed', () => {
  expect([schemas.version, schemas.apiVersion]).toEqual([Stripe.PACKAGE_VERSION, Stripe.API_VERSION]);
});

test('a session with every parameter that the shop can send is as the types say', async () => {
  const customer = await shop.client.customers.create({ email: 'anna@example.com' });
  const coupon = await shop.client.coupons.create({ amount_off: 100, currency: 'gbp', max_redemptions: 1 });
  const session = await shop.client.checkout.sessions.create(
    orderSession(1250, {
      adaptive_pricing: { enabled: false },
      allowed_payment_method_types: ['card', 'link', 'pay_by_bank'],
      customer: customer.id,
      custom_text: { submit: { message: 'Held until the shop accepts.' } },
      discounts: [{ coupon: coupon.id }],
      expires_at: shop.clock.now / 1000 + 1860,
      locale: 'pl',
      metadata: { order: '7' },
      payment_intent_data: { description: 'Order 7', metadata: { order: '7' }, setup_future_usage: 'on_session' },
      saved_payment_method_options: { payment_method_save: 'enabled', payment_method_remove: 'enabled' },
      submit_type: 'pay',
      wallet_options: { link: { display: 'auto' } },
    }),
    { idempotencyKey: 'order:7:session:1' },
  );
  expect(session).toMatchObject({ adaptive_pricing: { enabled: false }, locale: 'pl', amount_total: 1150 });
});

describe('the check of answers', () => {
  test('finds an unknown field, a missing one, a wrong word and a wrong kind', async () => {
    const refund = await somethingRefunded();
    expect(faultsOfAnswer(refund)).toEqual([]);
    expect(faultsOfAnswer({ ...refund, extra: 1 })).toEqual([expect.stringContaining('"extra"')]);
    const { amount: _, ...rest } = refund;
    expect(faultsOfAnswer(rest)).toEqual([expect.stringContaining("must have required property 'amount'")]);
    expect(faultsOfAnswer({ ...refund, reason: 'cold' })[0]).toContain('refund/reason');
    expect(faultsOfAnswer({ ...refund, amount: '5' })[0]).toContain('refund/amount must be number');
    expect(faultsOfAnswer({ ...refund, charge: { ...refund, object: 'charge' } })[0]).toContain('refund/charge');
    expect(faultsOfAnswer({ object: 'list', data: [{ ...refund, extra: 1 }] })).toHaveLength(3);
  });

  test('finds what is wrong inside an event', async () => {
    await somethingRefunded();
    const [event] = (await shop.client.events.list({ type: 'refund.created' })).data;
    expect(faultsOfAnswer(event)).toEqual([]);
    const wrong = { ...event, data: { object: { ...event?.data.object, amount: null } } };
    expect(faultsOfAnswer(wrong)[0]).toContain('refund/amount');
  });
});

describe('the check of errors', () => {
  test('finds an unknown field, a code or type that Stripe does not have, and an intent that is none', async () => {
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline', message: 'No.' };
    expect(faultsOfError({ error })).toEqual([]);
    expect(faultsOfError({ error: { ...error, extra: 1 } })).toEqual([expect.stringContaining('"extra"')]);
    expect(faultsOfError({ error: { ...error, code: 'too_poor' } })[0]).toContain('error/code');
    expect(faultsOfError({ error: { ...error, type: 'cold' } })[0]).toContain('error/type');
    expect(faultsOfError({ error: { ...error, payment_intent: { id: 'pi_1' } } })[0]).toContain('error/payment_intent');
    expect(faultsOfError({ message: 'No.' })).toEqual(['an error is not in `error`']);
    expect(faultsOfError(error)).toHaveLength(1);
  });

  test('is made of every error that is answered', async () => {
    const { control, client } = shop;
    control.faults.add({ kind: 'error_before' });
    control.faults.add({ kind: 'rate_limit' });
    const decline = { amount: 1000, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa_chargeDeclined' };
    const statuses: unknown[] = [];
    for (const call of [
      () => client.balance.retrieve(),
      () => client.balance.retrieve(),
      () => client.refunds.retrieve('re_nobody'),
      () => client.paymentIntents.create(decline),
    ]) {
      await call().catch((error: Stripe.errors.StripeError) => statuses.push(error.statusCode));
    }
    expect(statuses).toEqual([500, 429, 404, 402]);
    expect(control.takeViolations()).toEqual([]);
  });
});

/** What the fixtures, which are older, lack; and what they have that no answer here has. */
const older: Readonly<Record<string, readonly string[]>> = {
  'checkout.session': ["required property 'allowed_payment_method_types'"],
  charge: ["required property 'electronic_commerce_indicator'", 'charge/source', 'charge/transfer_data'],
  dispute: ["required property 'submission_method'", "required property 'intended_submission_method'"],
  payment_intent: [
    'payment_intent/transfer_data',
    "required property 'allowed_payment_method_types'",
    "required property 'payment_record'",
  ],
  account: ['account/business_profile'],
  event: ['no type for an object plan'],
};

describe('the fixtures and the types say the same', () => {
  test.each(Object.entries(fixtures))('of %s', (name, fixture) => {
    const faults = faultsOfAnswer(fixture).filter((fault) => !older[name]?.some((known) => fault.includes(known)));
    expect(faults).toEqual([]);
  });
});

describe('an answer has every field of its fixture', () => {
  test.each(Object.keys(fixtures) as (keyof typeof fixtures)[])('%s', async (name) => {
    const answers = await oneOfEach();
    expect(missingFields(fixtures[name], answers[name], name)).toEqual([]);
  });
});

/** The fields that only the fixture has, at any depth where both have an object. */
function missingFields(fixture: unknown, answer: unknown, path: string): string[] {
  if (!isObject(fixture) || !isObject(answer) || /\.(metadata|data|payment_method_options)$/.test(path)) return [];
  return Object.entries(fixture).flatMap(([key, value]) =>
    key in answer ? missingFields(value, answer[key], `${path}.${key}`) : [`${path}.${key}`],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function somethingRefunded() {
  const intent = await shop.client.paymentIntents.create({
    amount: 1000,
    currency: 'gbp',
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  return shop.client.refunds.create({ payment_intent: intent.id, amount: 100 });
}

async function oneOfEach(): Promise<Record<keyof typeof fixtures, unknown>> {
  const { client } = shop;
  const refund = await somethingRefunded();
  const endpoint = await shop.listen();
  const session = await client.checkout.sessions.create(
    orderSession(1250, { customer: (await client.customers.create()).id }),
  );
  shop.control.pay(session.id);
  const charge = await client.charges.retrieve(String(refund.charge), { expand: ['refunds'] });
  return {
    'checkout.session': await client.checkout.sessions.retrieve(session.id),
    payment_intent: await client.paymentIntents.retrieve(String(refund.payment_intent)),
    refund,
    event: (await client.events.list()).data[0],
    charge,
    dispute: shop.control.openDispute(charge.id),
    account: await client.accounts.retrieveCurrent(),
    webhook_endpoint: await client.webhookEndpoints.retrieve(endpoint.id),
    balance_transaction: await client.balanceTransactions.retrieve(String(refund.balance_transaction)),
    payment_method: await client.paymentMethods.retrieve(String(charge.payment_method)),
    payment_method_domain: await client.paymentMethodDomains.create({ domain_name: 'shop.example.com' }),
  };
}
