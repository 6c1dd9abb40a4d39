import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { totpCodeOf, totpStepAt } from '#accounts/server/factors/totp.ts';
import { countAttempt } from '#accounts/server/throttle.ts';
import { ensureAdminAtStart } from '#accounts/server/set-up-shop.ts';
import { readAudit } from '#testing/read-audit.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';
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

const later = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000);
};
const logIn = (email: string, more: object = {}, to = app) =>
  to.request('POST', '/v1/auth/login', { body: { email, password, ...more } });
const call = (method: string, path: string, token: string, body: unknown = {}) =>
  app.request(method, path, { token, ...(method !== 'GET' && method !== 'DELETE' && { body }) });

/** The bytes of a base32 text, by another way than the product's. */
function fromBase32(text: string): Buffer {
  let bits = 0n;
  for (const sign of text) bits = bits * 32n + BigInt('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign));
  return Buffer.from(
    (bits >> BigInt((text.length * 5) % 8)).toString(16).padStart(Math.floor((text.length * 5) / 8) * 2, '0'),
    'hex',
  );
}

/** A new admin whose app shows codes. */
async function withApp(role: 'admin' | 'store_admin' = 'admin') {
  const { id, email } = await addUser(app.database.db, role, role === 'admin' ? [] : [app.shop.storeId]);
  const { token } = (await logIn(email)).body;
  return { id, email, token: token as string, ...(await setUpApp(token)) };
}

async function setUpApp(token: string) {
  const begun = await call('POST', '/v1/auth/totp/begin', token);
  expect(begun.status).toBe(200);
  const secret = fromBase32(begun.body.data.secret);
  const code = () => totpCodeOf(secret, totpStepAt(app.clock.now));
  const { status, body } = await call('POST', '/v1/auth/totp', token, { one_time_code: code() });
  expect(status, JSON.stringify(body)).toBe(201);
  later(30);
  return { code, url: begun.body.data.url as string, codes: body.data.recovery_codes as string[] };
}

describe('an authenticator app', () => {
  test('is confirmed by a code, and from then on each sign-in asks for one', async () => {
    const { email, token, code, codes, url } = await withApp();
    expect(url).toMatch(/^otpauth:\/\/totp\/[^?]+\?secret=[A-Z2-7]{32}&issuer=/);
    expect(codes).toHaveLength(10);
    const asked = await logIn(email);
    expect([asked.status, asked.body.code, asked.body.ways]).toEqual([
      403,
      'second_factor_required',
      ['totp', 'recovery_code'],
    ]);
    const wrong = await logIn(email, { one_time_code: '000000' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['one_time_code']]);
    expect((await logIn(email, { one_time_code: code() })).status).toBe(200);
    const { body } = await call('GET', '/v1/auth/factors', token);
    expect(body.data).toMatchObject({ passkeys: [], recovery_codes_left: 10, can_have_passkeys: true });
  });

  test('gives each code once, also of two instances at once', async () => {
    const { email, code } = await withApp();
    const other = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, {
      DATA_DIR: app.services.config.dataDir,
    });
    other.clock.now = app.clock.now;
    const both = await Promise.all([app, other].map((to) => logIn(email, { one_time_code: code() }, to)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    await other.close();
  });

  test('is asked for only after the right password, and guessing codes is limited', async () => {
    const { email } = await withApp();
    const wrong = await logIn(email, { password: 'not the password', one_time_code: '000000' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['email']]);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await logIn(email, { one_time_code: '000000' })).status);
    expect(statuses.at(-1)).toBe(429);
  });

  test('keeps the owner’s own device free while strangers who know the password guess codes', async () => {
    const { email, code } = await withApp();
    const { device_token: device } = (await logIn(email, { one_time_code: code() })).body;
    later(30);
    for (let network = 0; network < 110; network += 1) {
      const who = { email, address: `198.51.${network}.1` };
      await countAttempt(app.database.db, 'second-factor', who, app.clock.now).catch(() => undefined);
    }
    expect((await logIn(email, { one_time_code: code() })).status).toBe(429);
    const body = { email, password, one_time_code: code() };
    const known = await app.request('POST', '/v1/auth/login', { body, headers: { 'x-known-device': device } });
    expect(known.status).toBe(200);
  });

  test.each([
    ['without a code', {}],
    ['with a wrong one', { one_time_code: '000000' }],
  ])('leaves a line in the audit log when the right password stops at it, %s', async (_, more) => {
    const { id, email } = await withApp();
    expect((await logIn(email, more)).body.token).toBeUndefined();
    const outcomes = () =>
      app.database.db
        .selectFrom('audit_log')
        .select('outcome')
        .where('action', '=', 'POST /v1/auth/login')
        .where('actor_id', '=', id)
        .where('outcome', 'is not', null)
        .execute();
    await expect.poll(outcomes).toEqual([{ outcome: 'refused' }]);
    await logIn(email, more);
    await logIn(email, more);
    await expect.poll(outcomes).toEqual(Array.from({ length: 3 }, () => ({ outcome: 'refused' })));
  });

  test('leaves one line an hour of the stops on the owner’s own device, which hide no other’s', async () => {
    const { id, email, code } = await withApp();
    const { device_token: device } = (await logIn(email, { one_time_code: code() })).body;
    const own = () =>
      app.request('POST', '/v1/auth/login', { body: { email, password }, headers: { 'x-known-device': device } });
    const stops = async () =>
      (await readAudit(app.database.db)).filter((line) => line.actor_id === id && line.outcome === 'refused').length;
    await own();
    await expect.poll(stops).toBe(1);
    await own();
    await logIn(email);
    await expect.poll(stops).toBe(2);
  });

  test('mails its person that somebody stopped at it, once an hour, and not from a device of theirs', async () => {
    const { email, code } = await withApp();
    const { device_token: device } = (await logIn(email, { one_time_code: code() })).body;
    const mails = async () => {
      const found = app.database.db.selectFrom('mails').select('id').where('to_address', '=', email);
      return (await found.where('kind', '=', 'password_known').execute()).length;
    };
    const on = (known: string) =>
      app.request('POST', '/v1/auth/login', { body: { email, password }, headers: { 'x-known-device': known } });
    expect((await on(device)).body.code).toBe('second_factor_required');
    expect((await logIn(email, { password: 'not the password' })).status).toBe(422);
    expect(await mails()).toBe(0);
    await Promise.all([logIn(email), logIn(email, { one_time_code: '000000' }), logIn(email)]);
    expect(await mails()).toBe(1);
    later(3599);
    await logIn(email);
    expect(await mails()).toBe(1);
    later(1);
    await on('a device of nobody');
    expect(await mails()).toBe(2);
  });

  test('mails its person also of a device on which the password alone had signed in before', async () => {
    const { email } = await addUser(app.database.db, 'admin');
    const thief = (await logIn(email)).body.device_token as string;
    await setUpApp((await logIn(email)).body.token);
    const headers = { 'x-known-device': thief };
    const stopped = await app.request('POST', '/v1/auth/login', { body: { email, password }, headers });
    expect(stopped.body.code).toBe('second_factor_required');
    const mails = app.database.db.selectFrom('mails').select('id').where('kind', '=', 'password_known');
    expect(await mails.where('to_address', '=', email).execute()).toHaveLength(1);
  });

  test('is what proves the person anew: the password alone would let a thief remove it', async () => {
    const { token, code } = await withApp();
    later(15 * 60);
    expect((await call('DELETE', '/v1/auth/totp', token)).body.code).toBe('fresh_sign_in_required');
    const refused = await call('POST', '/v1/auth/proof', token, { password });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['password']]);
    expect((await call('DELETE', '/v1/auth/totp', token)).status).toBe(403);
    expect((await call('POST', '/v1/auth/proof', token, { one_time_code: code() })).status).toBe(200);
    expect((await call('DELETE', '/v1/auth/totp', token)).status).toBe(200);
  });

  test('is never written in plain to the database, and is asked for no longer once removed', async () => {
    const { id, email, token } = await withApp();
    const row = await app.database.db
      .selectFrom('totp_secrets')
      .selectAll()
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.sealed).toBeNull();
    const files = () => readdir(join(app.services.config.dataDir, 'second-factors'));
    expect(await files()).toContain(`${row.id}.json`);
    expect((await call('DELETE', '/v1/auth/totp', token)).body.data).toMatchObject({
      totp_since: null,
      recovery_codes_left: 0,
    });
    expect(await files()).not.toContain(`${row.id}.json`);
    expect((await logIn(email)).status).toBe(200);
    expect((await call('DELETE', '/v1/auth/totp', token)).status).toBe(404);
  });

  test('that is not confirmed changes nothing', async () => {
    const { email } = await addUser(app.database.db, 'admin');
    const { token } = (await logIn(email)).body;
    await call('POST', '/v1/auth/totp/begin', token);
    expect((await call('POST', '/v1/auth/totp', token, { one_time_code: '123456' })).status).toBe(422);
    expect((await logIn(email)).status).toBe(200);
  });
});

