import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readFiledMail } from '#mail/server/mail-retention.ts';
import { startTestProvider, type TestProvider } from '#accounts/testing/oidc-provider.ts';
import { socialTools } from '#accounts/testing/social-tools.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

const origin = 'http://localhost:4100';
const password = 'correct horse';
let provider: TestProvider;
let app: TestApp;
let admin: string;
const { begin, end, signIn, person, register, confirm } = socialTools(() => ({ app, provider }));

beforeAll(async () => {
  provider = await startTestProvider();
  provider.admitShop(origin);
  app = await startTestApp({}, environment());
  admin = await app.signIn('admin');
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

const environment = () => ({
  APP_URL: origin,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: 'Example ID',
});
/** A customer who is signed in with a password. */
const customer = async ({ isConfirmed = true } = {}) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const id = await register(email);
  if (isConfirmed) await confirm(id);
  const { body } = await app.request('POST', '/v1/auth/login', { body: { email, password } });
  return { id, email, token: body.token as string };
};
const startConnecting = (token: string, typed?: string) =>
  app.request('POST', '/v1/auth/social/connect', {
    token,
    body: { provider: 'environment', ...(typed !== undefined && { password: typed }) },
  });
/** Connects the account of this login at the provider. */
const connect = async (token: string, login: string, typed: string | undefined = password) => {
  const { body, status } = await startConnecting(token, typed);
  expect(status, JSON.stringify(body)).toBe(200);
  const back = await provider.visit(body.data.url, login);
  const answer = { secret: body.data.secret, ...Object.fromEntries(back.answer) };
  return app.request('POST', '/v1/auth/identities', { token, body: answer });
};
const identitiesOf = async (token: string) =>
  (await app.request('GET', '/v1/auth/identities', { token })).body.data as { id: string; name: string }[];
const disconnect = (token: string, id: string, typed?: string) =>
  app.request('DELETE', `/v1/auth/identities/${id}`, { token, body: typed === undefined ? {} : { password: typed } });
const mailsTo = async (email: string) =>
  ((await app.request('GET', '/v1/mail?per_page=200', { token: admin })).body.data as { to: string; subject: string }[])
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject);

describe('connecting an account at a provider', () => {
  test('signs in to the same account from then on, whatever its address is, and is told by mail', async () => {
    const { id, email, token } = await customer();
    const there = person({ email: 'someone-else@example.com', email_verified: false });
    const { status, body } = await connect(token, there.login);
    expect([status, body.data]).toMatchObject([
      200,
      [{ kind: 'other', name: 'Example ID', email: there.email, is_offered: true }],
    ]);
    expect((await signIn(there.login)).body.user).toMatchObject({ id, email });
    const told = /^Example ID now signs you in at/;
    await expect.poll(() => mailsTo(email)).toContainEqual(expect.stringMatching(told));
    // The same once more changes nothing.
    expect((await connect(token, there.login)).body.data).toHaveLength(1);
  });

  test('needs the password, or that somebody without one has just signed in', async () => {
    const { token } = await customer();
    for (const typed of [undefined, 'wrong']) {
      const refused = await startConnecting(token, typed);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['password']]);
    }
    const { body } = await signIn(person().login);
    expect((await startConnecting(body.token)).status).toBe(200);
    app.clock.now = new Date(saturdayEvening.getTime() + 16 * 60_000);
    expect((await startConnecting(body.token)).status).toBe(422);
  });

  test('is refused while the address here is not confirmed, and to staff', async () => {
    const { token } = await customer({ isConfirmed: false });
    const refused = await startConnecting(token, password);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['email']]);
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    expect((await startConnecting(staff, password)).status).toBe(422);
  });

  test("is refused when another account has it, and ends only as its own person's", async () => {
    const [mine, other] = [await customer(), await customer()];
    const there = person({ email_verified: false });
    expect((await connect(mine.token, there.login)).status).toBe(200);
    const taken = await connect(other.token, there.login);
    expect([taken.status, taken.body.code]).toEqual([409, 'conflict']);

    const begun = (await startConnecting(mine.token, password)).body.data;
    const back = await provider.visit(begun.url, person().login);
    const body = { secret: begun.secret, ...Object.fromEntries(back.answer) };
    const stolen = await app.request('POST', '/v1/auth/identities', { token: other.token, body });
    expect([stolen.status, Object.keys(stolen.body.errors)]).toEqual([422, ['state']]);
    // Nor does it sign in.
    expect((await end(begun.secret, back)).status).toBe(422);
    expect((await app.request('POST', '/v1/auth/identities', { token: mine.token, body })).status).toBe(200);
  });
});

