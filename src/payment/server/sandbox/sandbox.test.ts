import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cardProviderFor } from '#store/card-provider.ts';
import { signWebhook } from '#payment/server/sandbox/webhook.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ name: `Fish & "Chips" <script>` });
});
// One test needs the database's own time, at which the shop may be closed.
beforeEach(() => {
  app.clock.now = saturdayEvening;
});
afterAll(() => app.close());

interface Pending {
  id: string;
  session: string;
  page: string;
}

async function orderByCard(from = app): Promise<Pending> {
  const session = randomUUID();
  const { status, body } = await from.request('POST', '/v1/orders', {
    body: from.orderBody({ session, payment_method: 'card' }),
  });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ status: 'pending_payment', payment_status: 'unpaid', payment: { method: 'card' } });
  return { id: body.data.id, session, page: body.data.payment.redirect_url };
}

function press({ page }: Pending, form: Record<string, string>): Promise<Response> {
  return fetch(app.url + page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
}

const read = async ({ id, session }: Pending) =>
  (await app.request('GET', `/v1/orders/${id}`, { headers: { 'x-order-session': session } })).body.data;
const reconcile = ({ id, session }: Pending) =>
  app.request('POST', `/v1/orders/${id}/payment/reconcile`, { headers: { 'x-order-session': session } });
const becomes = (order: Pending, state: Record<string, unknown>) =>
  vi.waitFor(async () => expect(await read(order)).toMatchObject(state), { timeout: 60_000, interval: 50 });
const owedMessages = async ({ page }: Pending) => {
  const reference = page.split('/').at(-1);
  const { rows } = await app.database.pool.query(
    `select state, start_after > now() as is_later from pgboss.job where name = 'sandbox.webhook' and data->>'reference' = $1`,
    [reference],
  );
  return rows as { state: string; is_later: boolean }[];
};

describe('the hosted page', () => {
  test('shows what is to be paid, to whom, and that it is a test, without script and safely', async () => {
    const order = await orderByCard();
    expect(order.page).toMatch(/^\/sandbox\/pay\/sbx_[\w-]{24}$/);
    const response = await fetch(app.url + order.page);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('£12.50');
    expect(html).toContain('Test mode');
    expect(html).toContain('Fish &#38; &#34;Chips&#34; &#60;script&#62;');
    expect(html).not.toContain('<script');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('approved: leads back to the shop, and the message places the order though nobody returns', async () => {
    const order = await orderByCard();
    const answer = await press(order, { outcome: 'approve', delivery: 'at_once' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/orders/${order.id}/payment/callback`);
    await becomes(order, { status: 'placed', payment_status: 'authorised', payment: { redirect_url: null } });
  });

  test('pressed twice, or again after Back, counts once', async () => {
    const order = await orderByCard();
    await Promise.all([press(order, { outcome: 'approve' }), press(order, { outcome: 'approve' })]);
    const later = await press(order, { outcome: 'decline' });
    expect(later.status).toBe(303);
    const { body } = await reconcile(order);
    expect(body.data).toMatchObject({ status: 'placed', payment_status: 'authorised' });
    expect(await owedMessages(order)).toHaveLength(1);
    const html = await (await fetch(app.url + order.page)).text();
    expect(html).toContain('The payment was approved.');
    expect(html).toContain(`href="/orders/${order.id}/payment/callback"`);
    expect(html).not.toContain('<form');
  });

  test('declined: the order can be paid again on a new page', async () => {
    const order = await orderByCard();
    await press(order, { outcome: 'decline' });
    await becomes(order, { status: 'pending_payment', payment_status: 'failed', payment: { redirect_url: null } });
    const again = await app.request('POST', `/v1/orders/${order.id}/pay`, {
      body: { payment_method: 'card' },
      headers: { 'x-order-session': order.session },
    });
    expect(again.status).toBe(200);
    expect(again.body.data.payment.redirect_url).not.toBe(order.page);
    await press({ ...order, page: again.body.data.payment.redirect_url }, { outcome: 'approve' });
    await becomes(order, { status: 'placed', payment_status: 'authorised' });
  });

  test('refused when the shop accepts: its customer pays again, and nobody else can', async () => {
    const order = await orderByCard();
    await press(order, { outcome: 'approve', refuses: 'capture' });
    await becomes(order, { status: 'placed', payment_status: 'authorised' });
    const token = await app.signIn('admin');
    expect((await app.request('POST', `/v1/orders/${order.id}/accept`, { token, body: {} })).status).toBe(200);
    await becomes(order, { status: 'accepted', payment_status: 'failed', payment: { redirect_url: null } });
    const pay = (payment_method: string, headers = {}) =>
      app.request('POST', `/v1/orders/${order.id}/pay`, { body: { payment_method }, headers });
    expect((await pay('cash')).status).toBe(401);
    const own = { 'x-order-session': order.session };
    const page = (await pay('card', own)).body.data.payment.redirect_url;
    expect(page).toMatch(/^\/sandbox\/pay\//);
    await press({ ...order, page }, { outcome: 'approve' });
    await becomes(order, { status: 'accepted', payment_status: 'paid', payment: { redirect_url: null } });
  });

  test('walked away from: the order waits unpaid, and cash will do', async () => {
    const order = await orderByCard();
    await press(order, { outcome: 'walk_away', delivery: 'never' });
    expect((await reconcile(order)).body.data).toMatchObject({ status: 'pending_payment', payment_status: 'unpaid' });
    const cash = await app.request('POST', `/v1/orders/${order.id}/pay`, {
      body: { payment_method: 'cash' },
      headers: { 'x-order-session': order.session },
    });
    expect(cash.body.data).toMatchObject({ status: 'placed', payment_method: 'cash', payment_status: 'unpaid' });
  });

  test.each([
    [true, { state: 'authorised' }],
    [false, { state: 'captured', captured: 1250 }],
  ])('approves money that is to be held: %s', async (isHeld, seen) => {
    const { sandbox } = app.services.payments;
    const { reference } = await sandbox.createCheckout({
      idempotencyKey: randomUUID(),
      paymentId: randomUUID(),
      orderId: randomUUID(),
      amount: 1250,
      currency: 'GBP',
      parts: [],
      discount: null,
      merchant: { id: app.shop.storeId, name: 'Shop' },
      description: 'Order 1',
      payer: { email: null, userId: null, language: 'en' },
      isHeld,
      expiresAt: app.clock.now,
      note: '',
      returnUrl: '/',
      cancelUrl: '/',
    });
    await sandbox.conclude(reference, 'approve', 'never');
    await sandbox.conclude(reference, 'decline', 'never');
    expect(await sandbox.fetch(reference)).toMatchObject({ amount: 1250, refunded: 0, ...seen });
  });

  test('its message may be lost: the return page finds out', async () => {
    const order = await orderByCard();
    await press(order, { outcome: 'approve', delivery: 'never' });
    expect(await owedMessages(order)).toEqual([]);
    expect((await read(order)).status).toBe('pending_payment');
    expect((await reconcile(order)).body.data).toMatchObject({ status: 'placed', session: order.session });
  });

  test('its message may come twice: the order is placed once', async () => {
    const order = await orderByCard();
    await press(order, { outcome: 'approve', delivery: 'twice' });
    await vi.waitFor(
      async () => expect((await owedMessages(order)).map(({ state }) => state)).toEqual(['completed', 'completed']),
      { timeout: 15_000, interval: 50 },
    );
    await becomes(order, { status: 'placed' });
    const { version, history } = await read(order);
    expect({ version, steps: history.length }).toEqual({ version: 2, steps: 2 });
  });

  test('its message may be late: it is owed until then', async () => {
    const order = await orderByCard();
    app.clock.now = new Date();
    await press(order, { outcome: 'approve', delivery: 'late' });
    expect(await owedMessages(order)).toEqual([{ state: 'created', is_later: true }]);
  });

  test('knows nothing of other references, and takes no other answer', async () => {
    const order = await orderByCard();
    expect((await fetch(`${app.url}/sandbox/pay/sbx_unknown`)).status).toBe(404);
    expect((await press({ ...order, page: '/sandbox/pay/sbx_unknown' }, { outcome: 'approve' })).status).toBe(404);
    expect((await press(order, { outcome: 'capture' })).status).toBe(422);
    expect((await press(order, {})).status).toBe(422);
    expect((await read(order)).status).toBe('pending_payment');
  });

  test('is not found once its shop has no sandbox', async () => {
    const order = await orderByCard();
    const become = async (isDemo: boolean) => {
      await app.database.db.updateTable('stores').set({ is_demo: isDemo }).where('id', '=', app.shop.storeId).execute();
      app.services.menus.forget(app.shop.storeId);
    };
    await become(false);
    expect((await fetch(app.url + order.page)).status).toBe(404);
    expect((await press(order, { outcome: 'approve' })).status).toBe(404);
    await become(true);
    expect((await fetch(app.url + order.page)).status).toBe(200);
  });
});

function post(body: string, signature: string) {
  return app.request('POST', '/v1/payments/webhooks/sandbox', { body, headers: { 'sandbox-signature': signature } });
}

async function placed() {
  const order = await orderByCard();
  await press(order, { outcome: 'approve' });
  await becomes(order, { status: 'placed', payment_status: 'authorised' });
  return { ...order, token: await app.signIn('admin') };
}

describe('once paid', () => {
  test('accepting takes the money, cancelling sends it back', async () => {
    const { token, ...order } = await placed();
    const accepted = await app.request('POST', `/v1/orders/${order.id}/accept`, { token, body: { minutes: 20 } });
    expect(accepted.body.data.status).toBe('accepted');
    await becomes(order, { status: 'accepted', payment_status: 'paid' });
    await app.request('POST', `/v1/orders/${order.id}/cancel`, { token, body: { reason: 'No more rice' } });
    await becomes(order, { status: 'cancelled', payment_status: 'refunded' });
  });

  test('rejecting lets it go', async () => {
    const { token, ...order } = await placed();
    await app.request('POST', `/v1/orders/${order.id}/reject`, { token, body: { reason: 'too_busy' } });
    await becomes(order, { status: 'rejected', payment_status: 'voided' });
    expect(await (await fetch(app.url + order.page)).text()).toContain('Nothing was charged.');
  });
});

describe('the webhook', () => {
  test('is taken only with its signature', async () => {
    const order = await orderByCard();
    await press(order, { outcome: 'approve', delivery: 'never' });
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, reference: order.page.split('/').at(-1) });
    const secret = app.services.installationKeys.secret('hatch sandbox messages');
    expect((await post(body, signWebhook(body, 'guessed', app.clock.now))).status).toBe(400);
    expect((await post(body, '')).body.code).toBe('invalid_signature');
    expect((await read(order)).status).toBe('pending_payment');
    // Signed is what was sent, spaces included, not what it means.
    const spaced = ` ${body} `;
    expect((await post(spaced, signWebhook(body, secret, app.clock.now))).status).toBe(400);
    const counted = await app.database.db.selectFrom('payment_refused_webhooks').selectAll().execute();
    expect(counted).toEqual([{ hour: expect.any(Date), count: 3 }]);
    expect(await post(spaced, signWebhook(spaced, secret, app.clock.now))).toMatchObject({
      status: 200,
      body: { received: true },
    });
    await becomes(order, { status: 'placed' });
  });

  test('of an unknown provider is not found, and nonsense is refused', async () => {
    expect((await app.request('POST', '/v1/payments/webhooks/nobody', { body: {} })).status).toBe(404);
    // Only a signature tells whether it is worth reading.
    for (const nonsense of ['{', '{"id":"\u0000"}', 'null', ''])
      expect(await post(nonsense, 'x'), nonsense).toMatchObject({ status: 400, body: { code: 'invalid_signature' } });
  });

  test('with a text that cannot be stored is refused', async () => {
    const secret = app.services.installationKeys.secret('hatch sandbox messages');
    const odd = JSON.stringify({ id: 'evt_\u0000', reference: 'sbx_1' });
    expect(await post(odd, signWebhook(odd, secret, app.clock.now))).toMatchObject({
      status: 422,
      body: { code: 'invalid', errors: { id: [expect.any(String)] } },
    });
  });
});

describe('asking how the payment went', () => {
  test('is for the session holder, the owner and staff', async () => {
    const order = await orderByCard();
    const ask = async (token?: string) =>
      (await app.request('POST', `/v1/orders/${order.id}/payment/reconcile`, token === undefined ? {} : { token }))
        .status;
    expect(await ask()).toBe(401);
    expect(await ask(await app.signIn('customer'))).toBe(403);
    expect(await ask(await app.signIn('store_admin'))).toBe(403);
    expect(await ask(await app.signIn('store_admin', [app.shop.storeId]))).toBe(200);
    expect(await ask(await app.signIn('admin'))).toBe(200);
    expect((await reconcile(order)).status).toBe(200);
    expect((await reconcile({ ...order, session: randomUUID() })).status).toBe(401);
    expect((await reconcile({ ...order, id: randomUUID() })).status).toBe(404);
  });
});

describe('who takes cards', () => {
  test.each([
    [true, false, null, false, 'GBP', 'sandbox'],
    [false, false, null, true, 'GBP', 'sandbox'],
    [false, false, null, false, 'GBP', null],
    [true, true, 'stripe', true, 'GBP', 'stripe'],
    [false, true, 'stripe', false, 'GBP', 'stripe'],
    [true, true, null, true, 'GBP', null],
    [false, true, 'stripe', true, 'ISK', null],
    [false, true, 'stripe', true, 'JPY', 'stripe'],
    [true, false, null, false, 'ISK', 'sandbox'],
  ] as const)(
    'a demo shop: %s, with keys: %s, keys that work: %s, PAYMENT_SANDBOX: %s, in %s',
    (is_demo, has_card_keys, card_provider, PAYMENT_SANDBOX, currency, provider) => {
      expect(cardProviderFor({ is_demo, has_card_keys, card_provider, currency }, { PAYMENT_SANDBOX })).toBe(provider);
    },
  );

  test('a real shop without a provider refuses a card beside the field, and writes no order', async () => {
    const real = await startTestApp({ is_demo: false });
    try {
      const { status, body } = await real.request('POST', '/v1/orders', {
        body: real.orderBody({ payment_method: 'card' }),
      });
      expect([status, body.problems[0]]).toMatchObject([
        422,
        { code: 'payment_method_unavailable', path: 'payment_method' },
      ]);
      expect(await real.database.db.selectFrom('orders').select('id').execute()).toEqual([]);
    } finally {
      await real.close();
    }
  });

  test('a real shop takes test cards with PAYMENT_SANDBOX=1', async () => {
    const real = await startTestApp({ is_demo: false }, { PAYMENT_SANDBOX: '1', APP_URL: 'https://shop.example' });
    try {
      const { page, id } = await orderByCard(real);
      expect(page).toMatch(/^https:\/\/shop\.example\/sandbox\/pay\/sbx_/);
      const response = await fetch(real.url + new URL(page).pathname);
      expect(response.headers.get('content-security-policy')).toContain("form-action 'self' https://shop.example");
      const done = await fetch(real.url + new URL(page).pathname, {
        method: 'POST',
        body: new URLSearchParams({ outcome: 'approve' }),
        redirect: 'manual',
      });
      expect(done.headers.get('location')).toBe(`https://shop.example/orders/${id}/payment/callback`);
    } finally {
      await real.close();
    }
  });

  test.each([
    ['in a shop that is not the demo is test money, which is no takings', false, { orders: 0, gross: 0 }, 1],
    ['in the demo counts as money does', true, { orders: 1 }, 0],
  ])('the sandbox %s', async (_name, is_demo, totals, tested) => {
    const shop = await startTestApp({ is_demo }, { PAYMENT_SANDBOX: '1' });
    try {
      const token = await shop.signIn('admin');
      const { page, id } = await orderByCard(shop);
      await fetch(shop.url + page, {
        method: 'POST',
        body: new URLSearchParams({ outcome: 'approve' }),
        redirect: 'manual',
      });
      const call = (path: string, body = {}) => shop.request('POST', `/v1/orders/${id}/${path}`, { token, body });
      await vi.waitFor(
        async () => {
          await call('payment/reconcile');
          expect((await call('accept')).status).toBe(200);
        },
        { timeout: 30_000 },
      );
      await vi.waitFor(
        async () => {
          const { body } = await shop.request('GET', `/v1/orders/${id}`, { token });
          expect(body.data).toMatchObject({ payment_status: 'paid', payment: { is_test: !is_demo } });
        },
        { timeout: 30_000 },
      );
      const day = '2026-11-21';
      const query = `store_id=${shop.shop.storeId}&start_date=${day}&end_date=${day}`;
      const { body: report } = await shop.request('GET', `/v1/reports/sales?${query}`, { token });
      expect(report.data.totals).toMatchObject(totals);
      expect(report.data.test.orders).toBe(tested);
      expect(report.data.vat).toHaveLength(is_demo ? 1 : 0);
      const table = await shop.request('GET', `/v1/reports/sales/export?${query}&rows=orders`, { token });
      expect(JSON.stringify(table.body)).toContain('sandbox');
    } finally {
      await shop.close();
    }
  });
});
