import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type LocalAddresses, startLocalAddresses } from '#simulators/addresses/local-addresses.ts';
import { createAddressLookup } from '#store/server/address-lookup.ts';
import { parsePostcode } from '#store/postcodes.ts';
import { postcodeSectorCentre } from '#store/server/postcode-sector-centre.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let service: LocalAddresses;
let app: TestApp;
const lines: string[] = [];
beforeAll(async () => {
  service = await startLocalAddresses();
  const settings = { ADDRESS_LOOKUP_URL: service.url, ADDRESS_LOOKUP_KEY: service.key };
  app = await startTestApp({}, settings, (line) => lines.push(line));
});
afterAll(async () => {
  await app.close();
  await service.close();
});
beforeEach(() => {
  service.behave('well');
  service.asked.length = 0;
});

const warn = vi.fn<(fields: object, message?: string) => void>();
const lookup = (change: Record<string, string> = {}) =>
  createAddressLookup({ ADDRESS_LOOKUP_URL: service.url, ADDRESS_LOOKUP_KEY: service.key, ...change }, { warn });
const find = (at: ReturnType<typeof createAddressLookup>, text: string) => {
  const postcode = parsePostcode(text);
  if (!postcode) throw new Error(`${text} is no postcode.`);
  return at.find(postcode);
};
const ask = (postcode: string) =>
  app.request('GET', `/v1/stores/${app.shop.storeId}/addresses?postcode=${encodeURIComponent(postcode)}`);

test("a customer gets the addresses of their postcode as the form's fields, without the key", async () => {
  const { status, body } = await ask('cv21 2aa');
  expect(status).toBe(200);
  expect(body.data.state).toBe('found');
  expect(body.data.addresses.slice(0, 2)).toEqual([
    { line1: 'Corner Shop', line2: '1 High Street', city: 'Rugby', postcode: 'CV21 2AA' },
    { line1: '2 High Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA' },
  ]);
  expect(service.asked).toEqual(['/v1/postcodes/CV212AA']);
  const page = await app.request('GET', '/v1/page-config');
  expect(page.body.data.findsAddresses).toBe(true);
  expect(JSON.stringify([page.body, lines])).not.toContain(service.key);
});

test('postcodes outside the delivery area and texts that are none never reach the service', async () => {
  expect((await ask('AB10 1AB')).body.data).toEqual({ state: 'unknown', addresses: [] });
  expect((await ask('nonsense')).body.errors).toHaveProperty('postcode');
  expect(service.asked).toEqual([]);
});

test('a postcode is asked once, also by customers at the same moment, and an unknown one too', async () => {
  const at = lookup();
  await Promise.all([find(at, 'CV21 2AA'), find(at, 'CV21 2AA')]);
  expect(await find(at, 'cv212aa')).toMatchObject({ state: 'found', location: { latitude: 52.3721 } });
  expect(service.asked).toHaveLength(1);
  expect((await find(at, 'CV21 9ZZ')).state).toBe('unknown');
  expect((await find(at, 'CV21 9ZZ')).state).toBe('unknown');
  expect(service.asked).toHaveLength(2);
});

test.each([
  ['is broken', 'broken', {}],
  ['has no look-ups left', 'empty', {}],
  ['refuses the key', 'well', { ADDRESS_LOOKUP_KEY: 'another' }],
  ['is not there', 'well', { ADDRESS_LOOKUP_URL: 'http://127.0.0.1:1/v1' }],
] as const)(
  'while the service %s nobody waits for it, and the log names neither key nor postcode',
  async (_, how, change) => {
    warn.mockClear();
    service.behave(how);
    const at = lookup(change);
    expect((await find(at, 'CV21 2AA')).state).toBe('unavailable');
    const asked = service.asked.length;
    service.behave('well');
    expect((await find(at, 'CV21 3BB')).state).toBe('unavailable');
    expect(service.asked).toHaveLength(asked);
    expect(warn).toHaveBeenCalledOnce();
    expect(inspect(warn.mock.calls)).not.toMatch(/ak_local|api_key|CV21/);
  },
);

test('without a service the answer is that there is none, and pages do not offer it', async () => {
  const at = lookup({ ADDRESS_LOOKUP_URL: '' });
  expect(await find(at, 'CV21 2AA')).toEqual({ state: 'unavailable', addresses: [], location: null });
});

test("the set-up proposes a pin at the postcode's own place, else at its sector, and looks nothing up once it is confirmed", async () => {
  const token = await app.signIn('admin');
  const made = await app.request('POST', '/v1/stores', { token, body: { name: 'Nonna’s' } });
  const path = `/v1/stores/${made.body.data.id}`;
  const move = (postcode: string, change: object = {}) => {
    const address = { line1: '4 High Street', line2: '', city: 'Rugby', postcode };
    return app.request('PATCH', path, { token, body: { address, ...change } });
  };
  const proposed = async () =>
    (await app.request('GET', `${path}/first-evening`, { token })).body.data.proposed_location;
  await move('CV21 3BB');
  expect(await proposed()).toEqual({ latitude: 52.3756, longitude: -1.2502 });
  await move('CV22 6BB', { location_confirmed: true });
  service.asked.length = 0;
  await proposed();
  expect(service.asked).toEqual([]);
  await move('CV22 7AA');
  expect(await proposed()).toEqual(postcodeSectorCentre('CV22 7AA'));
  expect(service.asked).toEqual(['/v1/postcodes/CV227AA']);
  service.behave('broken');
  await move('CV22 5AA');
  expect(await proposed()).toEqual(postcodeSectorCentre('CV22 5AA'));
  expect(postcodeSectorCentre('CV22 5AA')).not.toBeNull();
});
