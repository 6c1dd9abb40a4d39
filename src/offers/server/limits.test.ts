import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { weekdays } from '#database/page-values.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let other: TestApp;
let admin: string;
beforeAll(async () => {
  const days = { day_starts_at: '00:00', cash_max: null };
  app = await startTestApp(days, { PAYMENT_SANDBOX: '1' });
  // A second instance on the same database; the first one drops it.
  other = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, { PAYMENT_SANDBOX: '1' });
  admin = await app.signIn('admin');

  const operational_hours = weekdays.map((day) => ({ day, open: '00:00', close: '00:00' }));
  const body = { operational_hours };
  await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token: admin, body });
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  setClock(saturdayEvening);
  for (const { id } of await list()) await app.request('DELETE', `/v1/offers/${id}`, { token: admin });
  await app.database.db.updateTable('orders').set({ status: 'cancelled', expires_at: null, answer_by: null }).execute();
  await app.database.db.deleteFrom('throttles').execute();
});

const setClock = (now: Date) => {
  app.clock.now = other.clock.now = now;
};
const list = async () =>
  (await app.request('GET', '/v1/offers', { token: admin })).body.data as { id: string; uses: number; spent: number }[];
const usesOf = async (id: string) => {
  const offer = (await list()).find((one) => one.id === id);
  return [offer?.uses, offer?.spent];
};
/** 10% off: £1.25 off a pizza. */
const make = async (body: object = {}): Promise<string> => {
  const offer = { store_id: app.shop.storeId, name: 'Ten off', kind: 'percent', value: 1000, ...body };
  const made = await app.request('POST', '/v1/offers', { token: admin, body: offer });
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  return made.body.data.id;
};
let people = 0;
const somebody = () => {
  people += 1;
  return { name: 'Ada', phone: `07700 ${String(people).padStart(6, '0')}`, email: `ada${people}@example.com` };
};
interface Request {
  on?: TestApp;
  token?: string;
}
const ask = async (rest: Record<string, unknown> = {}, { on = app, token }: Request = {}) => {
  const { session: _session, contact: _contact, ...basket } = app.orderBody(rest);
  const body = { ...basket, ...('contact' in rest && { contact: rest['contact'] }) };
  return on.request('POST', '/v1/orders/quote', { body, ...(token && { token }) });
};
const quote = async (rest: Record<string, unknown> = {}, request: Request = {}) => {
  const { total, problems, offers } = (await ask(rest, request)).body.data;
  return {
    total,
    problems: problems.map(({ path, message }: { path: string; message: string }) => [path, message]),
    offers,
  };
};
/** Sends the order again while the server is too busy, as browsers do. */
const place = async (rest: Record<string, unknown> = {}, { on = app, token }: Request = {}) => {
  const body = app.orderBody({ contact: somebody(), ...rest });
  for (;;) {
    const answer = await on.request('POST', '/v1/orders', { body, ...(token && { token }) });
    if (answer.status !== 503) return answer;
  }
};
const outcome = ({ status, body }: Awaited<ReturnType<typeof place>>) =>
  status === 201 ? body.data.total : (body.problems ?? [body]).map(({ code }: { code: string }) => code).join();
const step = async (id: string, call: string, body: object = {}) =>
  expect((await app.request('POST', `/v1/orders/${id}/${call}`, { token: admin, body })).status).toBe(200);

const notForThis = [['codes.0', 'That code is not for this order.']];

