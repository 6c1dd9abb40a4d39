import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '#testing/read-audit.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser, password } from '#testing/users.ts';

let app: TestApp;
let admin: string;
let staff: string;
let staffId: string;
let customer: string;
let customerId: string;
let orderId: string;
beforeAll(async () => {
  app = await startTestApp();
  customer = await app.signIn('customer');
  orderId = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data.id;
});
beforeEach(async () => {
  app.clock.now = new Date(app.clock.now.getTime() + 2 * 3_600_000);
  await app.database.db.deleteFrom('throttles').execute();
  admin = await app.signIn('admin');
  staff = await app.signIn('store_admin', [app.shop.storeId]);
  staffId = (await app.request('GET', '/v1/auth/user', { token: staff })).body.data.id;
  const again = await app.request('GET', '/v1/auth/user', { token: customer });
  customerId = again.body.data.id;
});
afterAll(() => app.close());

const linesOf = async (action: string, outcome: string | null, actorId?: string) =>
  (await readAudit(app.database.db)).filter(
    (line) => line.action === action && line.outcome === outcome && (!actorId || line.actor_id === actorId),
  );
const later = (minutes: number) => (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000));

/** The name of what the newest line of an action is about, as the office reads it. */
const subjectOf = async (action: string) => {
  const { body } = await app.request('GET', '/v1/audit?per_page=100', { token: admin });
  return body.data.find((line: { action: string }) => line.action === action)?.subject;
};

describe('the log has what staff read of people', () => {
  test('a customer: once an hour, however often and however many at once, and again later', async () => {
    const path = `/v1/customers/${customerId}`;
    const before = (await linesOf('GET /v1/customers/{id}', null)).length;
    await Promise.all(Array.from({ length: 5 }, () => app.request('GET', path, { token: admin })));
    await app.request('GET', path, { token: admin });
    const lines = await linesOf('GET /v1/customers/{id}', null);
    expect(lines).toHaveLength(before + 1);
    expect(lines.at(-1)).toMatchObject({ subject_id: customerId, role: 'admin', detail: null });
    expect(await subjectOf('GET /v1/customers/{id}')).toBe('A customer');
    later(61);
    await app.request('GET', path, { token: admin });
    expect(await linesOf('GET /v1/customers/{id}', null)).toHaveLength(before + 2);
  });

  test('the lists of customers and of mails, once an hour whichever page of them', async () => {
    for (const key of ['GET /v1/customers', 'GET /v1/mail']) {
      later(61);
      const before = (await linesOf(key, null)).length;
      const path = key.replace('GET ', '');
      for (const query of ['', '?page=2', '?search=ada']) await app.request('GET', `${path}${query}`, { token: admin });
      const lines = await linesOf(key, null);
      expect(lines).toHaveLength(before + 1);
      expect(lines.at(-1)).toMatchObject({ subject_id: null, detail: null });
    }
  });

  test('a complaint, by its reference', async () => {
    const sent = {
      key: randomUUID(),
      about: 'data',
      name: 'Ada',
      email: 'ada@example.com',
      message: 'What do you keep of me?',
    };
    const { body } = await app.request('POST', '/v1/complaints', { body: sent });
    const list = await app.request('GET', '/v1/complaints', { token: admin });
    const path = `/v1/complaints/${list.body.data[0].id}`;
    expect((await app.request('GET', path, { token: admin })).status).toBe(200);
    expect(await subjectOf('GET /v1/complaints/{id}')).toBe(body.data.reference);
  });

  test('an export and a mail; not orders and staff, nor what customers read of themselves', async () => {
    const before = (await readAudit(app.database.db)).length;
    expect((await app.request('GET', '/v1/auth/user/export', { token: customer })).status).toBe(200);
    for (const path of ['/v1/orders', '/v1/staff']) {
      expect((await app.request('GET', path, { token: admin })).status, path).toBe(200);
    }
    expect(await readAudit(app.database.db)).toHaveLength(before);
    await app.request('POST', '/v1/mail-tests', { token: admin, body: { kind: 'password_changed' } });
    const { body } = await app.request('GET', '/v1/mail', { token: admin });
    expect((await app.request('GET', `/v1/mail/${body.data[0].id}`, { token: admin })).status).toBe(200);
    expect((await app.request('GET', '/v1/auth/user/export', { token: admin })).status).toBe(200);
    expect(await linesOf('GET /v1/mail/{id}', null)).toMatchObject([{ subject_id: body.data[0].id }]);
    expect(await linesOf('GET /v1/auth/user/export', null)).toHaveLength(1);
  });
});