describe('disconnecting', () => {
  test('leaves the other ways, is told by mail, and needs the password', async () => {
    const { email, token } = await customer();
    const there = person({ email_verified: false });
    const [{ id }] = (await connect(token, there.login)).body.data;
    expect(Object.keys((await disconnect(token, id, 'wrong')).body.errors)).toEqual(['password']);
    expect((await disconnect(token, id, password)).status).toBe(204);
    expect(await identitiesOf(token)).toEqual([]);
    expect((await signIn(there.login)).status).toBe(422);
    const told = /^Example ID no longer signs you in at/;
    await expect.poll(() => mailsTo(email)).toContainEqual(expect.stringMatching(told));
    expect((await disconnect(token, id, password)).status).toBe(404);
  });

  test("is refused for the last way to sign in, and for somebody else's", async () => {
    const { body } = await signIn(person().login);
    const [first] = await identitiesOf(body.token);
    const refused = await disconnect(body.token, first?.id ?? '');
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    const { token } = await customer();
    expect((await disconnect(token, first?.id ?? '', password)).status).toBe(404);
  });

  test('of the last two at once leaves one', async () => {
    const { body } = await signIn(person().login);
    await connect(body.token, person({ email_verified: false }).login, undefined);
    const both = await identitiesOf(body.token);
    expect(both).toHaveLength(2);
    const answers = await Promise.all(both.map(({ id }) => disconnect(body.token, id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(await identitiesOf(body.token)).toHaveLength(1);
  });

  test('counts only ways that the shop still offers', async () => {
    const { body } = await signIn(person().login);
    const { db } = app.database;
    const userId = body.user.id as string;
    const old = { issuer: 'https://gone.example', subject: userId, user_id: userId, email: null };
    await db
      .insertInto('identities')
      .values({ ...old, created_at: saturdayEvening })
      .execute();
    const all = await identitiesOf(body.token);
    const [current, gone] = ['Example ID', 'gone.example'].map((name) => all.find((one) => one.name === name));
    expect(gone).toMatchObject({ kind: 'other', is_offered: false });
    expect((await disconnect(body.token, current?.id ?? '')).status).toBe(409);
    expect((await disconnect(body.token, gone?.id ?? '')).status).toBe(204);
  });
});

test('an address that its owner takes back by mail takes with it what somebody else had connected', async () => {
  const { id, token } = await customer();
  const thief = person({ email_verified: false });
  await connect(token, thief.login);
  // The thief's account now has the victim's address, which nobody has confirmed.
  const email = `${crypto.randomUUID()}@example.com`;
  const changed = await app.request('PATCH', '/v1/auth/user', { token, body: { email, password } });
  expect(changed.status).toBe(200);
  await app.request('POST', '/v1/auth/forgot-password', { body: { email } });
  const read = async (): Promise<string> => {
    const list = (await app.request('GET', '/v1/mail?per_page=200', { token: admin })).body.data;
    const mail = list.find(
      (one: { to: string; subject: string }) => one.to === email && one.subject.startsWith('Choose'),
    );
    if (!mail) return '';
    return (await readFiledMail(app.services.config, mail.id))?.text ?? '';
  };
  await expect.poll(read).toContain('token=');
  const [, mailed] = /token=([\w-]+)/.exec(await read()) ?? [];
  const body = { token: mailed, password: 'the owner has it' };
  expect((await app.request('POST', '/v1/auth/reset-password', { body })).status).toBe(200);
  expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(401);
  const again = await signIn(thief.login);
  expect(again.body.user?.id).not.toBe(id);
  expect(again.status).toBe(422);
});

test('two tabs of a new person end at once: both are signed in to the one account', async () => {
  const { login, email } = person();
  const begun = await Promise.all([begin(), begin(), begin()]);
  const backs = await Promise.all(begun.map(({ url }) => provider.visit(url, login)));
  const answers = await Promise.all(begun.map(({ secret }, at) => end(secret, backs[at] ?? backs[0]!)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const rows = await app.database.db.selectFrom('users').select('id').where('email', '=', email).execute();
  expect(new Set(answers.map(({ body }) => body.user.id))).toEqual(new Set([rows[0]?.id]));
});

test('one answer sent twice at once signs in once', async () => {
  const { url, secret } = await begin();
  const back = await provider.visit(url, person().login);
  const answers = await Promise.all([end(secret, back), end(secret, back)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('what one instance began another one ends, and what one sets up another one offers', async () => {
  const second = await startAppOn(app.database, app.shop, { ...environment(), SECRETS_KEY: 's'.repeat(32) });
  const more = await startTestProvider();
  more.admitShop(origin);
  try {
    const { login } = person();
    const { url, secret } = await begin();
    const back = await provider.visit(url, login);
    const body = { secret, ...Object.fromEntries(back.answer) };
    expect((await second.request('POST', '/v1/auth/social/end', { body })).status).toBe(200);

    const third = await startAppOn(app.database, app.shop, { ...environment(), SECRETS_KEY: 's'.repeat(32) });
    const details = { kind: 'other', name: 'More', issuer: more.issuer, client_id: more.clientId };
    const made = await second.request('POST', '/v1/sign-in-providers', {
      token: admin,
      body: { ...details, client_secret: more.clientSecret },
    });
    const { id } = made.body.data.providers[0];
    await second.request('PATCH', `/v1/sign-in-providers/${id}`, { token: admin, body: { is_on: true } });
    const names = async (instance: TestApp) =>
      ((await instance.request('GET', '/v1/auth/social/providers')).body.data as { name: string }[]).map(
        ({ name }) => name,
      );
    await expect.poll(() => names(third)).toEqual(['Example ID', 'More']);
    // Without the key its secrets cannot be read: there the others stay.
    await expect.poll(() => app.services.signInProviders.get(id)).toBeNull();
    expect(await names(app)).toEqual(['Example ID']);
    await third.stop();
  } finally {
    await second.stop();
    await more.close();
    await app.database.db.deleteFrom('sign_in_providers').execute();
  }
});
