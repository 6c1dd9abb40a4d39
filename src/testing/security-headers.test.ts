import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#contract.ts';
import { splitEndpointKey } from '#platform/http/endpoint.ts';
import { keysOf } from '#platform/keys-of.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let tokens: (string | undefined)[];
let session: string;
let orderId: string;
beforeAll(async () => {
  app = await startTestApp();
  tokens = [undefined, await app.signIn('customer'), await app.signIn('admin')];
  const body = app.orderBody();
  session = String(body['session']);
  orderId = (await app.request('POST', '/v1/orders', { body })).body.data.id;
});
afterAll(() => app.close());

/** What everybody is told alike: pages and proxies may keep it, and ask whether it is still so. */
const forEverybody = new Set(
  ['categories', 'items', 'menus', 'option-groups', 'options', 'stores'].flatMap((list) => [
    `GET /v1/${list}`,
    `GET /v1/${list}/{id}`,
  ]),
);
forEverybody.add('GET /v1/menus/store/{storeId}');

describe.each(keysOf(contract))('%s', (key) => {
  test('says that nobody may store its answer, or is for everybody; and that it is no page', async () => {
    const [method, path] = splitEndpointKey(key);
    for (const token of tokens) {
      const url = path.replaceAll(/\{\w+\}/g, () => randomUUID());
      const body = method === 'GET' ? {} : { body: {} };
      const { headers } = await app.request(method, url, { ...body, ...(token && { token }) });
      // Lists for everybody may be kept, if the shop is asked each time whether they are still so.
      const allowed = forEverybody.has(key) ? ['no-store', 'no-cache'] : ['no-store'];
      expect(allowed).toContain(headers.get('cache-control'));
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
  });
});

test('what one person may read is not stored', async () => {
  // The sweep above signs its callers out.
  const [customer, admin] = [await app.signIn('customer'), await app.signIn('admin')];
  const readings: [string, string | undefined, Record<string, string>][] = [
    [`/v1/orders/${orderId}`, undefined, { 'x-order-session': session }],
    ['/v1/orders/session/own', undefined, { 'x-order-session': session }],
    [`/v1/orders/session/${session}`, undefined, {}],
    ['/v1/auth/user', customer, {}],
    ['/v1/orders', customer, {}],
    ['/v1/customers', admin, {}],
    ['/v1/items', admin, {}],
    ['/v1/stores', admin, {}],
  ];
  for (const [path, token, headers] of readings) {
    const answer = await app.request('GET', path, { headers, ...(token && { token }) });
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
  }
});

describe('the session of an order', () => {
  test('in a header finds the order as in the path', async () => {
    const own = await app.request('GET', '/v1/orders/session/own', { headers: { 'x-order-session': session } });
    const named = await app.request('GET', `/v1/orders/session/${session}`);
    expect(own.body).toEqual(named.body);
    expect(own.body.data.contact.name).toBe('Ada Byron');
  });

  test.each([
    ['without the header', {}],
    ['with another session', { 'x-order-session': randomUUID() }],
    ['with what is no session', { 'x-order-session': "' or 1=1" }],
  ])('is not found %s', async (_name, headers) => {
    const { status, body } = await app.request('GET', '/v1/orders/session/own', { headers });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});

test('a refusal at any address is no page and is not stored', async () => {
  for (const path of [`/uploads/${'a'.repeat(64)}-128.webp`, '/pictures/none.svg', '/nowhere', '/v1/%E0%A4%A']) {
    const { status, headers } = await app.request('GET', path);
    expect([path, status >= 400, headers.get('cache-control')]).toEqual([path, true, 'no-store']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  }
});

test.each(['/health', '/health/', '/health?verbose=1', '/live', '/live/?x'])(
  'how the shop is, at %s, is no page and is not stored',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await app.request(method, path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    }
  },
);

test('pictures may be shown by the app’s own pages, and run nothing', async () => {
  const { headers } = await app.request('GET', '/pictures/logo.0000.svg');
  expect(headers.get('content-type')).toContain('image/svg+xml');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
});

test.each([
  ['a proxy that says https', { 'x-forwarded-proto': 'https' }, 'max-age=31536000'],
  ['a proxy that says http', { 'x-forwarded-proto': 'http' }, null],
  ['nobody', {}, null],
])('browsers are told to come back encrypted by %s', async (_name, headers, told) => {
  for (const path of ['/v1/stores', '/live', '/v1/nothing']) {
    const answer = await app.request('GET', path, { headers });
    expect(answer.headers.get('strict-transport-security')).toBe(told);
  }
});