describe('the log has what staff could not do', () => {
  test('a refusal by role or by shop, once an hour for a call; nobody fills the log', async () => {
    const other = await app.signIn('store_admin', []);
    const otherId = (await app.request('GET', '/v1/auth/user', { token: other })).body.data.id;
    for (let index = 0; index < 20; index += 1) {
      expect((await app.request('DELETE', `/v1/customers/${customerId}`, { token: staff })).status).toBe(403);
      expect((await app.request('POST', `/v1/orders/${orderId}/accept`, { token: other, body: {} })).status).toBe(403);
    }
    const byRole = () => linesOf('DELETE /v1/customers/{id}', 'refused', staffId);
    const byShop = () => linesOf('POST /v1/orders/{id}/accept', 'refused', otherId);
    await expect.poll(async () => [(await byRole()).length, (await byShop()).length]).toEqual([1, 1]);
    expect(await linesOf('DELETE /v1/customers/{id}', null)).toEqual([]);
    later(61);
    await app.request('DELETE', `/v1/customers/${customerId}`, { token: staff });
    await expect.poll(async () => (await byRole()).length).toBe(2);
    const { body } = await app.request('GET', `/v1/audit?actor_id=${staffId}`, { token: admin });
    expect(body.data[0]).toMatchObject({ action: 'DELETE /v1/customers/{id}', outcome: 'refused' });
  });

  test('customers and guests who are refused leave nothing there', async () => {
    const before = (await readAudit(app.database.db)).length;
    await app.request('DELETE', `/v1/customers/${customerId}`, { token: customer });
    await app.request('DELETE', `/v1/customers/${customerId}`);
    await app.request('POST', '/v1/auth/login', { body: { email: 'nobody@example.com', password: 'wrong' } });
    await app.request('GET', `/v1/customers/${customerId}`, { token: admin });
    await expect.poll(async () => (await readAudit(app.database.db)).length).toBe(before + 1);
  });

  test('signing in: done each time, a wrong password and a throttle once an hour, without the password', async () => {
    const { id, email } = await addUser(app.database.db, 'admin');
    const logIn = (tried: string) => app.request('POST', '/v1/auth/login', { body: { email, password: tried } });
    expect((await logIn(password)).status).toBe(200);
    expect((await logIn(password)).status).toBe(200);
    const login = 'POST /v1/auth/login';
    expect(await linesOf(login, null, id)).toHaveLength(2);
    let status = 422;
    for (let tries = 0; status === 422 && tries < 20; tries += 1) status = (await logIn('wrong horse')).status;
    expect(status).toBe(429);
    await logIn('wrong horse');
    const counts = async () => [
      (await linesOf(login, 'failed', id)).length,
      (await linesOf(login, 'throttled', id)).length,
    ];
    await expect.poll(counts).toEqual([1, 1]);
    expect(JSON.stringify(await readAudit(app.database.db))).not.toMatch(/horse/);
  });
});

test('lines with and without an outcome are one chain', async () => {
  const { db } = app.database;
  const waiting = () => db.selectFrom('audit_unchained').select('id').execute();
  await expect.poll(waiting).toEqual([]);
  const { body } = await app.request('GET', '/v1/audit/check', { token: admin });
  expect(body.data.faults).toEqual([]);
  expect(app.clock.now > saturdayEvening).toBe(true);
});
