import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountTools, password } from '#accounts/testing/account-tools.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { newSubscription } from '#testing/access-world.ts';
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

const { register } = accountTools(() => ({ app, admin }));
const browser = { 'user-agent': 'Firefox of Ada', 'accept-language': 'en' };
const call = async (method: string, path: string, token: string, body?: unknown) => {
  const answer = await app.request(method, path, { token, headers: browser, ...(body !== undefined && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body?.data;
};
const consentsOf = async ({ token, id }: { token: string; id: string }) => {
  const { consents: own } = await call('GET', '/v1/auth/user/export', token);
  const { consents } = await call('GET', `/v1/customers/${id}`, admin);
  expect(consents).toEqual(own);
  return own;
};
const place = (token: string) => call('POST', '/v1/orders', token, app.orderBody({ session: randomUUID() }));

test('opening an account and ordering is no consent: nothing was asked', async () => {
  const person = await register();
  await place(person.token);
  expect(await consentsOf(person)).toEqual([]);
});

test('notifications: when, on which page, by which words, and until when', async () => {
  const person = await register();
  const { id } = await place(person.token);
  const subscription = newSubscription();
  const follow = () => call('POST', `/v1/orders/${id}/push`, person.token, { subscription, own_orders: true });
  await follow();
  await follow();
  expect(await consentsOf(person)).toEqual([
    {
      kind: 'notifications',
      page: '/orders/{orderId}',
      words: expect.stringMatching(/^You get a notification when the shop accepts.*For all my orders on this device$/),
      device: 'Firefox of Ada',
      given_at: '2026-11-21T18:00:00.000Z',
      withdrawn_at: null,
    },
  ]);
  await call('POST', `/v1/orders/${id}/push/stop`, person.token, { endpoint: subscription.endpoint });
  expect((await consentsOf(person))[0].withdrawn_at).not.toBeNull();
  await follow();
  expect(
    (await consentsOf(person)).map(({ withdrawn_at: at }: { withdrawn_at: string | null }) => at === null),
  ).toHaveLength(2);
});

test('notifications end with the sign-in, and with somebody else who takes over the browser', async () => {
  const [one, two] = [await register(), await register()];
  const subscription = newSubscription();
  for (const { token } of [one, two]) {
    await call('POST', '/v1/push/devices', token, { subscription, own_orders: true });
  }
  const isStanding = async (person: typeof one) =>
    (await consentsOf(person)).map(({ withdrawn_at: at }: { withdrawn_at: string | null }) => at === null);
  expect([await isStanding(one), await isStanding(two)]).toEqual([[false], [true]]);
  await call('POST', '/v1/auth/logout', two.token);
  const token = await createSignIn(app.database.db, two.id, 'test', app.clock.now);
  expect(await isStanding({ ...two, token })).toEqual([false]);
});

test('allergies: saving them is the consent, emptying them ends it', async () => {
  const person = await register();
  const save = (allergies: string[]) => call('PATCH', '/v1/auth/user', person.token, { allergies });
  await save([]);
  expect(await consentsOf(person)).toEqual([]);
  await Promise.all([save(['nuts']), save(['nuts', 'milk'])]);
  expect(await consentsOf(person)).toEqual([
    expect.objectContaining({
      kind: 'allergies',
      page: '/customer/profile',
      words: expect.stringContaining('only if you agree: by saving it you agree that it is kept'),
      withdrawn_at: null,
    }),
  ]);
  app.clock.now = new Date('2026-11-21T19:00:00Z');
  await call('PATCH', '/v1/auth/user', person.token, { name: 'Ada B' });
  await save([]);
  expect((await consentsOf(person))[0].withdrawn_at).toBe('2026-11-21T19:00:00.000Z');
});

test('allergies: the record has the words that were read last, in the language of the page', async () => {
  const person = await register();
  const save = async (language: string, allergies: string[]) => {
    const headers = { 'accept-language': language };
    const options = { token: person.token, headers, body: { allergies } };
    expect((await app.request('PATCH', '/v1/auth/user', options)).status).toBe(200);
  };
  await save('pl', ['nuts']);
  await save('pl', ['nuts', 'milk']);
  // As an earlier version asked.
  await app.database.db.updateTable('consents').set({ words: 'Earlier' }).where('user_id', '=', person.id).execute();
  app.clock.now = new Date('2026-11-21T19:00:00Z');
  await Promise.all([save('pl', ['nuts']), save('pl', ['milk'])]);
  expect(await consentsOf(person)).toMatchObject([
    {
      words: expect.stringContaining('tylko za twoją zgodą'),
      given_at: '2026-11-21T19:00:00.000Z',
      withdrawn_at: null,
    },
    { words: 'Earlier', given_at: '2026-11-21T18:00:00.000Z', withdrawn_at: '2026-11-21T19:00:00.000Z' },
  ]);
});

test('they go with the account', async () => {
  const person = await register();
  await call('PATCH', '/v1/auth/user', person.token, { allergies: ['nuts'] });
  await call('POST', '/v1/push/devices', person.token, { subscription: newSubscription(), own_orders: true });
  expect(await consentsOf(person)).toHaveLength(2);
  await call('DELETE', '/v1/auth/user', person.token, { password });
  const rows = app.database.db.selectFrom('consents').select('id').where('user_id', '=', person.id);
  expect(await rows.execute()).toEqual([]);
});

test('staff who are told of new orders agree to nothing by it', async () => {
  await call('POST', '/v1/push/devices', admin, { subscription: newSubscription(), new_orders: true });
  expect(await app.database.db.selectFrom('consents').selectAll().where('user_id', '=', adminId).execute()).toEqual([]);
});
