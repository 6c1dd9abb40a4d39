import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureAdminAtStart } from '#accounts/server/set-up-shop.ts';
import { countAttempt } from '#accounts/server/throttle.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const email = 'owner@pizzeria.example';
const start = async (password: string) => {
  const config = { ...app.services.config, ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  return (await ensureAdminAtStart({ ...app.services, config }, false))('https://shop.example');
};
const logIn = async (password: string) =>
  (await app.request('POST', '/v1/auth/login', { body: { email, password } })).status;

test('who starts the server with the password is let in, whatever others have tried on the account', async () => {
  await start('a good long one');
  for (let time = 0; time < 200; time += 1) {
    await countAttempt(app.database.db, 'sign-in', { email, address: `198.51.${time % 100}.1` }, app.clock.now);
  }
  for (let time = 0; time < 10; time += 1) expect([422, 429]).toContain(await logIn('wrong'));
  expect(await logIn('a good long one')).toBe(429);
  await start('a good long one');
  expect(await logIn('a good long one')).toBe(200);
});

test.each([
  ['Password1', /very common/],
  ['pizzeria2026', /your name/],
])('a start with ADMIN_PASSWORD %s says that it is tried first, and starts', async (password, words) => {
  expect(await start(password)).toMatch(words);
  expect(await logIn(password)).toBe(200);
});

test('a start with a good password says nothing of it', async () => {
  expect(await start('a good long one')).toBe(`Sign in at https://shop.example/login as ${email}`);
});

describe('a start that changes the password', () => {
  const linesOf = async () => {
    const token = await app.signIn('admin');
    const { id } = await app.database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const { body } = await app.request('GET', `/v1/audit?subject_id=${id}`, { token });
    return body.data as { action: string; actor: string; summary: string; detail: unknown }[];
  };

  test('is in the audit log, in words and once, also where two instances start at once', async () => {
    await start('a good long one');
    const before = (await linesOf()).length;
    await start('a good long one');
    expect(await linesOf()).toHaveLength(before);
    await Promise.all([start('another good one'), start('another good one')]);
    const lines = await linesOf();
    expect(lines).toHaveLength(before + 1);
    expect(lines[0]).toMatchObject({
      action: 'PATCH /v1/auth/password',
      actor: 'ADMIN_EMAIL',
      summary: "The shop's computer set the password of the account.",
      detail: null,
    });
    expect(JSON.stringify(lines)).not.toContain('another good one');
    expect(await logIn('another good one')).toBe(200);
  });

  test('and it says which role the account had', async () => {
    await app.database.db.updateTable('users').set({ role: 'store_admin' }).where('email', '=', email).execute();
    await start('another good one');
    expect((await linesOf())[0]?.detail).toEqual({ role: 'admin', role_before: 'store_admin' });
  });
});
