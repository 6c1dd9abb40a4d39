import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let other: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  // A second instance on the same database; the first one drops it.
  other = await startAppOn({ ...app.database, drop: async () => {} }, app.shop);
  admin = await app.signIn('admin');
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  // A Saturday.
  app.clock.now = other.clock.now = new Date('2026-11-21T18:00:00Z');
  for (const { id } of await list()) await app.request('DELETE', `/v1/offers/${id}`, { token: admin });
});

const list = async () => (await app.request('GET', '/v1/offers', { token: admin })).body.data as { id: string }[];
const make = (body: object, from = app) =>
  from.request('POST', '/v1/offers', {
    token: admin,
    body: { store_id: app.shop.storeId, name: 'Ten off', kind: 'percent', value: 1000, ...body },
  });
const change = (id: string, body: object, from = app) =>
  from.request('PATCH', `/v1/offers/${id}`, { token: admin, body });
const quote = async (rest: Record<string, unknown> = {}, from = app) => {
  const { session: _session, contact: _contact, ...basket } = app.orderBody(rest);
  return (await from.request('POST', '/v1/orders/quote', { body: basket })).body.data;
};
const place = (rest: Record<string, unknown> = {}, from = app) =>
  from.request('POST', '/v1/orders', { body: app.orderBody(rest) });

