import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { mailTakings } from '#reports/server/mail-takings.ts';
import { writeOrders, writeRefund, type WrittenOrder } from '#reports/testing/samples.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let smtp: MailServer;
let app: TestApp;
let other: TestApp;
let admin: string;
let email: string;
let storeId: string;
let name: string;
let shops = 0;
beforeAll(async () => {
  smtp = await startMailServer();
  const environment = { SMTP_URL: smtp.url, APP_URL: 'https://shop.example' };
  app = await startTestApp({}, environment);
  other = await startAppOn(app.database, app.shop, environment);
  admin = await app.signIn('admin');
  email = (await app.request('GET', '/v1/auth/user', { token: admin })).body.data.email;
});
/** Each test has a shop of its own, whose first day with the shop ends on Saturday morning. */
beforeEach(async () => {
  shops += 1;
  name = `Nonna’s ${shops}`;
  storeId = (await seedSmallShop(app.database.db, { name, slug: `nonnas-${shops}` })).storeId;
  at('2026-11-21T18:00:00Z');
  await look();
  smtp.received.length = 0;
});
afterAll(async () => {
  await other.stop();
  await app.close();
  await smtp.stop();
});

function at(time: string): void {
  app.clock.now = new Date(time);
  other.clock.now = new Date(time);
}
/** Both instances look, twice each and all at once. */
const look = async (id = storeId) => {
  await Promise.all([app, other, app, other].map(({ services }) => mailTakings(services, id)));
};
const sold = (change: Partial<WrittenOrder> = {}): WrittenOrder => ({
  day: '2026-11-21',
  subtotal: 1200,
  vat: [{ rate: 2000, net: 1000, vat: 200 }],
  ...change,
});
/** What was sent about this test's shop. */
const mails = async () => {
  const open = app.database.db.selectFrom('mails').select('id').where('ended_at', 'is', null);
  await vi.waitFor(async () => expect(await open.execute()).toEqual([]), { timeout: 60_000, interval: 50 });
  const rows = await app.database.db
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', 'takings')
    .where('store_id', '=', storeId)
    .execute();
  return smtp.received.filter(({ id }) => rows.some((row) => id.includes(row.id)));
};
const settings = async (body: object) => {
  const answer = await app.request('PATCH', `/v1/stores/${storeId}`, { token: admin, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};

test('the owner gets a day’s takings once when it is over, by payment method, with refunds and VAT', async () => {
  const [first] = await writeOrders(app.database.db, storeId, [
    sold({ tip: 100 }),
    sold({ subtotal: 2400, vat: [{ rate: 2000, net: 2000, vat: 400 }] }),
    sold({ subtotal: 600, vat: [{ rate: 0, net: 600, vat: 0 }], payment_method: 'cash' }),
    sold({ status: 'rejected', payment_status: 'voided', reject_reason: 'too_busy' }),
    sold({ status: 'accepted', payment_status: 'unpaid', payment_method: 'cash' }),
    sold({ status: 'accepted', payment_status: 'failed' }),
    sold({ is_test: true }),
    sold({ is_test: true, status: 'cancelled', payment_status: 'refunded', cancel_reason: 'A try' }),
    sold({ day: '2026-11-20', subtotal: 99_900 }),
    sold({ day: '2026-11-22', at: '2026-11-22T05:00:00Z', subtotal: 99_900 }),
  ]);
  const refund = { order: first ?? '', day: '2026-11-21', amount: 600, vat: [{ rate: 2000, net: 500, vat: 100 }] };
  await writeRefund(app.database.db, storeId, refund);
  at('2026-11-22T04:59:59Z');
  await look();
  expect(await mails()).toEqual([]);

  at('2026-11-22T05:00:00Z');
  await look();
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.to).toEqual([email]);
  expect(mail?.subject).toBe(`${name}, Saturday 21 November: takings of £43.00`);
  const text = [
    '3 orders were paid.',
    'Card (2 orders): £37.00\nCash (1 order): £6.00\nTakings: £43.00\n' +
      'Refunds (1 refund, for an order of any day): -£6.00\nAfter refunds: £37.00',
    'Average order: £14.33\nTips included: £1.00\nVAT after refunds: £5.00\nOrders not completed: 2 orders, worth £24.00\n' +
      'Accepted, not paid yet: 1 order, worth £12.00\nCard payment failed: 1 order, worth £12.00\nTest money, not counted: 2 orders, worth £24.00',
    'Open the report:\nhttps://shop.example/admin/reports?from=2026-11-21&to=2026-11-21',
    "switch off “Email each day's takings” under “Ordering”",
  ];
  for (const part of text) expect(mail?.text).toContain(part);
  for (const part of [
    '£43.00',
    '£37.00',
    '-£6.00',
    'href="https://shop.example/admin/reports?from=2026-11-21&amp;to=2026-11-21"',
  ])
    expect(mail?.html).toContain(part);

  await look();
  at('2026-11-22T23:00:00Z');
  await look();
  expect(await mails()).toHaveLength(1);
});

test('the running shop sends it by itself', async () => {
  await writeOrders(app.database.db, storeId, [sold()]);
  at('2026-11-22T05:00:00Z');
  await expect.poll(async () => (await mails()).length).toBe(1);
});

test('a shop in another country has its own day and currency', async () => {
  await settings({ timezone: 'Europe/Warsaw', currency: 'PLN', day_starts_at: '06:00' });
  await writeOrders(app.database.db, storeId, [sold({ subtotal: 4550 })]);
  at('2026-11-22T04:59:59Z');
  await look();
  expect(await mails()).toEqual([]);
  at('2026-11-22T05:00:00Z');
  await look();
  const [mail] = await mails();
  expect(mail?.subject).toBe(`${name}, Saturday 21 November: takings of zł\u00a045.50`);
});

test('the mail names the last good backup, or says that there is none yet', async () => {
  const { db } = app.database;
  await db.deleteFrom('backup_watches').execute();
  await db.insertInto('backup_watches').values({ since: app.clock.now }).execute();
  await writeOrders(db, storeId, [sold(), sold({ day: '2026-11-22' })]);
  at('2026-11-22T05:00:00Z');
  await look();
  expect((await mails())[0]?.text).toContain('Last good backup: none yet');
  smtp.received.length = 0;
  const made = { made_at: new Date('2026-11-23T03:10:00Z'), number: 1, bytes: 1 };
  await db
    .insertInto('backups')
    .values({ step: 'ended', began_at: made.made_at, state: 'good', ...made })
    .execute();
  at('2026-11-23T05:00:00Z');
  await look();
  expect((await mails())[0]?.text).toContain('Last good backup: 23 November 2026, 03:10');
  for (const table of ['backups', 'backup_watches'] as const) await db.deleteFrom(table).execute();
});

test('a day on which nothing happened is not mailed of, and one with refunds alone is', async () => {
  at('2026-11-22T05:00:00Z');
  await look();
  expect(await mails()).toEqual([]);
  const [order] = await writeOrders(app.database.db, storeId, [sold({ day: '2026-11-20' })]);
  await writeRefund(app.database.db, storeId, { order: order ?? '', day: '2026-11-22', amount: 500, vat: [] });
  at('2026-11-23T05:00:00Z');
  await look();
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.subject).toBe(`${name}, Sunday 22 November: takings of £0.00`);
  expect(mail?.text).toContain('No order was paid.');
  expect(mail?.text).toContain('After refunds: -£5.00');
});

