import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '#testing/read-audit.ts';
import { checkKeySets } from '#payment/server/keys/check-key-sets.ts';
import { openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';
import { countVersionUp } from '#testing/count-version-up.ts';
import { stripeEvents } from '#payment/stripe-events.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';

let shop: StripeShop;
const open = async () => {
  shop = await openStripeShop();
};
const close = () => shop.close();

const setUp = (secret_key: string, more = {}) => shop.call('POST', '/v1/payments/setup', { secret_key, ...more });
const refusal = (path: string, body: unknown) => shop.app.request('POST', path, { token: shop.owner, body });
const rows = () => shop.app.database.db.selectFrom('payment_key_sets').selectAll().orderBy('id').execute();
const status = async (id: string) =>
  (await shop.call('GET', `/v1/orders/${id}`)) as { status: string; payment_status: string };
const cardProvider = async () => (await shop.call('GET', `/v1/stores/${shop.app.shop.storeId}`)).card_provider;

describe('before there are keys', () => {
  beforeAll(open);
  afterAll(close);

  test('the shop takes no cards', async () => {
    expect(await shop.call('GET', '/v1/payments/setup')).toEqual({ source: 'office', current: null, earlier: [] });
    expect(await cardProvider()).toBeNull();
  });

  test.each([
    ['POST', '/v1/payments/setup/trial'],
    ['POST', '/v1/payments/setup/webhook'],
    ['DELETE', '/v1/payments/setup'],
  ])('%s %s is a conflict', async (method, path) => {
    expect(await shop.app.request(method, path, { token: shop.owner })).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'The shop has no key at Stripe yet.' },
    });
  });
});

describe('a check of a key', () => {
  // It keeps nothing.
  beforeAll(open);
  afterAll(close);
  beforeEach(() => shop.stripe.control.clearLog());

  test('tells whose it is and what it may do, keeps nothing, and leaves nothing at Stripe but the page that it ended', async () => {
    const answer = await shop.call('POST', '/v1/payments/setup/check', { secret_key: shop.newKey() });
    expect(answer).toMatchObject({
      mode: 'test',
      is_restricted: true,
      account: 'acct_1LocalStripeHatch',
      problem: null,
      joins: false,
    });
    expect(answer.rights).toHaveLength(stripeRightNames.length);
    expect(await rows()).toEqual([]);
    const { tables } = shop.stripe.control.books();
    const left = Object.entries(tables).filter(([, { size }]) => size > 0);
    expect(left.map(([name]) => name)).toEqual(['checkout.session', 'event']);
    expect([...tables['checkout.session'].values()]).toMatchObject([
      {
        status: 'expired',
        amount_total: 30,
        total_details: { amount_discount: 30 },
        metadata: { trial: expect.any(String) },
      },
    ]);
  });

  test.each(stripeRightNames)('names %s when it is missing', async (right) => {
    const key = shop.newKey(undefined, [right]);
    const answer = await shop.call('POST', '/v1/payments/setup/check', { secret_key: key });
    expect(answer.problem).toEqual({ kind: 'missing_right', rights: [right] });
    const rights = answer.rights as { name: string; is_given: boolean }[];
    expect(rights.filter(({ is_given }) => !is_given).map(({ name }) => name)).toEqual([right]);
  });

  test('names all that are missing at once', async () => {
    const missing = ['rak_charge_write', 'rak_payout_read'] as const;
    const secret_key = shop.newKey(undefined, [...missing]);
    const answer = await shop.call('POST', '/v1/payments/setup/check', { secret_key });
    expect(answer.problem).toEqual({ kind: 'missing_right', rights: missing });
    const refusal = await shop.app.request('POST', '/v1/payments/setup', { token: shop.owner, body: { secret_key } });
    expect(refusal.status).toBe(422);
    expect(refusal.body.message).toBe(
      "The shop's key lacks rights that card payments need. Missing: Charges and Refunds: Write, Payouts: Read.",
    );
  });

  test('works without the right to read the account, whose name is not shown then', async () => {
    const key = shop.newKey();
    shop.stripe.control.keys.change(key, stripeRightNames.map((name) => name.replace('rak_', '')) as never);
    const answer = await shop.call('POST', '/v1/payments/setup/check', { secret_key: key });
    expect(answer).toMatchObject({ account: null, account_name: null, problem: null });
  });

  test('says that a key was withdrawn', async () => {
    const key = shop.newKey();
    shop.stripe.control.keys.revoke(key);
    const answer = await shop.call('POST', '/v1/payments/setup/check', { secret_key: key });
    expect(answer.problem).toEqual({ kind: 'keys_refused', rights: [] });
  });

  test('says that a key is limited to other IP addresses', async () => {
    const key = shop.newKey();
    shop.stripe.control.keys.limitToOthers(key);
    const answer = await shop.call('POST', '/v1/payments/setup/check', { secret_key: key });
    expect(answer).toMatchObject({ account: null, problem: { kind: 'address_refused', rights: [] } });
  });

  test.each([
    ['pk_test_51AbC', 'publishable key'],
    ['whsec_51AbC', 'signing secret'],
    ['acct_51AbC', "account's id"],
    ['rk_test_...1AbC', 'Only a part'],
    ['my key', 'not a Stripe key'],
    ['rk_live_51AbC', 'local Stripe, which takes test keys only'],
  ])('of %s says what it is instead', async (secret_key, words) => {
    for (const path of ['/v1/payments/setup/check', '/v1/payments/setup']) {
      const answer = await refusal(path, { secret_key });
      expect(answer).toMatchObject({ status: 422, body: { errors: { secret_key: [expect.stringContaining(words)] } } });
    }
    expect(shop.stripe.control.log).toEqual([]);
  });

  test('while Stripe does not answer is 503, and nothing is changed', async () => {
    shop.stripe.control.faults.setDown(true);
    for (const path of ['/v1/payments/setup/check', '/v1/payments/setup']) {
      expect(await refusal(path, { secret_key: shop.newKey() })).toMatchObject({
        status: 503,
        body: { code: 'payment_unavailable' },
      });
    }
    shop.stripe.control.faults.setDown(false);
    expect(await rows()).toEqual([]);
    expect(await cardProvider()).toBeNull();
  });
});

