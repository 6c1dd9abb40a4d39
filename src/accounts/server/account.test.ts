import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '#testing/read-audit.ts';
import { accountTools, password } from '#accounts/testing/account-tools.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { startAccountSweep } from '#accounts/server/domain.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let adminId: string;
beforeAll(async () => {
  app = await startTestApp();
  const token = await app.signIn('admin');
  adminId = (await app.request('GET', '/v1/auth/user', { token })).body.data.id;
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  admin = await createSignIn(app.database.db, adminId, 'test', app.clock.now);
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

const { later, register, logIn, userOf, mailTo, waitForMail } = accountTools(() => ({ app, admin }));
const patch = (token: string, body: unknown) => app.request('PATCH', '/v1/auth/user', { token, body });

describe('my details', () => {
  test('get the address of an order once, also when two tabs save it, and twenty at most', async () => {
    const { token } = await register();
    const save = (line1: string, more: object = {}) =>
      app.request('POST', '/v1/auth/user/addresses', {
        token,
        body: { address: { line1, postcode: 'cv212aa' }, ...more },
      });
    const answers = await Promise.all([save('1 High Street'), save('1 high street'), save('2 Low Road')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const linesNow = async () =>
      (await userOf(token)).body.data.addresses.map((each: { line1: string }) => each.line1.toLowerCase()).toSorted();
    expect(await linesNow()).toEqual(['1 high street', '2 low road']);
    const { body } = await save('3 Mill Lane', { replaces: { line1: '2 Low Road', postcode: 'CV21 2AA' } });
    expect(body.data.addresses).toHaveLength(2);
    expect(await linesNow()).toEqual(['1 high street', '3 mill lane']);

    for (let count = 3; count <= 20; count += 1) await save(`${count} Long Row`);
    const full = await save('21 Long Row');
    expect([full.status, Object.keys(full.body.errors)]).toEqual([422, ['address']]);
    expect((await save('3 Long Row', {})).status).toBe(200);
  });

  test.each([
    ['CV21 2OA', 'CV21 2OA cannot be one'],
    ['CV2I 2AA', 'CV21 2AA'],
    ['CV21 2A', ''],
  ])('keep no address whose postcode %s cannot exist', async (postcode, words) => {
    const { token } = await register();
    const address = { line1: '1 High Street', line2: '', city: '', postcode, instructions: '' };
    const saved = await app.request('POST', '/v1/auth/user/addresses', { token, body: { address } });
    expect(saved.status).toBe(422);
    expect(JSON.stringify(saved.body.errors['address.postcode'])).toContain(words);
    expect((await patch(token, { addresses: [address] })).status).toBe(422);
    expect((await userOf(token)).body.data.addresses).toEqual([]);
  });

  test('name, phone, addresses, allergies and language can be changed, each by itself', async () => {
    const { token, email } = await register();
    const address = { line1: '2 Low Road', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
    expect((await patch(token, { name: 'Ada Lovelace' })).body.data).toMatchObject({ name: 'Ada Lovelace', email });
    const changed = await patch(token, { phone: '', addresses: [address], allergies: ['peanuts'], locale: 'en-GB' });
    expect(changed.status).toBe(200);
    expect((await userOf(token)).body.data).toMatchObject({
      name: 'Ada Lovelace',
      phone: '',
      addresses: [address],
      allergies: ['peanuts'],
      locale: 'en-GB',
    });
    expect((await patch(token, {})).body.data.name).toBe('Ada Lovelace');
  });

  test('role, shops and other fields that are not mine to set are ignored', async () => {
    const { token } = await register();
    const answer = await patch(token, { role: 'admin', store_ids: [app.shop.storeId], id: randomUUID() });
    expect(answer.body.data).toMatchObject({ role: 'customer', store_ids: [] });
  });

  test('another email address needs the password, and the old one is told', async () => {
    const { token, email } = await register();
    const wanted = `new-${email}`;
    expect((await patch(token, { email: wanted })).body.errors).toHaveProperty('password');
    const wrong = await patch(token, { email: wanted, password: 'not it at all' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['password']]);
    expect((await userOf(token)).body.data.email).toBe(email);
    expect((await patch(token, { email: wanted, password })).body.data.email).toBe(wanted);
    expect(await waitForMail(email)).toContain('email address for your account');
    expect([(await logIn(email)).status, (await logIn(wanted)).status]).toEqual([422, 200]);
  });

  test("somebody else's email address is refused, however many ask at once", async () => {
    const [one, two] = [await register(), await register()];
    const taken = await patch(one.token, { email: two.email.toUpperCase(), password });
    expect([taken.status, Object.keys(taken.body.errors)]).toEqual([422, ['email']]);
    const wanted = `${randomUUID()}@example.com`;
    const both = await Promise.all([one, two].map(({ token }) => patch(token, { email: wanted, password })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

describe('an address that an account has whose address nobody confirmed', () => {
  const work = async () => {
    const someone = await register();
    await app.database.db.updateTable('users').set({ role: 'store_admin' }).where('id', '=', someone.id).execute();
    return someone;
  };
  const order = (id: string) =>
    app.database.db.selectFrom('orders').select('customer_id').where('id', '=', id).executeTakeFirst();

  test('becomes the address of somebody who works here; its orders stay', async () => {
    const [cook, eve] = [await work(), await register()];
    const placed = await app.request('POST', '/v1/orders', { token: eve.token, body: app.orderBody() });
    const wrong = await patch(cook.token, { email: eve.email, password: 'not it at all' });
    expect([wrong.status, (await userOf(eve.token)).status]).toEqual([422, 200]);
    const changed = await patch(cook.token, { email: eve.email.toUpperCase(), password });
    expect([changed.status, changed.body.data]).toEqual([
      200,
      expect.objectContaining({ id: cook.id, email: eve.email }),
    ]);
    expect((await userOf(eve.token)).status).toBe(401);
    expect(await order(placed.body.data.id)).toEqual({ customer_id: null });
  });

  test.each(['a confirmed account', 'somebody who works here'])('not the address of %s', async (whose) => {
    const [cook, other] = [await work(), whose === 'a confirmed account' ? await register() : await work()];
    const confirmed = whose === 'a confirmed account' ? app.clock.now : null;
    await app.database.db
      .updateTable('users')
      .set({ email_verified_at: confirmed })
      .where('id', '=', other.id)
      .execute();
    const answer = await patch(cook.token, { email: other.email, password });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['email']]);
    expect((await userOf(other.token)).status).toBe(200);
  });
});

describe('a password', () => {
  test('changes with the old one; this sign-in stays and the others end', async () => {
    const { token, email } = await register();
    const { body: other } = await logIn(email);
    const change = (current: string) =>
      app.request('POST', '/v1/auth/password', {
        token,
        body: { current_password: current, password: 'battery staple' },
      });
    expect(Object.keys((await change('wrong')).body.errors)).toEqual(['current_password']);
    expect((await userOf(other.token)).status).toBe(200);
    expect((await change(password)).status).toBe(200);
    expect([(await userOf(token)).status, (await userOf(other.token)).status]).toEqual([200, 401]);
    expect([(await logIn(email)).status, (await logIn(email, 'battery staple')).status]).toEqual([422, 200]);
    expect(await waitForMail(email)).toContain('has just been changed');
  });

  const forgot = (email: string) => app.request('POST', '/v1/auth/forgot-password', { body: { email } });
  const reset = (token: string, chosen = 'battery staple') =>
    app.request('POST', '/v1/auth/reset-password', { body: { token, password: chosen } });
  const tokenOf = async (email: string, count = 1) => {
    const link = /http:\/\/localhost:\d+\/reset-password#token=([\w-]{43})/.exec(await waitForMail(email, count));
    expect(link).not.toBeNull();
    return link?.[1] ?? '';
  };

  test('is chosen again by a mailed link, once; every sign-in ends', async () => {
    const { email, token } = await register();
    const { status, body } = await forgot(email);
    // The test app has no mail server.
    expect([status, body]).toEqual([
      200,
      {
        message: 'This shop cannot send emails yet, so no link was sent. Please ring the shop: 01632 960001.',
        is_sent: false,
      },
    ]);
    expect((await forgot(`${randomUUID()}@example.com`)).body).toEqual(body);
    const secret = await tokenOf(email);
    expect((await reset(secret, 'short')).status).toBe(422);
    expect((await reset(secret)).status).toBe(200);
    expect((await userOf(token)).status).toBe(401);
    expect([(await logIn(email)).status, (await logIn(email, 'battery staple')).status]).toEqual([422, 200]);
    const again = await reset(secret, 'another one');
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['token']]);
    expect((await logIn(email, 'battery staple')).body.user.email_verified_at).not.toBeNull();
  });

  test('comes in the language of the account, as every mail about it does, whoever asks in whichever', async () => {
    const email = `${randomUUID()}@example.com`;
    const headers = { 'accept-language': 'pl' };
    const body = { name: 'Maria Curie', email, phone: '07700 900123', password };
    const registered = await app.request('POST', '/v1/auth/register/customer', { body, headers });
    expect(registered.body.user.locale).toBe('pl');
    await forgot(email);
    const subjects = async () => (await mailTo(email)).map(({ subject }) => subject.split(' w ')[0]).sort();
    await expect.poll(subjects).toEqual(['Nowe hasło do konta', 'Potwierdź adres e-mail']);
    const { token } = registered.body;
    const change = { current_password: password, password: 'battery staple' };
    await app.request('POST', '/v1/auth/password', { token, body: change });
    await expect.poll(subjects).toContain('Zmieniono hasło do konta');
    await patch(token, { locale: 'en' });
    await app.request('POST', '/v1/auth/forgot-password', { body: { email }, headers });
    await expect.poll(subjects).toContainEqual(expect.stringMatching(/^Choose another password/));
  });

  test('of two who use one link at once, one wins', async () => {
    const { email } = await register();
    await forgot(email);
    const secret = await tokenOf(email);
    const both = await Promise.all([reset(secret, 'the first one'), reset(secret, 'the second one')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('a link works for an hour, and not after the password was changed otherwise', async () => {
    const { email, token } = await register();
    await forgot(email);
    const early = await tokenOf(email);
    later(60);
    expect((await reset(early)).status).toBe(422);
    await forgot(email);
    const unused = await tokenOf(email, 2);
    const change = { current_password: password, password: 'battery staple' };
    expect((await app.request('POST', '/v1/auth/password', { token, body: change })).status).toBe(200);
    expect((await reset(unused)).status).toBe(422);
  });

  test('the link never holds a host that the request named, and only its hash is stored', async () => {
    const { email } = await register();
    const headers = { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' };
    await app.request('POST', '/v1/auth/forgot-password', { body: { email }, headers });
    const secret = await tokenOf(email);
    expect(await waitForMail(email)).not.toContain('evil');
    const stored = await app.database.db.selectFrom('password_resets').selectAll().execute();
    expect(stored.map(({ token_hash }) => token_hash.toString())).not.toContain(secret);
    const jobs = await app.database.db
      .withSchema('pgboss')
      .selectFrom('job' as never)
      .selectAll()
      .execute();
    expect(JSON.stringify(jobs)).not.toContain(secret);
  });

  test('forgotten without an account: the same answer, and no mail', async () => {
    const { email } = await register();
    const unknown = `${randomUUID()}@example.com`;
    const [known, nobody] = [await forgot(email), await forgot(unknown)];
    expect([nobody.status, nobody.body]).toEqual([known.status, known.body]);
    await waitForMail(email);
    await expect.poll(() => mailTo(unknown)).toEqual([]);
  });
});

describe('an email address', () => {
  const linkIn = (text: string) => /\/verify-email#token=([\w-]{43})/.exec(text)?.[1] ?? '';
  const verify = (link: string, token: string) =>
    app.request('POST', '/v1/auth/verify-email', { token, body: { token: link } });
  const sendAgain = (token: string) => app.request('POST', '/v1/auth/send-verification', { token, body: {} });
  const isVerified = async (token: string) => (await userOf(token)).body.data.email_verified_at !== null;

  test('is confirmed by the link that came when the account was opened, also when it is opened twice', async () => {
    const { token, email } = await register();
    expect(await isVerified(token)).toBe(false);
    const link = linkIn(await waitForMail(email, 1, 'verification'));
    expect((await verify(link, token)).status).toBe(200);
    expect(await isVerified(token)).toBe(true);
    expect((await verify(link, token)).status).toBe(200);
    expect((await sendAgain(token)).status).toBe(200);
    expect(await mailTo(email, 'verification')).toHaveLength(1);
  });

  test('gets another link when asked for, for a day', async () => {
    const { token, email } = await register();
    await waitForMail(email, 1, 'verification');
    expect((await sendAgain(token)).status).toBe(200);
    const link = linkIn(await waitForMail(email, 2, 'verification'));
    later(24 * 60);
    const refused = await verify(link, token);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['token']]);
    expect(await isVerified(token)).toBe(false);
  });

  test('that is new must be confirmed again: the old link does not, its own does', async () => {
    const { token, email } = await register();
    const old = linkIn(await waitForMail(email, 1, 'verification'));
    await patch(token, { email: `new-${email}`, password });
    expect((await verify(old, token)).status).toBe(422);
    expect(await isVerified(token)).toBe(false);
    expect((await verify(linkIn(await waitForMail(`new-${email}`, 1, 'verification')), token)).status).toBe(200);
    expect(await isVerified(token)).toBe(true);
  });

  test('links are stored as hashes only, and are not sent without end', async () => {
    const { token, email } = await register();
    const link = linkIn(await waitForMail(email, 1, 'verification'));
    const { db } = app.database;
    const stored = await db.selectFrom('email_verifications').selectAll().execute();
    const queued = await db
      .withSchema('pgboss')
      .selectFrom('job' as never)
      .selectAll()
      .execute();
    expect(JSON.stringify([stored, queued])).not.toContain(link);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await sendAgain(token)).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("a staff member's changes to their own account", () => {
  const linesOf = async (id: string) => (await readAudit(app.database.db)).filter((line) => line.actor_id === id);

  test('stand in the audit log, without secrets, also those made by a mailed link', async () => {
    const { token, id, email } = await register();
    await app.database.db.updateTable('users').set({ role: 'store_admin' }).where('id', '=', id).execute();
    await patch(token, { name: 'Ada of the till', phone: '07700 900555' });
    const change = { current_password: password, password: 'battery staple' };
    expect((await app.request('POST', '/v1/auth/password', { token, body: change })).status).toBe(200);
    await app.request('POST', '/v1/auth/forgot-password', { body: { email } });
    const secret = /token=([\w-]{43})/.exec(await waitForMail(email, 2))?.[1] ?? '';
    await app.request('POST', '/v1/auth/reset-password', { body: { token: secret, password: 'third one of mine' } });
    const { body } = await logIn(email, 'third one of mine');
    await app.request('POST', '/v1/auth/logout-everywhere', { token: body.token });
    const lines = await linesOf(id);
    expect(lines.map(({ action }) => action)).toEqual([
      'PATCH /v1/auth/user',
      'POST /v1/auth/password',
      'POST /v1/auth/reset-password',
      'POST /v1/auth/login',
      'POST /v1/auth/logout-everywhere',
    ]);
    expect(lines[0]).toMatchObject({ actor: 'Ada Byron', role: 'store_admin', subject_id: id });
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`correct|staple|third|900555|${secret}`));
  });

  test('that are refused do not', async () => {
    const { token, id } = await register();
    await app.database.db.updateTable('users').set({ role: 'store_admin' }).where('id', '=', id).execute();
    const change = { current_password: 'wrong', password: 'battery staple' };
    expect((await app.request('POST', '/v1/auth/password', { token, body: change })).status).toBe(422);
    expect(await linesOf(id)).toEqual([]);
  });

  test("and a customer's are nobody's business", async () => {
    const { token, id } = await register();
    await patch(token, { name: 'Ada Lovelace' });
    expect(await linesOf(id)).toEqual([]);
  });
});

describe('the token of a sign-in', () => {
  test('is drawn anew at each, has 256 bits, and is stored as a hash only', async () => {
    const { token: first, email } = await register();
    const tokens = [first, (await logIn(email)).body.token as string];
    for (let count = tokens.length; count < 80; count += 1) {
      tokens.push(await createSignIn(app.database.db, adminId, 'test', app.clock.now));
    }
    expect(new Set(tokens).size).toBe(tokens.length);
    const drawn = tokens.map((token) => Buffer.from(token, 'base64url'));
    expect(tokens.filter((token) => !/^[\w-]{43}$/.test(token))).toEqual([]);
    // Each bit is a one in some and a zero in others: none is given by the rest of the token.
    const ones = Array.from(
      { length: 256 },
      (_, bit) => drawn.filter((bytes) => ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1).length,
    );
    expect(ones.filter((count) => count === 0 || count === tokens.length)).toEqual([]);
    expect(new Set(drawn.map((bytes) => bytes.subarray(0, 8).toString('hex'))).size).toBe(tokens.length);

    const stored = await app.database.db.selectFrom('sign_ins').selectAll().execute();
    const hashes = new Set(stored.map(({ token_hash }) => token_hash.toString('hex')));
    for (const token of tokens) expect(hashes).toContain(createHash('sha256').update(token).digest('hex'));
    const all = JSON.stringify(stored) + stored.map(({ token_hash }) => token_hash.toString('latin1')).join();
    expect(tokens.filter((token) => all.includes(token))).toEqual([]);
  });
});

describe('the devices I am signed in on', () => {
  test('are listed with this one marked, and each can be signed out', async () => {
    const { token, email } = await register();
    const { body: phone } = await logIn(email, password, { 'user-agent': 'A phone' });
    const list = async (): Promise<{ id: string; user_agent: string; is_current: boolean }[]> =>
      (await app.request('GET', '/v1/auth/sign-ins', { token })).body.data;
    const before = await list();
    expect(before.map(({ is_current }) => is_current).sort()).toEqual([false, true]);
    const theirs = before.find(({ user_agent }) => user_agent === 'A phone');
    expect(theirs?.is_current).toBe(false);
    const end = (id: string, by: string) => app.request('DELETE', `/v1/auth/sign-ins/${id}`, { token: by });
    const stranger = await register();
    expect((await end(theirs?.id ?? '', stranger.token)).status).toBe(404);
    expect((await userOf(phone.token)).status).toBe(200);
    expect((await end(theirs?.id ?? '', token)).status).toBe(204);
    expect((await userOf(phone.token)).status).toBe(401);
    expect((await list()).length).toBe(1);
  });

  test('all end at once', async () => {
    const { token, email } = await register();
    const { body: phone } = await logIn(email);
    const stranger = await register();
    expect((await app.request('POST', '/v1/auth/logout-everywhere', { token })).status).toBe(204);
    const statuses = await Promise.all([token, phone.token, stranger.token].map(async (t) => (await userOf(t)).status));
    expect(statuses).toEqual([401, 401, 200]);
  });

  test('a sign-in ends after 30 idle days, and after 90 days however busy', async () => {
    const day = 24 * 60;
    const idle = await register();
    const busy = await register();
    for (let passed = 0; passed < 87; passed += 29) {
      later(29 * day);
      expect((await userOf(busy.token)).status).toBe(200);
    }
    expect((await userOf(idle.token)).status).toBe(401);
    later(3 * day - 1);
    expect((await userOf(busy.token)).status).toBe(200);
    later(1);
    expect((await userOf(busy.token)).status).toBe(401);
  });

  test('what has ended is swept away, what works is left', async () => {
    const { db } = app.database;
    const old = await register();
    await logIn('nobody@example.com');
    later(31 * 24 * 60);
    const fresh = await register();
    const sweep = startAccountSweep(app.services);
    await sweep.sweep();
    await sweep.stop();
    const left = await db.selectFrom('sign_ins').select('user_id').where('user_id', 'in', [old.id, fresh.id]).execute();
    expect(left).toEqual([{ user_id: fresh.id }]);
    const counts = await db.selectFrom('throttles').select('key').where('key', 'like', 'sign-in%').execute();
    expect(counts).toEqual([]);
  });
});
