import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashCost, minHashCost } from '#accounts/server/hash-password.ts';
import { countAttempt } from '#accounts/server/throttle.ts';
import { createPasswordToken } from '#accounts/server/account-mail.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser, password } from '#testing/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
const lowered = { ...hashCost };
beforeEach(async () => {
  Object.assign(hashCost, lowered);
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

const later = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000);
};
const newEmail = () => `${randomUUID()}@example.com`;
const account = async () => (await addUser(app.database.db, 'customer')).email;
/** As a proxy on this machine passes it on. */
const from = (address: string) => ({ 'x-forwarded-for': address });
const logIn = (email: string, tried: string, address = '192.0.2.1', device?: string) =>
  app.request('POST', '/v1/auth/login', {
    body: { email, password: tried },
    headers: { ...from(address), ...(device !== undefined && { 'x-known-device': device }) },
  });
const fail = async (email: string, times: number, address?: string) => {
  for (let time = 0; time < times; time += 1) expect((await logIn(email, 'wrong', address)).status).toBe(422);
};
const waitOf = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'));

/** Many attempts: the first and the last are made, and those between are added to what is counted under such keys. */
const count = async (times: number, who: { email: string; address: string }, keys: string) => {
  const { db } = app.database;
  await countAttempt(db, 'sign-in', who, app.clock.now);
  const between = db.updateTable('throttles').set((eb) => ({ attempts: eb('attempts', '+', times - 2) }));
  await between.where('key', '~', keys).execute();
  await countAttempt(db, 'sign-in', who, app.clock.now);
};

describe('passwords that are sent at once', () => {
  const inOrder: string[] = [];
  const send = async (name: string, call: () => Promise<{ status: number }>) => {
    const { status } = await call();
    inOrder.push(name);
    return status;
  };

  test('wait for each other and not for others; what is too much of one network is refused at once', async () => {
    Object.assign(hashCost, minHashCost);
    const email = await account();
    const burst = Array.from({ length: 120 }, () => send('burst', () => logIn(newEmail(), 'wrong', '203.0.113.7')));
    const other = send('other', () => logIn(email, password, '198.51.100.1'));
    expect(await other).toBe(200);
    const statuses = await Promise.all(burst);
    const refused = statuses.filter((status) => status === 429).length;
    expect(statuses.filter((status) => status === 422)).toHaveLength(120 - refused);
    expect(refused).toBeGreaterThan(60);
    // Of those that were not refused nearly all were still waiting.
    expect(inOrder.length - inOrder.indexOf('other')).toBeGreaterThan(10);
  });

  test('are not looked at where the token of the link is made up', async () => {
    const body = { token: 'x'.repeat(43), password: 'a good long one' };
    const burst = Array.from({ length: 40 }, () =>
      app.request('POST', '/v1/auth/reset-password', { body, headers: from('203.0.113.8') }),
    );
    // None waits for a turn, so none is refused for want of one.
    expect(new Set((await Promise.all(burst)).map(({ status }) => status))).toEqual(new Set([422]));
  });
});

