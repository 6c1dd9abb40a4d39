import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { totpCodeOf, totpStepAt } from '#accounts/server/factors/totp.ts';
import { accountTools } from '#accounts/testing/account-tools.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser, password } from '#testing/users.ts';

/* An owner removes the second factor that somebody has lost. */

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp({ name: 'Nonna’s' }, { APP_URL: 'https://shop.example' });
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  admin = await app.signIn('admin');
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

const { mailTo, waitForMail } = accountTools(() => ({ app, admin }));
const logIn = (email: string, more: object = {}, device = 'none') =>
  app.request('POST', '/v1/auth/login', {
    body: { email, password, ...more },
    headers: { 'x-known-device': device },
  });
const remove = (id: string, token = admin, to = app) => to.request('DELETE', `/v1/staff/${id}/factors`, { token });
const memberOf = async (email: string) =>
  (await app.request('GET', `/v1/staff?search=${email}`, { token: admin })).body.data[0];
const linesOf = (id: string) =>
  app.database.db
    .selectFrom('audit_log')
    .select(['actor', 'actor_id', 'action', 'outcome'])
    .where('subject_id', '=', id)
    .where('action', 'like', '%/factors')
    .execute();

/** A member of staff who enters a code of an app at each sign-in, and is signed in. */
async function withApp(role: 'admin' | 'store_admin' = 'store_admin', locale = 'en') {
  const { id, email } = await addUser(app.database.db, role, role === 'admin' ? [] : [app.shop.storeId]);
  await app.database.db
    .updateTable('users')
    .set({ locale, email_verified_at: saturdayEvening })
    .where('id', '=', id)
    .execute();
  const { token, device_token: device } = (await logIn(email)).body as Record<'token' | 'device_token', string>;
  const begun = await app.request('POST', '/v1/auth/totp/begin', { token, body: {} });
  const signs = new URL(begun.body.data.url).searchParams.get('secret') ?? '';
  const bits = [...signs]
    .map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const code = totpCodeOf(key, totpStepAt(app.clock.now));
  const { status, body } = await app.request('POST', '/v1/auth/totp', { token, body: { one_time_code: code } });
  expect(status, JSON.stringify(body)).toBe(201);
  expect((await logIn(email, {}, device)).body.code).toBe('second_factor_required');
  return { id, email, token, codes: body.data.recovery_codes as string[] };
}

/** As if a browser had made it. */
async function addPasskey(userId: string): Promise<void> {
  const passkey = { id: randomUUID(), user_id: userId, credential_id: randomUUID(), public_key: Buffer.from('key') };
  const more = { counter: 0, transports: [], name: 'Lost phone', created_at: app.clock.now };
  await app.database.db
    .insertInto('passkeys')
    .values({ ...passkey, ...more })
    .execute();
}

