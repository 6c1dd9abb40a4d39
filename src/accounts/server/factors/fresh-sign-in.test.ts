import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { totpCodeOf, totpStepAt } from '#accounts/server/factors/totp.ts';
import { contract } from '#contract.ts';
import { type Endpoint, type EndpointKey, splitEndpointKey } from '#platform/http/endpoint.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser, password } from '#testing/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, { APP_URL: 'https://shop.example.com' });
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

const quarter = 15 * 60;
const later = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000);
};
const call = (key: string, token: string, body: unknown = {}) => {
  const [method, path] = splitEndpointKey(key as EndpointKey);
  const filled = path.replaceAll(/\{\w+\}/g, randomUUID());
  return app.request(method, filled, { token, ...(method !== 'GET' && method !== 'DELETE' && { body }) });
};
const logIn = async (email: string, more: object = {}): Promise<string> => {
  const { status, body } = await app.request('POST', '/v1/auth/login', { body: { email, password, ...more } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.token;
};
const prove = (token: string, given: unknown) => call('POST /v1/auth/proof', token, given);
/** Whether the sign-in may do what needs a fresh one: a refund of an order that does not exist. */
const isAskedAgain = async (token: string): Promise<boolean> => {
  const body = { amount: 100, reason: 'cold', key: randomUUID() };
  const { status, body: answer } = await call('POST /v1/orders/{id}/refunds', token, body);
  expect([403, 404, 422]).toContain(status);
  return answer.code === 'fresh_sign_in_required';
};
const person = async (role: 'admin' | 'store_admin' = 'admin') => {
  const { id, email } = await addUser(app.database.db, role, role === 'admin' ? [] : [app.shop.storeId]);
  return { id, email, token: await logIn(email) };
};
/** An authenticator app, set up by the person. */
const addApp = async (token: string) => {
  const { body } = await call('POST /v1/auth/totp/begin', token);
  const signs = new URL(body.data.url).searchParams.get('secret') ?? '';
  const bits = [...signs]
    .map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const code = (steps = 0) => totpCodeOf(key, totpStepAt(app.clock.now) + steps);
  const confirmed = await call('POST /v1/auth/totp', token, { one_time_code: code() });
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(201);
  return { code, codes: confirmed.body.data.recovery_codes as string[] };
};

const flagged = Object.entries(contract as Record<string, Endpoint>)
  .filter(([, { freshSignIn }]) => freshSignIn)
  .map(([key]) => key);

describe('what needs a fresh sign-in', () => {
  test('is money given back, roles, keys, ways in, apps, the place of backups, and the export of a person', () => {
    expect(flagged.toSorted()).toEqual(
      [
        'DELETE /v1/app-releases/play-signing',
        'DELETE /v1/auth/passkeys/{id}',
        'DELETE /v1/auth/totp',
        'DELETE /v1/backup-place',
        'DELETE /v1/payments/setup',
        'DELETE /v1/sign-in-providers/{id}',
        'DELETE /v1/staff/{id}',
        'DELETE /v1/staff/{id}/factors',
        'GET /v1/auth/user/export',
        'PATCH /v1/app-releases/play-signing',
        'PATCH /v1/sign-in-providers/{id}',
        'PATCH /v1/staff/{id}',
        'POST /v1/app-releases/{id}/publish',
        'POST /v1/auth/passkeys',
        'POST /v1/auth/passkeys/begin',
        'POST /v1/auth/recovery-codes',
        'POST /v1/auth/totp',
        'POST /v1/auth/totp/begin',
        'POST /v1/backup-place',
        'POST /v1/backup-place/passphrase',
        'POST /v1/backup-place/sheet',
        'POST /v1/devices/codes',
        'POST /v1/orders/{id}/refunds',
        'POST /v1/payments/setup',
        'POST /v1/printers',
        'POST /v1/printers/{id}/rotate-secret',
        'POST /v1/refunds/{id}/retry',
        'POST /v1/restored/payments/{id}/refund',
        'POST /v1/sign-in-providers',
        'POST /v1/staff',
        'POST /v1/staff/{id}/invite',
      ].toSorted(),
    );
  });

  test.each(flagged)('%s: a stale sign-in is refused before its body is read', async (key) => {
    const { token } = await person();
    later(quarter);
    const { status, body } = await call(key, token, { nonsense: true });
    expect([status, body.code]).toEqual([403, 'fresh_sign_in_required']);
  });

  test('is for a quarter of an hour what signing in, or a proof, began', async () => {
    const { token } = await person();
    later(quarter - 1);
    expect(await isAskedAgain(token)).toBe(false);
    later(1);
    expect(await isAskedAgain(token)).toBe(true);
    const proved = await prove(token, { password });
    expect([proved.status, proved.body.data.until]).toEqual([
      200,
      new Date(app.clock.now.getTime() + quarter * 1000).toISOString(),
    ]);
    later(quarter - 1);
    expect(await isAskedAgain(token)).toBe(false);
    later(1);
    expect(await isAskedAgain(token)).toBe(true);
  });

  test('is no longer what the password alone began, once there is a second factor', async () => {
    const { email, token } = await person();
    const elsewhere = await logIn(email);
    expect(await isAskedAgain(elsewhere)).toBe(false);
    const { code } = await addApp(token);
    expect(await isAskedAgain(elsewhere)).toBe(true);
    expect(await isAskedAgain(token)).toBe(false);
    later(30);
    expect((await prove(elsewhere, { one_time_code: code() })).status).toBe(200);
    expect(await isAskedAgain(elsewhere)).toBe(false);
  });

  test('asks customers for nothing, whose own data it is', async () => {
    const { email } = await addUser(app.database.db, 'customer');
    const token = await logIn(email);
    later(quarter);
    expect((await call('GET /v1/auth/user/export', token)).status).toBe(200);
  });

  test('is not what an earlier version began', async () => {
    const { id, token } = await person();
    await app.database.db.updateTable('sign_ins').set({ proven_at: null }).where('user_id', '=', id).execute();
    expect(await isAskedAgain(token)).toBe(true);
  });
});

describe('a proof', () => {
  test('is of the sign-in that it came from: not of the person’s others, nor of anybody else', async () => {
    const { email, token } = await person();
    const elsewhere = await logIn(email);
    const another = await person();
    later(quarter);
    expect((await prove(token, { password })).status).toBe(200);
    expect(await isAskedAgain(token)).toBe(false);
    expect(await isAskedAgain(elsewhere)).toBe(true);
    expect(await isAskedAgain(another.token)).toBe(true);
  });

  test('is one thing: nothing, and two at once, are refused', async () => {
    const { token } = await person();
    for (const given of [{}, { password, one_time_code: '123456' }]) {
      const { status, body } = await prove(token, given);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['password']]);
    }
  });

  test('by a wrong password fails, is in the audit log, and is limited for this sign-in alone', async () => {
    const { email, token } = await person();
    const elsewhere = await logIn(email);
    later(quarter);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await prove(token, { password: 'wrong' })).status);
    expect(statuses.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 422));
    expect(statuses.at(-1)).toBe(429);
    expect((await prove(token, { password })).status).toBe(429);
    expect(await isAskedAgain(token)).toBe(true);
    expect((await prove(elsewhere, { password })).status).toBe(200);
    const lines = () =>
      app.database.db.selectFrom('audit_log').select('outcome').where('action', '=', 'POST /v1/auth/proof').execute();
    await expect.poll(async () => (await lines()).map(({ outcome }) => outcome)).toContain('failed');
  });

  test('by a code from the app works once, also of two tabs at once, and a clock may be off by half a minute', async () => {
    const { token } = await person();
    const { code } = await addApp(token);
    later(quarter);
    const both = await Promise.all([1, 2].map(() => prove(token, { one_time_code: code() })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    later(quarter);
    expect((await prove(token, { one_time_code: code(-2) })).status).toBe(422);
    expect((await prove(token, { one_time_code: code(2) })).status).toBe(422);
    expect((await prove(token, { one_time_code: code(-1) })).status).toBe(200);
    // Of the step before one that was used.
    expect((await prove(token, { one_time_code: code(-1) })).status).toBe(422);
    expect((await prove(token, { one_time_code: code(1) })).status).toBe(200);
  });

  test('by guessed codes is limited, and does not slow the owner’s other sign-in down', async () => {
    const { email, token } = await person();
    const { code, codes } = await addApp(token);
    later(30);
    const elsewhere = await logIn(email, { one_time_code: code() });
    later(quarter);
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) statuses.push((await prove(token, { one_time_code: '000000' })).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await prove(elsewhere, { one_time_code: codes[0] })).status).toBe(200);
    expect((await prove(elsewhere, { one_time_code: codes[0] })).status).toBe(422);
  });

  test('is nobody’s who is no member of staff, or a device', async () => {
    const customer = await logIn((await addUser(app.database.db, 'customer')).email);
    expect((await prove(customer, { password })).status).toBe(403);
    const admin = await app.signIn('admin');
    const made = await app.request('POST', '/v1/devices/codes', {
      token: admin,
      body: { store_id: app.shop.storeId, name: 'Board' },
    });
    const device = await app.request('POST', '/v1/devices/sign-in', { body: { code: made.body.data.code } });
    expect((await prove(device.body.data.token, { password })).status).toBe(403);
  });

  test('lets staff of a shop change their own ways in, and not otherwise', async () => {
    const { token } = await person('store_admin');
    later(quarter);
    expect((await call('POST /v1/auth/totp/begin', token)).body.code).toBe('fresh_sign_in_required');
    expect((await prove(token, { password })).status).toBe(200);
    expect((await call('POST /v1/auth/totp/begin', token)).status).toBe(200);
  });
});

test('a person’s export names their second factors without a secret, and with the account they go', async () => {
  // An admin of several, who may leave.
  await person();
  const { id, token } = await person();
  const { codes } = await addApp(token);
  const { body } = await call('GET /v1/auth/user/export', token);
  expect(body.data.second_factors).toEqual({
    passkeys: [],
    totp_since: saturdayEvening.toISOString(),
    recovery_codes_left: codes.length,
  });
  const row = await app.database.db
    .selectFrom('totp_secrets')
    .select('id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  const files = () => readdir(join(app.services.config.dataDir, 'second-factors'));
  expect(await files()).toContain(`${row.id}.json`);
  expect((await app.request('DELETE', '/v1/auth/user', { token, body: { password } })).status).toBe(204);
  expect(await files()).not.toContain(`${row.id}.json`);
  for (const table of ['totp_secrets', 'recovery_codes'] as const) {
    const left = await app.database.db.selectFrom(table).select('user_id').where('user_id', '=', id).execute();
    expect(left).toEqual([]);
  }
});
