import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestingShop, type TestingShop } from './testing-shop.ts';

let shop: TestingShop;
beforeEach(async () => {
  shop = await startTestingShop();
});
afterEach(() => shop.close());

const minute = 60_000;
const pay = (amount = 1000) =>
  shop.client.paymentIntents.create({ amount, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa' });
const types = () => shop.received.map(({ event }) => event.type);
const settled = () => shop.control.webhooks.settled();

describe('an endpoint', () => {
  test('is made with a secret that no later answer has, and changed, listed and deleted', async () => {
    const made = await shop.client.webhookEndpoints.create({
      url: 'http://127.0.0.1:1/webhook',
      enabled_events: ['charge.succeeded'],
      api_version: '2026-10-28.endive',
      description: 'Hatch',
      metadata: { shop: '1' },
    });
    expect(made).toMatchObject({
      status: 'enabled',
      api_version: '2026-10-28.endive',
      secret: expect.stringMatching(/^whsec_/),
    });
    const seen = await shop.client.webhookEndpoints.retrieve(made.id);
    expect(seen).toMatchObject({ url: made.url, metadata: { shop: '1' } });
    expect(seen).not.toHaveProperty('secret');
    const changed = await shop.client.webhookEndpoints.update(made.id, { disabled: true, enabled_events: ['*'] });
    expect(changed).toMatchObject({ status: 'disabled', enabled_events: ['*'] });
    expect(changed).not.toHaveProperty('secret');
    expect((await shop.client.webhookEndpoints.list()).data.map(({ id }) => id)).toEqual([made.id]);
    expect((await shop.client.webhookEndpoints.del(made.id)).deleted).toBe(true);
    await expect(shop.client.webhookEndpoints.retrieve(made.id)).rejects.toMatchObject({ statusCode: 404 });
  });

  test.each([
    ['shop.example.com', {}],
    ['http://localhost:3000/webhook', { refusesLocalEndpoints: true }],
    ['http://127.0.0.1:3000/webhook', { refusesLocalEndpoints: true }],
  ])('at %s is refused', async (url, settings) => {
    shop.control.set(settings);
    await expect(shop.client.webhookEndpoints.create({ url, enabled_events: ['*'] })).rejects.toMatchObject({
      code: 'url_invalid',
      param: 'url',
    });
  });

  test('in live mode must be https', async () => {
    const live = shop.clientFor(shop.control.keys.create({ livemode: true }));
    await expect(
      live.webhookEndpoints.create({ url: 'http://shop.example.com/', enabled_events: ['*'] }),
    ).rejects.toMatchObject({ code: 'url_invalid' });
  });

  test('gets the events that it listens to, and nothing while it is disabled', async () => {
    const { id } = await shop.listen(['charge.succeeded', 'payment_intent.succeeded']);
    await pay();
    await settled();
    expect(types()).toEqual(['charge.succeeded', 'payment_intent.succeeded']);
    await shop.client.webhookEndpoints.update(id, { disabled: true });
    await pay();
    await settled();
    expect(shop.received).toHaveLength(2);
  });
});

test('an event is signed, and is what the library reads', async () => {
  const { secret } = await shop.listen(['payment_intent.succeeded']);
  const intent = await shop.client.paymentIntents.create(
    { amount: 1000, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa' },
    { idempotencyKey: 'order:1' },
  );
  await settled();
  const [{ headers, body }] = shop.received as [(typeof shop.received)[0]];
  const signature = String(headers['stripe-signature']);
  const event = shop.client.webhooks.constructEvent(body, signature, secret, 300, undefined, shop.clock.now);
  expect(event).toMatchObject({
    object: 'event',
    type: 'payment_intent.succeeded',
    api_version: '2026-10-28.endive',
    livemode: false,
    created: shop.clock.now / 1000,
    pending_webhooks: 1,
    request: { idempotency_key: 'order:1', id: expect.stringMatching(/^req_/) },
    data: { object: { id: intent.id, status: 'succeeded' } },
  });
  const read = (text: string, sign: string, key: string, at: number) => () =>
    shop.client.webhooks.constructEvent(text, sign, key, 300, undefined, at);
  const error = Stripe.errors.StripeSignatureVerificationError;
  expect(read(body.replace('1000', '1001'), signature, secret, shop.clock.now)).toThrow(error);
  expect(read(body, signature, 'whsec_other', shop.clock.now)).toThrow(error);
  expect(read(body, signature, secret, shop.clock.now + 301_000)).toThrow(error);
});

test('an event keeps the object as it was then', async () => {
  await shop.listen(['payment_intent.created', 'payment_intent.succeeded']);
  shop.control.webhooks.plan({ action: 'hold' });
  await pay();
  await shop.control.webhooks.release();
  const states = shop.received.map(
    ({ body }) => (JSON.parse(body) as { data: { object: { status: string } } }).data.object.status,
  );
  expect(states).toEqual(['requires_payment_method', 'succeeded']);
});

test('an event that is not answered with 2xx comes again, later and later, and stays the same event', async () => {
  await shop.listen(['payment_intent.succeeded']);
  shop.answers.push(500, 404, 302);
  await pay();
  await settled();
  expect(shop.received).toHaveLength(1);
  for (const [wait, count] of [
    [4 * minute, 1],
    [minute, 2],
    [30 * minute, 3],
    [120 * minute, 4],
    [600 * minute, 4],
  ] as const) {
    await shop.control.advance(wait);
    expect(shop.received).toHaveLength(count);
  }
  expect(new Set(shop.received.map(({ event }) => event.id)).size).toBe(1);
  const [delivery] = shop.control.webhooks.list();
  expect(delivery).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 500 }, { status: 404 }, { status: 302 }, { status: 200 }],
  });
});

