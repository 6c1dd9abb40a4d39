import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as specialHours from '#database/migrations/105-special-hours.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';
import type { SpecialDay } from '#store/hours-shapes.ts';

let app: TestApp;
let other: TestApp;
let admin: string;
let cook: string;
let path: string;
beforeAll(async () => {
  app = await startTestApp({ preorder_days: 30, last_order_minutes: 0 });
  // A second instance on the same database; the first one drops it.
  other = await startAppOn({ ...app.database, drop: async () => {} }, app.shop);
  admin = await app.signIn('admin');
  cook = await app.signIn('store_admin', [app.shop.storeId]);
  path = `/v1/stores/${app.shop.storeId}`;
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  app.clock.now = other.clock.now = new Date('2026-11-21T18:00:00Z');
  await change({ special_hours: [], closures: [] });
  for (const fulfilment_type of [null, 'delivery', 'collection']) await post('resume', { fulfilment_type });
});

const change = (body: unknown, from = app) => from.request('PATCH', path, { body, token: admin });
const post = (call: string, body: unknown, from = app, token = cook) =>
  from.request('POST', `${path}/${call}`, { body, token });
const read = async (from = app) => (await from.request('GET', path)).body.data;
const slots = async (date: string, from = app, way = 'collection'): Promise<string[]> => {
  const answer = await from.request('GET', `${path}/slots?fulfilment_type=${way}&date=${date}`);
  return answer.body.data.map(({ starts_at }: { starts_at: string }) => starts_at.slice(11, 16));
};
const place = (requested_for: string | null, rest = {}) =>
  app.request('POST', '/v1/orders', { body: app.orderBody({ requested_for, ...rest }) });
const christmas = { date: '2026-12-19', hours: [{ open: '12:00', close: '16:00' }], reason: 'Early Christmas' };

describe('hours for a date', () => {
  test('are public, and decide the slots and the orders of that date on every instance', async () => {
    const saved = await change({ special_hours: [christmas] });
    expect(saved.body.data.special_hours).toEqual([{ ...christmas, repeats_yearly: false }]);
    await expect.poll(async () => (await read(other)).special_hours).toHaveLength(1);
    for (const instance of [app, other]) {
      const found = await slots('2026-12-19', instance);
      expect([found[0] !== undefined && found[0] >= '12:00', found.at(-1)?.slice(0, 2)]).toEqual([true, '15']);
      expect((await slots('2026-12-18', instance)).at(-1)?.slice(0, 2)).toBe('22');
    }
    expect((await place('2026-12-19T14:00:00.000Z')).status).toBe(201);
    const evening = await place('2026-12-19T19:00:00.000Z');
    expect([evening.status, JSON.stringify(evening.body)]).toEqual([422, expect.stringContaining('slot_unavailable')]);
  });

  test('of none close the day, also every year', async () => {
    await change({ special_hours: [{ date: '2026-12-19', repeats_yearly: true, hours: [] }] });
    expect(await slots('2026-12-19')).toEqual([]);
    app.clock.now = new Date('2027-12-10T18:00:00Z');
    expect(await slots('2027-12-19')).toEqual([]);
    expect((await slots('2027-12-18')).length).toBeGreaterThan(0);
  });

  test.each([
    ['a date twice', [christmas, { ...christmas, hours: [] }], 'special_hours.1.date'],
    ['no real date', [{ ...christmas, date: '2027-02-29' }], 'special_hours.0.date'],
    [
      'a time that is none',
      [{ ...christmas, hours: [{ open: '12:00', close: '25:00' }] }],
      'special_hours.0.hours.0.close',
    ],
    ['no hours at all', [{ date: '2026-12-19' }], 'special_hours.0.hours'],
    [
      'an opening that the clocks skip',
      [
        {
          date: '2027-03-28',
          hours: [
            { open: '12:00', close: '16:00' },
            { open: '01:15', close: '01:45' },
          ],
        },
      ],
      'special_hours.0.hours.1.open',
    ],
  ])('with %s are refused at the field, and nothing changes', async (_name, special_hours, field) => {
    const answer = await change({ special_hours });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    expect((await read()).special_hours).toEqual([]);
  });

  test('of two owners at once, on two instances: one saves, the other hears of it', async () => {
    const mine = change({ special_hours: [christmas], was: { special_hours: [] } });
    const theirs = change({ special_hours: [{ ...christmas, hours: [] }], was: { special_hours: [] } }, other);
    const answers = await Promise.all([mine, theirs]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body).toMatchObject({ code: 'changed_meanwhile', fields: ['special_hours'] });
    expect(lost?.body.current.special_hours).toHaveLength(1);
  });

  test('may only be set by the owner', async () => {
    const answer = await app.request('PATCH', path, { body: { special_hours: [] }, token: cook });
    expect(answer.status).toBe(403);
  });
});

