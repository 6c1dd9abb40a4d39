import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestProvider, type TestProvider } from '#accounts/testing/oidc-provider.ts';
import { socialTools } from '#accounts/testing/social-tools.ts';
import { removeExpiredKnownDevices } from '#accounts/server/known-devices.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type Response, type TestApp } from '#testing/test-app.ts';

const password = 'correct horse';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const subject = 'A new device signed in to your account at Nonna’s';

let smtp: MailServer;
let provider: TestProvider;
let app: TestApp;
beforeAll(async () => {
  smtp = await startMailServer();
  provider = await startTestProvider();
  const origin = 'https://shop.example';
  provider.admitShop(origin);
  app = await startTestApp(
    { name: 'Nonna’s' },
    {
      SMTP_URL: smtp.url,
      APP_URL: origin,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    },
  );
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(async () => {
  await app.close();
  await provider.close();
  await smtp.stop();
});

const { person, signIn: signInThere, begin, end, confirm } = socialTools(() => ({ app, provider }));
const headersOf = (device?: string): Record<string, string> => ({
  'user-agent': firefox,
  ...(device !== undefined && { 'x-known-device': device }),
});
const post = (path: string, body: object, { device, token }: { device?: string; token?: string } = {}) =>
  app.request('POST', path, { body, headers: headersOf(device), ...(token !== undefined && { token }) });
const register = async (device?: string, email = `${randomUUID()}@example.com`) => {
  const body = { name: 'Ada Byron', email, phone: '07700 900123', password };
  const answer = await post('/v1/auth/register/customer', body, { device });
  expect(answer.status).toBe(201);
  return {
    email,
    id: answer.body.user.id as string,
    token: answer.body.token as string,
    device: answer.body.device_token as string,
  };
};
const logIn = async (email: string, device?: string, tried = password): Promise<Response> => {
  const answer = await post('/v1/auth/login', { email, password: tried }, { device });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
};
const notices = async (email: string) => {
  const open = app.database.db.selectFrom('mails').select('id').where('ended_at', 'is', null);
  await vi.waitFor(async () => expect(await open.execute()).toEqual([]), { timeout: 60_000, interval: 50 });
  return smtp.received.filter((mail) => mail.to.includes(email) && mail.subject === subject);
};
const secretOf = async (email: string, page: string): Promise<string> => {
  const find = () =>
    smtp.received.findLast(({ to, text }) => to.includes(email) && text.includes(`/${page}#token=`))?.text;
  await vi.waitFor(() => expect(find()).toBeDefined(), { timeout: 60_000, interval: 50 });
  return /#token=([\w-]+)/.exec(find() ?? '')?.[1] ?? '';
};

describe('a sign-in with the password', () => {
  test('on a new device is mailed, with device and time; on a known one it is not', async () => {
    const { email, device } = await register();
    await logIn(email, device);
    expect(await notices(email)).toEqual([]);

    const { body } = await logIn(email);
    expect(body.device_token).not.toBe(device);
    const [mail, ...others] = await notices(email);
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Hello,');
    expect(mail?.text).toContain('Device: Firefox, Linux');
    expect(mail?.text).toContain('When: 21 November 2026, 18:00');
    expect(mail?.text).toContain('https://shop.example/forgot-password');
    expect(mail?.html).toContain('Firefox, Linux');
    expect(mail?.html).toContain('href="https://shop.example/forgot-password"');

    await logIn(email, body.device_token as string);
    await logIn(email, device);
    expect(await notices(email)).toHaveLength(1);
  });

  test('by a wrong password makes no device known', async () => {
    const { email } = await register();
    expect((await post('/v1/auth/login', { email, password: 'wrong' })).status).toBe(422);
    expect(await notices(email)).toEqual([]);
  });

  test('of two tabs of one new device at once is mailed once', async () => {
    const { body } = await logIn((await register()).email);
    const { email } = await register();
    const device = body.device_token as string;
    const both = await Promise.all([logIn(email, device), logIn(email, device)]);
    expect(both.map((answer) => answer.body.device_token)).toEqual([device, device]);
    expect(await notices(email)).toHaveLength(1);
  });

  test('is mailed to each of two people who share a browser, and their browser keeps one token', async () => {
    const one = await register();
    const two = await register(one.device);
    expect(two.device).toBe(one.device);
    const third = await register();
    expect((await logIn(third.email, one.device)).body.device_token).toBe(one.device);
    expect(await notices(third.email)).toHaveLength(1);
    await logIn(third.email, one.device);
    expect(await notices(third.email)).toHaveLength(1);
  });

  test('with a token that this shop has never given out gets another one', async () => {
    const { email } = await register();
    const made = 'x'.repeat(43);
    expect((await logIn(email, made)).body.device_token).not.toBe(made);
    expect(await notices(email)).toHaveLength(1);
  });

  test('is mailed ten times a day at most to who keeps no token, and fifty devices are kept', async () => {
    const { email, id } = await register();
    for (let count = 0; count < 12; count += 1) await logIn(email);
    expect(await notices(email)).toHaveLength(9);
    app.clock.now = new Date(saturdayEvening.getTime() + 25 * 60 * 60_000);
    await logIn(email);
    expect(await notices(email)).toHaveLength(10);
    for (let count = 0; count < 45; count += 1) await logIn(email);
    const rows = await app.database.db.selectFrom('known_devices').select('id').where('user_id', '=', id).execute();
    expect(rows).toHaveLength(50);
  });
});

describe('a sign-in at a provider', () => {
  test('that makes the account is not mailed, and a later one elsewhere is', async () => {
    const { login, email } = person();
    const first = await signInThere(login);
    expect([first.status, await notices(email)]).toEqual([200, []]);
    const { url, secret } = await begin();
    const back = await provider.visit(url, login);
    const body = { secret, ...Object.fromEntries(back.answer) };
    const known = first.body.device_token as string;
    expect((await post('/v1/auth/social/end', body, { device: known })).body.device_token).toBe(known);
    expect(await notices(email)).toEqual([]);
    expect((await signInThere(login)).status).toBe(200);
    expect(await notices(email)).toHaveLength(1);
  });

  test('that is connected to the account of the same address is one on a new device', async () => {
    const { login, email } = person();
    const { id } = await register(undefined, email);
    await confirm(id);
    expect((await signInThere(login)).status).toBe(200);
    expect(await notices(email)).toHaveLength(1);
  });

  test('for the app is one of the app, not of the browser that made it', async () => {
    const { login, email } = person();
    const browser = (await signInThere(login)).body.device_token as string;
    const verifier = 'v'.repeat(43);
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const { url, secret } = await begin(undefined, { app_challenge: Buffer.from(hash).toString('base64url') });
    const back = await provider.visit(url, login);
    const { body } = await post(
      '/v1/auth/social/app-code',
      { secret, ...Object.fromEntries(back.answer) },
      { device: browser },
    );
    expect(await notices(email)).toEqual([]);
    const redeemed = await post('/v1/auth/social/app-token', { app_code: body.data.app_code, verifier });
    expect(redeemed.status).toBe(200);
    expect(redeemed.body.device_token).not.toBe(browser);
    expect(await notices(email)).toHaveLength(1);
  });

  test('that is refused makes nothing known', async () => {
    const { login, email } = person({ email_verified: false });
    const { url, secret } = await begin();
    expect((await end(secret, await provider.visit(url, login))).status).toBe(422);
    expect(await notices(email)).toEqual([]);
  });
});

describe('a member of staff', () => {
  test('who was invited is not told of the first sign-in, and of the next device', async () => {
    const email = `${randomUUID()}@example.com`;
    const token = await app.signIn('admin');
    const invited = { name: 'Grace', email, role: 'store_admin', store_ids: [app.shop.storeId] };
    expect((await post('/v1/staff', invited, { token })).status).toBe(201);
    const secret = await secretOf(email, 'reset-password');
    const chosen = await post('/v1/auth/reset-password', { token: secret, password });
    expect(chosen.status).toBe(200);
    await logIn(email, chosen.body.device_token);
    expect(await notices(email)).toEqual([]);
    await logIn(email);
    expect(await notices(email)).toHaveLength(1);
  });
});

describe('a device is new again', () => {
  const isNewOn = async (email: string, device: string, tried = password) => {
    const before = (await notices(email)).length;
    await logIn(email, device, tried);
    return (await notices(email)).length > before;
  };

  test('after its owner has ended its sign-in; where they did that it is not', async () => {
    const { email, device, token } = await register();
    const other = (await logIn(email)).body.device_token as string;
    const { body } = await app.request('GET', '/v1/auth/sign-ins', { token });
    const ended = body.data.find((each: { is_current: boolean }) => !each.is_current);
    expect((await app.request('DELETE', `/v1/auth/sign-ins/${ended.id}`, { token })).status).toBe(204);
    expect([await isNewOn(email, device), await isNewOn(email, other)]).toEqual([false, true]);
  });

  test('not if another sign-in on the same one was ended, or by signing out', async () => {
    const { email, device, token } = await register();
    const again = await logIn(email, device);
    const { body } = await app.request('GET', '/v1/auth/sign-ins', { token });
    const ended = body.data.find((each: { is_current: boolean }) => !each.is_current);
    expect((await app.request('DELETE', `/v1/auth/sign-ins/${ended.id}`, { token })).status).toBe(204);
    expect((await app.request('GET', '/v1/auth/user', { token: again.body.token })).status).toBe(401);
    expect((await app.request('POST', '/v1/auth/logout', { token, body: {} })).status).toBe(204);
    expect(await isNewOn(email, device)).toBe(false);
  });

  test('after another password was chosen; where that was done it is not', async () => {
    const { email, device, token } = await register();
    const other = (await logIn(email)).body.device_token as string;
    const body = { current_password: password, password: 'battery staple' };
    expect((await post('/v1/auth/password', body, { token })).status).toBe(200);
    const found = [await isNewOn(email, device, 'battery staple'), await isNewOn(email, other, 'battery staple')];
    expect(found).toEqual([false, true]);
  });

  test('after a reset by mail, but for the one on which it was done', async () => {
    const { email, device } = await register();
    const other = (await logIn(email)).body.device_token as string;
    await post('/v1/auth/forgot-password', { email });
    const reset = { token: await secretOf(email, 'reset-password'), password: 'battery staple' };
    expect((await post('/v1/auth/reset-password', reset, { device })).status).toBe(200);
    const found = [await isNewOn(email, device, 'battery staple'), await isNewOn(email, other, 'battery staple')];
    expect(found).toEqual([false, true]);
  });

  test('after signing out everywhere', async () => {
    const { email, device, token } = await register();
    expect((await post('/v1/auth/logout-everywhere', {}, { token })).status).toBe(204);
    expect(await isNewOn(email, device)).toBe(true);
  });

  test('after 400 days without a sign-in; the sweep leaves the last one, by which others are new', async () => {
    const { email, device, id } = await register();
    const other = (await logIn(email)).body.device_token as string;
    expect(await notices(email)).toHaveLength(1);
    app.clock.now = new Date(saturdayEvening.getTime() + 401 * 24 * 60 * 60_000);
    await removeExpiredKnownDevices(app.database.db, app.clock.now);
    const rows = await app.database.db.selectFrom('known_devices').select('id').where('user_id', '=', id).execute();
    expect(rows).toHaveLength(1);
    expect([await isNewOn(email, device), await isNewOn(email, other)]).toEqual([true, true]);
  });
});

test("an earlier version's account has no known device: its next sign-in is not mailed", async () => {
  const { email, id } = await register();
  await app.database.db.deleteFrom('known_devices').where('user_id', '=', id).execute();
  await logIn(email);
  expect(await notices(email)).toEqual([]);
  await logIn(email);
  expect(await notices(email)).toHaveLength(1);
});

test('devices are part of the export, and go with the account', async () => {
  const { email, id, token, device } = await register();
  await logIn(email);
  const { body } = await app.request('GET', '/v1/auth/user/export', { token });
  expect(body.data.known_devices).toEqual([
    expect.objectContaining({ user_agent: firefox, is_known: true }),
    expect.objectContaining({ user_agent: firefox, is_known: true, signed_in_at: saturdayEvening.toISOString() }),
  ]);
  expect(JSON.stringify(body)).not.toContain(device);
  expect((await app.request('DELETE', '/v1/auth/user', { token, body: { password } })).status).toBe(204);
  const rows = await app.database.db.selectFrom('known_devices').select('id').where('user_id', '=', id).execute();
  expect(rows).toEqual([]);
});
