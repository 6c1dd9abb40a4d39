import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eraseOldGuests } from '#ordering/server/erase-guests.ts';
import { addPrinter, fakePrinters } from '#testing/fake-printers.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let customer: string;
beforeAll(async () => {
  app = await startTestApp({}, {}, undefined, { transports: fakePrinters().transports });
  await addPrinter(app);
  admin = await app.signIn('admin');
  customer = await app.signIn('customer');
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('orders').execute();
  await keep(90);
});

const days = (count: number) => (app.clock.now = new Date(saturdayEvening.getTime() + count * 86_400_000));
const keep = (keep_guest_days: number | null) =>
  app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { body: { keep_guest_days }, token: admin });
/** By somebody who signs in now: a sign-in does not last for months. */
const get = async (path: string) => (await app.request('GET', path, { token: await app.signIn('admin') })).body.data;
const read = (id: string) => get(`/v1/orders/${id}`);

async function finished(token?: string): Promise<string> {
  const body = app.orderBody({
    fulfilment_type: 'delivery',
    address: { line1: '2 Church Walk', postcode: 'CV21 2AB', instructions: 'Blue door' },
    note: 'For Ada',
    allergy_note: 'Ada: nuts',
    allergies: ['nuts', 'milk'],
    lines: [
      { item_id: app.shop.chips, quantity: 5, note: 'Ada’s' },
      {
        item_id: app.shop.pizza,
        quantity: 1,
        options: [{ option_group_id: app.shop.size.group, option_id: app.shop.size.large }],
      },
    ],
  });
  const { id } = (await app.request('POST', '/v1/orders', { body, ...(token && { token }) })).body.data;
  for (const step of ['accept', 'collected-by-driver', 'delivered-to-customer']) {
    await app.request('POST', `/v1/orders/${id}/${step}`, { body: {}, token: admin });
  }
  return id;
}

test('a guest’s order loses what names them after the days the owner set, and keeps what was sold', async () => {
  const id = await finished();
  const before = await read(id);
  days(89);
  expect(await eraseOldGuests(app.services)).toBe(0);
  const { contact, address, note, allergy_note, allergies, lines } = before;
  expect(lines[1].allergen_conflicts).toEqual([{ code: 'milk', kind: 'contains' }]);
  expect(await read(id)).toMatchObject({ contact, address, note, allergy_note, allergies, lines });
  days(91);
  expect(await eraseOldGuests(app.services)).toBe(1);
  const after = await read(id);
  expect(JSON.stringify(after)).not.toMatch(/Ada|Church|07700|CV21|Blue door|nuts/);
  expect([after.allergies, after.lines[1].allergen_conflicts]).toEqual([[], []]);
  for (const kept of ['number', 'status', 'subtotal', 'fees', 'total', 'vat', 'history', 'completed_at']) {
    expect(after[kept], kept).toEqual(before[kept]);
  }
  expect(JSON.stringify(await get(`/v1/orders/${id}/prints`))).not.toMatch(/Ada|Church|07700/);
  expect(await eraseOldGuests(app.services)).toBe(0);
});

test('a report of the days in which they ordered stays the same to the penny', async () => {
  await finished();
  await finished();
  const day = '2026-11-21';
  const report = () => get(`/v1/reports/sales?store_id=${app.shop.storeId}&start_date=${day}&end_date=${day}`);
  const before = await report();
  expect(before.totals.orders).toBe(2);
  days(91);
  expect(await eraseOldGuests(app.services)).toBe(2);
  expect(await report()).toEqual(before);
});

test('an order that is still open, or that belongs to an account, keeps them', async () => {
  const open = (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data.id;
  await app.request('POST', `/v1/orders/${open}/accept`, { body: {}, token: admin });
  const own = await finished(customer);
  days(400);
  expect(await eraseOldGuests(app.services)).toBe(0);
  expect((await read(open)).contact.name).toBe('Ada Byron');
  expect((await read(own)).contact.name).toBe('Ada Byron');
});

test('an owner who keeps them for ever keeps them', async () => {
  const id = await finished();
  await keep(null);
  days(3000);
  expect(await eraseOldGuests(app.services)).toBe(0);
  expect((await read(id)).contact.name).toBe('Ada Byron');
});

test('a retry of a forgotten order’s request does not make another one', async () => {
  const body = app.orderBody();
  const { id } = (await app.request('POST', '/v1/orders', { body })).body.data;
  await app.request('POST', `/v1/orders/${id}/cancel`, { body: { reason: 'Rang' }, token: admin });
  days(91);
  await eraseOldGuests(app.services);
  const again = await app.request('POST', '/v1/orders', { body });
  expect(again.status).toBe(409);
});
