import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountTools, password } from '#accounts/testing/account-tools.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { warnAndDeleteIdleAccounts, startIdleAccountSweep } from '#people/server/delete-idle-accounts.ts';
import { setRefunds } from '#payment/testing/refunds.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const days = 24 * 60 * 60_000;

let smtp: MailServer;
let app: TestApp;
let admin: string;
let adminId: string;
beforeAll(async () => {
  smtp = await startMailServer();
  app = await startTestApp({ name: 'Small Shop' }, { SMTP_URL: smtp.url, MAIL_FROM: 'Shop <orders@shop.example>' });
  const token = await app.signIn('admin');
  adminId = (await app.request('GET', '/v1/auth/user', { token })).body.data.id;
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  smtp.received.length = 0;
  await app.database.db.deleteFrom('throttles').execute();
  await app.database.db.deleteFrom('users').where('role', '=', 'customer').execute();
  await setting(12);
});
afterAll(async () => {
  await app.close();
  await smtp.stop();
});

const { register, logIn, userOf } = accountTools(() => ({ app, admin }));
const inDays = (count: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + count * days);
};
const services = () => app.services;
const sweep = () => warnAndDeleteIdleAccounts(services());
const setting = async (months: number | null) => {
  admin = await createSignIn(app.database.db, adminId, 'test', app.clock.now);
  const body = { keep_idle_account_months: months };
  const answer = await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token: admin, body });
  expect(answer.status).toBe(200);
};
const isThere = async (id: string) =>
  (await app.database.db.selectFrom('users').select('id').where('id', '=', id).execute()).length === 1;
const mailsTo = (email: string) => smtp.received.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);