describe('the second factor of a member of staff', () => {
  test('is removed as a whole: the password alone signs them in, and they are signed out everywhere', async () => {
    const cook = await withApp();
    await addPasskey(cook.id);
    const secrets = () => readdir(join(app.services.config.dataDir, 'second-factors'));
    const kept = (await secrets()).length;
    expect(await memberOf(cook.email)).toMatchObject({ has_second_factor: true, sign_ins: 1 });

    const { status, body } = await remove(cook.id);
    expect([status, body.data]).toMatchObject([200, { id: cook.id, has_second_factor: false, sign_ins: 0 }]);
    expect(await memberOf(cook.email)).toEqual(body.data);
    expect((await app.request('GET', '/v1/auth/user', { token: cook.token })).status).toBe(401);
    for (const table of ['passkeys', 'totp_secrets', 'recovery_codes'] as const) {
      const left = await app.database.db.selectFrom(table).select('user_id').where('user_id', '=', cook.id).execute();
      expect(left, table).toEqual([]);
    }
    expect((await secrets()).length).toBe(kept - 1);

    const again = await logIn(cook.email);
    expect(again.status).toBe(200);
    const own = await app.request('GET', '/v1/auth/factors', { token: again.body.token });
    expect(own.body.data).toMatchObject({ passkeys: [], totp_since: null, recovery_codes_left: 0 });
  });

  test('is in the list whether it is a passkey or an app, and an app that no code has confirmed is none', async () => {
    const { id, email } = await addUser(app.database.db, 'store_admin', [app.shop.storeId]);
    const { token } = (await logIn(email)).body;
    await app.request('POST', '/v1/auth/totp/begin', { token, body: {} });
    expect((await memberOf(email)).has_second_factor).toBe(false);
    await addPasskey(id);
    expect((await memberOf(email)).has_second_factor).toBe(true);
  });

  test('is removed by an owner for another owner, and by nobody for themselves', async () => {
    const [one, other] = [await withApp('admin'), await withApp('admin')];
    const own = await remove(one.id, one.token);
    expect([own.status, own.body.code, own.body.message]).toEqual([
      409,
      'conflict',
      expect.stringContaining('My sign-in'),
    ]);
    expect((await logIn(one.email)).body.code).toBe('second_factor_required');
    expect((await remove(other.id, one.token)).status).toBe(200);
    expect((await logIn(other.email)).status).toBe(200);
  });

  test('that is not there, or somebody who does not work here, changes nothing', async () => {
    const plain = await addUser(app.database.db, 'store_admin', [app.shop.storeId]);
    const { token } = (await logIn(plain.email)).body;
    const customer = await addUser(app.database.db, 'customer');
    const none = await remove(plain.id);
    expect([none.status, none.body.code]).toEqual([409, 'conflict']);
    expect((await remove(customer.id)).status).toBe(404);
    expect((await remove(randomUUID())).status).toBe(404);
    expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(200);
    expect(await mailTo(plain.email)).toEqual([]);
    expect(await linesOf(plain.id)).toEqual([]);
  });

  test('is removed by an owner only, on a fresh sign-in', async () => {
    const [cook, colleague] = [await withApp(), await withApp()];
    const { token } = (await logIn((await addUser(app.database.db, 'admin')).email)).body;
    expect((await remove(cook.id, colleague.token)).status).toBe(403);
    app.clock.now = new Date(app.clock.now.getTime() + 15 * 60_000);
    expect((await remove(cook.id, token)).body.code).toBe('fresh_sign_in_required');
    expect((await logIn(cook.email)).body.code).toBe('second_factor_required');
    expect((await app.request('POST', '/v1/auth/proof', { token, body: { password } })).status).toBe(200);
    expect((await remove(cook.id, token)).status).toBe(200);
  });

  test('is removed once by two owners on two instances: one line in the log, one mail that names who did it', async () => {
    const cook = await withApp();
    const other = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, {
      APP_URL: 'https://shop.example',
      DATA_DIR: app.services.config.dataDir,
    });
    other.clock.now = app.clock.now;
    const second = await app.signIn('admin');
    const both = await Promise.all([remove(cook.id), remove(cook.id, second, other)]);
    await other.close();
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = both[0].status === 200 ? admin : second;
    const { id, name } = (await app.request('GET', '/v1/auth/user', { token: winner })).body.data;
    expect(await linesOf(cook.id)).toEqual([
      { actor: name, actor_id: id, action: 'DELETE /v1/staff/{id}/factors', outcome: null },
    ]);
    const text = await waitForMail(cook.email, 2);
    const [newest] = await mailTo(cook.email);
    expect(newest?.subject).toBe('Your second factor for Nonna’s was removed');
    expect(text).toContain(`Removed by: ${name}`);
    expect(text).toMatch(/When: .*2026/);
    expect(text).toContain('https://shop.example/forgot-password');
    expect(text).toContain('https://shop.example/kitchen/my-sign-in');
    for (const code of cook.codes) expect(text).not.toContain(code);
  });

  test('of two owners who remove each other’s at once is removed for both', async () => {
    const [one, other] = [await withApp('admin'), await withApp('admin')];
    const both = await Promise.all([remove(other.id, one.token), remove(one.id, other.token)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    for (const { email } of [one, other]) expect((await logIn(email)).status).toBe(200);
  });

  test('is told of in the language of the person', async () => {
    const cook = await withApp('store_admin', 'pl');
    expect((await remove(cook.id)).status).toBe(200);
    expect(await waitForMail(cook.email, 2)).toContain('Usunięto przez: ');
  });
});