describe('a key that is typed', () => {
  beforeEach(open);
  afterEach(close);

  test('takes cards at once, and has its own endpoint with the pinned version', async () => {
    const key = shop.newKey();
    expect(await setUp(key)).toMatchObject({
      source: 'office',
      current: {
        source: 'typed',
        mode: 'test',
        account: 'acct_1LocalStripeHatch',
        key_hint: key.slice(-4),
        problem: null,
        webhook: { state: 'waiting', url: `${shop.app.url}/v1/payments/webhooks/stripe`, heard_at: null },
        trial: null,
      },
      earlier: [],
    });
    expect(await cardProvider()).toBe('stripe');
    const [endpoint, ...others] = shop.stripe.control.books().tables.webhook_endpoint.values();
    expect(others).toEqual([]);
    expect(endpoint).toMatchObject({
      url: `${shop.app.url}/v1/payments/webhooks/stripe`,
      api_version: '2026-10-28.endive',
      enabled_events: stripeEvents,
    });
  });

  test('is in a file of the data folder, and nowhere in the database, an answer or the log', async () => {
    const key = shop.newKey();
    const answer = await setUp(key);
    await shop.call('POST', '/v1/payments/setup/check', { secret_key: key });
    const folder = join(shop.app.services.config.dataDir, 'payment-keys');
    const [file = ''] = await readdir(folder);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    const { webhookSecrets } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { webhookSecrets: string[] };
    const secrets = [key, webhookSecrets[0] ?? 'none'];
    const { db } = shop.app.database;
    const kept = JSON.stringify([await rows(), await readAudit(db)]);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      for (const text of [kept, JSON.stringify(answer), shop.log.join('\n')]) expect(text).not.toContain(secret);
    }
    expect(kept).toContain('POST /v1/payments/setup');
  });

  test.each(['rak_coupon_write', 'rak_webhook_write'])('without %s is refused by that name', async (right) => {
    const answer = await refusal('/v1/payments/setup', { secret_key: shop.newKey(undefined, [right]) });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.secret_key[0]).toMatch(/Missing: (Coupons|Webhook Endpoints): Write\./);
    expect(await rows()).toEqual([]);
  });

  test('has its endpoint made later when Stripe fails at that moment', async () => {
    shop.stripe.control.faults.add({ kind: 'unavailable', method: 'POST', path: '/v1/webhook_endpoints', times: 1 });
    expect(await setUp(shop.newKey())).toMatchObject({ current: { webhook: { state: 'missing' } } });
    expect(await shop.call('POST', '/v1/payments/setup/webhook')).toMatchObject({
      current: { webhook: { state: 'waiting' } },
    });
  });

  test('has one endpoint when the answer to its making was lost', async () => {
    shop.stripe.control.faults.add({ kind: 'error_after', method: 'POST', path: '/v1/webhook_endpoints', times: 1 });
    await setUp(shop.newKey());
    shop.app.clock.now = new Date(shop.app.clock.now.getTime() + 121_000);
    await checkKeySets(shop.app.services);
    await shop.call('POST', '/v1/payments/setup/trial');
    await shop.stripe.control.webhooks.settled();
    await shop.until(async () => (await rows())[0]?.heard_at);
    expect(shop.stripe.control.books().tables.webhook_endpoint.size).toBe(1);
  });

  test('has its endpoint corrected when somebody changed or disabled it, and made again when it was deleted', async () => {
    await setUp(shop.newKey());
    const { webhook_endpoint: endpoints } = shop.stripe.control.books().tables;
    const [made] = endpoints.values();
    if (!made) throw new Error('no endpoint');
    Object.assign(made, { url: 'https://elsewhere.example.com', status: 'disabled', enabled_events: ['payout.paid'] });
    await shop.call('POST', '/v1/payments/setup/webhook');
    expect([...endpoints.values()]).toMatchObject([
      {
        id: made.id,
        url: `${shop.app.url}/v1/payments/webhooks/stripe`,
        status: 'enabled',
        enabled_events: stripeEvents,
      },
    ]);
    endpoints.delete(made.id);
    await shop.call('POST', '/v1/payments/setup/webhook');
    expect([...endpoints.keys()]).not.toContain(made.id);
    expect(endpoints.size).toBe(1);
  });

  test('gets an endpoint of this version after one of an older version, whose secret stays known', async () => {
    await setUp(shop.newKey());
    const { webhook_endpoint: endpoints } = shop.stripe.control.books().tables;
    const [old] = endpoints.values();
    Object.assign(old ?? {}, { api_version: '2020-01-01' });
    await shop.call('POST', '/v1/payments/setup/webhook');
    expect([...endpoints.values()]).toMatchObject([{ api_version: '2026-10-28.endive' }]);
    expect(shop.app.services.keySets.current()?.webhookSecrets).toHaveLength(2);
  });

  test('is not used any more after it was taken away, but what it began is finished', async () => {
    await setUp(shop.newKey());
    const { id, session } = await shop.order();
    shop.stripe.control.pay(session);
    await shop.stripe.control.webhooks.settled();
    await shop.until(async () => (await status(id)).status === 'placed');
    expect(await shop.call('DELETE', '/v1/payments/setup')).toMatchObject({
      current: null,
      earlier: [{ mode: 'test', unfinished: 1 }],
    });
    expect(await cardProvider()).toBeNull();
    await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
    await shop.until(async () => (await status(id)).payment_status === 'paid');
  });
});

