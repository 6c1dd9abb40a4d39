import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FaultKind } from './api/faults.ts';
import { readForm } from './api/form-encoding.ts';
import { orderSession, startTestingShop, type TestingShop } from './testing-shop.ts';

let shop: TestingShop;
beforeEach(async () => {
  shop = await startTestingShop();
});
afterEach(() => shop.close());

const refusedWith = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as Stripe.errors.StripeError,
  );
const pay = (options: Stripe.RequestOptions = {}, amount = 1000) =>
  shop.client.paymentIntents.create(
    { amount, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa' },
    options,
  );
const intents = () => shop.control.books().tables.payment_intent.size;

test('form-encoded parameters are read with their objects and arrays', () => {
  expect(readForm('a[b]=1&a[c][]=2&a[c][]=3&d[0][e]=4&d[1][e]=5&f=a%26b&g')).toEqual({
    a: { b: '1', c: ['2', '3'] },
    d: [{ e: '4' }, { e: '5' }],
    f: 'a&b',
    g: '',
  });
});

describe('keys', () => {
  test.each([
    ['no key', '', 'You did not provide an API key'],
    ['an unknown key', 'Bearer sk_test_123456789012345', 'Invalid API Key provided: sk_test_***********2345'],
  ])('%s is 401', async (_, authorization, words) => {
    const answer = await fetch(`${shop.origin}/v1/balance`, { headers: { authorization } });
    const { error } = (await answer.json()) as { error: { message: string; type: string } };
    expect([answer.status, error.type]).toEqual([401, 'invalid_request_error']);
    expect(error.message).toContain(words);
  });

  test('a revoked key is 401, whatever it did before', async () => {
    await pay();
    shop.control.keys.revoke(shop.secretKey);
    expect(await refusedWith(pay())).toMatchObject({ statusCode: 401, code: 'api_key_expired' });
  });

  test('a restricted key may do what it has rights for; a 403 names the missing one', async () => {
    const key = shop.control.keys.create({ rights: ['payment_intent_write'] });
    expect(key).toMatch(/^rk_test_/);
    const client = shop.clientFor(key);
    const intent = await client.paymentIntents.create({ amount: 1000, currency: 'gbp' });
    expect((await client.paymentIntents.retrieve(intent.id)).id).toBe(intent.id);
    const refused = await refusedWith(client.refunds.create({ payment_intent: intent.id }));
    expect(refused).toBeInstanceOf(Stripe.errors.StripePermissionError);
    expect(refused).toMatchObject({ statusCode: 403, rawType: 'invalid_request_error' });
    expect(refused?.message).toMatch(
      /^The provided key 'rk_test_\*+\w{4}' does not have the required permissions for this endpoint on account 'acct_\w+'\. Having the 'rak_charge_write' permission would allow this request to continue\.$/,
    );
    shop.control.keys.change(key, ['charge_write']);
    expect(await refusedWith(client.paymentIntents.retrieve(intent.id))).toMatchObject({ statusCode: 403 });
  });

  test('what is expanded needs the right to read it', async () => {
    const client = shop.clientFor(shop.control.keys.create({ rights: ['payment_intent_write'] }));
    const { id } = await pay();
    const refused = await refusedWith(client.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
    expect(refused?.message).toContain('rak_charge_read');
  });

  test('accounts and modes do not see each other', async () => {
    const { id } = await pay();
    const live = shop.clientFor(shop.control.keys.create({ livemode: true }));
    const missing = await refusedWith(live.paymentIntents.retrieve(id));
    expect(missing).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'intent' });
    expect(missing?.message).toContain('a similar object exists in test mode, but a live mode key was used');
    const other = shop.clientFor(shop.control.keys.create({ account: 'acct_other' }));
    expect((await refusedWith(other.paymentIntents.retrieve(id)))?.message).toBe(`No such payment_intent: '${id}'`);
    const session = await live.checkout.sessions.create(orderSession());
    expect([session.livemode, session.id.slice(0, 8)]).toEqual([true, 'cs_live_']);
    expect(
      await refusedWith(
        live.paymentIntents.create({ amount: 1000, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa' }),
      ),
    ).toMatchObject({ code: 'resource_missing' });
  });
});

describe('lists', () => {
  test('have pages that the library turns by itself', async () => {
    for (let amount = 101; amount <= 112; amount += 1) await pay({}, amount);
    const first = await shop.client.paymentIntents.list();
    expect([first.data.length, first.has_more]).toEqual([10, true]);
    const second = await shop.client.paymentIntents.list({ starting_after: first.data[9]?.id });
    expect([second.data.map(({ amount }) => amount), second.has_more]).toEqual([[102, 101], false]);
    const back = await shop.client.paymentIntents.list({ ending_before: second.data[0]?.id, limit: 3 });
    expect([back.data.map(({ amount }) => amount), back.has_more]).toEqual([[105, 104, 103], true]);
    const all: number[] = [];
    for await (const { amount } of shop.client.paymentIntents.list({ limit: 5 })) all.push(amount);
    expect(all).toEqual([112, 111, 110, 109, 108, 107, 106, 105, 104, 103, 102, 101]);
  });

  test('are filtered by time', async () => {
    await pay({}, 100);
    shop.clock.now += 60_000;
    await pay({}, 200);
    const at = shop.clock.now / 1000;
    const amounts = async (created: Stripe.RangeQueryParam | number) =>
      (await shop.client.paymentIntents.list({ created })).data.map(({ amount }) => amount);
    expect(await amounts({ gte: at })).toEqual([200]);
    expect(await amounts({ gte: at - 60, lt: at })).toEqual([100]);
    expect(await amounts(at)).toEqual([200]);
  });

  test.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ starting_after: 'pi_none' }, 'starting_after'],
    [{ starting_after: 'pi_a', ending_before: 'pi_b' }, undefined],
  ])('%o is refused', async (params, param) => {
    expect(await refusedWith(shop.client.paymentIntents.list(params))).toMatchObject({ statusCode: 400, param });
  });

  test('expand what each row has', async () => {
    await pay();
    const { data } = await shop.client.paymentIntents.list({ expand: ['data.latest_charge.balance_transaction'] });
    expect(data[0]).toMatchObject({ latest_charge: { balance_transaction: { net: 965 } } });
  });

  test('of events can be narrowed to types', async () => {
    await pay();
    const types = async (params: Stripe.EventListParams) =>
      (await shop.client.events.list(params)).data.map(({ type }) => type);
    expect(await types({ type: 'charge.succeeded' })).toEqual(['charge.succeeded']);
    expect(await types({ types: ['charge.succeeded', 'payment_intent.created'] })).toHaveLength(2);
    const [event] = (await shop.client.events.list()).data;
    expect(await shop.client.events.retrieve(event?.id ?? '')).toMatchObject({
      type: 'payment_intent.succeeded',
      data: { object: { object: 'payment_intent', status: 'succeeded' } },
    });
  });
});

