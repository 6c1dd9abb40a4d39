import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startForgingProvider } from '#accounts/testing/forging-provider.ts';
import { startTestProvider, type TestAccount, type TestProvider } from '#accounts/testing/oidc-provider.ts';
import { socialTools } from '#accounts/testing/social-tools.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const origin = 'http://localhost:4100';
let provider: TestProvider;
let app: TestApp;
beforeAll(async () => {
  provider = await startTestProvider();
  provider.admitShop(origin);
  app = await startTestApp(
    {},
    {
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
});

const { begin, end, signIn, person, register, confirm } = socialTools(() => ({ app, provider }));

test('somebody new becomes a customer with a confirmed address and no password, and is the same one next time', async () => {
  const { login, email } = person();
  const first = await signIn(login);
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  expect(first.body.user).toMatchObject({ email, name: 'Ada Byron', role: 'customer', has_password: false });
  expect(first.body.user.email_verified_at).not.toBeNull();
  const own = await app.request('GET', '/v1/auth/user', { token: first.body.token });
  expect(own.body.data.id).toBe(first.body.user.id);
  // The provider's subject counts, not the address.
  provider.accounts[login] = { email: `moved-${email}`, email_verified: true };
  expect((await signIn(login)).body.user.id).toBe(first.body.user.id);
  const all = await app.request('GET', '/v1/auth/user/export', { token: first.body.token });
  expect(all.body.data.identities).toMatchObject([{ issuer: provider.issuer, subject: login }]);
});

test('a password tried on an account that has none is wrong, like any other', async () => {
  const { login, email } = person();
  await signIn(login);
  const tried = await app.request('POST', '/v1/auth/login', { body: { email, password: 'null' } });
  expect([tried.status, Object.keys(tried.body.errors)]).toEqual([422, ['email']]);
});

test('an account without a password is deleted soon after signing in, and later only after signing in again', async () => {
  const { login } = person();
  const { token } = (await signIn(login)).body;
  app.clock.now = new Date(saturdayEvening.getTime() + 16 * 60_000);
  const late = await app.request('DELETE', '/v1/auth/user', { token, body: {} });
  expect([late.status, Object.keys(late.body.errors)]).toEqual([422, ['password']]);
  const fresh = (await signIn(login)).body.token;
  expect((await app.request('DELETE', '/v1/auth/user', { token: fresh, body: {} })).status).toBe(204);
  const { count } = await app.database.db
    .selectFrom('identities')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('subject', '=', login)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(0);
});

describe('an address that has an account already', () => {
  test("joins it when it is a customer's and was confirmed; its password stays", async () => {
    const { login, email } = person();
    const id = await register(email);
    await confirm(id);
    expect((await signIn(login)).body.user).toMatchObject({ id, has_password: true });
  });

  test('is not joined by another person of the provider, to whom the address was given since', async () => {
    const first = person();
    const { id } = (await signIn(first.login)).body.user;
    provider.accounts[first.login] = { email: `left-${first.email}`, email_verified: true };
    const second = person({ email: first.email });
    const refused = await signIn(second.login);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['email']]);
    expect(refused.body.errors.email[0]).toMatch(/already connected/);
    // The first connection stays.
    expect((await signIn(first.login)).body.user.id).toBe(id);
    expect((await signIn(second.login)).status).toBe(422);
  });

  test('is joined by one of two who sign in for the first time at the same moment', async () => {
    const { login, email } = person();
    await confirm(await register(email));
    const both = await Promise.all([login, person({ email }).login].map((one) => signIn(one)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test('is refused while nobody has confirmed it', async () => {
    const { login, email } = person();
    const id = await register(email);
    const refused = await signIn(login);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['email']]);
    expect(refused.body.errors.email[0]).toMatch(/password/);
    expect(refused.body).not.toHaveProperty('token');
    await confirm(id);
    expect((await signIn(login)).body.user.id).toBe(id);
  });

  test.each(['admin', 'store_admin'] as const)("is refused when it is a %s's", async (role) => {
    const { login, email } = person();
    const id = await register(email);
    await confirm(id);
    await app.database.db.updateTable('users').set({ role }).where('id', '=', id).execute();
    expect((await signIn(login)).status).toBe(422);
  });

  test('no longer works for a customer who has become staff', async () => {
    const { login } = person();
    const { id } = (await signIn(login)).body.user;
    await app.database.db.updateTable('users').set({ role: 'store_admin' }).where('id', '=', id).execute();
    expect((await signIn(login)).status).toBe(422);
  });
});

test.each<[string, TestAccount]>([
  ['is not confirmed', { email_verified: false }],
  ['is missing', { email: '' }],
])('an address that %s at the provider makes no account', async (_, account) => {
  const { login, email } = person(account);
  const refused = await signIn(login);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['email']]);
  const row = await app.database.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  expect(row).toBeUndefined();
});