describe('the wallets of the payment page', () => {
  beforeAll(open);
  afterAll(close);
  const wallets = async () => (await shop.app.request('GET', `/v1/stores/${shop.app.shop.storeId}/wallets`)).body?.data;
  const asked = () => shop.stripe.control.log.filter(({ path }) => path.endsWith('/payment_method_configurations'));

  test('are none without a key, and with a key that may not read them', async () => {
    expect(await wallets()).toEqual([]);
    const key = shop.newKey();
    await setUp(key);
    shop.stripe.control.keys.change(key, stripeRightNames.map((name) => name.replace('rak_', '')) as never);
    expect(await wallets()).toEqual([]);
    expect(asked()).toHaveLength(1);
  });

  test('are those that the account has on, asked for once an hour', async () => {
    await setUp(shop.newKey());
    shop.wait(61 * 60);
    shop.stripe.control.set({ methodsOff: ['google_pay'] });
    shop.stripe.control.clearLog();
    expect(await Promise.all([wallets(), wallets()])).toEqual([
      ['apple_pay', 'link'],
      ['apple_pay', 'link'],
    ]);
    shop.stripe.control.set({ methodsOff: ['card'] });
    shop.wait(59 * 60);
    expect(await wallets()).toEqual(['apple_pay', 'link']);
    expect(asked()).toHaveLength(1);
    shop.wait(2 * 60);
    expect(await wallets()).toEqual([]);
  });

  test('are none while Stripe does not answer, which is asked again a minute later', async () => {
    shop.stripe.control.set({ methodsOff: [] });
    shop.wait(61 * 60);
    shop.stripe.control.faults.setDown(true);
    expect(await Promise.all([wallets(), wallets()])).toEqual([[], []]);
    shop.stripe.control.faults.setDown(false);
    expect(await wallets()).toEqual([]);
    shop.wait(61);
    expect(await wallets()).toEqual(['apple_pay', 'google_pay', 'link']);
  });
});