test('days that ended while the server was off are mailed of when it is back, the last seven at most', async () => {
  const days = ['2026-11-21', '2026-11-24', '2026-11-25', '2026-12-01'];
  await writeOrders(
    app.database.db,
    storeId,
    days.map((day) => sold({ day })),
  );
  at('2026-12-02T09:00:00Z');
  await look();
  expect((await mails()).map(({ subject }) => subject).toSorted()).toEqual([
    `${name}, Tuesday 1 December: takings of £12.00`,
    `${name}, Wednesday 25 November: takings of £12.00`,
  ]);
});

test('an owner who does not want it gets none, and when they want it again none of the days between', async () => {
  await settings({ mails_takings: false });
  await writeOrders(app.database.db, storeId, [sold(), sold({ day: '2026-11-22' })]);
  at('2026-11-22T05:00:00Z');
  await look();
  await settings({ mails_takings: true });
  await look();
  expect(await mails()).toEqual([]);
  at('2026-11-23T05:00:00Z');
  await look();
  expect((await mails()).map(({ subject }) => subject)).toEqual([`${name}, Sunday 22 November: takings of £12.00`]);
});

test('a new shop is not mailed of days before it, and every owner gets the mail', async () => {
  const second = await app.signIn('admin');
  const { email: theirs } = (await app.request('GET', '/v1/auth/user', { token: second })).body.data;
  await writeOrders(app.database.db, storeId, [sold({ day: '2026-11-19' }), sold({ day: '2026-11-20' }), sold()]);
  at('2026-11-22T05:00:00Z');
  await look();
  expect((await mails()).flatMap(({ to }) => to).toSorted()).toEqual([email, theirs].toSorted());
  await app.database.db.deleteFrom('users').where('email', '=', theirs).execute();
});
