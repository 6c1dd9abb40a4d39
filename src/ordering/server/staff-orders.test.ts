import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { weekdays } from '#database/page-values.ts';
import { endOrdersPastDeadline } from '#ordering/server/deadlines.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let staff: string;
beforeAll(async () => {
  // A real shop: nobody takes cards for its web pages.
  app = await startTestApp({ is_demo: false, prep_minutes: 20, cash_max: 5_000 });
  staff = await app.signIn('store_admin', [app.shop.storeId]);
});
beforeEach(() => {
  app.clock.now = saturdayEvening;
});
afterAll(() => app.close());

type Change = Record<string, unknown>;
const place = (change: Change = {}, token: string | undefined = staff) =>
  app.request('POST', '/v1/orders', { body: app.orderBody({ channel: 'phone', ...change }), ...(token && { token }) });
const quote = (change: Change = {}, token: string | undefined = staff) => {
  const { session: _session, contact: _contact, ...body } = app.orderBody({ channel: 'phone', ...change });
  return app.request('POST', '/v1/orders/quote', { body, ...(token && { token }) });
};
const codesOf = (problems: { code: string }[]) => problems.map(({ code }) => code);
const manage = async (body: Change) => {
  const token = await app.signIn('admin');
  const changed = await app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { token, body });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
};
const pause = (minutes: number) =>
  app.request('POST', `/v1/stores/${app.shop.storeId}/pause`, { token: staff, body: { minutes } });
const resume = () => app.request('POST', `/v1/stores/${app.shop.storeId}/resume`, { token: staff, body: {} });

const atNight = () => {
  app.clock.now = new Date('2026-11-22T02:00:00Z');
};

interface Case {
  code: string;
  arrange: () => unknown;
  change?: () => Change;
  undo?: () => unknown;
}
const cases: Record<string, Case> = {
  'a pause': { code: 'shop_paused', arrange: () => pause(60), undo: resume },
  'closing time': { code: 'shop_closed', arrange: atNight },
  'a time outside the hours': {
    code: 'slot_unavailable',
    arrange: () => {},
    change: () => ({ requested_for: '2026-11-22T03:00:00.000Z' }),
  },
  'a shop that takes no orders': {
    code: 'not_accepting_orders',
    arrange: () => manage({ is_accepting_orders: false }),
    undo: () => manage({ is_accepting_orders: true }),
  },
  'a full slot': {
    code: 'slot_full',
    arrange: async () => {
      const full = await place({ requested_for: '2026-11-21T20:00:00.000Z' });
      expect(full.status).toBe(201);
      await manage({ max_orders_per_slot: 1 });
    },
    change: () => ({ requested_for: '2026-11-21T20:00:00.000Z' }),
    undo: () => manage({ max_orders_per_slot: null }),
  },
  'more cash than the shop takes': {
    code: 'cash_limit',
    arrange: () => {},
    change: () => ({
      lines: [{ item_id: app.shop.chips, quantity: 20 }],
    }),
  },
};

test.each(Object.entries(cases))(
  '%s stops a customer and only warns staff',
  async (_, { code, arrange, change = () => ({}), undo }) => {
    await arrange();
    const session = randomUUID();
    const told = await quote(change());
    expect(codesOf(told.body.data.problems)).toEqual([code]);
    const refused = await place({ session, ...change() });
    expect([refused.status, refused.body.code, codesOf(refused.body.problems)]).toEqual([422, 'order_refused', [code]]);

    const customer = await place({ ...change(), channel: 'web', override: true }, '');
    expect([customer.status, codesOf(customer.body.problems)]).toEqual([422, [code]]);
    const byWeb = await place({ ...change(), channel: 'web', override: true });
    expect([byWeb.status, codesOf(byWeb.body.problems)]).toEqual([422, [code]]);

    const taken = await place({ session, override: true, ...change() });
    expect(taken.status, JSON.stringify(taken.body)).toBe(201);
    expect(taken.body.data.status).toBe('accepted');
    expect(taken.body.data.history.at(-1)).toMatchObject({
      from: 'placed',
      to: 'accepted',
      reason: `Accepted despite: ${refused.body.message}`,
    });
    await undo?.();
  },
);

test('nobody but staff of the shop gains by saying that they are, or that they override', async () => {
  atNight();
  const stranger = await app.signIn('store_admin', []);
  const customer = await app.signIn('customer');
  for (const token of ['', customer, stranger]) {
    for (const channel of ['phone', 'counter', 'test']) {
      for (const body of [
        { channel, override: true },
        { channel, payment_method: 'card' },
      ]) {
        const placed = await place(body, token);
        expect([placed.status, placed.body.code]).toEqual([403, 'forbidden']);
        expect((await quote(body, token)).status).toBe(403);
      }
    }
  }
});