test.each([
  ['nothing'],
  ['payment_method.card'],
  ['latest_charge.payment_intent.latest_charge.payment_intent.customer'],
])('expanding %s is refused', async (path) => {
  const { id } = await pay();
  expect(await refusedWith(shop.client.paymentIntents.retrieve(id, { expand: [path] }))).toMatchObject({
    statusCode: 400,
    param: 'expand',
  });
});

describe('an idempotency key', () => {
  test('gets the first answer again, also after the object has changed', async () => {
    const create = () =>
      shop.client.paymentIntents.create(
        { amount: 1000, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa', capture_method: 'manual' },
        { idempotencyKey: 'order:1' },
      );
    const first = await create();
    await shop.client.paymentIntents.capture(first.id);
    const again = await create();
    expect([again.id, again.status, intents()]).toEqual([first.id, 'requires_capture', 1]);
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(shop.control.log.map(({ isReplay }) => isReplay)).toEqual([false, false, true]);
  });

  test('gets a refusal of the work again, even when the work would succeed by now', async () => {
    const session = await shop.client.checkout.sessions.create(orderSession());
    shop.control.pay(session.id);
    const { payment_intent: intent } = await shop.client.checkout.sessions.retrieve(session.id);
    const refund = () =>
      shop.client.refunds.create({ payment_intent: String(intent) }, { idempotencyKey: 'order:1:refund' });
    const first = await refusedWith(refund());
    await shop.client.paymentIntents.capture(String(intent));
    const again = await refusedWith(refund());
    expect(again?.message).toBe(first?.message);
    expect(again?.headers?.['idempotent-replayed']).toBe('true');
    expect((await shop.client.refunds.create({ payment_intent: String(intent) })).amount).toBe(1250);
  });

  test('gets a decline again', async () => {
    const declined = () =>
      shop.client.paymentIntents.create(
        { amount: 1000, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa_chargeDeclined' },
        { idempotencyKey: 'k' },
      );
    const [first, again] = [await refusedWith(declined()), await refusedWith(declined())];
    expect(again?.payment_intent?.id).toBe(first?.payment_intent?.id);
    expect(intents()).toBe(1);
  });

  test('with other parameters is refused, and with another path', async () => {
    await pay({ idempotencyKey: 'k' });
    const other = await refusedWith(pay({ idempotencyKey: 'k' }, 1001));
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(other?.message).toContain('can only be used with the same parameters they were first used with');
    const elsewhere = await refusedWith(shop.client.customers.create({}, { idempotencyKey: 'k' }));
    expect(elsewhere?.message).toContain("('/v1/customers' vs '/v1/payment_intents')");
    expect(intents()).toBe(1);
  });

  test('is free again when the parameters were refused before the work', async () => {
    await refusedWith(
      shop.client.customers.create({ name: 1 as unknown as string, nothing: 'x' } as object, { idempotencyKey: 'k' }),
    );
    expect(shop.control.takeViolations()).toHaveLength(1);
    expect((await shop.client.customers.create({ name: 'Anna' }, { idempotencyKey: 'k' })).name).toBe('Anna');
  });

  test('belongs to one account and mode, and is forgotten after a day', async () => {
    const { id } = await pay({ idempotencyKey: 'k' });
    const other = shop.clientFor(shop.control.keys.create({ account: 'acct_other' }));
    await other.customers.create({}, { idempotencyKey: 'k' });
    shop.clock.now += 86_399_000;
    expect((await pay({ idempotencyKey: 'k' })).id).toBe(id);
    shop.clock.now += 1000;
    expect((await pay({ idempotencyKey: 'k' })).id).not.toBe(id);
  });

  test('in use is 409 until the first answer has come', async () => {
    shop.control.faults.add({ kind: 'slow_answer', milliseconds: 300 });
    const first = pay({ idempotencyKey: 'k' });
    while (intents() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await refusedWith(pay({ idempotencyKey: 'k' }))).toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
      rawType: 'idempotency_error',
    });
    const { id } = await first;
    expect((await pay({ idempotencyKey: 'k' })).id).toBe(id);
    expect(intents()).toBe(1);
  });
});

