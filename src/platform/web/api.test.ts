import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api, ApiError, setApiBase } from '#platform/web/api.ts';

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

test('a page of the shop before its restore loads again, once, and one of the restored shop does not', async () => {
  const reload = vi.fn<() => void>();
  const session = new Map<string, string>();
  vi.stubGlobal('location', { href: 'https://shop.example/menu', reload });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => session.get(key) ?? null,
    setItem: (key: string, value: string) => session.set(key, value),
  });
  const hear = async (epoch?: string) => {
    answer = () => new Response('{"data":[]}', { status: 200, headers: epoch ? { 'x-hatch-epoch': epoch } : {} });
    await api('GET /v1/stores', {});
    return reload.mock.calls.length;
  };
  setApiBase('', undefined);
  expect([await hear(), await hear('one'), await hear('one')]).toEqual([0, 1, 1]);
  // The page again, as an offline copy of the shop before.
  setApiBase('', undefined);
  expect(await hear('one')).toBe(1);
  setApiBase('', 'two');
  expect([await hear('two'), await hear('three')]).toEqual([1, 2]);
  setApiBase('');
});