describe('an offer', () => {
  test('is made with no limits, changed, read and deleted, and prices baskets on every instance meanwhile', async () => {
    const made = await make({});
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { name: 'Ten off', value: 1000, is_active: true, combines: false, days: null, store_id: app.shop.storeId },
    ]);
    const { id } = made.body.data;
    await expect.poll(() => quote({}, other)).toMatchObject({ subtotal: 1250, total: 1125 });
    expect((await change(id, { value: 2000 })).body.data).toMatchObject({ id, value: 2000, name: 'Ten off' });
    await expect.poll(() => quote({}, other)).toMatchObject({ total: 1000 });
    expect((await app.request('GET', `/v1/offers/${id}`, { token: admin })).body.data.value).toBe(2000);
    expect((await app.request('DELETE', `/v1/offers/${id}`, { token: admin })).status).toBe(204);
    expect((await app.request('GET', `/v1/offers/${id}`, { token: admin })).status).toBe(404);
    expect(await quote()).toMatchObject({ total: 1250, discounts: [] });
    expect((await quote()).lines[0]).not.toHaveProperty('discount');
  });

  test.each([
    ['no amount', { value: null }, 'value'],
    ['more than everything', { value: 10_001 }, 'value'],
    ['two for three', { kind: 'n_for_m', take: 2, pay: 3 }, 'take'],
    ['a price for no dish', { kind: 'item_price' }, 'item_ids'],
    ['a set of nothing', { kind: 'set_price' }, 'parts'],
    ['an end before its start', { starts_at: '2026-12-02T00:00:00Z', ends_at: '2026-12-01T00:00:00Z' }, 'ends_at'],
    ['no hours', { from_time: '17:00', until_time: '17:00' }, 'until_time'],
    ['a kind that is none', { kind: 'gift' }, 'kind'],
  ])('with %s is refused at the field', async (_name, body, field) => {
    const answer = await make(body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    expect(await list()).toEqual([]);
  });

  test('that two owners change at once keeps the first change, and the second one hears of it', async () => {
    const { id, name } = (await make({})).body.data;
    const answers = await Promise.all([
      change(id, { name: 'One', was: { name } }),
      change(id, { name: 'Two', was: { name } }, other),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('is public with its store while it is active, without a code', async () => {
    const { id } = (await make({})).body.data;
    const publicStore = async () => (await app.request('GET', `/v1/stores/${app.shop.storeId}`)).body.data;
    expect((await publicStore()).offers).toMatchObject([{ id, value: 1000 }]);
    await change(id, { is_active: false });
    expect(await publicStore()).not.toHaveProperty('offers');
  });
});

describe('its conditions', () => {
  test.each([
    ['a least subtotal', { minimum_subtotal: 1250 }, {}, true],
    ['a least subtotal that is missed', { minimum_subtotal: 1251 }, {}, false],
    ['another way to order', { fulfilment_types: ['delivery'] }, {}, false],
    ['its channel', { channels: ['web'] }, {}, true],
    ['another channel', { channels: ['phone'] }, {}, false],
    ['its day', { days: ['saturday'] }, {}, true],
    ['another day', { days: ['Sunday'] }, {}, false],
    ['hours over midnight', { from_time: '17:00', until_time: '02:00' }, {}, true],
    ['hours that begin later', { from_time: '18:01', until_time: '02:00' }, {}, false],
    ['hours from the evening before', { days: ['Friday'], from_time: '22:00', until_time: '18:01' }, {}, true],
    ['dates', { starts_at: '2026-11-21T18:00:00Z', ends_at: '2026-11-21T18:00:01Z' }, {}, true],
    ['an end that is reached', { ends_at: '2026-11-21T18:00:00Z' }, {}, false],
  ])('%s', async (_name, body, basket, applies) => {
    await make(body);
    expect(await quote(basket)).toMatchObject({ total: applies ? 1125 : 1250 });
  });
});

test.each([
  ['spring, when 01:00 to 02:00 is left out', '2026-03-29', ['00:29', '00:30', '00:59', '01:00', '01:29', '01:30']],
  ['autumn, when 01:00 to 02:00 comes twice', '2026-10-24', ['23:29', '23:30', '24:30', '25:30', '26:29', '26:30']],
])('a happy hour from 00:30 to 02:30 keeps to the clock on the wall in %s', async (_name, date, times) => {
  await make({ from_time: '00:30', until_time: '02:30' });
  const totals: number[] = [];
  for (const time of times) {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    app.clock.now = new Date(Date.parse(`${date}T00:00:00Z`) + (hours * 60 + minutes) * 60_000);
    totals.push((await quote()).total);
  }
  expect(totals).toEqual([1250, 1125, 1125, 1125, 1125, 1250]);
});

test('a quote names the offers of which only so much is missing, the nearest first', async () => {
  const far = await make({ minimum_subtotal: 2000 });
  const near = await make({ minimum_subtotal: 1350 });
  await make({ minimum_subtotal: 1300, fulfilment_types: ['delivery'] });
  expect((await quote()).offers.near).toEqual([
    { offer_id: near.body.data.id, missing: 100 },
    { offer_id: far.body.data.id, missing: 750 },
  ]);
});

describe('an order with an offer', () => {
  test('has the discount at its lines and its VAT, and gives back what was paid for a dish', async () => {
    const { id } = (await make({})).body.data;
    const cook = await app.signIn('store_admin', [app.shop.storeId]);
    const lines = [{ ...(app.orderBody()['lines'] as object[])[0], quantity: 2 }];
    const { body } = await place({ lines, expected_total: 2250 });
    expect(body.data).toMatchObject({
      subtotal: 2500,
      discounts: [{ code: null, name: 'Ten off', amount: 250, offer_id: id }],
      total: 2250,
      vat: [{ rate: 2000, net: 1875, vat: 375 }],
      lines: [{ quantity: 2, total: 2500, discount: 250 }],
    });
    const order = `/v1/orders/${body.data.id}`;
    await app.request('POST', `${order}/accept`, { token: cook, body: { minutes: 20 } });
    const removal = { lines: [{ line_id: body.data.lines[0].id, quantity: 1 }], reason: 'sold_out' };
    const reduced = await app.request('POST', `${order}/lines/remove`, { token: cook, body: removal });
    expect(reduced.body.data).toMatchObject({
      total: 1125,
      discounts: [{ amount: 125 }],
      lines: [{ quantity: 1, discount: 125 }],
      removed: [{ amount: 1125 }],
    });
    await app.request('POST', `${order}/packed`, { token: cook });
    await app.request('POST', `${order}/collected-by-customer`, { token: cook, body: { paid_by: 'cash' } });
    const refund = { key: randomUUID(), reason: 'Cold', lines: [{ line_id: body.data.lines[0].id, quantity: 1 }] };
    expect((await app.request('POST', `${order}/refunds`, { token: admin, body: refund })).body.data.amount).toBe(1125);
  });

  test('whose offer has just ended is asked about its new price, and nothing is placed', async () => {
    const { id } = (await make({})).body.data;
    const { total } = await quote();
    await change(id, { is_active: false });
    const answer = await place({ expected_total: total });
    expect([answer.status, answer.body.code, answer.body.quote.total]).toEqual([409, 'price_changed', 1250]);
  });

  test('pays exactly what it was shown, while the offer is edited', async () => {
    const { id } = (await make({})).body.data;
    const edits = Array.from({ length: 10 }, (_, at) => change(id, { value: at % 2 === 0 ? 2000 : 1000 }));
    const orders = Array.from({ length: 50 }, (_, at) =>
      place({ expected_total: at % 2 === 0 ? 1000 : 1125 }, at % 3 === 0 ? other : app),
    );
    await Promise.all(edits);
    const seen = (await Promise.all(orders)).map(({ status, body }) => (status === 201 ? body.data.total : body.code));
    for (const [at, one] of seen.entries()) expect([at % 2 === 0 ? 1000 : 1125, 'price_changed']).toContain(one);
  });
});
