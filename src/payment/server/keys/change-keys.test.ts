import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAppOn } from '#testing/test-app.ts';
import { checkKeySets } from '#payment/server/keys/check-key-sets.ts';
import { openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';

const SECRETS_KEY = 'a secret of thirty-two characters';
let shop: StripeShop;
beforeEach(async () => {
  shop = await openStripeShop();
});
afterEach(() => shop.close());

const setUp = (secret_key: string, more = {}) => shop.call('POST', '/v1/payments/setup', { secret_key, ...more });
const setup = () => shop.call('GET', '/v1/payments/setup');
const status = (id: string) => shop.call('GET', `/v1/orders/${id}`);
const look = () => checkKeySets(shop.app.services);
const files = () => readdir(join(shop.app.services.config.dataDir, 'payment-keys')).catch(() => []);
const cardStatus = () => shop.call('GET', `/v1/stores/${shop.app.shop.storeId}/card-payments`);

describe('a second key', () => {
  test('of the same account joins its set: what the first one began is finished with it', async () => {
    const first = shop.newKey();
    await setUp(first);
    const id = await shop.placed();
    const second = shop.newKey();
    expect(await shop.call('POST', '/v1/payments/setup/check', { secret_key: second })).toMatchObject({ joins: true });
    const before = (await setup()).current.id;
    const after = await setUp(second);
    expect(after).toMatchObject({ current: { id: before, key_hint: second.slice(-4) }, earlier: [] });
    shop.stripe.control.keys.revoke(first);
    await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
    await shop.until(async () => (await status(id)).payment_status === 'paid');
    expect(shop.endpoints()).toHaveLength(1);
  });

  test('of another account is a set of its own, and the first one finishes what it began, then ends', async () => {
    await setUp(shop.newKey());
    const id = await shop.placed();
    const other = shop.newKey('acct_other');
    expect(await shop.call('POST', '/v1/payments/setup/check', { secret_key: other })).toMatchObject({ joins: false });
    const { earlier, current } = await setUp(other);
    expect(current).toMatchObject({ account: 'acct_other' });
    expect(earlier).toMatchObject([{ unfinished: 1, problem: null }]);
    expect(await setOf(id)).toBe(earlier[0].id);
    const next = await shop.placed();
    expect(await setOf(next)).toBe(current.id);

    shop.wait(61);
    await look();
    expect((await setup()).earlier).toHaveLength(1);
    await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
    await shop.until(async () => (await status(id)).payment_status === 'paid');
    const [charge] = shop.stripe.control.books().tables.charge.values();
    expect(charge).toMatchObject({ captured: true, amount_captured: charge?.amount });
    shop.wait(16 * 60);
    await look();
    expect((await setup()).earlier, 'the order is not finished').toHaveLength(1);

    for (const call of ['packed', 'collected-by-customer']) await shop.call('POST', `/v1/orders/${id}/${call}`);
    await shop.app.database.db.deleteFrom('payment_bank_entries').execute();
    shop.wait(16 * 60);
    await look();
    expect((await setup()).earlier).toEqual([]);
    expect(shop.endpoints()).toEqual([]);
    expect(shop.endpoints('acct_other')).toHaveLength(1);
    expect(await files()).toEqual([`${current.id}.json`]);
  });

  test('of another mode does not join, though it is of the same account', async () => {
    await setUp(shop.newKey());
    const { keySets } = shop.app.services;
    const { db } = shop.app.database;
    await db.updateTable('payment_key_sets').set({ mode: 'live' }).execute();
    await keySets.reload();
    const key = shop.newKey();
    const refused = await shop.app.request('POST', '/v1/payments/setup', {
      token: shop.owner,
      body: { secret_key: key },
    });
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('takes real cards') } });
    expect(await cardStatus()).toMatchObject({ mode: 'live' });
    expect(await setUp(key, { is_test_wanted: true })).toMatchObject({
      current: { mode: 'test' },
      earlier: [{ mode: 'live' }],
    });
  });

  test('is not taken while Stripe cannot say whose it is', async () => {
    await setUp(shop.newKey());
    // The check of the other key opens and ends a page, which this key's endpoint hears of.
    await setUp(shop.newKey());
    await shop.until(async () => (await setup()).current.webhook.state === 'heard');
    const before = await setup();
    shop.stripe.control.faults.add({ kind: 'unavailable', method: 'GET', path: '/v1/webhook_endpoints/*', times: 5 });
    const body = { secret_key: shop.newKey() };
    expect(await shop.app.request('POST', '/v1/payments/setup', { token: shop.owner, body })).toMatchObject({
      status: 503,
    });
    expect(await setup()).toEqual(before);
  });
});

