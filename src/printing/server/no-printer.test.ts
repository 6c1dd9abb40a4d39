import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const place = async (change: Record<string, unknown> = {}): Promise<string> =>
  (await app.request('POST', '/v1/orders', { body: app.orderBody(change) })).body.data.id;
const post = (path: string, body: unknown = {}) => app.request('POST', path, { body, token: admin });
const get = async (path: string) => (await app.request('GET', path, { token: admin })).body.data;

test('a shop without a printer says so, to its staff', async () => {
  const path = `/v1/stores/${app.shop.storeId}/printing`;
  const none = { has_printer: false, printers: [], unread: [] };
  expect(await get(path)).toEqual(none);
  const staff = await app.signIn('store_admin', [app.shop.storeId]);
  expect((await app.request('GET', path, { token: staff })).body.data).toEqual(none);
});

test('accepting asks for no print, and both receipts can be looked at', async () => {
  const id = await place({ note: 'Two forks please' });
  const accepted = await post(`/v1/orders/${id}/accept`);
  expect(accepted.body.data).toMatchObject({ status: 'accepted', prints: [] });
  const drawn = await get(`/v1/orders/${id}/receipts`);
  expect(drawn.map(({ copy }: { copy: string }) => copy)).toEqual(['kitchen', 'customer']);
  for (const { svg, text } of drawn) {
    expect(svg).toMatch(/^<svg/);
    expect(text).toContain('Two forks please');
    expect(text).toContain('As of');
    expect(text).not.toContain('Printed');
  }
  expect(await get(`/v1/orders/${id}/prints`)).toEqual([]);
});

test('a print that is asked for has failed at once, says why, and is drawn', async () => {
  const id = await place();
  const asked = await post(`/v1/orders/${id}/print-receipt`, { printType: 'kitchen', both: true });
  const failed = { status: 'failed', fault: 'no_printer', error: null, printed_at: null };
  expect([asked.status, asked.body.data]).toEqual([
    200,
    [expect.objectContaining({ copy: 'kitchen', ...failed }), expect.objectContaining({ copy: 'customer', ...failed })],
  ]);
  for (const print of asked.body.data) {
    expect(await get(`/v1/prints/${print.id}`)).toMatchObject({ ...failed, svg: expect.stringMatching(/^<svg/) });
  }
});

test('a basket that is no order is not printed either, and is drawn', async () => {
  const { session: _session, contact: _contact, payment_method: _method, ...basket } = app.orderBody();
  const asked = await post('/v1/orders/print-temp-order', { ...basket, printType: 'customer' });
  expect([asked.status, asked.body.data]).toEqual([
    200,
    [expect.objectContaining({ copy: 'customer', status: 'failed', fault: 'no_printer', error: null, order_id: null })],
  ]);
  expect((await get(`/v1/prints/${asked.body.data[0].id}`)).text).toContain('NOT AN ORDER');
});