describe('once a key is typed', () => {
  beforeEach(open);
  afterEach(close);

  test('a busy shop is told too that messages do not arrive any more', async () => {
    await setUp(shop.newKey());
    await shop.placed();
    const webhook = async () => (await shop.call('GET', '/v1/payments/setup')).current.webhook.state;
    await shop.until(async () => (await webhook()) === 'heard');
    shop.stripe.control.webhooks.plan({ action: 'drop', probability: 1 });
    for (let minutes = 0; minutes < 4; minutes += 1) {
      shop.wait(50);
      const { id, session } = await shop.order();
      shop.stripe.control.pay(session);
      await shop.stripe.control.webhooks.settled();
      await shop.call('POST', `/v1/orders/${id}/payment/reconcile`);
    }
    expect(await webhook()).toBe('silent');
  });

  test('while no message ever came, the shop asks for a payment after a few seconds', async () => {
    await setUp(shop.newKey());
    shop.stripe.control.webhooks.plan({ action: 'drop', probability: 1 });
    const { id, session } = await shop.order();
    shop.stripe.control.pay(session);
    await shop.stripe.control.webhooks.settled();
    expect(await shop.app.services.payments.sweep()).toBe(0);
    shop.app.clock.now = new Date(shop.app.clock.now.getTime() + 4_000);
    await shop.app.services.payments.sweep();
    await shop.until(async () => (await status(id)).status === 'placed');
  });

  test('an order that costs nothing is placed and paid by card without a call of Stripe', async () => {
    await setUp(shop.newKey());
    const { app, stripe } = shop;
    await app.database.db.updateTable('items').set({ price: 0 }).where('id', '=', app.shop.chips).execute();
    await countVersionUp(app.database.db);
    stripe.control.clearLog();
    const lines = [{ item_id: app.shop.chips, quantity: 1, options: [] }];
    const { status, body } = await app.request('POST', '/v1/orders', {
      body: app.orderBody({ lines, payment_method: 'card' }),
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ total: 0, status: 'placed', payment_status: 'paid' });
    await shop.call('POST', `/v1/orders/${body.data.id}/accept`, { minutes: 20 });
    await app.services.payments.sweep();
    expect(stripe.control.log.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