describe('a way back', () => {
  test('works once', async () => {
    const { url, secret } = await begin();
    const back = await provider.visit(url, person().login);
    expect((await end(secret, back)).status).toBe(200);
    const again = await end(secret, back);
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['state']]);
  });

  test('works only in the browser that began', async () => {
    const [mine, thiefs] = [await begin(), await begin()];
    const back = await provider.visit(mine.url, person().login);
    expect(Object.keys((await end(thiefs.secret, back)).body.errors)).toEqual(['state']);
    expect((await end(mine.secret, back)).status).toBe(200);
  });

  test.each([
    ['another state', { state: 'made-up' }],
    ["another sign-in's state", null],
  ])('with %s is refused, and the right one still works', async (_, change) => {
    const { url, secret } = await begin();
    const other = change ?? { state: new URL((await begin()).url).searchParams.get('state') ?? '' };
    const back = await provider.visit(url, person().login);
    const refused = await end(secret, back, other);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['state']]);
    expect((await end(secret, back)).status).toBe(200);
  });

  test('works for fifteen minutes', async () => {
    const { url, secret } = await begin();
    const back = await provider.visit(url, person().login);
    app.clock.now = new Date(saturdayEvening.getTime() + 15 * 60_000);
    expect(Object.keys((await end(secret, back)).body.errors)).toEqual(['state']);
  });

  test("with another sign-in's code is refused, by PKCE and nonce", async () => {
    const [mine, thiefs] = [await begin(), await begin()];
    const stolen = await provider.visit(mine.url, person().login);
    const back = await provider.visit(thiefs.url, person().login);
    const code = stolen.answer.get('code') ?? '';
    expect(Object.keys((await end(thiefs.secret, back, { code })).body.errors)).toEqual(['code']);
  });

  test('that another provider answered is refused', async () => {
    const { url, secret } = await begin();
    const back = await provider.visit(url, person().login);
    const refused = await end(secret, back, { iss: 'https://elsewhere.example' });
    expect(Object.keys(refused.body.errors)).toEqual(['code']);
  });
});

test('without a provider in the settings there is nothing to begin; one that is away is told as such', async () => {
  const none = await startTestApp();
  expect((await none.request('POST', '/v1/auth/social/begin', { body: {} })).status).toBe(404);
  await none.close();
  const away = await startTestApp({}, { OIDC_ISSUER: 'http://localhost:9', OIDC_CLIENT_ID: 'x' });
  const answer = await away.request('POST', '/v1/auth/social/begin', { body: {} });
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  await away.close();
});

test.each<[string, object]>([
  ['is for another shop', { aud: 'another' }],
  ['names nobody', { sub: '' }],
  ['ended long ago', { iat: 1_700_000_000, exp: 1_700_000_600 }],
])('an ID token that %s is refused, and the provider is not called away', async (_, claims) => {
  const forging = await startForgingProvider();
  const shop = await startTestApp(
    {},
    { APP_URL: origin, OIDC_ISSUER: forging.issuer, OIDC_CLIENT_ID: forging.clientId, OIDC_CLIENT_SECRET: 'secret' },
  );
  try {
    const { body: begun } = await shop.request('POST', '/v1/auth/social/begin', { body: {} });
    const { url, secret } = begun.data;
    const { searchParams: asked } = new URL(url);
    const back = { secret, state: asked.get('state'), code: 'code' };
    forging.forge({ claims: { nonce: asked.get('nonce'), ...claims } });
    const { status, body } = await shop.request('POST', '/v1/auth/social/end', { body: back });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['code']]);
    expect(body.message).not.toMatch(/not working/);
  } finally {
    await shop.close();
    await forging.close();
  }
});
