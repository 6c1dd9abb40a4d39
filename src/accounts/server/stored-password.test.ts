import { execFileSync } from 'node:child_process';
import { argon2Sync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashCost, minHashCost } from '#accounts/server/hash-password.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

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

const register = async (password: string) => {
  const email = `${randomUUID()}@example.com`;
  const body = { name: 'Ada Byron', email, phone: '07700 900123', password };
  const answer = await app.request('POST', '/v1/auth/register/customer', { body });
  return { email, status: answer.status, errors: Object.keys(answer.body.errors ?? {}) };
};
const logIn = async (email: string, password: string) =>
  (await app.request('POST', '/v1/auth/login', { body: { email, password } })).status;
const storedOf = async (email: string) =>
  (
    await app.database.db
      .selectFrom('users')
      .select('password_hash')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).password_hash ?? '';

/** 200 characters; no part of it is repeated soon. */
const long = Array.from({ length: 40 }, (_, n) => `${String(n).padStart(3, '0')}-x`).join('');

const passwords: [kind: string, password: string, others: string[]][] = [
  ['blanks at its ends', '  wide open door ', ['wide open door', '  wide open door', 'wide open door ']],
  ['capitals', 'WiDe OpEn DoOr', ['wide open door', 'WIDE OPEN DOOR']],
  ['digits only', '8305719264', ['830571926', '08305719264']],
  ['signs only', '!?%&/()=+*~#', ['!?%&/()=+*~']],
  ['letters of Polish', 'zażółć gęślą jaźń', ['zazolc gesla jazn']],
  ['an accent as a sign of its own', 'cafe\u0301 du nord', ['cafe du nord']],
  ['pictures', '🍕🌶🧀🍅🫒🧄🫓🧂🍕', ['🍕🌶🧀🍅🫒🧄🫓🧂', '🍕🌶🧀🍅🫒🧄🫓🧂🌶']],
  ['signs that are not seen', 'tab\there\nand\u200bthere', ['tab\there\nandthere', 'tab here and\u200bthere']],
  ['200 characters', long, [`${long.slice(0, -1)}y`, long.slice(0, -1), long.slice(0, 72), long.slice(0, 128)]],
];

describe.each(passwords)('a password with %s', (_kind, password, others) => {
  test('is taken, and opens the account to exactly these characters', async () => {
    const { email, status } = await register(password);
    expect(status).toBe(201);
    expect(await logIn(email, password)).toBe(200);
    for (const other of others) expect([other, await logIn(email, other)]).toEqual([other, 422]);
  });

  test('is stored as argon2id of its bytes, with OWASP’s least cost', async () => {
    Object.assign(hashCost, minHashCost);
    const { email } = await register(password);
    const [, kind, version, told = '', salt = '', digest = ''] = (await storedOf(email)).split('$');
    expect([kind, version]).toEqual(['argon2id', 'v=19']);
    const [memory = 0, passes = 0, parallelism = 0] = (/^m=(\d+),t=(\d+),p=(\d+)$/.exec(told) ?? [])
      .slice(1)
      .map(Number);
    expect(memory).toBeGreaterThanOrEqual(19 * 1024);
    expect(passes).toBeGreaterThanOrEqual(2);
    expect(parallelism).toBe(1);
    const nonce = Buffer.from(salt, 'base64');
    expect(nonce.length).toBeGreaterThanOrEqual(16);
    const message = Buffer.from(password.normalize('NFC'), 'utf8');
    const again = argon2Sync('argon2id', { message, nonce, memory, passes, parallelism, tagLength: 32 });
    expect(Buffer.from(digest, 'base64').equals(again)).toBe(true);
  });
});

test.each([
  ['an accent as a sign of its own', 'cafe\u0301 du nord', 'caf\u00e9 du nord'],
  ['other blanks', 'wide\u00a0open\u2003door', 'wide open door'],
])('a password with %s is the same from two keyboards', async (_kind, one, other) => {
  for (const [chosen, typed] of [
    [one, other],
    [other, one],
  ] as const) {
    const { email } = await register(chosen);
    expect([await logIn(email, chosen), await logIn(email, typed)]).toEqual([200, 200]);
  }
});

test('the least length counts letters, and not the signs that a keyboard makes them of', async () => {
  const five = 'e\u0301'.repeat(5);
  expect((await register(five)).status).toBe(422);
  expect((await register('e\u0301'.repeat(8))).status).toBe(201);
});

test('an account opens to its address as a chat copied it', async () => {
  const { email } = await register('correct horse');
  for (const typed of [`\u200b${email}\u200e`, email.replace('@', '\u200b@'), ` ${email.toUpperCase()}\u00a0`]) {
    expect([typed, await logIn(typed, 'correct horse')]).toEqual([typed, 200]);
  }
});

test('a hash of a password as it was typed opens once more, and is made anew', async () => {
  const typed = 'cafe\u0301\u00a0du nord';
  const { email } = await register(typed);
  const nonce = Buffer.alloc(16, 7);
  const { memory, passes, parallelism } = hashCost;
  const digest = argon2Sync('argon2id', { message: typed, nonce, memory, passes, parallelism, tagLength: 32 });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const old = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(digest)}`;
  await app.database.db.updateTable('users').set({ password_hash: old }).where('email', '=', email).execute();
  const plain = 'caf\u00e9 du nord';
  expect(await logIn(email, plain)).toBe(422);
  expect([await logIn(email, `${typed}!`), await storedOf(email)]).toEqual([422, old]);
  expect(await logIn(email, typed)).toBe(200);
  expect(await storedOf(email)).not.toBe(old);
  expect(await logIn(email, plain)).toBe(200);
});

test('a server that nobody told otherwise takes that cost', () => {
  const script = `import { hashPassword } from '#accounts/server/hash-password.ts'; console.log(await hashPassword('x'));`;
  const hash = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('two people with one password have two salts', async () => {
  const [one, two] = [await register('wide open door'), await register('wide open door')];
  expect((await storedOf(one.email)).split('$')[4]).not.toBe((await storedOf(two.email)).split('$')[4]);
});

test.each([
  ['7 characters', 'qzvkwmx', 422],
  ['8 characters', 'qzvkwmxj', 201],
  ['8 of one kind', '73940182', 201],
  ['200 characters', long, 201],
  ['201 characters', `${long}y`, 422],
])('a new password of %s is answered with its status', async (_kind, password, wanted) => {
  const { status, errors } = await register(password);
  expect([status, errors]).toEqual([wanted, wanted === 422 ? ['password'] : []]);
});
