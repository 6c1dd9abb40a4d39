import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClientAddressReader, parseNetworks } from '#platform/server/client-address.ts';
import { isEncryptedRequest } from '#platform/server/refusals.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const lines: string[] = [];
let app: TestApp;
beforeAll(async () => {
  const limits = { max_open_orders_per_person: 5, max_orders_per_address_hour: 30 };
  app = await startTestApp(limits, { TRUSTED_PROXIES: '10.0.0.7' }, (line) => lines.push(line));
});
afterAll(() => app.close());

let phones = 0;
const order = (remoteAddress: string, client: string) =>
  app.http.inject({
    method: 'POST',
    url: '/v1/orders',
    remoteAddress,
    headers: { 'x-forwarded-for': client, 'x-forwarded-proto': 'https' },
    payload: app.orderBody({
      contact: { name: 'Ada', phone: `07700 ${String((phones += 1)).padStart(6, '0')}`, email: 'ada@example.com' },
    }),
  });
const several = async (times: number, from: (n: number) => [string, string]) => {
  const answers = [];
  for (let n = 0; n < times; n += 1) answers.push(await order(...from(n)));
  return answers.map(({ statusCode }) => statusCode);
};

test('customers behind a proxy on another host, which the owner named, are told apart', async () => {
  const statuses = await several(60, (n) => ['10.0.0.7', `198.51.100.${n}`]);
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
  // One of them alone has the limit of one.
  const alone = await several(32, () => ['10.0.0.7', '203.0.113.5']);
  expect(alone.filter((status) => status === 201)).toHaveLength(30);
  expect(lines.join('')).not.toContain('TRUSTED_PROXIES');
});

test('behind one that nobody named they still order, share a larger limit, and the log says what to set', async () => {
  const statuses = await several(60, (n) => ['192.0.2.50', `198.51.100.${n}`]);
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
  expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toEqual([expect.stringContaining('192.0.2.50')]);
});

test('the owner is told of that one, and not of one that sent the header a few times', async () => {
  await several(3, () => ['192.0.2.60', '198.51.100.1']);
  const token = await app.signIn('admin');
  const { status, body } = await app.request('GET', '/v1/proxies/unknown', { token });
  expect(status).toBe(200);
  expect(body.data).toEqual({ addresses: ['192.0.2.50'], without_clients: [] });
});

describe('a proxy that does not pass the address of its client on', () => {
  const said: string[] = [];
  let shop: TestApp;
  beforeAll(async () => {
    const limits = { max_open_orders_per_person: 5, max_orders_per_address_hour: 30, cash_max: null };
    const settings = { APP_URL: 'https://pizza.example', TRUSTED_PROXIES: '10.0.0.7', PAYMENT_SANDBOX: '1' };
    shop = await startTestApp(limits, settings, (line) => said.push(line));
  });
  afterAll(() => shop.close());

  const place = async (
    remoteAddress: string,
    change: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) => {
    const contact = { name: 'Ada', phone: `07701 ${String((phones += 1)).padStart(6, '0')}`, email: 'ada@example.com' };
    const payload = shop.orderBody({ contact, ...change });
    const { statusCode } = await shop.http.inject({
      method: 'POST',
      url: '/v1/orders',
      remoteAddress,
      headers,
      payload,
    });
    return statusCode;
  };
  const proxies = async () => {
    const token = await shop.signIn('admin');
    return (await shop.request('GET', '/v1/proxies/unknown', { token })).body.data;
  };
  const warnings = () => said.filter((line) => line.includes('X-Forwarded-For'));

  test('is not suspected where staff order, or customers at a screen of the server itself', async () => {
    const token = await shop.signIn('store_admin', [shop.shop.storeId]);
    const callers: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { origin: 'http://localhost:3000' },
    ];
    for (const headers of callers) {
      for (let n = 0; n < 12; n += 1) expect(await place('127.0.0.1', {}, headers)).toBe(201);
    }
    expect(warnings()).toEqual([]);
    expect(await proxies()).toEqual({ addresses: [], without_clients: [] });
  });

  test.each(['127.0.0.1', '10.0.0.7'])('at %s refuses nobody after thirty orders, and is warned of', async (peer) => {
    for (let n = 0; n < 60; n += 1) expect(await place(peer)).toBe(201);
    expect(warnings().filter((line) => line.includes(`"peer":"${peer}"`))).toHaveLength(1);
    expect((await proxies()).without_clients).toContain(peer);
  });

  test('refuses no card order of another customer because six are not paid yet', async () => {
    for (let n = 0; n < 12; n += 1) expect(await place('127.0.0.1', { payment_method: 'card' })).toBe(201);
  });

  test('leaves the limit by phone number as it is', async () => {
    const contact = { name: 'Ada', phone: '07702 900900', email: 'ada@example.com' };
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await place('127.0.0.1', { contact }));
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });
});

test.each([
  ['10.0.0.7', 'https', true],
  ['10.0.0.7', 'http', false],
  ['192.0.2.50', 'https', false],
])('what the proxy %s says of the connection, %s, counts if it is trusted', (remoteAddress, proto, isSo) => {
  const received = { socket: { remoteAddress }, headers: { 'x-forwarded-proto': proto } };
  expect(isEncryptedRequest(createClientAddressReader(parseNetworks('10.0.0.7')), received)).toBe(isSo);
});
