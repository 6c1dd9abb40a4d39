import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestProvider, type TestProvider } from '#accounts/testing/oidc-provider.ts';
import { socialTools } from '#accounts/testing/social-tools.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const origin = 'http://localhost:4100';
let provider: TestProvider;
let app: TestApp;
const { begin, end, person } = socialTools(() => ({ app, provider }));

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

/** What an app makes for one sign-in (RFC 7636). */
const makeVerifier = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};
/** The browser's part: signs in, and returns what it gives to the app. */
const signInForApp = async (challenge: string, login = person().login) => {
  const { url, secret } = await begin(undefined, { app_challenge: challenge });
  const back = await provider.visit(url, login);
  const body = { secret, ...Object.fromEntries(back.answer) };
  return { secret, back, answer: await app.request('POST', '/v1/auth/social/app-code', { body }) };
};
const redeem = (code: string, verifier: string) =>
  app.request('POST', '/v1/auth/social/app-token', { body: { app_code: code, verifier } });

test('the app takes over the sign-in of the browser by a code, which works once', async () => {
  const { verifier, challenge } = makeVerifier();
  const { login, email } = person();
  const { answer } = await signInForApp(challenge, login);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { app_code: code, expires_at: until } = answer.body.data;
  expect(Date.parse(until) - saturdayEvening.getTime()).toBe(60_000);
  const { body } = await redeem(code, verifier);
  expect(body.user).toMatchObject({ email, role: 'customer' });
  expect((await app.request('GET', '/v1/auth/user', { token: body.token })).body.data.id).toBe(body.user.id);
  expect((await redeem(code, verifier)).status).toBe(422);
});

test('a code that somebody else catches is useless without the verifier, and is used up', async () => {
  const { verifier, challenge } = makeVerifier();
  const { answer } = await signInForApp(challenge);
  const { app_code: code } = answer.body.data;
  const caught = await redeem(code, makeVerifier().verifier);
  expect([caught.status, Object.keys(caught.body.errors)]).toEqual([422, ['app_code']]);
  expect((await redeem(code, verifier)).status).toBe(422);
});

test('a code works for a minute, and at once only one of two', async () => {
  const late = makeVerifier();
  const { answer } = await signInForApp(late.challenge);
  app.clock.now = new Date(saturdayEvening.getTime() + 60_000);
  expect((await redeem(answer.body.data.app_code, late.verifier)).status).toBe(422);
  const twice = makeVerifier();
  const second = await signInForApp(twice.challenge);
  const both = await Promise.all([1, 2].map(() => redeem(second.answer.body.data.app_code, twice.verifier)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('a sign-in for the app gives no token to the browser, and one of the browser no code', async () => {
  const { challenge } = makeVerifier();
  const begun = await begin(undefined, { app_challenge: challenge });
  const back = await provider.visit(begun.url, person().login);
  expect((await end(begun.secret, back)).status).toBe(422);
  const own = await begin();
  const ownBack = await provider.visit(own.url, person().login);
  const body = { secret: own.secret, ...Object.fromEntries(ownBack.answer) };
  expect((await app.request('POST', '/v1/auth/social/app-code', { body })).status).toBe(422);
  expect((await end(own.secret, ownBack)).status).toBe(200);
});

test('a link with the code of a thief does not sign the app in to the account of the thief', async () => {
  const { answer } = await signInForApp(makeVerifier().challenge);
  const victim = makeVerifier();
  expect((await redeem(answer.body.data.app_code, victim.verifier)).status).toBe(422);
});

test('who became staff within the minute is not signed in', async () => {
  const { verifier, challenge } = makeVerifier();
  const { login, email } = person();
  const { answer } = await signInForApp(challenge, login);
  await app.database.db.updateTable('users').set({ role: 'store_admin' }).where('email', '=', email).execute();
  expect((await redeem(answer.body.data.app_code, verifier)).status).toBe(422);
});

test.each(['short', 'a'.repeat(44), `${'a'.repeat(42)}=`])('the challenge %s is none', async (challenge) => {
  const body = { app_challenge: challenge };
  const { status, body: refused } = await app.request('POST', '/v1/auth/social/begin', { body });
  expect([status, Object.keys(refused.errors)]).toEqual([422, ['app_challenge']]);
});

test('codes are deleted soon after they end', async () => {
  await signInForApp(makeVerifier().challenge);
  const rows = await app.database.db.selectFrom('social_codes').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain('app_code');
  const { startAccountSweep } = await import('#accounts/server/domain.ts');
  app.clock.now = new Date(saturdayEvening.getTime() + 61_000);
  const sweep = startAccountSweep({ ...app.services, now: () => app.clock.now });
  await sweep.sweep();
  await sweep.stop();
  expect(await app.database.db.selectFrom('social_codes').selectAll().execute()).toEqual([]);
});
