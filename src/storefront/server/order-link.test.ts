import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servePages } from '#storefront/server/pages.ts';
import type { PageData } from '#storefront/page-data.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let id: string;
let number: string;
const session = '0f5b3a8e-6d7c-4c7e-9c39-6b0a4e1d2f11';

beforeAll(async () => {
  app = await startTestApp({}, {}, undefined, { servePages });
  const body = app.orderBody({
    session,
    fulfilment_type: 'delivery',
    contact: { name: 'Grace Hopper', phone: '07700 900456', email: 'grace@example.com' },
    address: { line1: '7 Secret Lane', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: 'Blue door' },
    note: 'Ring twice',
    allergy_note: 'Sesame',
    allergies: ['sesame'],
    lines: [{ item_id: app.shop.chips, quantity: 5, note: 'Crisp please' }],
  });
  ({ id, number } = (await app.request('POST', '/v1/orders', { body })).body.data);
});
afterAll(() => app.close());

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + path, { headers: { accept: 'text/html', ...headers } });
  const body = await response.text();
  const page = JSON.parse(/id="page-data">(.*?)<\/script>/s.exec(body)?.[1] ?? '{}') as PageData;
  return { status: response.status, headers: response.headers, body, page };
}

describe('the page of an order', () => {
  test('says where it is before any script runs, and what it costs', async () => {
    const { status, body } = await open(`/orders/${id}`);
    expect(status).toBe(200);
    expect(body).toContain(`<title>Order ${number} · `);
    expect(body).toMatch(/<h1[^>]*>Waiting for the shop[^<]*<\/h1>/);
    expect(body).toContain('Chips');
    expect(body).toContain('£17.50');
    // Only a script can find out who is looking.
    expect(body).not.toContain('Names, addresses and notes');
    const polish = await open(`/orders/${id}`, { 'accept-language': 'pl' });
    expect(polish.body).toContain('<html lang="pl">');
    expect(polish.body).toContain(`<title>Zamówienie ${number} · `);
  });

  test('tells nobody whose it is, whoever asks and with whatever', async () => {
    const headers = { 'x-order-session': session, authorization: `Bearer ${await app.signIn('admin')}` };
    for (const { body } of [await open(`/orders/${id}`), await open(`/orders/${id}`, headers)]) {
      for (const secret of [
        'Grace',
        '07700',
        'grace@',
        'Secret Lane',
        'Blue door',
        'Ring',
        'Sesame',
        'sesame',
        'allergen_conflicts',
        'Crisp',
        session,
      ]) {
        expect(body).not.toContain(secret);
      }
    }
  });

  test('is kept by nobody on the way, found by no search engine, and compressed', async () => {
    const { headers, body } = await open(`/orders/${id}`, { 'accept-encoding': 'br' });
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('content-encoding')).toBe('br');
    expect(headers.get('vary')).toContain('accept-encoding');
    expect(body).toContain('<meta name="robots" content="noindex">');
  });

  test('brings the store and the order, and names no menu', async () => {
    const { page, body } = await open(`/orders/${id}`);
    expect(page).toMatchObject({ shopUrl: null, store: { id: app.shop.storeId }, order: { id, number } });
    expect(body).not.toContain('/shop/');
    expect((await app.request('GET', `/v1/orders/${id}`)).body.data).toEqual(page.order);
  });

  test('shows what is true now, each time', async () => {
    await app.request('POST', `/v1/orders/${id}/accept`, { token: await app.signIn('admin'), body: { minutes: 30 } });
    expect((await open(`/orders/${id}`)).page.order?.status).toBe('accepted');
  });

  test.each(['0192aaaa-0000-7000-8000-000000000000', 'no-id-at-all'])(
    'that is none, %s, is not found',
    async (none) => {
      const { status, page } = await open(`/orders/${none}`);
      expect([status, page.order]).toEqual([404, null]);
    },
  );
});

test.each(['/checkout', '/login', '/customer/orders'])(
  '%s brings the store, so that it waits for no menu',
  async (path) => {
    const { page } = await open(path);
    expect(page).toMatchObject({ shopUrl: null, store: { id: app.shop.storeId }, order: null });
  },
);