describe('recovery codes', () => {
  test('sign in once each, as they are typed', async () => {
    const { email, codes } = await withApp();
    const [first = '', second = ''] = codes;
    expect((await logIn(email, { one_time_code: first.toLowerCase().replace('-', ' ') })).status).toBe(200);
    expect((await logIn(email, { one_time_code: first })).status).toBe(422);
    expect((await logIn(email, { one_time_code: second })).status).toBe(200);
    const stored = await app.database.db.selectFrom('recovery_codes').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(second);
  });

  test('are made anew in place of the earlier ones, and not where nothing is asked for', async () => {
    const { email, token, codes } = await withApp();
    const made = await call('POST', '/v1/auth/recovery-codes', token);
    expect(made.body.data.recovery_codes).toHaveLength(10);
    expect((await logIn(email, { one_time_code: codes[0] })).status).toBe(422);
    expect((await logIn(email, { one_time_code: made.body.data.recovery_codes[9] })).status).toBe(200);
    const plain = (await logIn((await addUser(app.database.db, 'admin')).email)).body.token;
    expect((await call('POST', '/v1/auth/recovery-codes', plain)).status).toBe(409);
  });
});

describe('a passkey', () => {
  test('that the browser did not make is refused, and a challenge works once and for its person', async () => {
    const { token } = await withApp();
    const { body } = await call('POST', '/v1/auth/passkeys/begin', token);
    expect(body.data).toMatchObject({
      rp: { id: 'shop.example.com' },
      authenticatorSelection: { userVerification: 'required' },
    });
    const clientDataJSON = Buffer.from(
      JSON.stringify({ type: 'webauthn.create', challenge: body.data.challenge, origin: 'https://shop.example.com' }),
    ).toString('base64url');
    const response = {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON, attestationObject: 'AAAA' },
    };
    for (const by of [token, token, (await withApp()).token]) {
      const refused = await call('POST', '/v1/auth/passkeys', by, { response });
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['response']]);
    }
    const challenges = await app.database.db.selectFrom('passkey_attempts').select('challenge').execute();
    expect(challenges.map(({ challenge }) => challenge)).not.toContain(body.data.challenge);
    const unknown = { ...response, response: { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' } };
    expect((await app.request('POST', '/v1/auth/passkey-sign-in', { body: { response: unknown } })).status).toBe(422);
  });

  test('is not offered at an address where browsers have none', async () => {
    const plain = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, {
      APP_URL: 'http://192.0.2.7',
    });
    const token = await plain.signIn('admin');
    expect((await plain.request('GET', '/v1/auth/factors', { token })).body.data.can_have_passkeys).toBe(false);
    expect((await plain.request('POST', '/v1/auth/passkeys/begin', { token, body: {} })).status).toBe(409);
    expect((await plain.request('POST', '/v1/auth/passkey-sign-in/begin', { body: {} })).status).toBe(409);
    await plain.close();
  });
});

