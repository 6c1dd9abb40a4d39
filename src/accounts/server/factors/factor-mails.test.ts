import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureAdminAtStart } from '#accounts/server/set-up-shop.ts';
import { totpCodeOf, totpStepAt } from '#accounts/server/factors/totp.ts';
import { accountTools, password } from '#accounts/testing/account-tools.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser } from '#testing/users.ts';
import { randomBytes, randomUUID } from 'node:crypto';

/* What somebody is told by mail when the ways change in which they sign in. */

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
const subjectsTo = async ({ email }: { email: string }) => (await mailTo(email)).map(({ subject }) => subject);
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

/** A signed-in member of staff whose address is confirmed, and how many mails they have got so far. */
async function person(locale = 'en') {
  const { id, email } = await addUser(app.database.db, 'store_admin', [app.shop.storeId]);
  await app.database.db
    .updateTable('users')
    .set({ locale, email_verified_at: saturdayEvening })
    .where('id', '=', id)
    .execute();
  const { token } = (await app.request('POST', '/v1/auth/login', { body: { email, password } })).body;
  const call = (method: string, path: string, body: object = {}) =>
    app.request(method, path, {
      token,
      headers: { 'user-agent': chrome, 'accept-language': 'en' },
      ...(method === 'POST' && { body }),
    });
  return { id, email, call };
}

type Person = Awaited<ReturnType<typeof person>>;

async function addApp({ call }: Person): Promise<{ secret: string; codes: string[] }> {
  const begun = await call('POST', '/v1/auth/totp/begin');
  const secret = new URL(begun.body.data.url).searchParams.get('secret') ?? '';
  let bits = '';
  for (const sign of secret) bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const wrong = await call('POST', '/v1/auth/totp', { one_time_code: '000000' });
  expect(wrong.status).toBe(422);
  const right = await call('POST', '/v1/auth/totp', { one_time_code: totpCodeOf(bytes, totpStepAt(app.clock.now)) });
  expect(right.status).toBe(201);
  return { secret, codes: right.body.data.recovery_codes };
}

/** As if a browser had made it. */
async function insertPasskey({ id }: Person, name: string): Promise<string> {
  const passkey = randomUUID();
  await app.database.db
    .insertInto('passkeys')
    .values({
      id: passkey,
      user_id: id,
      credential_id: randomBytes(16).toString('base64url'),
      public_key: randomBytes(32),
      counter: 0,
      transports: [],
      name,
      created_at: app.clock.now,
    })
    .execute();
  return passkey;
}

describe('a mail tells', () => {
  test('that an authenticator app was set up, when and on which device, once, and without its secret', async () => {
    const cook = await person();
    const { secret, codes } = await addApp(cook);
    const text = await waitForMail(cook.email);
    expect(await subjectsTo(cook)).toEqual(['An authenticator app was set up for your account at Nonna’s']);
    expect(text).toContain('Device: Chrome, Windows');
    expect(text).toMatch(/When: .*2026/);
    expect(text).toContain('https://shop.example/forgot-password');
    expect(text).toContain('https://shop.example/kitchen/my-sign-in');
    for (const hidden of [secret, ...codes]) expect(text).not.toContain(hidden);
  });

  test('that it was removed, and in the language of its reader', async () => {
    const cook = await person('pl');
    await addApp(cook);
    expect((await cook.call('DELETE', '/v1/auth/totp')).status).toBe(200);
    expect((await cook.call('DELETE', '/v1/auth/totp')).status).toBe(404);
    const text = await waitForMail(cook.email, 2);
    expect(await subjectsTo(cook)).toEqual([
      'Usunięto aplikację uwierzytelniającą z konta w Nonna’s',
      'Dodano aplikację uwierzytelniającą do konta w Nonna’s',
    ]);
    expect(text).toContain('Urządzenie: Chrome, Windows');
  });

  test('which passkey was removed, once if two tabs remove it', async () => {
    const cook = await person();
    const passkey = await insertPasskey(cook, 'Old phone');
    const both = await Promise.all([0, 1].map(() => cook.call('DELETE', `/v1/auth/passkeys/${passkey}`)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(await waitForMail(cook.email)).toContain('Passkey: Old phone');
    expect(await subjectsTo(cook)).toEqual(['A passkey was removed from your account at Nonna’s']);
  });

  test('that recovery codes were made anew, and not if they were not', async () => {
    const cook = await person();
    expect((await cook.call('POST', '/v1/auth/recovery-codes')).status).toBe(409);
    expect(await mailTo(cook.email)).toEqual([]);
    await insertPasskey(cook, 'Phone');
    const { body } = await cook.call('POST', '/v1/auth/recovery-codes');
    const text = await waitForMail(cook.email);
    expect(await subjectsTo(cook)).toEqual(['New recovery codes were made for your account at Nonna’s']);
    for (const code of body.data.recovery_codes as string[]) expect(text).not.toContain(code);
  });

  test('that a start of the server removed all of it and set the password, and nothing at the next start', async () => {
    const owner = await person();
    await addApp(owner);
    const services = {
      ...app.services,
      config: { ...app.services.config, ADMIN_EMAIL: owner.email, ADMIN_PASSWORD: 'another battery' },
    };
    await ensureAdminAtStart(services, false);
    await ensureAdminAtStart(services, false);
    await waitForMail(owner.email, 3);
    expect((await subjectsTo(owner)).toSorted()).toEqual([
      'An authenticator app was set up for your account at Nonna’s',
      'The server of Nonna’s removed your passkeys and authenticator app',
      'Your password for Nonna’s was changed',
    ]);
  });
});