describe('closing early', () => {
  test('is for the staff of the shop: orders until then, none after, and back again', async () => {
    const early = await post('close-early', { at: '20:00' });
    expect(early.body.data.special_hours).toEqual([
      {
        date: '2026-11-21',
        repeats_yearly: false,
        hours: [{ open: '12:00', close: '20:00' }],
        reason: '',
        instead_of: null,
      },
    ]);
    expect((await place('2026-11-21T19:30:00.000Z')).status).toBe(201);
    expect((await place('2026-11-21T20:30:00.000Z')).status).toBe(422);
    expect((await post('close-early', { at: null })).body.data.special_hours).toEqual([]);
    expect((await place('2026-11-21T20:30:00.000Z')).status).toBe(201);
    const customer = await app.signIn('customer');
    expect((await post('close-early', { at: '20:00' }, app, customer)).status).toBe(403);
  });

  test.each([
    ['17:00', 'That time has passed. Choose a later one.'],
    ['23:30', 'The shop is closed by 23:30 anyway.'],
  ])('at %s is refused in words', async (at, words) => {
    const answer = await post('close-early', { at });
    expect([answer.status, answer.body.errors]).toEqual([422, { at: [words] }]);
  });

  test('by two cooks at once on two instances leaves one of the two times, and one day', async () => {
    const answers = await Promise.all([
      post('close-early', { at: '20:00' }),
      post('close-early', { at: '21:00' }, other),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expect.poll(async () => (await read(other)).version).toBe((await read()).version);
    const { special_hours: days } = await read();
    expect(days.map(({ date, instead_of }: SpecialDay) => [date, instead_of])).toEqual([['2026-11-21', null]]);
    expect(['20:00', '21:00']).toContain(days[0].hours[0].close);
  });

  test('and the owner who had the calendar open hears of it', async () => {
    await post('close-early', { at: '20:00' });
    const answer = await change({ special_hours: [christmas], was: { special_hours: [] } });
    expect([answer.status, answer.body.fields]).toEqual([409, ['special_hours']]);
  });
});

describe('a pause of one way to order', () => {
  const delivery = {
    fulfilment_type: 'delivery',
    address: { line1: '2 High Street', line2: '', city: 'Rugby', postcode: 'CV21 1AA' },
  };

  test('refuses that way on every instance, the other goes on, and it ends by itself', async () => {
    const answer = await post('pause', { minutes: 60, fulfilment_type: 'delivery', reason: 'No driver' }, other);
    const until = '2026-11-21T19:00:00.000Z';
    expect(answer.body.data).toMatchObject({
      paused_until: null,
      pauses: [{ fulfilment_type: 'delivery', until, reason: 'No driver' }],
    });
    await expect.poll(async () => (await read()).pauses).toHaveLength(1);
    const refused = await place(null, delivery);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('shop_paused')]);
    expect((await place(null)).status).toBe(201);
    app.clock.now = new Date(until);
    expect((await place(null, delivery)).status).toBe(201);
  });

  test('and of the other, by two cooks at once, both stand; each ends alone, and the whole shop is not paused', async () => {
    await Promise.all([
      post('pause', { minutes: 60, fulfilment_type: 'delivery' }),
      post('pause', { minutes: 30, fulfilment_type: 'collection' }, other),
    ]);
    const ways = async () => (await read()).pauses.map((pause: { fulfilment_type: string }) => pause.fulfilment_type);
    await expect.poll(async () => (await ways()).toSorted()).toEqual(['collection', 'delivery']);
    await post('resume', { fulfilment_type: 'delivery' });
    expect(await ways()).toEqual(['collection']);
    await post('resume', {});
    expect([await ways(), (await read()).paused_until]).toEqual([['collection'], null]);
  });

  test('that does not end, or is too long, is refused as that of the shop', async () => {
    const none = await post('pause', { fulfilment_type: 'delivery' });
    const long = await post('pause', { fulfilment_type: 'delivery', until: '2027-01-21T19:00:00.000Z' });
    expect([Object.keys(none.body.errors), Object.keys(long.body.errors)]).toEqual([['minutes'], ['until']]);
  });
});

test('a shop of the last release starts with its closed dates and no special hours', async () => {
  const { db } = app.database;
  const closures = [{ from: '2026-12-24', to: '2026-12-26', reason: 'Christmas' }];
  await change({ closures });
  await sql`alter table stores drop column special_hours, drop column pauses`.execute(db);
  // A migration does not use today's column types.
  await specialHours.up(db as unknown as Kysely<unknown>);
  const row = await db.selectFrom('stores').selectAll().where('id', '=', app.shop.storeId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ closures, special_hours: [], pauses: [] });
});