test('a test order rings even in a closed shop that accepts by itself, waits without a deadline, and is no sale', async () => {
  await manage({ is_accepting_orders: false, auto_accept: true });
  const owner = await app.signIn('admin');
  const day = '2026-11-21';
  const path = `/v1/reports/sales?store_id=${app.shop.storeId}&start_date=${day}&end_date=${day}`;
  const report = async () => (await app.request('GET', path, { token: owner })).body;
  const before = await report();
  const contact = { name: 'Test', phone: '', email: '' };
  const { status, body } = await place({ channel: 'test', override: true, contact }, owner);
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.data).toMatchObject({ status: 'placed', answer_by: null, payment: { is_test: true } });
  const call = async (name: string, sent: object = {}) =>
    app.request('POST', `/v1/orders/${body.data.id}/${name}`, { token: owner, body: sent });
  app.clock.now = new Date(saturdayEvening.getTime() + 3_600_000);
  await endOrdersPastDeadline(app.services);
  expect((await call('accept', { minutes: 20 })).body.data).toMatchObject({ status: 'accepted' });
  expect((await call('collected-by-customer')).body.data).toMatchObject({ payment: { status: 'paid', is_test: true } });
  const refund = await call('refunds', { key: randomUUID(), amount: 100, reason: 'test' });
  expect(refund.status, JSON.stringify(refund.body)).toBeLessThan(300);
  const second = (await place({ channel: 'test', override: true, contact }, owner)).body.data;
  const cancel = { token: owner, body: { reason: 'tried' } };
  expect((await app.request('POST', `/v1/orders/${second.id}/cancel`, cancel)).status).toBe(200);
  const { data: payments } = (await app.request('GET', '/v1/payments', { token: owner })).body;
  const marks = new Map(payments.map((row: { order_id: string; is_test: boolean }) => [row.order_id, row.is_test]));
  expect([marks.get(second.id), [...marks.values()].filter((isTest) => !isTest).length > 0]).toEqual([true, true]);
  app.clock.now = saturdayEvening;
  expect(await report()).toEqual(before);
  await manage({ is_accepting_orders: true, auto_accept: false });
});

test('what cannot be cooked or brought stays refused', async () => {
  const past = await place({ override: true, requested_for: '2026-11-21T17:00:00.000Z' });
  expect(codesOf(past.body.problems)).toEqual(['slot_past']);
  await manage({ is_accepting_orders: false });
  const pastAndOff = await place({ override: true, requested_for: '2026-11-21T17:00:00.000Z' });
  expect(codesOf(pastAndOff.body.problems)).toEqual(['slot_past']);
  // Only what still stands in the way is named.
  const unknown = await place({ override: true, lines: [{ item_id: randomUUID(), quantity: 1 }] });
  expect(codesOf(unknown.body.problems)).toEqual(['item_unknown']);
  await manage({ is_accepting_orders: true });
});

test('an order that nothing stands in the way of has nothing to override', async () => {
  const { status, body } = await place({ override: true });
  expect([status, body.data.history.at(-1).reason]).toEqual([201, null]);
});

test('sent again with the warning overridden, after its answer was lost, it stays one order', async () => {
  const session = randomUUID();
  const first = await place({ session });
  await pause(60);
  const again = await place({ session, override: true });
  await resume();
  expect([first.status, again.status, again.body.data.id]).toEqual([201, 200, first.body.data.id]);
});

test('as soon as possible is at once, although customers wait for the end of the pause', async () => {
  await pause(120);
  const told = await quote();
  const taken = await place({ override: true });
  const slots = await app.database.db
    .selectFrom('orders')
    .select('slot_at')
    .where('id', '=', taken.body.data.id)
    .executeTakeFirstOrThrow();
  await resume();
  expect(told.body.data.earliest_at).toBe('2026-11-21T18:20:00.000Z');
  expect(taken.body.data.promised_at).toBe('2026-11-21T18:20:00.000Z');
  expect(slots.slot_at?.toISOString()).toBe('2026-11-21T18:15:00.000Z');
});

test('after last orders a menu of the evening is served to staff, although customers order for noon', async () => {
  const { menuId } = app.shop;
  const token = await app.signIn('admin');
  const days = [...weekdays];
  const change = (availability: unknown) =>
    app.request('PATCH', `/v1/menus/${menuId}`, { token, body: { availability } });
  expect((await change({ days, from: '17:00', to: '23:30' })).status).toBe(200);
  app.clock.now = new Date('2026-11-21T23:10:00Z');
  const customer = await quote({ channel: 'web' }, '');
  const told = await quote();
  const taken = await place({ override: true });
  await change(null);
  expect(codesOf(customer.body.data.problems)).toEqual(['menu_unavailable', 'shop_closed']);
  expect(codesOf(told.body.data.problems)).toEqual(['shop_closed']);
  expect(taken.status).toBe(201);
});

test('a card is taken on the shop’s own machine: no provider hears of it, from the order to the refund', async () => {
  const change = { payment_method: 'card' };
  const web = await place({ ...change, channel: 'web' }, '');
  expect(codesOf(web.body.problems)).toEqual(['payment_method_unavailable']);
  expect((await quote(change)).body.data.problems).toEqual([]);
  const { status, body } = await place(change);
  expect([status, body.data.status, body.data.payment_status]).toEqual([201, 'accepted', 'unpaid']);
  expect(body.data.payment).toMatchObject({ method: 'card', redirect_url: null });
  const { id } = body.data;
  const call = (name: string, sent: Change = {}) =>
    app.request('POST', `/v1/orders/${id}/${name}`, { token: staff, body: sent });
  expect((await call('pay', change)).body.data.payment).toMatchObject({ redirect_url: null });
  const paid = await call('payment/mark-paid', change);
  expect([paid.status, paid.body.data.payment_status]).toEqual([200, 'paid']);
  expect((await call('cancel', { reason: 'Changed their mind' })).body.data.status).toBe('cancelled');
  const refund = await app.request('POST', `/v1/orders/${id}/refunds`, {
    token: await app.signIn('admin'),
    body: { key: randomUUID(), amount: 500, reason: 'Cold' },
  });
  expect(refund.status, JSON.stringify(refund.body)).toBe(201);
  const rows = await app.database.db.selectFrom('payments').select('id').where('order_id', '=', id).execute();
  expect(rows).toEqual([]);
});
