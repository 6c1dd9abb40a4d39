import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestProvider, type TestProvider } from '#accounts/testing/oidc-provider.ts';
import { socialTools } from '#accounts/testing/social-tools.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const origin = 'http://localhost:4100';
let google: TestProvider;
let apple: TestProvider;
let other: TestProvider;
let app: TestApp;
let admin: string;
const logged: string[] = [];
let provider: TestProvider;
const { begin, end, signIn, person, register, confirm } = socialTools(() => ({ app, provider }));

beforeAll(async () => {
  [google, apple, other] = await Promise.all([
    startTestProvider('google'),
    startTestProvider('apple'),
    startTestProvider(),
  ]);
  for (const each of [google, apple, other]) each.admitShop(origin);
  const settings = { APP_URL: origin, OIDC_GOOGLE_ISSUER: google.issuer, OIDC_APPLE_ISSUER: apple.issuer };
  app = await startTestApp({}, settings, (line) => void logged.push(line));
  admin = await app.signIn('admin');
});
beforeEach(async () => {
  provider = google;
  google.fail(null);
  const { db } = app.database;
  await db.deleteFrom('throttles').execute();
  const { body } = await setup();
  for (const { id } of body.data.providers) await call('DELETE', `/v1/sign-in-providers/${id}`);
});
afterAll(async () => {
  await app.close();
  await Promise.all([google.close(), apple.close(), other.close()]);
});

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: admin, ...(body !== undefined && { body }) });
const setup = () => call('GET', '/v1/sign-in-providers');
const googleDetails = () => ({ kind: 'google', client_id: google.clientId, client_secret: google.clientSecret });
const appleDetails = () => ({
  kind: 'apple',
  client_id: apple.clientId,
  team_id: apple.apple.teamId,
  key_id: apple.apple.keyId,
  private_key: apple.apple.privateKey,
});
const otherDetails = () => ({
  kind: 'other',
  name: 'Example ID',
  issuer: other.issuer,
  client_id: other.clientId,
  client_secret: other.clientSecret,
});
/** Sets a provider up and offers it to customers; returns its id. */
const offer = async (details: Record<string, unknown>): Promise<string> => {
  const { status, body } = await call('POST', '/v1/sign-in-providers', details);
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = body.data.providers.at(-1);
  expect((await call('PATCH', `/v1/sign-in-providers/${id}`, { is_on: true })).status).toBe(200);
  return id as string;
};
const choices = async () => (await app.request('GET', '/v1/auth/social/providers')).body.data as { name: string }[];
const problemOf = async (id: string) =>
  (await setup()).body.data.providers.find((each: { id: string }) => each.id === id).problem?.kind as
    | string
    | undefined;

