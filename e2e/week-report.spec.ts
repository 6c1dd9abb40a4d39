import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import {
  DAY,
  dateOfDayNumber,
  dayNumberOfWallTime,
  instantAt,
  MINUTE,
  parseClockTime,
  wallTimeAt,
  weekdayOf,
} from '#platform/zone-clock.ts';
import { expectAccessible } from './accessible.ts';
import { downloadTable, figure, openOffice } from './office.ts';
import { expect, test } from './shop.ts';

// A busy machine is slow; nothing here is measured.
const zone = 'Europe/London';

/** Moves the shop's own clock from one moment of a week to the next. */
function clockOf(shop: Shop) {
  let ahead = 0;
  const today = dayNumberOfWallTime(wallTimeAt(zone, Date.now()));
  const monday = today - weekdayOf(today) + 14;
  const now = () => Date.now() + ahead;
  const forth = async (minutes: number) => {
    ahead += minutes * MINUTE;
    await shop.wait(minutes);
  };
  return {
    now,
    forth,
    /** The date of a day of the week; 0 is its Monday. */
    date: (day: number) => dateOfDayNumber(monday + day),
    to: (day: number, time: string) =>
      forth((instantAt(zone, (monday + day) * DAY + parseClockTime(time)) - now()) / MINUTE),
  };
}

interface Placed {
  id: string;
  number: string;
  total: number;
  payment: { redirect_url: string | null };
  lines: { id: string; item_id: string }[];
}

/** A pie at £9.50 with standard VAT, and a salad at £4.00 with zero VAT; delivery to CV21 for £2.50. */
async function stock(shop: Shop): Promise<{ pie: string; salad: string }> {
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await shop.api('POST', path, body, shop.adminToken);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return (answer.body['data'] as { id: string }).id;
  };
  const { body: menus } = await shop.api('GET', `/v1/menus/store/${shop.storeId}`);
  const [menu] = menus['data'] as { id: string }[];
  const pie = await made('/v1/items', { name: 'Beef pie', price: 950, vat_rate: 2000, store_id: shop.storeId });
  const salad = await made('/v1/items', { name: 'Cold salad', price: 400, vat_rate: 0, store_id: shop.storeId });
  const category = await made('/v1/categories', { name: 'By hand', menu_id: menu?.id });
  await shop.api('POST', `/v1/categories/${category}/items/add`, { items: [pie, salad] }, shop.adminToken);
  const zoneOf = {
    name: 'Rugby',
    postcode_prefixes: ['CV21'],
    fee: 250,
    minimum_order: 0,
    free_over: null,
    extra_minutes: 0,
  };
  const change = { delivery_zones: [zoneOf], service_fee: 0, bag_fee: 0, timezone: zone };
  expect((await shop.api('PATCH', `/v1/stores/${shop.storeId}`, change, shop.adminToken)).status).toBe(200);
  return { pie, salad };
}

const cellsOf = (page: Page, table: string, row: string) =>
  page
    .getByRole('region', { name: table, exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: row, exact: true }) })
    .getByRole('cell');

/** How many points of the first canvas have the colour that the page has for bars now. */
const countAccent = `(() => {
  const canvas = document.querySelector('canvas');
  const brush = document.createElement('canvas').getContext('2d');
  brush.fillStyle = getComputedStyle(canvas).getPropertyValue('--accent');
  brush.fillRect(0, 0, 1, 1);
  const accent = brush.getImageData(0, 0, 1, 1).data.join();
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data.slice(at, at + 4).join() === accent) count += 1;
  return count;
})()`;

async function expectBars(page: Page): Promise<void> {
  await expect(page.locator('canvas').first()).toBeVisible();
  await expect.poll(() => page.evaluate(countAccent)).toBeGreaterThan(1000);
}

