import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api, ApiError } from '#platform/web/api.ts';

let token: string | null;
let last: { url: URL; init: RequestInit };
let answer: () => Response | Promise<Response>;
beforeEach(() => {
  token = null;
  answer = () => new Response('{"data":[]}', { status: 200 });
  vi.stubGlobal('location', { href: 'https://shop.example/menu' });
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'token' ? token : null) });
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    last = { url, init };
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const header = (name: string) => new Headers(last.init.headers).get(name);

test('the token of the local storage goes with every request when there is one', async () => {
  await api('GET /v1/stores', {});
  expect(header('authorization')).toBeNull();
  token = 'secret';
  await api('GET /v1/stores', {});
  expect(header('authorization')).toBe('Bearer secret');
  await api('POST /v1/orders/{id}/packed', { id: '1' });
  expect(header('authorization')).toBe('Bearer secret');
});

test.each([
  ['no answer', () => Promise.reject(new TypeError('network')), true],
  ['a proxy’s page', () => new Response('<h1>Bad Gateway</h1>', { status: 502 }), true],
  ['a proxy’s timeout', () => new Response('', { status: 408 }), true],
  ['a proxy’s limit', () => new Response('<h1>Payload Too Large</h1>', { status: 413 }), false],
  ['the shop’s own failure', () => new Response('{"code":"internal","message":"x"}', { status: 500 }), false],
] as const)('after %s it is unknown, or not, whether the call was made', async (_name, answers, isLost) => {
  answer = answers;
  await expect(api('POST /v1/orders/{id}/packed', { id: '1' })).rejects.toMatchObject({ isLost });
});

test('a request waits for ever unless it is told otherwise', async () => {
  await api('GET /v1/stores', {});
  expect(last.init.signal).toBeUndefined();
  await api('GET /v1/stores', {}, { timeout: 0 });
  expect(last.init.signal).toBeUndefined();
  await api('GET /v1/stores', {}, { timeout: 1000 });
  expect(last.init.signal).toBeInstanceOf(AbortSignal);
});

test('what is in the path goes into the path, and the rest into the query or the body', async () => {
  await api('GET /v1/stores/{id}', { id: 'Nonna’s & Sons' });
  expect(last.url.pathname).toBe(`/v1/stores/${encodeURIComponent('Nonna’s & Sons')}`);
  await api('GET /v1/stores', { per_page: 1 });
  expect(last.url.search).toBe('?per_page=1');
  await api('POST /v1/orders/{id}/accept', { id: '1', minutes: 20 });
  expect([last.url.pathname, last.init.body]).toEqual(['/v1/orders/1/accept', '{"minutes":20}']);
});

test('a refusal has its status, code, words and fields; a network that fails is offline', async () => {
  answer = () => new Response('{"message":"Wrong.","code":"invalid","errors":{"email":["Wrong."]}}', { status: 422 });
  const refused = await api('GET /v1/stores', {}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ status: 422, code: 'invalid', message: 'Wrong.', errors: { email: ['Wrong.'] } });
  answer = () => Promise.reject(new TypeError('network'));
  await expect(api('GET /v1/stores', {})).rejects.toMatchObject({ status: 0, code: 'offline' });
});