describe('a fault', () => {
  const add = (kind: FaultKind, more: object = {}) =>
    shop.control.faults.add({ kind, path: '/v1/payment_intents', ...more });
  const key = { idempotencyKey: 'k', timeout: 200 };

  test.each([
    ['rate_limit', 429],
    ['lock_timeout', 429],
    ['error_before', 500],
    ['unavailable', 503],
  ] as const)('%s is %i; nothing was done, and a repeat works', async (kind, status) => {
    add(kind);
    expect(await refusedWith(pay(key))).toMatchObject({ statusCode: status });
    expect(intents()).toBe(0);
    expect((await pay(key)).status).toBe('succeeded');
  });

  test('rate_limit says when to try again', async () => {
    add('rate_limit', { retryAfter: 3 });
    const refused = await refusedWith(pay(key));
    expect(refused).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
    expect(refused?.headers?.['retry-after']).toBe('3');
  });

  test('error_after is 500 with the work done, and the repeat is the same 500', async () => {
    add('error_after');
    expect(await refusedWith(pay(key))).toMatchObject({ statusCode: 500 });
    expect(await refusedWith(pay(key))).toMatchObject({ statusCode: 500 });
    expect(intents()).toBe(1);
    expect((await pay({ idempotencyKey: 'next' })).status).toBe('succeeded');
  });

  test.each([
    ['timeout_before', 0],
    ['reset_before', 0],
    ['timeout_after', 1],
    ['reset_after', 1],
  ] as const)('%s answers nothing with %i done; a repeat with the key makes it one', async (kind, done) => {
    // The library itself tries a broken connection once again.
    add(kind, { times: kind.startsWith('reset') ? 2 : 1 });
    expect(await refusedWith(pay(key))).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(intents()).toBe(done);
    expect((await pay(key)).status).toBe('succeeded');
    expect(intents()).toBe(1);
  });

  test('slow_work is done late', async () => {
    add('slow_work', { milliseconds: 100 });
    const first = pay({ idempotencyKey: 'k' });
    while (shop.control.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(intents()).toBe(0);
    expect((await first).status).toBe('succeeded');
  });

  test('meets a method, a path with any id, after some and as often as asked', async () => {
    const { id } = await pay();
    shop.control.faults.add({ kind: 'error_before', method: 'GET', path: '/v1/payment_intents/*', skip: 1, times: 2 });
    const results: string[] = [];
    for (let call = 0; call < 4; call += 1) {
      const failed = await refusedWith(shop.client.paymentIntents.retrieve(id));
      results.push(failed ? 'failed' : 'ok');
    }
    expect(results).toEqual(['ok', 'failed', 'failed', 'ok']);
    expect((await pay()).status).toBe('succeeded');
  });

  test('for all: Stripe is down until it is up again', async () => {
    shop.control.faults.setDown(true);
    expect(await refusedWith(pay())).toMatchObject({ statusCode: 503 });
    expect(await refusedWith(shop.client.balance.retrieve())).toMatchObject({ statusCode: 503 });
    shop.control.faults.clear();
    expect((await pay()).status).toBe('succeeded');
  });

  test('by chance is the same for the same seed', async () => {
    const run = async () => {
      shop.control.faults.setRandom({
        seed: 7,
        probability: 0.4,
        kinds: ['rate_limit', 'error_before', 'error_after'],
      });
      const results: unknown[] = [];
      for (let call = 0; call < 20; call += 1) results.push((await refusedWith(pay()))?.statusCode ?? 200);
      return results;
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set([200, 429, 500]));
    expect(await run()).toEqual(first);
  });
});

test('the log has each call with its answer', async () => {
  const { id } = await pay({ idempotencyKey: 'order:1' });
  expect(shop.control.log).toEqual([
    expect.objectContaining({
      method: 'POST',
      path: '/v1/payment_intents',
      params: { amount: '1000', currency: 'gbp', confirm: 'true', payment_method: 'pm_card_visa' },
      version: '2026-10-28.endive',
      idempotencyKey: 'order:1',
      livemode: false,
      status: 200,
      answer: expect.objectContaining({ id }),
      fault: null,
    }),
  ]);
  shop.control.clearLog();
  expect(shop.control.log).toEqual([]);
});

test('the version of the API must be one, and the one of the types', async () => {
  const headers = { authorization: `Bearer ${shop.secretKey}`, 'stripe-version': 'soon' };
  const answer = await fetch(`${shop.origin}/v1/balance`, { headers });
  expect(answer.status).toBe(400);
  await shop.clientFor(shop.secretKey, { apiVersion: '2024-06-20' as never }).balance.retrieve();
  expect(shop.control.takeViolations()).toEqual([
    expect.objectContaining({ problem: 'Answers have the form of 2026-10-28.endive, not of 2024-06-20' }),
  ]);
});

test('the control can be used from another process, over HTTP', async () => {
  const call = async (name: string, ...given: unknown[]) => {
    const answer = await fetch(`${shop.origin}/__control/${name}`, { method: 'POST', body: JSON.stringify(given) });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  const { body: key } = await call('keys/create', { rights: ['balance_read'] });
  expect((await shop.clientFor(String(key)).balance.retrieve()).object).toBe('balance');
  await call('faults/add', { kind: 'unavailable' });
  expect(await refusedWith(shop.client.balance.retrieve())).toMatchObject({ statusCode: 503 });
  const session = await shop.client.checkout.sessions.create(orderSession());
  expect((await call('pay', session.id)).body).toEqual({ to: expect.stringContaining(session.id) });
  const log = (await fetch(`${shop.origin}/__control/log`).then((answer) => answer.json())) as unknown[];
  expect(log).toHaveLength(3);
  await call('advance', 7 * 86_400_000);
  expect([...shop.control.books().tables.payment_intent.values()].map(({ status }) => status)).toEqual(['canceled']);
  expect((await call('pay', 'cs_none')).status).toBe(400);
  expect((await call('nothing')).status).toBe(404);
  expect((await call('constructor')).status).toBe(404);
});

test('with a seed, two runs make the same ids', async () => {
  const ids: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const seeded = await startTestingShop({ seed: 'model' });
    ids.push((await seeded.client.checkout.sessions.create(orderSession())).id);
    await seeded.close();
  }
  expect(ids[0]).toBe(ids[1]);
  expect((await shop.client.checkout.sessions.create(orderSession())).id).not.toBe(ids[0]);
});