test('a new store takes cards like the others', async () => {
  await setUp(shop.newKey());
  expect(await shop.call('POST', '/v1/stores', { name: 'Second Shop' })).toMatchObject({ card_provider: 'stripe' });
});

test('real cards are offered only where the shop knows its address: customers would come back to their own phone', async () => {
  await setUp(shop.newKey());
  // The local Stripe takes test keys only: to the shop this one is real.
  await shop.app.database.db.updateTable('payment_key_sets').set({ mode: 'live' }).execute();
  const problem = { kind: 'no_address', rights: [] };
  for (const [APP_URL, isOffered] of [
    ['', false],
    ['http://localhost:4100', false],
    ['https://pizza.example', true],
  ] as const) {
    const other = await shop.startAnother({ APP_URL });
    const ask = async (path: string) => (await other.request('GET', path, { token: shop.owner })).body.data;
    const store = `/v1/stores/${shop.app.shop.storeId}`;
    expect((await ask(store)).card_provider).toBe(isOffered ? 'stripe' : null);
    const { current } = await ask('/v1/payments/setup');
    expect(current.problem).toEqual(isOffered ? null : { ...problem, since: current.created_at });
    expect(await ask(`${store}/card-payments`)).toEqual({
      mode: 'live',
      problem: isOffered ? null : problem,
      uncharged: [],
    });
    const order = other.orderBody({ payment_method: 'card' });
    expect((await other.request('POST', '/v1/orders', { body: order })).status).toBe(isOffered ? 201 : 422);
    await other.stop();
  }
});

test('a start with a local Stripe takes the mark of test money off its payments', async () => {
  const { db } = shop.app.database;
  await setUp(shop.newKey());
  const id = await shop.placed();
  const isTest = async () =>
    (await db.selectFrom('payments').select('is_test').where('order_id', '=', id).executeTakeFirstOrThrow()).is_test;
  expect(await isTest()).toBe(false);
  await db.updateTable('payments').set({ is_test: true }).where('order_id', '=', id).execute();
  const other = await shop.startAnother();
  expect(await isTest()).toBe(false);
  await other.stop();
});

test('secrets in the database need SECRETS_KEY: without it, the keys are not on this machine', async () => {
  const sealed = await openStripeShop({ SECRETS_KEY });
  try {
    await sealed.call('POST', '/v1/payments/setup', { secret_key: sealed.newKey() });
    expect(await readdir(sealed.app.services.config.dataDir)).not.toContain('payment-keys');
    const other = await startAppOn(sealed.app.database, sealed.app.shop, { STRIPE_API_BASE: sealed.stripe.origin });
    const { body } = await other.request('GET', '/v1/payments/setup', { token: sealed.owner });
    expect(body.data.current.problem).toMatchObject({ kind: 'not_here' });
    await other.stop();
  } finally {
    await sealed.close();
  }
});

async function setOf(orderId: string): Promise<string | null> {
  const { db } = shop.app.database;
  const row = await db
    .selectFrom('payments')
    .select('key_set')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow();
  return row.key_set;
}

test('an endpoint that was deleted at Stripe is made again within a minute of an order whose message is late', async () => {
  await setUp(shop.newKey());
  const [before] = shop.endpoints();
  shop.stripe.control.books().tables.webhook_endpoint.clear();
  const { id, session } = await shop.order();
  shop.stripe.control.pay(session);
  await shop.call('POST', `/v1/orders/${id}/payment/reconcile`);
  shop.wait(31);
  await shop.until(async () => shop.endpoints().length === 1);
  expect(shop.endpoints()[0]?.id).not.toBe(before?.id);
});