/**
 * The totals of a week, calculated by hand (in pence; a tip has no VAT, and VAT is calculated per order and rate):
 *
 *     order                                  gross  food  fee  tip   20 % net+vat     0 % net
 *     Mon  two pies, cash, 12 min late       1900   1900             1583 + 317
 *     Tue  a pie, three salads, cash         2150   2150              792 + 158       1200
 *     Thu  a pie, two salads, delivered
 *          7 min late, by card               2100   1750  250  100    905 + 181        914
 *     Sun  four salads, at the counter       1600   1600                              1600
 *     all four                               7750   7400  250  100   3280 + 656       3714
 *
 *     refunds                                all                     20 % net+vat     0 % net
 *     Mon  the pie of the Sunday before       950                     792 + 158
 *     Wed  one of Monday's pies               950                     792 + 158
 *     Sat  Tuesday's salads                  1200                                     1200
 *     Sat  £1.00 of Thursday's order          100                      45 +   9         46
 *     all four                               3200                    1629 + 325       1246
 *
 * The fee of £2.50 is split by 9.50 and 8.00 of food: 1.36 at 20 %, 1.14 at 0 %. Of the refunded £1.00, 54p had 20 %.
 * One of two pies takes the VAT within its £9.50 with it.
 */
test('a week of sales and later refunds has the totals calculated by hand; the owner refunds, reads the report and downloads it', async ({
  shop,
  window,
}) => {
  test.setTimeout(300_000);
  const clock = clockOf(shop);
  const { pie, salad } = await stock(shop);
  const place = async (lines: [item: string, quantity: number][], change: object = {}): Promise<Placed> => {
    const order = {
      store_id: shop.storeId,
      session: randomUUID(),
      fulfilment_type: 'collection',
      contact: { name: 'Ada Byron', phone: '07700 900123' },
      payment_method: 'cash',
      lines: lines.map(([item_id, quantity]) => ({ item_id, quantity })),
      ...change,
    };
    const { status, body } = await shop.api('POST', '/v1/orders', order, shop.adminToken);
    expect(status, JSON.stringify(body)).toBe(201);
    return body['data'] as Placed;
  };
  const step = async ({ id }: Placed, call: string, body: object = {}): Promise<void> => {
    const answer = await shop.api('POST', `/v1/orders/${id}/${call}`, body, shop.adminToken);
    expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  };
  const handOver = async (order: Placed, waits: number): Promise<void> => {
    await step(order, 'accept', { minutes: 20 });
    await clock.forth(waits);
    await step(order, 'collected-by-customer');
  };
  const giveBack = (order: Placed, what: object) =>
    step(order, 'refunds', { key: randomUUID(), reason: 'Cold', ...what });
  const lineOf = ({ lines }: Placed, item: string) => lines.find(({ item_id: of }) => of === item)?.id;

  await clock.to(-1, '19:00');
  const before = await place([[pie, 1]]);
  await handOver(before, 10);
  await clock.to(0, '12:30');
  await giveBack(before, { amount: 950 });
  await clock.to(0, '18:00');
  const monday = await place([[pie, 2]]);
  await handOver(monday, 31.5);
  // Just past midnight it is still Tuesday's trading day.
  await clock.to(2, '00:30');
  const tuesday = await place([
    [pie, 1],
    [salad, 3],
  ]);
  await handOver(tuesday, 15);
  await clock.to(2, '19:00');
  await giveBack(monday, { lines: [{ line_id: lineOf(monday, pie), quantity: 1 }] });
  await step(await place([[salad, 1]]), 'reject', { reason: 'too_busy' });
  await clock.to(3, '20:00');
  const address = { line1: '1 Regent Street', line2: '', city: 'Rugby', postcode: 'CV21 2PE', instructions: '' };
  const thursday = await place(
    [
      [pie, 1],
      [salad, 2],
    ],
    { fulfilment_type: 'delivery', address, payment_method: 'card', tip: 100 },
  );
  expect(thursday.total).toBe(2100);
  const choice = new URLSearchParams({ outcome: 'approve' });
  await fetch(new URL(thursday.payment.redirect_url ?? '', shop.url), {
    method: 'POST',
    body: choice,
    redirect: 'manual',
  });
  const read = async ({ id }: Placed) =>
    (await shop.api('GET', `/v1/orders/${id}`, undefined, shop.adminToken)).body['data'] as Record<string, unknown>;
  await expect.poll(async () => (await read(thursday))['status']).toBe('placed');
  await step(thursday, 'accept', { minutes: 40 });
  await expect.poll(async () => (await read(thursday))['payment_status']).toBe('paid');
  await clock.forth(46.5);
  await step(thursday, 'collected-by-driver');
  await step(thursday, 'delivered-to-customer');
  await clock.to(4, '20:00');
  const unanswered = await place([[pie, 1]]);
  await clock.forth(11);
  await expect.poll(async () => (await read(unanswered))['status']).toBe('rejected');
  await clock.to(5, '21:00');
  await giveBack(tuesday, { lines: [{ line_id: lineOf(tuesday, salad), quantity: 3 }] });

  // The provider is slow with Thursday's refund of £1.00: every page shows it as on its way.
  const unfreeze = await shop.holdPayments();
  const owner = await window({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
  await owner.clock.install({ time: clock.now() });
  const page = await openOffice(shop, owner, '/admin/payments');
  const row = page.getByRole('row', { name: `Order ${thursday.number}` }).filter({ hasText: '£21.00' });
  await row.getByRole('button', { name: `Order ${thursday.number}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Another amount' }).check();
  await dialog.getByRole('textbox', { name: /^Amount/ }).fill('1');
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('The chips were cold');
  await expectAccessible(page, 'a refund of an amount');
  await dialog.getByRole('button', { name: 'Refund £1.00' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('£1.00 in progress');
  await expectAccessible(page, 'payments with a refund on its way');
  await row.getByRole('button', { name: `Order ${thursday.number}` }).click();
  await expect(dialog).toContainText('In progress');
  await expectAccessible(page, 'the refund dialog with a refund on its way');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await unfreeze();
  await expect(row).toContainText('Partly refunded', { timeout: 60_000 });
  await expect(row).not.toContainText('in progress');

  await clock.to(6, '12:00');
  await handOver(await place([[salad, 4]], { channel: 'counter' }), 5);
  await clock.to(7, '12:00');
  await handOver(await place([[pie, 1]]), 5);

  await owner.clock.setSystemTime(clock.now());
  await page.goto('/admin/reports?range=last_week');
  await expect(figure(page, 'Takings')).toHaveText('£77.50');
  await expect(figure(page, 'Orders')).toHaveText('4');
  await expect(figure(page, 'Average order')).toHaveText('£19.38');
  await expect(figure(page, 'Refunds')).toHaveText('£32.00');
  await expect(figure(page, 'After refunds')).toHaveText('£45.50');
  await expect(figure(page, 'VAT after refunds')).toHaveText('£3.31');
  await expect(cellsOf(page, 'VAT', '20%')).toHaveText(['£32.80', '£6.56', '£3.25', '£3.31']);
  await expect(cellsOf(page, 'VAT', '0%')).toHaveText(['£37.14', '£0.00', '£0.00', '£0.00']);
  await expect(cellsOf(page, 'VAT', 'Total')).toHaveText(['£69.94', '£6.56', '£3.25', '£3.31']);
  await page.setViewportSize({ width: 1440, height: 900 });
  const table = page.getByRole('region', { name: 'VAT', exact: true });
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await expect(page.getByRole('combobox', { name: 'Days' })).toContainText('This quarterLast quarter');
  const madeOf = 'Breakdown of takings';
  await expect(cellsOf(page, madeOf, 'Food and drink')).toHaveText(['£74.00']);
  await expect(cellsOf(page, madeOf, 'Fees')).toHaveText(['£2.50']);
  await expect(cellsOf(page, madeOf, 'Tips')).toHaveText(['£1.00']);
  await expect(cellsOf(page, madeOf, 'Takings')).toHaveText(['£77.50']);
  await expect(cellsOf(page, 'What sells', 'Beef pie')).toHaveText(['4', '£38.00']);
  await expect(cellsOf(page, 'What sells', 'Cold salad')).toHaveText(['9', '£36.00']);
  const from = 'Where orders came from';
  await expect(cellsOf(page, from, 'Counter')).toHaveText(['1', '£16.00']);
  await expect(cellsOf(page, 'Collection or delivery', 'Delivery')).toHaveText(['1', '£21.00']);
  await expect(cellsOf(page, 'How customers paid', 'Cash')).toHaveText(['3', '£56.50']);
  const lost = 'Orders not completed';
  await expect(cellsOf(page, lost, 'Rejected: Too busy')).toHaveText(['1', '£4.00']);
  await expect(cellsOf(page, lost, 'Rejected: Not answered in time')).toHaveText(['1', '£9.50']);
  await expect(page.getByText('2 orders were late, by 10 minutes on average and 12 at worst.')).toBeVisible();
  await page.getByText('Show as a table').first().click();
  const days = page.getByRole('region', { name: 'Takings by day' }).getByRole('row');
  await expect(days).toContainText([
    'Refunds',
    /1£19\.00£9\.50$/,
    /1£21\.50£0\.00$/,
    /0£0\.00£9\.50$/,
    /1£21\.00£0\.00$/,
    /0£0\.00£0\.00$/,
    /0£0\.00£13\.00$/,
    /1£16\.00£0\.00$/,
    'Total4£77.50£32.00',
  ]);
  await expectBars(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectBars(page);
  await page.emulateMedia({ media: 'print' });
  await expectBars(page);
  await page.emulateMedia({ media: null, colorScheme: null });
  await expectAccessible(page, 'the report of a week');

  const movements = await downloadTable(page, 'Orders and refunds');
  expect(
    movements.map((one) => [one['trading_day'], one['type'], one['tip'], one['total'], one['net'], one['vat']]),
  ).toEqual([
    [clock.date(0), 'refund', '0.00', '-9.50', '-7.92', '-1.58'],
    [clock.date(0), 'sale', '0.00', '19.00', '15.83', '3.17'],
    [clock.date(1), 'sale', '0.00', '21.50', '19.92', '1.58'],
    [clock.date(2), 'refund', '0.00', '-9.50', '-7.92', '-1.58'],
    [clock.date(3), 'sale', '1.00', '21.00', '18.19', '1.81'],
    [clock.date(5), 'refund', '0.00', '-12.00', '-12.00', '0.00'],
    [clock.date(5), 'refund', '0.00', '-1.00', '-0.91', '-0.09'],
    [clock.date(6), 'sale', '0.00', '16.00', '16.00', '0.00'],
  ]);
  const vat = await downloadTable(page, 'VAT by day and rate');
  expect(vat.map((one) => [one['trading_day'], one['vat_percent'], one['net'], one['vat']])).toEqual([
    [clock.date(0), '20', '7.91', '1.59'],
    [clock.date(1), '20', '7.92', '1.58'],
    [clock.date(1), '0', '12.00', '0.00'],
    [clock.date(2), '20', '-7.92', '-1.58'],
    [clock.date(3), '20', '9.05', '1.81'],
    [clock.date(3), '0', '9.14', '0.00'],
    [clock.date(5), '20', '-0.45', '-0.09'],
    [clock.date(5), '0', '-12.46', '0.00'],
    [clock.date(6), '0', '16.00', '0.00'],
  ]);

  // The days are in the address, and the figures follow the orders, on a phone too.
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'the report on a phone');
  await page.getByLabel('Days', { exact: true }).selectOption('this_week');
  await expect(page).toHaveURL(/range=this_week/);
  await expect(figure(page, 'Orders')).toHaveText('1');
  const last = await place([[pie, 1]]);
  await handOver(last, 5);
  await expect(figure(page, 'Orders')).toHaveText('2');
  await page.goBack();
  await expect(figure(page, 'Orders')).toHaveText('4');
  await page.evaluate("history.pushState(null, '', '/admin/reports?from=2026-01-05&to=2026-01-06')");
  await expect(page.getByText('No orders on these days')).toBeVisible();

  // All of an order goes back, unless it is said how much.
  await page.evaluate("history.pushState(null, '', '/admin/payments')");
  await page
    .getByRole('button', { name: `Order ${last.number}` })
    .first()
    .click();
  await dialog.getByLabel('Reason').fill('Never came');
  await dialog.getByRole('button', { name: 'Refund £9.50' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: `Order ${last.number}` }).first()).toContainText('Refunded');
  await expectAccessible(page, 'payments on a phone');
});