describe('a code', () => {
  test('is typed in any case and with spaces, and stands on the order as typed', async () => {
    const id = await make({ code: 'Tues Day', combines: true });
    expect(await quote({ codes: ['TUESDAY'] })).toMatchObject({ total: 1125, problems: [] });
    const { body } = await place({ codes: ['tue sday'] });
    expect(body.data).toMatchObject({
      total: 1125,
      discounts: [{ code: 'tue sday', name: 'Ten off', amount: 125, offer_id: id }],
    });
    expect(await quote()).toMatchObject({ total: 1250 });
    expect(await usesOf(id)).toEqual([1, 125]);
  });

  test('says its conditions in the quote, without its limits, and says nothing about one that is refused', async () => {
    const offer_id = await make({ code: 'FIRST', first_order_only: true, max_uses: 77, minimum_subtotal: 1000 });
    const conditions = [{ offer_id, sentence: '10% off, on orders from £10.00, on the first order.' }];
    const contact = somebody();
    expect(await quote({ codes: ['first'] })).toMatchObject({ offers: { on_order: [offer_id], conditions } });
    expect(await quote({ codes: ['first'], contact })).toMatchObject({ total: 1125, offers: { conditions } });
    await place({ codes: ['first'], contact });
    const refused = await quote({ codes: ['first'], contact });
    expect([refused.problems, refused.offers.conditions]).toEqual([notForThis, undefined]);
  });

  test('of an offer is the only one of its store', async () => {
    await make({ code: 'LUNCH' });
    const body = { store_id: app.shop.storeId, name: 'Again', kind: 'percent', value: 500, code: 'lun ch' };
    const answer = await app.request('POST', '/v1/offers', { token: admin, body });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['code']]);
  });

  test(', its limits and its customers are in no public answer', async () => {
    const customer_ids = [randomUUID()];
    await make({ code: 'SECRET7' });
    await make({ name: 'For Ada', customer_ids });
    await make({ name: 'Limited', max_uses: 77, budget: 7777 });
    const store = (await app.request('GET', `/v1/stores/${app.shop.storeId}`)).body.data;
    expect(store.offers).toMatchObject([{ name: 'Limited', is_checked: true }]);
    const shown = JSON.stringify([store, (await ask({ codes: ['nothing'] })).body]);
    expect(shown).not.toMatch(/SECRET7|For Ada|7777|max_uses|budget|customer_ids|spent/);
  });

  test.each([
    ['nobody made', {}, 'OTHER', 'We do not know that code, or it has ended.'],
    ['that has ended', { ends_at: '2026-11-21T18:00:00Z' }, 'CODE', 'We do not know that code, or it has ended.'],
    ['with a least subtotal', { minimum_subtotal: 1500 }, 'CODE', '£2.50 more for that code.'],
    ['for another way', { fulfilment_types: ['delivery'] }, 'CODE', 'That code is not for this order.'],
    ['that takes nothing off', { item_ids: [randomUUID()] }, 'CODE', 'That code is not for this order.'],
  ])('%s is a problem, and places nothing', async (_name, rest, typed, words) => {
    await make({ code: 'CODE', ...rest });
    expect(await quote({ codes: [typed] })).toMatchObject({ total: 1250, problems: [['codes.0', words]] });
    const refused = await place({ codes: [typed] });
    expect([refused.status, refused.body.code, outcome(refused)]).toEqual([422, 'order_refused', 'code_not_valid']);
  });

  test('that ends between basket and Pay places nothing, and the order without it costs what is shown then', async () => {
    const id = await make({ code: 'GOING' });
    expect(await quote({ codes: ['GOING'] })).toMatchObject({ total: 1125, problems: [] });
    await app.request('PATCH', `/v1/offers/${id}`, { token: admin, body: { is_active: false } });
    expect(outcome(await place({ codes: ['GOING'], expected_total: 1125 }))).toBe('code_not_valid');
    const { total } = await quote();
    expect(outcome(await place({ expected_total: total }))).toBe(1250);
    expect(await usesOf(id)).toEqual([0, 0]);
  });

  test('that saves less than an automatic offer is no problem, and is not used up', async () => {
    const id = await make({ code: 'LESS' });
    await make({ name: 'More', value: 2000 });
    const { body } = await place({ codes: ['LESS'] });
    expect(body.data).toMatchObject({ total: 1000, discounts: [{ name: 'More' }] });
    expect(await usesOf(id)).toEqual([0, 0]);
  });

  test('is guessed fifty times, and then no code is answered until the wait is over', async () => {
    await make({ code: 'REAL' });
    for (let guess = 0; guess < 50; guess += 1) expect((await ask({ codes: [`GUESS${guess}`] })).status).toBe(200);
    expect((await ask({ codes: ['GUESS'] })).status).toBe(429);
    expect((await ask({ codes: ['REAL'] })).status).toBe(429);
    expect((await place({ codes: ['REAL'] })).status).toBe(429);
    expect((await ask()).status).toBe(200);
    setClock(new Date(saturdayEvening.getTime() + 31_000));
    expect(await quote({ codes: ['REAL'] })).toMatchObject({ total: 1125 });
  });

  test('that exists is no guess, however often it is asked about', async () => {
    await make({ code: 'REAL' });
    const answers = await Promise.all(Array.from({ length: 70 }, () => ask({ codes: ['REAL'] })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('limits', () => {
  test('two hundred orders at once on a code with fifty uses are fifty, at two instances, while it is edited', async () => {
    const id = await make({ code: 'FIFTY', max_uses: 50 });
    const orders = Array.from({ length: 200 }, (_, at) =>
      place({ codes: ['fifty'], expected_total: 1125 }, { on: at % 2 === 0 ? app : other }),
    );
    for (const name of ['One', 'Two', 'Three'])
      await app.request('PATCH', `/v1/offers/${id}`, { token: admin, body: { name } });
    const seen = (await Promise.all(orders)).map(outcome);
    expect(seen.filter((one) => one === 1125)).toHaveLength(50);
    expect(new Set(seen)).toEqual(new Set([1125, 'code_not_valid']));
    expect(await usesOf(id)).toEqual([50, 6250]);
    expect(await quote({ codes: ['FIFTY'] })).toMatchObject({ problems: [['codes.0', 'That code has been used up.']] });
  });

  test('of one person count the account, the phone number and the email address, however they are written', async () => {
    await make({ code: 'ONCE', max_uses_per_person: 1 });
    const contact = { name: 'Ada', phone: '07700 900123', email: 'ada@example.com' };
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, at) => place({ codes: ['ONCE'], contact }, { on: at % 2 === 0 ? app : other })),
    );
    expect(orders.map(outcome).filter((one) => one === 1125)).toHaveLength(1);
    for (const same of [
      { phone: '+44 7700 900123', email: 'other@example.com' },
      { phone: '07700 900999', email: 'ADA@example.com' },
    ]) {
      expect(await quote({ codes: ['ONCE'], contact: same })).toMatchObject({ total: 1250, problems: notForThis });
      expect(
        outcome(await place({ codes: ['ONCE'], contact: { name: 'Ada', ...same, email: same.email.toLowerCase() } })),
      ).toBe('code_not_valid');
    }
    const token = await app.signIn('customer');
    expect(outcome(await place({ codes: ['ONCE'] }, { token }))).toBe(1125);
    expect(outcome(await place({ codes: ['ONCE'] }, { token }))).toBe('code_not_valid');
  });

  test('of one day begin again with the next, and the hour that the clocks repeat belongs to one day', async () => {
    await make({ code: 'DAILY', max_uses_per_day: 2 });
    const at = async (time: string) => {
      // Without deadlines, no order expires and gives its use back.
      await app.database.db.updateTable('orders').set({ expires_at: null, answer_by: null }).execute();
      setClock(new Date(time));
      return outcome(await place({ codes: ['DAILY'] }));
    };
    expect(await at('2026-10-24T22:30:00Z')).toBe(1125);
    expect(await at('2026-10-25T00:30:00Z')).toBe(1125);
    expect(await at('2026-10-25T01:30:00Z')).toBe(1125);
    expect(await at('2026-10-25T23:30:00Z')).toBe('code_not_valid');
    expect(await at('2026-10-26T00:30:00Z')).toBe(1125);
  });

  test('of a budget end the offer by itself, and no order passes it', async () => {
    const id = await make({ budget: 300 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => place()));
    expect(answers.map(outcome).toSorted()).toEqual([1125, 1125, 1250, 1250, 1250, 1250, 1250, 1250]);
    expect(await usesOf(id)).toEqual([2, 250]);
  });

  test('that an automatic offer has just reached are asked about as a new price', async () => {
    await make({ max_uses: 1 });
    const { total } = await quote();
    expect(outcome(await place({ expected_total: total }))).toBe(1125);
    const answer = await place({ expected_total: total });
    expect([answer.status, answer.body.code, answer.body.quote.total]).toEqual([409, 'price_changed', 1250]);
  });

  test('hold after a restart between two orders', async () => {
    await make({ code: 'TWICE', max_uses: 2 });
    expect(outcome(await place({ codes: ['TWICE'] }, { on: other }))).toBe(1125);
    await other.close();
    other = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, { PAYMENT_SANDBOX: '1' });
    setClock(saturdayEvening);
    expect(outcome(await place({ codes: ['TWICE'] }, { on: other }))).toBe(1125);
    expect(outcome(await place({ codes: ['TWICE'] }, { on: other }))).toBe('code_not_valid');
  });

  test('do not refuse the second send of an order that used them', async () => {
    await make({ code: 'LAST', max_uses: 1 });
    const body = app.orderBody({ codes: ['LAST'] });
    const answers = await Promise.all([app, other, app].map((on) => on.request('POST', '/v1/orders', { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
  });
});

describe('codes that are valid once', () => {
  const codesOf = async (id: string, count: number) => {
    const answer = await app.request('POST', `/v1/offers/${id}/codes`, { token: admin, body: { count } });
    return [answer, String(answer.body).split('\r\n').slice(1, -1)] as const;
  };
  const codesCounted = async (id: string) => {
    const { codes_made, codes_used } = (await app.request('GET', `/v1/offers/${id}`, { token: admin })).body.data;
    return [codes_made, codes_used];
  };

  test('come a thousand at a time as CSV, and each is for one order, at two instances', async () => {
    const id = await make({ by_code: true });
    const [answer, codes] = await codesOf(id, 1000);
    expect([answer.status, answer.headers.get('content-type'), new Set(codes).size]).toEqual([
      200,
      'text/csv; charset=utf-8',
      1000,
    ]);
    const [first = '', second = ''] = codes;
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        place({ codes: [first.toLowerCase()] }, { on: at % 2 === 0 ? app : other }),
      ),
    );
    expect(orders.map(outcome).filter((one) => one === 1125)).toHaveLength(1);
    expect(await quote({ codes: [first] })).toMatchObject({ problems: [['codes.0', 'That code has been used up.']] });
    expect(await codesCounted(id)).toEqual([1000, 1]);
    expect((await app.request('DELETE', `/v1/offers/${id}`, { token: admin })).status).toBe(204);
    expect(await quote({ codes: [second] })).toMatchObject({
      problems: [['codes.0', 'We do not know that code, or it has ended.']],
    });
  });

  test('are given back on reject, cancel and expiry', async () => {
    const id = await make({ by_code: true });
    const [, codes] = await codesOf(id, 1);
    const rejected = (await place({ codes })).body.data;
    await step(rejected.id, 'reject', { reason: 'too_busy' });
    const cancelled = (await place({ codes })).body.data;
    expect(await codesCounted(id)).toEqual([1, 1]);
    await step(cancelled.id, 'cancel', { reason: 'customer_asked' });
    expect(outcome(await place({ codes, payment_method: 'card' }))).toBe(1125);
    setClock(new Date(saturdayEvening.getTime() + 31 * 60_000));
    await expect.poll(() => codesCounted(id), { timeout: 20_000 }).toEqual([1, 0]);
    expect(outcome(await place({ codes }))).toBe(1125);
  });

  test('are guessed as seldom as any code', async () => {
    const [, codes] = await codesOf(await make({ by_code: true }), 1);
    for (let guess = 0; guess < 50; guess += 1) await ask({ codes: [`GUESS${guess}`] });
    expect((await ask({ codes })).status).toBe(429);
  });

  test('are of an offer by code, which may have a code for all too', async () => {
    const shared = await make({ code: 'SHARED' });
    const [, codes] = await codesOf(shared, 1);
    expect([outcome(await place({ codes })), outcome(await place({ codes }))]).toEqual([1125, 'code_not_valid']);
    expect([outcome(await place({ codes: ['shared'] })), outcome(await place({ codes: ['shared'] }))]).toEqual([
      1125, 1125,
    ]);
    expect((await codesOf(await make(), 1))[0].status).toBe(409);
  });
});

describe('a use is given back', () => {
  test.each([
    ['reject', { reason: 'too_busy' }],
    ['cancel', { reason: 'customer_asked' }],
  ])('on %s', async (call, body) => {
    const id = await make({ code: 'ONE', max_uses: 1 });
    const { data } = (await place({ codes: ['ONE'] })).body;
    expect(await usesOf(id)).toEqual([1, 125]);
    await step(data.id, call, body);
    expect(await usesOf(id)).toEqual([0, 0]);
    expect(outcome(await place({ codes: ['ONE'] }))).toBe(1125);
  });

  test('when an order is not paid in time, and at once to the order that replaces it', async () => {
    const id = await make({ code: 'ONE', max_uses: 1 });
    const unpaid = (await place({ codes: ['ONE'], payment_method: 'card' })).body.data;
    const replaced = await place({ codes: ['ONE'], payment_method: 'card', replaces: unpaid.session });
    expect(outcome(replaced)).toBe(1125);
    expect(outcome(await place({ codes: ['ONE'] }))).toBe('code_not_valid');
    setClock(new Date(saturdayEvening.getTime() + 31 * 60_000));
    await expect.poll(() => usesOf(id), { timeout: 20_000 }).toEqual([0, 0]);
  });

  test('whole when staff take a dish off and say that the rest no longer earns the offer', async () => {
    const id = await make({ code: 'ENDS', minimum_subtotal: 2000 });
    const lines = [{ ...(app.orderBody()['lines'] as object[])[0], quantity: 2 }];
    const { data } = (await place({ codes: ['ENDS'], lines })).body;
    expect([data.total, ...(await usesOf(id))]).toEqual([2250, 1, 250]);
    const reduction = { lines: [{ line_id: data.lines[0].id, quantity: 1 }], reason: 'sold_out', ends_offers: true };
    await step(data.id, 'lines/remove', reduction);
    const { body } = await app.request('GET', `/v1/orders/${data.id}`, { token: admin });
    expect(body.data).toMatchObject({ total: 1250, discounts: [], removed: [{ amount: 1000 }] });
    expect(await usesOf(id)).toEqual([0, 0]);
  });

  test('in part when staff take dishes off, and not for a test order, which uses none', async () => {
    const id = await make({ code: 'TWO' });
    const lines = [{ ...(app.orderBody()['lines'] as object[])[0], quantity: 2 }];
    const { data } = (await place({ codes: ['TWO'], lines })).body;
    await step(data.id, 'lines/remove', { lines: [{ line_id: data.lines[0].id, quantity: 1 }], reason: 'sold_out' });
    expect(await usesOf(id)).toEqual([1, 125]);
    await place({ codes: ['TWO'], channel: 'test' }, { token: admin });
    expect(await usesOf(id)).toEqual([1, 125]);
  });
});

describe('an offer for some people', () => {
  test('on a first order waits for the contact, and is only for who has none', async () => {
    const id = await make({ first_order_only: true });
    expect(await quote()).toMatchObject({ total: 1250, offers: { on_order: [id] } });
    const contact = somebody();
    expect(await quote({ contact })).toMatchObject({ total: 1125, offers: { on_order: [] } });
    expect(outcome(await place({ contact, expected_total: 1125 }))).toBe(1125);
    expect(await quote({ contact })).toMatchObject({ total: 1250, problems: [], offers: { on_order: [] } });
    expect(outcome(await place({ contact: { ...somebody(), email: contact.email } }))).toBe(1250);
  });

  test('by code is refused in the same words for every reason about the person', async () => {
    const token = await app.signIn('customer');
    const { id } = (await app.request('GET', '/v1/auth/user', { token })).body.data;
    await make({ code: 'CHOSEN', customer_ids: [id] });
    await make({ code: 'FIRST', first_order_only: true });
    const contact = somebody();
    await place({ contact });
    expect((await quote({ codes: ['CHOSEN'], contact })).problems).toEqual(notForThis);
    expect((await quote({ codes: ['FIRST'], contact })).problems).toEqual(notForThis);
    expect((await quote({ codes: ['CHOSEN'] })).problems).toEqual([]);
    expect(await quote({ codes: ['CHOSEN'] }, { token })).toMatchObject({ total: 1125 });
    expect(outcome(await place({ codes: ['CHOSEN'] }, { token }))).toBe(1125);
    expect(outcome(await place({ codes: ['CHOSEN'] }))).toBe('code_not_valid');
  });
});