describe('an account that nobody uses', () => {
  test('its owner is told a month before, and then it is deleted; its orders stay, without them', async () => {
    const { id, email, token } = await register();
    const { body: placed } = await app.request('POST', '/v1/orders', { token, body: app.orderBody() });
    for (const step of ['accept', 'collected-by-customer']) {
      const answer = await app.request('POST', `/v1/orders/${placed.data.id}/${step}`, { token: admin, body: {} });
      expect(answer.status).toBe(200);
    }
    inDays(300);
    expect(await sweep()).toEqual({ warned: 0, deleted: 0 });
    inDays(40);
    expect(await sweep()).toEqual({ warned: 1, deleted: 0 });
    expect(await sweep()).toEqual({ warned: 0, deleted: 0 });
    await expect.poll(() => mailsTo(email)).toContain('Do you want to keep your account at Small Shop?');
    const told = smtp.received.find(({ subject }) => subject.startsWith('Do you want'));
    expect(told?.text).toContain('will be deleted on');
    expect(told?.text).toContain('/login');
    inDays(29);
    expect(await sweep()).toEqual({ warned: 0, deleted: 0 });
    inDays(1);
    expect(await sweep()).toEqual({ warned: 0, deleted: 1 });
    expect(await isThere(id)).toBe(false);
    await expect.poll(() => mailsTo(email)).toContain('Your account at Small Shop has been deleted');
    admin = await createSignIn(app.database.db, adminId, 'test', app.clock.now);
    const kept = await app.request('GET', `/v1/orders/${placed.data.id}`, { token: admin });
    expect(kept.body.data).toMatchObject({
      total: placed.data.total,
      customer: null,
      contact: { name: '', phone: '' },
    });
  });

  test('is told again only after it was used, which also keeps it', async () => {
    const { id, email } = await register();
    inDays(340);
    expect(await sweep()).toEqual({ warned: 1, deleted: 0 });
    inDays(20);
    expect((await logIn(email, password)).status).toBe(200);
    inDays(20);
    expect(await sweep()).toEqual({ warned: 0, deleted: 0 });
    inDays(320);
    expect(await sweep()).toEqual({ warned: 1, deleted: 0 });
    expect(await isThere(id)).toBe(true);
  });

  test('each use counts, not only signing in', async () => {
    const { id, token } = await register();
    for (let month = 0; month < 3; month += 1) {
      inDays(25);
      expect((await userOf(token)).status).toBe(200);
    }
    inDays(300);
    expect(await sweep()).toEqual({ warned: 0, deleted: 0 });
    expect(await isThere(id)).toBe(true);
  });

  test('stays for ever where the setting is empty, and a shorter setting gives a month too', async () => {
    const { id } = await register();
    await setting(null);
    inDays(2_000);
    expect(await sweep()).toEqual({ warned: 0, deleted: 0 });
    await setting(6);
    expect(await sweep()).toEqual({ warned: 1, deleted: 0 });
    inDays(29);
    expect(await sweep()).toEqual({ warned: 0, deleted: 0 });
    expect(await isThere(id)).toBe(true);
  });

  test('staff stay, and so does who has an open order or is owed money', async () => {
    const [open, owed] = [await register(), await register()];
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    const staffId = (await userOf(staff)).body.data.id;
    const place = async (token: string) =>
      (await app.request('POST', '/v1/orders', { token, body: app.orderBody() })).body.data;
    const kept = await place(open.token);
    const paid = await place(owed.token);
    for (const step of ['accept', 'collected-by-customer']) {
      await app.request('POST', `/v1/orders/${paid.id}/${step}`, { token: admin, body: {} });
    }
    const refund = { key: crypto.randomUUID(), amount: 100, reason: 'cold' };
    const given = await app.request('POST', `/v1/orders/${paid.id}/refunds`, { token: admin, body: refund });
    expect(given.status).toBeLessThan(300);
    await setRefunds(app.database.db, paid.id, 'failed');
    // The running shop rejects an order that nobody answers; here it stays open.
    await app.request('POST', `/v1/orders/${kept.id}/accept`, { token: admin, body: {} });
    inDays(340);
    expect((await sweep()).warned).toBe(2);
    inDays(31);
    expect(await sweep()).toEqual({ warned: 0, deleted: 0 });
    expect([await isThere(open.id), await isThere(owed.id), await isThere(staffId)]).toEqual([true, true, true]);
    await setRefunds(app.database.db, paid.id, 'succeeded');
    expect(await sweep()).toEqual({ warned: 0, deleted: 1 });
    expect([await isThere(open.id), await isThere(owed.id)]).toEqual([true, false]);
  });

  test('two instances at once tell and delete each once', async () => {
    const people = await Promise.all([register(), register(), register()]);
    const both = async () => {
      const runs = await Promise.all([sweep(), sweep()]);
      const rest = await sweep();
      return [...runs, rest].reduce((sum, { warned, deleted }) => sum + warned + deleted, 0);
    };
    inDays(340);
    expect(await both()).toBe(3);
    const told = () => people.map(({ email }) => mailsTo(email).length);
    await expect.poll(told).toEqual([2, 2, 2]);
    inDays(31);
    expect(await both()).toBe(3);
    await expect.poll(told).toEqual([3, 3, 3]);
    for (const { email } of people) expect(new Set(mailsTo(email)).size).toBe(3);
  });

  test('the sweep of a running shop does it, but not while its clock is in doubt', async () => {
    await register();
    inDays(340);
    const { stop, sweep: run } = startIdleAccountSweep({ ...services(), clock: { isTrusted: () => false } });
    await stop();
    expect(
      await app.database.db.selectFrom('account_activity').where('warned_at', 'is not', null).selectAll().execute(),
    ).toEqual([]);
    await run();
    expect(
      await app.database.db.selectFrom('account_activity').where('warned_at', 'is not', null).selectAll().execute(),
    ).toHaveLength(1);
  });
});

test('without a mail server nobody is told and nothing is deleted', async () => {
  const { id } = await register();
  inDays(2_000);
  const config = { ...app.services.config, SMTP_URL: undefined };
  expect(await warnAndDeleteIdleAccounts({ ...services(), config })).toEqual({ warned: 0, deleted: 0 });
  expect(await isThere(id)).toBe(true);
});

test.each([
  ['keep_idle_account_months', 5],
  ['keep_idle_account_months', 121],
  ['keep_audit_months', 11],
  ['keep_audit_months', 121],
  ['keep_audit_months', null],
])('%s cannot be %s', async (field, value) => {
  const answer = await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, {
    token: admin,
    body: { [field]: value },
  });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
});