describe('signing in to one account', () => {
  test('slows down after ten failures, the right password included', async () => {
    const email = await account();
    await fail(email, 10);
    const refused = await logIn(email, password);
    expect([refused.status, refused.body.code, waitOf(refused)]).toEqual([429, 'too_many_requests', 30]);
    expect((await logIn(email.toUpperCase(), password)).status).toBe(429);
    later(30);
    expect((await logIn(email, password)).status).toBe(200);
  });

  test('waits longer with each further failure, up to a quarter of an hour', async () => {
    const email = newEmail();
    await fail(email, 10);
    const waits: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      const wait = waitOf(await logIn(email, 'wrong'));
      waits.push(wait);
      later(wait);
      await fail(email, 1);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  test('attempts while waiting do not make the wait longer', async () => {
    const email = newEmail();
    await fail(email, 10);
    for (let time = 0; time < 5; time += 1) expect(waitOf(await logIn(email, 'wrong'))).toBe(30);
  });

  test('forgets the failures of a quarter of an hour ago', async () => {
    const email = newEmail();
    await fail(email, 9);
    later(15 * 60);
    await fail(email, 9);
    expect((await logIn(email, 'wrong')).status).toBe(422);
  });

  test('a success clears the count', async () => {
    const email = await account();
    await fail(email, 9);
    expect((await logIn(email, password)).status).toBe(200);
    await fail(email, 10);
    expect((await logIn(email, password)).status).toBe(429);
  });

  test('says the same whether the account exists', async () => {
    const answers = [];
    for (const email of [await account(), newEmail()]) {
      const seen: unknown[] = [];
      for (let time = 0; time < 12; time += 1) {
        const { status, body, headers } = await logIn(email, 'wrong', `192.0.2.${answers.length + 10}`);
        seen.push([status, body, headers.get('retry-after')]);
      }
      answers.push(seen);
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  test('thirty attempts at once are not more than ten', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 30 }, () => logIn(email, 'wrong', '203.0.113.9')));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  test('a stolen sign-in is no way around it', async () => {
    const token = await app.signIn('customer');
    const body = { current_password: 'wrong', password: 'battery staple' };
    const tried = (address: string) =>
      app.request('POST', '/v1/auth/password', { token, body, headers: from(address) });
    for (let time = 0; time < 10; time += 1) expect((await tried(`192.0.2.${time}`)).status).toBe(422);
    expect((await tried('192.0.2.77')).status).toBe(429);
    const remove = await app.request('DELETE', '/v1/auth/user', { token, body: { password } });
    expect(remove.status).toBe(429);
  });

  test('and does not slow down the owner, who is signed in elsewhere', async () => {
    const email = await account();
    const stolen = (await logIn(email, password)).body.token as string;
    const own = (await logIn(email, password, '192.0.2.9')).body.token as string;
    const change = (token: string, current_password: string) =>
      app.request('POST', '/v1/auth/password', { token, body: { current_password, password: 'battery staple' } });
    for (let time = 0; time < 11; time += 1) await change(stolen, 'wrong');
    expect((await change(stolen, password)).status).toBe(429);
    expect((await change(own, password)).status).toBe(200);
  });
});

describe('an owner whose password others try', () => {
  /** As many as count, from other networks. */
  const flood = (email: string) => count(200, { email, address: '198.51.0.1' }, '^sign-in account [0-9a-f]+$');

  test('signs in from another network after ten wrong ones', async () => {
    const email = await account();
    await fail(email, 12 - 2, '203.0.113.5');
    expect((await logIn(email, password, '203.0.113.5')).status).toBe(429);
    expect((await logIn(email, password)).status).toBe(200);
  });

  test('signs in on a known device in the very network of who tries them', async () => {
    const email = await account();
    const device = (await logIn(email, password)).body.device_token as string;
    await fail(email, 10);
    expect((await logIn(email, password)).status).toBe(429);
    expect((await logIn(email, password, '192.0.2.1', device)).status).toBe(200);
    expect((await logIn(email, password, '192.0.2.1', `${device}x`)).status).toBe(429);
  });

  test('after two hundred in an hour signs in on known devices only, until the hour is over', async () => {
    const email = await account();
    const device = (await logIn(email, password)).body.device_token as string;
    await flood(email);
    const refused = await logIn(email, password, '203.0.113.77');
    expect([refused.status, refused.body.message, waitOf(refused)]).toEqual([
      429,
      'Too many wrong passwords for this account. Sign in on a device that you have used before, or choose “Forgot password”.',
      3600,
    ]);
    expect((await logIn(email, password, '203.0.113.77', device)).status).toBe(200);
    later(3600);
    expect((await logIn(email, password, '203.0.113.77')).status).toBe(200);
  });

  test('an account that nobody has is refused in the same way', async () => {
    const email = newEmail();
    await flood(email);
    expect((await logIn(email, password, '203.0.113.77')).status).toBe(429);
  });

  test('or by a mailed link, on the device where it was opened, while others go on', async () => {
    const email = await account();
    await flood(email);
    const { id } = await app.database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const token = await createPasswordToken({ db: app.database.db, now: () => app.clock.now }, id, 60_000);
    const reset = await app.request('POST', '/v1/auth/reset-password', { body: { token, password: 'battery staple' } });
    expect(reset.status).toBe(200);
    for (let network = 0; network < 25; network += 1) await logIn(email, 'wrong', `198.52.${network}.1`);
    const device = reset.body.device_token as string;
    expect((await logIn(email, 'battery staple', '203.0.113.77', device)).status).toBe(200);
  });

  test('a known device that was stolen has ten tries of its own', async () => {
    const email = await account();
    const device = (await logIn(email, password)).body.device_token as string;
    for (let time = 0; time < 10; time += 1) {
      expect((await logIn(email, 'wrong', `198.51.100.${time}`, device)).status).toBe(422);
    }
    expect((await logIn(email, password, '198.51.100.99', device)).status).toBe(429);
    expect((await logIn(email, password)).status).toBe(200);
  });

  test('a device that another account was used on is not known', async () => {
    const email = await account();
    const device = (await logIn(await account(), password)).body.device_token as string;
    await flood(email);
    expect((await logIn(email, password, '203.0.113.77', device)).status).toBe(429);
  });
});

describe('signing in from one network', () => {
  const tries = (address: string, times: number) => count(times, { email: newEmail(), address }, '^sign-in network');

  test('slows down after two hundred tries, and only that network', async () => {
    const email = await account();
    await tries('192.0.2.50', 200);
    expect((await logIn(email, password, '192.0.2.50')).status).toBe(429);
    expect((await logIn(email, password, '192.0.2.51')).status).toBe(200);
  });

  test('successes do not use it up', async () => {
    const email = await account();
    await tries('192.0.2.60', 199);
    for (let time = 0; time < 3; time += 1) expect((await logIn(email, password, '192.0.2.60')).status).toBe(200);
  });

  test('the addresses of one IPv6 network are one', async () => {
    const email = await account();
    await tries('2001:db8:1:2::1', 100);
    await tries('2001:db8:1:2:ffff:1:2:3', 100);
    expect((await logIn(email, password, '2001:db8:1:2:aaaa::9')).status).toBe(429);
    expect((await logIn(email, password, '2001:db8:1:3::1')).status).toBe(200);
  });

  test('an IPv4 address is the same, however it came in', async () => {
    const email = await account();
    for (const same of ['192.0.2.70', '::ffff:192.0.2.70']) await tries(same, 67);
    await tries('::ffff:c000:246', 66);
    expect((await logIn(email, password, '192.0.2.70')).status).toBe(429);
    expect((await logIn(email, password, '::ffff:c000:247')).status).toBe(200);
  });

  test('an address that the client makes up itself does not help', async () => {
    const email = await account();
    await tries('192.0.2.80', 200);
    // The proxy appends the address it saw; what stands before it is the client's own word.
    expect((await logIn(email, password, '203.0.113.1, 192.0.2.80')).status).toBe(429);
  });
});

test('registering and forgetting a password slow down too', async () => {
  const taken = await account();
  const details = { name: 'Ada', email: taken, phone: '07700 900123', password };
  const register = () => app.request('POST', '/v1/auth/register/customer', { body: details });
  for (let time = 0; time < 10; time += 1) expect((await register()).status).toBe(422);
  expect((await register()).status).toBe(429);
  for (const email of [taken, newEmail()]) {
    const forgot = (address = '192.0.2.1') =>
      app.request('POST', '/v1/auth/forgot-password', { body: { email }, headers: from(address) });
    for (let time = 0; time < 5; time += 1) expect((await forgot()).status).toBe(200);
    const refused = await forgot();
    expect([refused.status, waitOf(refused)]).toEqual([429, 30]);
    // Its owner asks from elsewhere.
    expect((await forgot('192.0.2.2')).status).toBe(200);
  }
});

test('ten mails an hour go to one address, whoever asks, and the answer is the same', async () => {
  const email = await account();
  const { db } = app.database;
  const owed = () => db.selectFrom('mails').select('id').where('kind', '=', 'password_reset').execute();
  const before = (await owed()).length;
  for (let network = 0; network < 12; network += 1) {
    const asked = await app.request('POST', '/v1/auth/forgot-password', {
      body: { email },
      headers: from(`192.0.3.${network}`),
    });
    expect(asked.status).toBe(200);
  }
  expect((await owed()).length - before).toBe(10);
});

test('the count is in the database, where every instance sees it, and names nobody', async () => {
  const email = await account();
  await fail(email, 3);
  const rows = await app.database.db.selectFrom('throttles').select(['key', 'attempts']).execute();
  expect(rows.map(({ attempts }) => attempts)).toEqual([3, 3, 3]);
  expect(JSON.stringify(rows)).not.toContain(email);
});