describe('setting up', () => {
  test('three at once: each is tried, switched on, and has a button, Google and Apple first', async () => {
    await call('POST', '/v1/sign-in-providers', otherDetails());
    expect(await choices()).toEqual([]);
    const { body } = await setup();
    const [{ id, ...shown }] = body.data.providers;
    expect(shown).toMatchObject({ kind: 'other', issuer: other.issuer, has_secret: true, is_on: false, problem: null });
    expect(body.data).toMatchObject({ return_url: `${origin}/auth/callback`, environment: null });
    await call('PATCH', `/v1/sign-in-providers/${id}`, { is_on: true });
    await offer(appleDetails());
    await offer(googleDetails());
    expect((await choices()).map(({ name }) => name)).toEqual(['Google', 'Apple', 'Example ID']);
    const again = await call('POST', '/v1/sign-in-providers', googleDetails());
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('keeps secrets in files that only the shop reads: in no table, answer, log or audit line', async () => {
    const id = await offer(appleDetails());
    await offer(googleDetails());
    const secrets = [google.clientSecret, apple.apple.privateKey.split('\n')[1] ?? ''];
    const file = await readFile(join(app.services.config.dataDir, 'sign-in-keys', `${id}.json`), 'utf8');
    expect(file).toContain(secrets[1]);
    const { rows } = await sql<{ whole: string }>`
      select coalesce(json_agg(p)::text, '') as whole from sign_in_providers p union all
      select coalesce(json_agg(a)::text, '') from audit_details a`.execute(app.database.db);
    const answers = JSON.stringify([(await setup()).body, await choices()]);
    for (const secret of secrets) {
      for (const text of [...rows.map(({ whole }) => whole), answers, logged.join('')]) {
        expect(text).not.toContain(secret);
      }
    }
    await call('DELETE', `/v1/sign-in-providers/${id}`);
    expect(await readdir(join(app.services.config.dataDir, 'sign-in-keys'))).not.toContain(`${id}.json`);
  });

  test.each<[string, () => Record<string, unknown>, string]>([
    ['a Google ID of another kind', () => ({ ...googleDetails(), client_id: 'the-shop' }), 'client_id'],
    ['the ID in place of the secret', () => ({ ...googleDetails(), client_secret: google.clientId }), 'client_secret'],
    ['no secret', () => ({ ...googleDetails(), client_secret: '' }), 'client_secret'],
    ['a wrong secret', () => ({ ...googleDetails(), client_secret: 'wrong' }), 'client_secret'],
    ['a Team ID that is too short', () => ({ ...appleDetails(), team_id: 'TEAM' }), 'team_id'],
    ['the Team ID twice', () => ({ ...appleDetails(), key_id: apple.apple.teamId }), 'key_id'],
    ["another team's key", () => ({ ...appleDetails(), team_id: 'TEAM654321' }), 'client_id'],
    ['a certificate', () => ({ ...appleDetails(), private_key: '-----BEGIN CERTIFICATE-----' }), 'private_key'],
    [
      'a damaged key',
      () => ({ ...appleDetails(), private_key: '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----' }),
      'private_key',
    ],
    ['no name', () => ({ ...otherDetails(), name: '' }), 'name'],
    ['an address that is none', () => ({ ...otherDetails(), issuer: 'example' }), 'issuer'],
    ['plain http', () => ({ ...otherDetails(), issuer: 'http://login.example.com' }), 'issuer'],
    ['an address with nothing behind it', () => ({ ...otherDetails(), issuer: `${other.issuer}/nothing` }), 'issuer'],
    ["Google's address as another's", () => ({ ...otherDetails(), issuer: google.issuer }), 'issuer'],
  ])('with %s is refused in words beside the field', async (_, details, field) => {
    const { status, body } = await call('POST', '/v1/sign-in-providers', details());
    expect([status, Object.keys(body.errors ?? {})], JSON.stringify(body)).toEqual([422, [field]]);
    expect((await setup()).body.data.providers).toEqual([]);
  });

  test('one that does not answer is 503, and nothing is kept', async () => {
    google.fail(503);
    const { status, body } = await call('POST', '/v1/sign-in-providers', googleDetails());
    google.fail(null);
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(body.message).toContain('Google does not answer');
    expect((await setup()).body.data.providers).toEqual([]);
  });

  test('the address of its description works too, and a client without a secret', async () => {
    const issuer = `${other.issuer}/.well-known/openid-configuration`;
    await offer({ ...otherDetails(), issuer });
    expect((await setup()).body.data.providers[0].issuer).toBe(other.issuer);
    const { body } = await call('POST', '/v1/sign-in-providers', { ...otherDetails(), client_secret: undefined });
    // The local provider wants one.
    expect(Object.keys(body.errors)).toEqual(['client_secret']);
  });

  test('a change keeps what is not given, is tried, and has to be tried by the owner again', async () => {
    const id = await offer(appleDetails());
    const wrong = await call('PATCH', `/v1/sign-in-providers/${id}`, { key_id: 'KEY7654321' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['client_id']]);
    await app.database.db.updateTable('sign_in_providers').set({ tried_at: app.clock.now }).execute();
    const right = await call('PATCH', `/v1/sign-in-providers/${id}`, { key_id: apple.apple.keyId });
    expect(right.body.data.providers[0]).toMatchObject({ tried_at: null, is_on: true, has_secret: true });
    expect((await call('PATCH', `/v1/sign-in-providers/${id}`, {})).status).toBe(200);
  });

  test('the owner tries the whole way, which signs nobody in and makes no account', async () => {
    const { body } = await call('POST', '/v1/sign-in-providers', googleDetails());
    const { id } = body.data.providers[0];
    const { login, email } = person({ email: 'owner@gmail.com' });
    const { url, secret } = (await call('POST', `/v1/sign-in-providers/${id}/trial`)).body.data;
    const back = await google.visit(url, login);
    const answer = { secret, ...Object.fromEntries(back.answer) };
    expect((await end(secret, back)).status).toBe(422);
    const tried = await call('POST', '/v1/sign-in-trial', answer);
    expect(tried.body.data).toEqual({ email, is_email_confirmed: true, name: 'Ada Byron' });
    expect((await setup()).body.data.providers[0].tried_at).not.toBeNull();
    const users = await app.database.db.selectFrom('users').select('id').where('email', '=', email).execute();
    expect(users).toEqual([]);
  });

  test('one that is switched off or removed is offered no more, and ends what was begun', async () => {
    const id = await offer(googleDetails());
    const begun = await begin(id);
    const back = await google.visit(begun.url, person({ email: 'off@gmail.com' }).login);
    await call('PATCH', `/v1/sign-in-providers/${id}`, { is_on: false });
    expect((await end(begun.secret, back)).status).toBe(503);
    const gone = await app.request('POST', '/v1/auth/social/begin', { body: { provider: id } });
    expect([gone.status, await choices()]).toEqual([404, []]);
  });
});

describe('Google', () => {
  test.each([
    ['of its own', { email: 'ada@gmail.com' }, 200],
    ['of an organisation there', { email: 'ada@school.example', hd: 'school.example' }, 200],
    ['of another company', { email: 'ada@yahoo.example' }, 422],
    ['of its own, not confirmed', { email: 'eve@gmail.com', email_verified: false }, 422],
  ])('vouches for an address %s', async (_, account, status) => {
    const id = await offer(googleDetails());
    const { body, status: answered } = await signIn(person(account).login, id);
    expect(answered, JSON.stringify(body)).toBe(status);
    expect(body.user?.email ?? Object.keys(body.errors).join()).toBe(status === 200 ? account.email : 'email');
  });

  test('an address of another company opens no account that is here, confirmed or not', async () => {
    const id = await offer(googleDetails());
    const { login, email } = person();
    await confirm(await register(email));
    expect((await signIn(login, id)).status).toBe(422);
  });

  test('asks which account, and for a code with PKCE, state and nonce', async () => {
    const { url } = await begin(await offer(googleDetails()));
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      prompt: 'select_account',
      scope: 'openid email profile',
      redirect_uri: `${origin}/auth/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)?.length).toBeGreaterThan(40);
  });
});

describe('Apple', () => {
  /** Posts the answer to the shop as the browser would; returns where that leads. */
  const post = async (answer: URLSearchParams) => {
    const response = await fetch(`${app.url}/auth/callback`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://appleid.apple.com' },
      body: answer,
    });
    return { status: response.status, to: response.headers.get('location') ?? '', headers: response.headers };
  };
  const signInAtApple = async (login: string, id: string) => {
    const { url, secret } = await begin(id);
    const back = await apple.visit(url, login);
    expect(back.isPost).toBe(true);
    const { to } = await post(back.answer);
    const answer = new URLSearchParams(to.split('#')[1]);
    return end(secret, { ...back, answer });
  };
  beforeEach(() => {
    provider = apple;
  });

  test('posts its answer, which is led on behind #, with the name that it gives once', async () => {
    const id = await offer(appleDetails());
    const { login, email } = person({ email: 'x7@privaterelay.appleid.com', email_verified: 'true' });
    const { url, secret } = await begin(id);
    expect(new URL(url).searchParams.get('response_mode')).toBe('form_post');
    const back = await apple.visit(url, login);
    const { status, to, headers } = await post(back.answer);
    expect([status, to.split('#')[0], headers.get('cache-control')]).toEqual([303, '/auth/callback', 'no-store']);
    const led = new URLSearchParams(to.split('#')[1]);
    expect([...led.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
    const { body } = await end(secret, { ...back, answer: led });
    expect(body.user).toMatchObject({ email, name: 'Ada Byron', has_password: false });
    // It is not posted again, and not needed again.
    expect((await signInAtApple(login, id)).body.user.id).toBe(body.user.id);
  });

  test('posts a refusal too, which is led on in the same way and ends nothing', async () => {
    const id = await offer(appleDetails());
    const { url, secret } = await begin(id);
    const state = new URL(url).searchParams.get('state') ?? '';
    const { status, to } = await post(new URLSearchParams({ state, error: 'user_cancelled_authorize' }));
    expect([status, to]).toEqual([303, `/auth/callback#state=${state}&error=user_cancelled_authorize`]);
    // The person goes back and signs in after all.
    const { login } = person({ email: 'x8@privaterelay.appleid.com', email_verified: 'true' });
    const back = await apple.visit(url, login);
    expect((await end(secret, back)).status).toBe(200);
  });

  test('the name is kept until the person has an account, also when the first sign-in was refused', async () => {
    const id = await offer(appleDetails());
    const { login, email } = person({ name: 'Grace Hopper' });
    const account = await register(email);
    expect((await signInAtApple(login, id)).status).toBe(422);
    await app.database.db.deleteFrom('users').where('id', '=', account).execute();
    expect((await signInAtApple(login, id)).body.user.name).toBe('Grace Hopper');
    expect(await app.database.db.selectFrom('given_names').selectAll().where('subject', '=', login).execute()).toEqual(
      [],
    );
  });

  test('without any name, an address that forwards mail is not one', async () => {
    const id = await offer(appleDetails());
    const { login } = person({ email: 'x10@privaterelay.appleid.com', name: '' });
    expect((await signInAtApple(login, id)).body.user.name).toBe('Customer');
  });

  test.each<[string, Record<string, string>, string]>([
    ['a refusal', { state: 'a', error: 'user_cancelled_authorize' }, '#state=a&error=user_cancelled_authorize'],
    ['nothing', {}, '#'],
    ['a name that is none', { state: 'a', code: 'b', user: '{"name":[]}' }, '#state=a&code=b'],
    ['a person that is no JSON', { state: 'a', code: 'b', user: '{' }, '#state=a&code=b'],
    ['what is not its own', { state: 'a', code: 'b', token: 'c' }, '#state=a&code=b'],
    ['line breaks', { state: 'a\r\nset-cookie: b=c', code: 'd' }, '#state=a%0D%0Aset-cookie%3A+b%3Dc&code=d'],
    ['far too much', { state: 'a'.repeat(600), code: 'b' }, '#'],
  ])('a post with %s leads on with what can be used', async (_, posted, expected) => {
    const { status, to } = await post(new URLSearchParams(posted));
    expect([status, to]).toEqual([303, `/auth/callback${expected}`]);
  });

  test('a name in another form than Apple writes changes no page: control characters and length', async () => {
    const id = await offer(appleDetails());
    const { login } = person({ email: 'x9@privaterelay.appleid.com', name: 'Posted Once' });
    const { url, secret } = await begin(id);
    const back = await apple.visit(url, login);
    back.answer.set('user', JSON.stringify({ name: { firstName: 'A\u0000d\u202Ea', lastName: 'B'.repeat(79) } }));
    await post(back.answer);
    expect((await end(secret, back)).body.user.name).toBe(`Ada ${'B'.repeat(76)}`);
  });
});

test('an address that the provider confirms joins the confirmed account here, whose owner is told', async () => {
  const id = await offer(googleDetails());
  const { login, email } = person({ email: 'joined@gmail.com' });
  const account = await register(email);
  const refused = await signIn(login, id);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['email']]);
  await confirm(account);
  expect((await signIn(login, id)).body.user.id).toBe(account);
  const mails = async () =>
    ((await call('GET', '/v1/mail?per_page=200')).body.data as { to: string; subject: string }[]).filter(
      ({ to, subject }) => to === email && subject.startsWith('Google now signs you in'),
    ).length;
  await expect.poll(mails).toBe(1);
  await signIn(login, id);
  const [{ customers, only_way: onlyWay }] = (await setup()).body.data.providers;
  expect([customers > 0, onlyWay < customers]).toEqual([true, true]);
});

