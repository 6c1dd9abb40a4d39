import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '#contract.ts';
import { keysOf } from '#platform/keys-of.ts';
import { secretFields } from '#platform/secret-fields.ts';
import { type RequestOptions, startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let orderId: string;
let session: string;
const menus = '/v1/menus?include=categories.items.option_groups.options';

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  const body = app.orderBody();
  session = String(body['session']);
  orderId = (await app.request('POST', '/v1/orders', { body })).body.data.id;
});
afterAll(() => app.close());

interface Raw {
  status: number;
  encoding: string | undefined;
  vary: string;
  bytes: Buffer;
}

/** As it comes over the wire: fetch would decode it. */
function ask(path: string, accepted: string, { token, headers }: RequestOptions = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const own = { ...headers, ...(token && { authorization: `Bearer ${token}` }), 'accept-encoding': accepted };
    get(app.url + path, { headers: own }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { 'content-encoding': encoding, vary = '' } = response.headers;
        resolve({ status: response.statusCode ?? 0, encoding, vary, bytes: Buffer.concat(chunks) });
      });
    }).on('error', reject);
  });
}

describe('an answer over a kilobyte', () => {
  test.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['gzip', 'gzip, deflate'],
    ['gzip', 'br;q=0, gzip;q=0.5'],
    [undefined, 'identity'],
    [undefined, 'deflate'],
  ] as const)('is sent as %s to whoever accepts %s, and is the same once it is read', async (encoding, accepted) => {
    const plain = await ask(menus, '');
    expect(plain.bytes.length).toBeGreaterThan(1024);
    const found = await ask(menus, accepted);
    expect([found.status, found.encoding]).toEqual([200, encoding]);
    expect(found.vary).toContain('accept-encoding');
    expect(found.vary).toContain('origin');
    const read = { br: brotliDecompressSync, gzip: gunzipSync };
    const text = encoding ? read[encoding](found.bytes) : found.bytes;
    expect(JSON.parse(text.toString())).toEqual(JSON.parse(plain.bytes.toString()));
  });

  test.each([
    ['an order list of the staff', '/v1/orders?include=store'],
    ['an order of the staff', '/v1/orders/ORDER?include=store'],
    ['a store', '/v1/stores/STORE'],
  ])('is compressed whoever it is for: %s', async (_name, path) => {
    const address = path.replace('ORDER', orderId).replace('STORE', app.shop.storeId);
    expect((await ask(address, 'br', { token: admin })).encoding).toBe('br');
  });

  test('is compressed for a guest who follows the link of an order', async () => {
    expect((await ask(`/v1/orders/${orderId}?include=store`, 'br')).encoding).toBe('br');
  });

  test('is compressed when it is a refusal', async () => {
    const token = 'x'.repeat(1100);
    const { status, encoding } = await ask(`/v1/menus?include=${token}`, 'br');
    expect([status, encoding]).toEqual([422, 'br']);
  });
});

test.each(['br', 'gzip'])('an answer is less than half as long as %s', async (accepted) => {
  const [plain, found] = [await ask(menus, ''), await ask(menus, accepted)];
  expect(found.bytes.length).toBeLessThan(plain.bytes.length / 2);
});

describe('as it is goes out', () => {
  test('what is small', async () => {
    const { encoding, bytes } = await ask('/v1/setup', 'br, gzip');
    expect(encoding).toBeUndefined();
    expect(bytes.length).toBeLessThan(1024);
  });

  test.each([
    ['the whole order of its session', () => `/v1/orders/${orderId}?include=store`],
    ['the order that a session names', () => `/v1/orders/session/${session}?include=store`],
  ])('what carries a secret: %s', async (_name, path) => {
    const { status, encoding, bytes } = await ask(path(), 'br, gzip', { headers: { 'x-order-session': session } });
    expect([status, encoding]).toEqual([200, undefined]);
    expect(bytes.length).toBeGreaterThan(1024);
    expect(bytes.toString()).toContain(session);
  });

  test('what is placed, with its session', async () => {
    const body = app.orderBody({ note: 'n'.repeat(200) });
    const { status, headers } = await app.request('POST', '/v1/orders', { body });
    expect([status, headers.get('content-encoding')]).toEqual([201, null]);
  });
});

test('every field of an answer whose name is that of a secret counts as one', () => {
  const named = new Set<string>();
  for (const key of keysOf(contract)) {
    const { response } = contract[key];
    if (!response) continue;
    const schema = JSON.stringify(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }));
    for (const [, name = ''] of schema.matchAll(/"(\w*(?:token|secret|session|password|auth)\w*)":\{/gi))
      named.add(name);
  }
  // They say yes or no.
  const harmless = new Set(['has_password', 'has_secret']);
  expect([...named].filter((name) => !harmless.has(name)).toSorted()).toEqual(
    secretFields.filter((name) => named.has(name)).toSorted(),
  );
});