test('an event for an endpoint that cannot be reached is given up after three days', async () => {
  await shop.client.webhookEndpoints.create({
    url: 'http://127.0.0.1:1/',
    enabled_events: ['payment_intent.succeeded'],
  });
  await pay();
  for (let hour = 0; hour < 72; hour += 1) await shop.control.advance(60 * minute);
  const [delivery] = shop.control.webhooks.list();
  expect(delivery?.state).toBe('abandoned');
  expect(delivery?.attempts.every(({ status }) => status === null)).toBe(true);
  expect(delivery?.attempts).toHaveLength(8);
});

describe('events', () => {
  beforeEach(async () => {
    await shop.listen(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']);
  });

  test('can be lost, and sent again by hand', async () => {
    shop.control.webhooks.plan({ action: 'drop', type: 'payment_intent.succeeded' });
    await pay();
    await settled();
    expect(types()).toEqual(['payment_intent.created', 'charge.succeeded']);
    const lost = shop.control.webhooks.list().find(({ state }) => state === 'dropped');
    await shop.control.webhooks.redeliver(lost?.event ?? '');
    expect(types().at(-1)).toBe('payment_intent.succeeded');
  });

  test('can come twice', async () => {
    shop.control.webhooks.plan({ action: 'duplicate', type: 'charge.*', times: 1 });
    await pay();
    await pay();
    await settled();
    expect(types().filter((type) => type === 'charge.succeeded')).toHaveLength(3);
    expect(new Set(shop.received.map(({ event }) => event.id)).size).toBe(6);
  });

  test('can come late', async () => {
    shop.control.webhooks.plan({ action: 'delay', milliseconds: 10 * minute, type: 'charge.succeeded' });
    await pay();
    await settled();
    expect(types()).toEqual(['payment_intent.created', 'payment_intent.succeeded']);
    await shop.control.advance(10 * minute);
    expect(types().at(-1)).toBe('charge.succeeded');
  });

  test('can be held back, and let go backwards or in an order from a seed', async () => {
    shop.control.webhooks.plan({ action: 'hold' });
    await pay();
    await settled();
    expect(types()).toEqual([]);
    await shop.control.webhooks.release('backwards');
    expect(types()).toEqual(['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created']);
    for (let order = 0; order < 4; order += 1) await pay();
    const planned = shop.control.webhooks
      .list()
      .filter(({ state }) => state === 'held')
      .map(({ event }) => event);
    await shop.control.webhooks.release({ seed: 3 });
    const came = shop.received.slice(3).map(({ event }) => event.id);
    expect(came).not.toEqual(planned);
    expect(came.toSorted()).toEqual(planned.toSorted());
    shop.control.webhooks.clear();
    await pay();
    await settled();
    expect(shop.received).toHaveLength(18);
  });

  test('can be lost by chance', async () => {
    shop.control.webhooks.plan({ action: 'drop', probability: 0.5, seed: 5 });
    for (let order = 0; order < 10; order += 1) await pay();
    await settled();
    expect(shop.received.length).toBeGreaterThan(5);
    expect(shop.received.length).toBeLessThan(25);
    const states = shop.control.webhooks.list().map(({ state }) => state);
    expect(states.filter((state) => state === 'dropped')).toHaveLength(30 - shop.received.length);
  });
});
