import type { Page } from '@playwright/test';
import { formatMoney } from '#platform/money.ts';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { downloadTable, figure } from './office.ts';
import { moveOrder, type Placed, sendOrder } from './orders.ts';
import { register, signedIn } from './people.ts';
import { expect, test } from './shop.ts';

const say = (amount: number) => formatMoney(amount, 'GBP', 'en-GB');

async function sell(shop: Shop, quantity: number): Promise<Placed> {
  const order = await sendOrder(shop, { quantity });
  await moveOrder(shop, order, 'accept', { minutes: 20 });
  await moveOrder(shop, order, 'collected-by-customer');
  return order;
}

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

test("the owner refunds an order, reads the week's report, and downloads it as a table", async ({ shop, window }) => {
  const [first, second, third] = [await sell(shop, 3), await sell(shop, 1), await sell(shop, 2)];
  const rejected = await sendOrder(shop);
  await moveOrder(shop, rejected, 'reject', { reason: 'too_busy' });
  const [line] = first.lines;
  const each = line?.unit_price ?? 0;
  const wide = { viewport: { width: 1280, height: 900 }, acceptDownloads: true };
  const page = await signedIn(await window(wide), shop.adminToken);

  await page.goto('/admin/payments');
  await page.getByRole('button', { name: `Order ${first.number}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Some of the lines' }).check();
  await dialog.getByLabel(`How many of ${line?.name} to refund`).selectOption('2');
  await dialog.getByLabel('Reason').fill('Two were cold');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: `Refund ${say(2 * each)}` }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: `Order ${first.number}` })).toContainText('Partly refunded');

  await page.getByRole('button', { name: `Order ${second.number}` }).click();
  await dialog.getByLabel('Reason').fill('Never came');
  await dialog.getByRole('button', { name: `Refund ${say(second.total)}` }).click();
  await expect(page.getByRole('row', { name: `Order ${second.number}` })).toContainText('Refunded');
  await expectAccessible(page);

  await page.goto('/admin/reports?range=this_week');
  const gross = first.total + second.total + third.total;
  const refunded = 2 * each + second.total;
  await expect(figure(page, 'Takings')).toHaveText(say(gross));
  await expect(figure(page, 'Orders')).toHaveText('3');
  await expect(figure(page, 'Average order')).toHaveText(say(Math.round(gross / 3)));
  await expect(figure(page, 'Refunds')).toHaveText(say(refunded));
  await expect(figure(page, 'After refunds')).toHaveText(say(gross - refunded));
  await expect(page.getByRole('row', { name: line?.name ?? '' })).toContainText('6');
  await expect(page.getByRole('row', { name: 'Rejected: Too busy' })).toContainText(say(rejected.total));
  await expectBars(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectBars(page);
  await page.emulateMedia({ media: 'print' });
  await expectBars(page);
  await page.emulateMedia({ media: null, colorScheme: null });
  await expectAccessible(page);

  const data = await downloadTable(page, 'Orders and refunds');
  expect(data.map(({ type }) => type).toSorted()).toEqual(['refund', 'refund', 'sale', 'sale', 'sale']);
  const pence = data.map((row) => Math.round(Number(row['total']) * 100));
  expect(pence.reduce((sum, one) => sum + one, 0)).toBe(gross - refunded);
});

test('the figures follow the orders, and the days are in the address', async ({ shop, window }) => {
  await sell(shop, 1);
  const page = await signedIn(await window({ viewport: { width: 390, height: 844 } }), shop.adminToken);
  await page.goto('/admin/reports');
  await expect(figure(page, 'Orders')).toBeVisible();
  const before = Number(await figure(page, 'Orders').textContent());
  await sell(shop, 1);
  await expect(figure(page, 'Orders')).toHaveText(String(before + 1));
  await page.getByLabel('Days', { exact: true }).selectOption('last_week');
  await expect(page).toHaveURL(/range=last_week/);
  await expect(page.getByText('No orders on these days')).toBeVisible();
  await page.goBack();
  await expect(figure(page, 'Orders')).toHaveText(String(before + 1));
  await expectAccessible(page);
});

test('only the owner can open or read the reports', async ({ shop, window }) => {
  const person = await register(shop, 'Cara');
  const page = await signedIn(await window(), person.token);
  for (const path of ['/admin/reports', '/admin/payments']) {
    await page.goto(path);
    await expect(page).toHaveURL(shop.url + '/');
  }
  const range = `store_id=${shop.storeId}&start_date=2026-01-01&end_date=2026-01-02`;
  for (const path of [
    `/v1/reports/sales?${range}`,
    `/v1/reports/sales/export?rows=vat&${range}`,
    '/v1/payments',
    '/v1/refunds',
  ]) {
    expect((await shop.api('GET', path, undefined, person.token)).status).toBe(403);
    expect((await shop.api('GET', path)).status).toBe(401);
  }
});