describe('a provider', () => {
  test('that is down is told as such; the others stay, and the office says so until it is back', async () => {
    const [id, otherId] = [await offer(googleDetails()), await offer(otherDetails())];
    const { login } = person({ email: 'down@gmail.com' });
    const begun = await begin(id);
    const back = await google.visit(begun.url, login);
    google.fail(502);
    const answer = await end(begun.secret, back);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(await problemOf(id)).toBe('away');
    provider = other;
    expect((await signIn(person().login, otherId)).status).toBe(200);
    google.fail(null);
    provider = google;
    expect((await signIn(login, id)).status).toBe(200);
    expect(await problemOf(id)).toBeUndefined();
  });

  test('may sign with another key from one sign-in to the next', async () => {
    const id = await offer(googleDetails());
    const { login } = person({ email: 'rotated@gmail.com' });
    expect((await signIn(login, id)).status).toBe(200);
    const begun = await begin(id);
    await google.rotateKeys();
    const answer = await end(begun.secret, await google.visit(begun.url, login));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  });

  test('whose answer is signed with a key that it does not show is refused', async () => {
    const forged = await startTestProvider();
    forged.admitShop(origin);
    const id = await offer({ ...otherDetails(), issuer: forged.issuer, client_secret: forged.clientSecret });
    provider = forged;
    const { login } = person();
    expect((await signIn(login, id)).status).toBe(200);
    await forged.showOtherKeys();
    const answer = await signIn(login, id);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['code']]);
    await forged.close();
  });

  test('that forgot the nonce, or has another one, is refused', async () => {
    const id = await offer(googleDetails());
    const { login } = person({ email: 'nonce@gmail.com' });
    for (const nonce of ['another', null]) {
      const { url, secret } = await begin(id);
      const changed = new URL(url);
      if (nonce === null) changed.searchParams.delete('nonce');
      else changed.searchParams.set('nonce', nonce);
      const answer = await end(secret, await google.visit(changed.href, login));
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['code']]);
    }
  });

  test('that no longer knows the shop is told to customers as not working, and to the owner with what to do', async () => {
    const changed = await startTestProvider('google');
    changed.admitShop(origin);
    const id = await offer({
      ...otherDetails(),
      issuer: changed.issuer,
      client_id: changed.clientId,
      client_secret: changed.clientSecret,
    });
    await app.database.db
      .updateTable('sign_in_providers')
      .set({ client_id: 'forgotten' })
      .where('id', '=', id)
      .execute();
    await app.services.signInProviders.reload();
    provider = changed;
    const { url, secret } = await begin(id);
    const back = await changed.visit(url.replace('forgotten', changed.clientId), person().login);
    const answer = await end(secret, back);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(await problemOf(id)).toBe('client_refused');
    await changed.close();
  });
});