test('ADMIN_EMAIL and ADMIN_PASSWORD at a start remove the second factor, and the audit log says so', async () => {
  const { id, email } = await withApp();
  const services = {
    ...app.services,
    config: { ...app.services.config, ADMIN_EMAIL: email, ADMIN_PASSWORD: password },
  };
  const lines = () =>
    app.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject_id', '=', id)
      .where('actor', '=', 'ADMIN_EMAIL')
      .execute();
  await ensureAdminAtStart(services, false);
  expect((await logIn(email)).status).toBe(200);
  expect(await lines()).toMatchObject([{ action: 'DELETE /v1/auth/factors', role: 'admin' }]);
  const { body } = await app.request('GET', `/v1/audit?subject_id=${id}`, { token: await app.signIn('admin') });
  expect(body.data).toContainEqual(
    expect.objectContaining({ summary: "The shop's computer removed the second factors of the account." }),
  );
  await ensureAdminAtStart(services, false);
  expect(await lines()).toHaveLength(1);
});

describe('a sign-in that is not used', () => {
  const hour = 3600;
  test.each([
    ['admin', 12 * hour],
    ['store_admin', 7 * 24 * hour],
    ['customer', 30 * 24 * hour],
  ] as const)('ends for the role %s after %d seconds', async (role, seconds) => {
    const { email } = await addUser(app.database.db, role, role === 'store_admin' ? [app.shop.storeId] : []);
    const { token } = (await logIn(email)).body;
    const isIn = async () => (await app.request('GET', '/v1/auth/user', { token })).status === 200;
    later(seconds - 60);
    expect(await isIn()).toBe(true);
    later(seconds - 60);
    expect(await isIn()).toBe(true);
    later(seconds);
    expect(await isIn()).toBe(false);
  });
});

test('a password that everybody tries first is refused wherever one is chosen', async () => {
  const body = { name: 'Ada Byron', email: `${randomUUID()}@example.com`, phone: '07700 900123' };
  for (const chosen of ['password1', 'Byron-1815']) {
    const refused = await app.request('POST', '/v1/auth/register/customer', { body: { ...body, password: chosen } });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['password']]);
  }
  const { email } = await addUser(app.database.db, 'admin');
  const { token } = (await logIn(email)).body;
  const change = { current_password: password, password: 'iloveyou' };
  const changed = await app.request('POST', '/v1/auth/password', { token, body: change });
  expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, ['password']]);
});
