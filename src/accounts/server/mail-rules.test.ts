import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountTools, password } from '#accounts/testing/account-tools.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

/* What strangers cannot make the shop's mail say, and who sees its links where no mail server sends it. */

let app: TestApp;
let admin: string;
let logged: string[] = [];
beforeAll(async () => {
  app = await startTestApp({}, {}, (line) => logged.push(line));
});
beforeEach(async () => {
  logged = [];
  app.clock.now = saturdayEvening;
  admin = await app.signIn('admin');
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

const { register, mailTo, waitForMail } = accountTools(() => ({ app, admin }));
const registerAs = (body: object) =>
  app.request('POST', '/v1/auth/register/customer', {
    body: { name: 'Ada Byron', email: `${randomUUID()}@example.com`, phone: '07700 900123', password, ...body },
  });
const forgot = (email: string) => app.request('POST', '/v1/auth/forgot-password', { body: { email } });
const linkIn = (text: string) => /\/verify-email#token=([\w-]{43})/.exec(text)?.[1] ?? '';

describe('a name', () => {
  const invisible = [0x202e, 0x200f, 0x2066, 0x200b, 0xfeff, 0x7, 0xa, 0x1b, 0x2028, 0xad, 0xe0041];
  test.each(invisible)('with the character %d in it loses it, in accounts and in orders', async (code) => {
    const name = `Ada ${String.fromCodePoint(code)}Byron`;
    const { user } = (await registerAs({ name })).body;
    expect(user.name.replace('  ', ' ')).toBe('Ada Byron');
    const contact = { name, phone: '07700 900123', email: '' };
    const placed = await app.request('POST', '/v1/orders', { body: app.orderBody({ contact }), token: admin });
    expect(placed.body.data.contact.name.replace('  ', ' ')).toBe('Ada Byron');
  });

  test.each(['Zoë O’Neill-Ngọc', 'علی‌رضا', '王小明', 'Łukasz 🍕'])('such as %s is taken', async (name) => {
    expect((await registerAs({ name })).body.user.name).toBe(name);
  });
});

describe('an address', () => {
  test('that is not confirmed gets mail without the name that was typed with it', async () => {
    const { email, token } = await register();
    const asked = await waitForMail(email, 1, 'verification');
    expect(asked).toContain('Hello,');
    expect(asked).not.toContain('Ada');
    await forgot(email);
    expect(await waitForMail(email)).not.toContain('Ada');
    const confirm = { token, body: { token: linkIn(asked) } };
    expect((await app.request('POST', '/v1/auth/verify-email', confirm)).status).toBe(200);
    await forgot(email);
    expect(await waitForMail(email, 2)).toContain('Hello Ada Byron,');
  });

  test('is confirmed by its own account only', async () => {
    const [mine, other] = [await register(), await register()];
    const body = { token: linkIn(await waitForMail(mine.email, 1, 'verification')) };
    const send = (token?: string) =>
      app.request('POST', '/v1/auth/verify-email', { body, ...(token !== undefined && { token }) });
    expect((await send()).status).toBe(401);
    const refused = await send(other.token);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    const { body: before } = await app.request('GET', '/v1/auth/user', { token: mine.token });
    expect(before.data.email_verified_at).toBeNull();
    expect((await send(mine.token)).status).toBe(200);
  });

  test('is changed a few times at most, so that nobody fills the mailboxes of others', async () => {
    const { token } = await register();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const body = { email: `${randomUUID()}@example.com`, password };
      statuses.push((await app.request('PATCH', '/v1/auth/user', { token, body })).status);
    }
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(statuses.at(-1)).toBe(429);
  });

  test('that has an account already is told when somebody opens another one with it, twice an hour at most', async () => {
    const { email } = await register();
    for (const name of ['Eve', 'Eve again', 'Eve once more']) {
      const again = await registerAs({ email: email.toUpperCase(), name });
      expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['email']]);
    }
    const text = await waitForMail(email, 2);
    expect(text).toContain('tried to open an account');
    expect(text).not.toContain('Eve');
    app.clock.now = new Date(app.clock.now.getTime() + 61 * 60_000);
    admin = await app.signIn('admin');
    await registerAs({ email });
    await waitForMail(email, 3);
  });
});

describe('without a mail server', () => {
  const shown = async (email: string, subject: string) => {
    const mails = await mailTo(email, subject === 'Confirm' ? 'verification' : 'other');
    const { body } = await app.request('GET', `/v1/mail/${mails[0]?.id}`, { token: admin });
    return JSON.stringify(body);
  };

  test('the links of people who have a password are in files, which the log names, and not in the office', async () => {
    const { email } = await register();
    await forgot(email);
    const secrets = [await waitForMail(email, 1, 'verification'), await waitForMail(email)].map(
      (text) => /#token=([\w-]{43})/.exec(text)?.[1] ?? 'none',
    );
    for (const subject of ['Confirm', 'Choose']) {
      const said = await shown(email, subject);
      expect(said).toContain(email);
      for (const secret of secrets) expect(said).not.toContain(secret);
    }
    const mails = [...(await mailTo(email, 'verification')), ...(await mailTo(email))];
    const files = mails.map(({ id }) => `mail/${id}.json`);
    const told = logged.map((line) => JSON.parse(line) as { msg: string; file?: string });
    const named = told.filter(({ msg }) => msg === 'a mail with a link is in a file, as no server sends it');
    expect(named.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    expect(logged.join('')).not.toMatch(new RegExp(['token=', email, 'Ada', ...secrets].join('|')));
  });

  test('an invitation is shown, because nobody has its account yet', async () => {
    const email = `${randomUUID()}@example.com`;
    const body = { name: 'Grace Hopper', email, role: 'store_admin', store_ids: [app.shop.storeId] };
    expect((await app.request('POST', '/v1/staff', { token: admin, body })).status).toBe(201);
    expect(await waitForMail(email)).toContain('Hello Grace Hopper,');
    expect(await shown(email, 'You are invited')).toMatch(/reset-password#token=[\w-]{43}/);
    expect(logged.join('')).not.toMatch(new RegExp(`token=|${email}`));
  });
});