test('with SECRETS_KEY the secrets are encrypted in the row, and another key cannot read them', async () => {
  const sealed = await startTestApp(
    {},
    { APP_URL: origin, SECRETS_KEY: 's'.repeat(32), OIDC_GOOGLE_ISSUER: google.issuer },
  );
  const token = await sealed.signIn('admin');
  const { status } = await sealed.request('POST', '/v1/sign-in-providers', { token, body: googleDetails() });
  expect(status).toBe(201);
  const row = await sealed.database.db.selectFrom('sign_in_providers').selectAll().executeTakeFirstOrThrow();
  expect(row.sealed?.toString('latin1')).not.toContain(google.clientSecret);
  expect(await readdir(sealed.services.config.dataDir)).not.toContain('sign-in-keys');
  await sealed.database.db
    .updateTable('sign_in_providers')
    .set({ sealed: Buffer.alloc(60, 1) })
    .execute();
  await sealed.services.signInProviders.reload();
  const { body } = await sealed.request('GET', '/v1/sign-in-providers', { token });
  expect(body.data.providers[0]).toMatchObject({ problem: { kind: 'not_here', since: null }, has_secret: false });
  const trial = await sealed.request('POST', `/v1/sign-in-providers/${row.id}/trial`, { token });
  expect([trial.status, trial.body.code]).toEqual([409, 'conflict']);
  await sealed.close();
});
