import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, { PAYMENT_SANDBOX: '1' });
});
afterAll(() => app.close());

/** The token of a customer who was signed out meanwhile, from another device say. */
async function deadToken(): Promise<string> {
  const token = await app.signIn('customer');
  expect((await app.request('POST', '/v1/auth/logout-everywhere', { token, body: {} })).status).toBe(204);
  return token;
}

describe('a token that is dead', () => {
  test('counts as none where a basket is priced', async () => {
    const { session: _session, contact: _contact, payment_method: _method, ...body } = app.orderBody();
    const { status, body: answer } = await app.request('POST', '/v1/orders/quote', { token: await deadToken(), body });
    expect([status, answer.data?.total]).toEqual([200, 1250]);
  });

  test('places nothing, so that a customer’s order does not become a guest’s unasked', async () => {
    const body = app.orderBody();
    const refused = await app.request('POST', '/v1/orders', { token: await deadToken(), body });
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthenticated']);
    const asked = await app.request('GET', `/v1/orders/session/${String(body['session'])}`);
    expect(asked.status).toBe(404);
  });

  test.each([
    ['pay', { payment_method: 'cash' }],
    ['cancel', {}],
    ['payment/reconcile', {}],
  ])('does nothing to an order by %s, though its session is sent along', async (call, body) => {
    const session = randomUUID();
    const order = app.orderBody({ session, payment_method: 'card' });
    const { id } = (await app.request('POST', '/v1/orders', { body: order })).body.data;
    const headers = { 'x-order-session': session };
    const refused = await app.request('POST', `/v1/orders/${id}/${call}`, { token: await deadToken(), headers, body });
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthenticated']);
    const read = await app.request('GET', `/v1/orders/${id}`, { headers });
    expect(read.body.data.status).toBe('pending_payment');
  });
});
