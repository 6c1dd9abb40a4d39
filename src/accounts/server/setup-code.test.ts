import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createUser } from '#accounts/server/users.ts';
import { ensureAdminAtStart } from '#accounts/server/set-up-shop.ts';
import { hasHadShop } from '#database/data-version.ts';
import type { SmallShop } from '#testing/small-shop.ts';
import { startAppOn, type TestApp } from '#testing/test-app.ts';
import { createTestDatabase } from '#testing/test-database.ts';

let app: TestApp;
let code: string;
beforeAll(async () => {
  // No shop yet.
  app = await startAppOn(await createTestDatabase(), {} as SmallShop);
  code = await printedCode();
});
beforeEach(() => app.database.db.deleteFrom('throttles').execute());
afterAll(() => app.close());

/** What the start says to who reads the console. */
async function printedCode(): Promise<string> {
  const nowhere = { ...app.services, config: { ...app.services.config, dataDir: '/nowhere' } };
  const words = (await ensureAdminAtStart(nowhere, false))('http://localhost:1');
  return /^Set it up at http:\/\/localhost:1\/setup with the code ([A-Z2-9]{4}-[A-Z2-9]{4})$/.exec(words)?.[1] ?? words;
}

const owner = { name: 'Nonna', email: 'nonna@example.com', password: 'a secret of mine' };
const setUp = (change: object, headers = {}) =>
  app.request('POST', '/v1/setup', { body: { owner, store: { name: 'Nonna’s' }, ...change }, headers });

test('each start prints the same code, until the shop is set up', async () => {
  expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  expect(await printedCode()).toBe(code);
});

test('without the code nobody becomes the owner, and guessing is limited', async () => {
  for (const wrong of [{}, { code: '' }, { code: 'AAAA-AAAA' }, { code: `${code}A` }]) {
    const refused = await setUp(wrong);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['code']]);
  }
  const from = { 'x-forwarded-for': '192.0.2.7' };
  const statuses: number[] = [];
  for (let count = 0; count < 21; count += 1) statuses.push((await setUp({ code: 'AAAA-AAAA' }, from)).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await setUp({ code }, from)).status).toBe(429);
});

test('a wrong code and a weak password are both named', async () => {
  for (const [password, reason] of [
    ['password123', /very common/],
    ['nonnas2026', /little more than your name/],
  ] as const) {
    const { status, body } = await setUp({ code: 'AAAA-AAAA', owner: { ...owner, password } });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['code', 'owner.password']]);
    expect(body.errors['owner.password'][0]).toMatch(reason);
    const again = await setUp({ code, owner: { ...owner, password } });
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['owner.password']]);
  }
});

test('with an owner, but no shop yet, there is no code to ask for', async () => {
  const early = await createUser(app.database.db, { ...owner, role: 'admin', createdAt: app.clock.now });
  expect((await app.request('GET', '/v1/setup')).body.data).toEqual({ is_needed: false });
  expect((await setUp({ code })).body.code).toBe('already_set_up');
  await app.database.db
    .deleteFrom('users')
    .where('id', '=', early?.id ?? '')
    .execute();
  expect((await app.request('GET', '/v1/setup')).body.data).toEqual({ is_needed: true });
});

test('with the code, as it is read aloud or typed, the first of two is the owner', async () => {
  const other = { ...owner, email: 'other@example.com' };
  const both = await Promise.all([
    setUp({ code }),
    setUp({ code: code.toLowerCase().replace('-', ' '), owner: other }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const { body } = both.find(({ status }) => status === 201) ?? { body: null };
  expect(body.user.role).toBe('admin');
  expect((await setUp({ code })).body.code).toBe('already_set_up');
  // A start on this folder makes no other shop in its place.
  expect(await hasHadShop(app.services.config.dataDir)).toBe(true);
});

test('of two devices that name the first shop at once, one is told the name that the other has given', async () => {
  const other = await startAppOn(await createTestDatabase(), {} as SmallShop);
  try {
    const token = await other.signIn('admin');
    const name = (given: string) =>
      other.request('POST', '/v1/stores', { token, body: { name: given, is_first: true } });
    const both = await Promise.all([name('Nonna’s'), name('Nonna’s Kitchen')]);
    const [made, refused] = both.toSorted((a, b) => a.status - b.status);
    expect([made?.status, refused?.status]).toEqual([201, 409]);
    expect(refused?.body.message).toBe(`Somebody has just named it: ${made?.body.data.name}.`);
    expect((await other.request('GET', '/v1/stores')).body.data).toHaveLength(1);
    expect((await other.request('POST', '/v1/stores', { token, body: { name: 'Second shop' } })).status).toBe(201);
  } finally {
    await other.close();
  }
});
