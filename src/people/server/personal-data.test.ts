import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountTools, password } from '#accounts/testing/account-tools.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { addPrinter, fakePrinters } from '#testing/fake-printers.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type Response, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let adminId: string;
beforeAll(async () => {
  app = await startTestApp({}, {}, undefined, { transports: fakePrinters().transports });
  const token = await app.signIn('admin');
  await addPrinter(app, {}, token);
  adminId = (await app.request('GET', '/v1/auth/user', { token })).body.data.id;
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  admin = await createSignIn(app.database.db, adminId, 'test', app.clock.now);
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

const { later, register, logIn, userOf, mailTo, waitForMail, waitForFile } = accountTools(() => ({ app, admin }));

describe('my data', () => {
  const order = async (token: string): Promise<Response['body']> => {
    const body = app.orderBody({
      fulfilment_type: 'delivery',
      contact: { name: 'Secret Name', phone: '07700 900999', email: 'secret@example.com' },
      address: { line1: '9 Secret Road', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: 'Secret bell' },
      note: 'Secret note',
      allergy_note: 'Secret allergy',
      lines: [{ item_id: app.shop.chips, quantity: 5, note: 'Secret wish' }],
    });
    const { status, body: answer } = await app.request('POST', '/v1/orders', { token, body });
    expect(status).toBe(201);
    return answer.data;
  };
  const finish = async (id: string) => {
    for (const step of ['accept', 'packed', 'collected-by-driver', 'delivered-to-customer']) {
      expect((await app.request('POST', `/v1/orders/${id}/${step}`, { token: admin, body: {} })).status).toBe(200);
    }
  };
  const remove = (token: string, tried = password) =>
    app.request('DELETE', '/v1/auth/user', { token, body: { password: tried } });

  test('can be downloaded: my account, my devices, my orders, and nothing of anybody else', async () => {
    const [one, two] = [await register(), await register()];
    const placed = await order(one.token);
    await order(two.token);
    const { status, body } = await app.request('GET', '/v1/auth/user/export', { token: one.token });
    expect(status).toBe(200);
    expect(body.data.user).toMatchObject({ email: one.email, name: 'Ada Byron' });
    expect(body.data.orders.map(({ id }: { id: string }) => id)).toEqual([placed.id]);
    expect(body.data.orders[0].address.line1).toBe('9 Secret Road');
    expect(body.data.sign_ins).toHaveLength(1);
    expect(JSON.stringify(body)).not.toMatch(/argon2|token_hash|password_hash/);
  });

  test('goes with my account; the order stays, without me', async () => {
    const { token, email, id } = await register();
    const placed = await order(token);
    await finish(placed.id);
    const printed = () =>
      app.database.db.selectFrom('prints').select(['source', 'status']).where('order_id', '=', placed.id).execute();
    await expect.poll(async () => (await printed()).every(({ status }) => status === 'printed')).toBe(true);
    expect(JSON.stringify(await printed())).toContain('Secret');
    expect(await waitForMail(email, 1, 'verification')).toContain('verify-email');
    later(1);
    expect((await remove(token)).status).toBe(204);
    await expect.poll(() => mailTo(email, 'verification')).toEqual([]);
    expect((await userOf(token)).status).toBe(401);
    expect((await logIn(email)).status).toBe(422);
    expect(await waitForFile(email)).toContain('has been deleted');

    const kept = await app.request('GET', `/v1/orders/${placed.id}`, { token: admin });
    expect(kept.status).toBe(200);
    expect(kept.body.data).toMatchObject({
      total: placed.total,
      status: 'delivered',
      customer: null,
      placed_by: null,
      address: null,
      contact: { name: '', phone: '', email: '' },
    });
    for (const table of [
      'orders',
      'prints',
      'order_history',
      'users',
      'sign_ins',
      'audit_log',
      'audit_details',
      'outbox',
    ] as const) {
      const rows = JSON.stringify(await app.database.db.selectFrom(table).selectAll().execute());
      for (const trace of [id, email]) expect(rows, table).not.toContain(trace);
    }
    const ofOrder = await app.database.db.selectFrom('orders').selectAll().where('id', '=', placed.id).execute();
    expect(JSON.stringify([ofOrder, await printed()])).not.toMatch(/Secret|900999/);
  });

  test('stays while an order is on its way, and with the wrong password', async () => {
    const { token } = await register();
    const placed = await order(token);
    expect((await remove(token, 'wrong')).status).toBe(422);
    const refused = await remove(token);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect((await userOf(token)).status).toBe(200);
    await finish(placed.id);
    expect((await remove(token)).status).toBe(204);
  });

  test("the shop's only admin stays", async () => {
    const refused = await remove(admin);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    const second = await app.signIn('admin');
    expect((await remove(second)).status).toBe(204);
  });
});
