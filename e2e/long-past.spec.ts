import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { connectTo, onDatabaseOf } from '#testing/shop-database.ts';
import { expectAccessible } from './accessible.ts';
import { downloadTable } from './office.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { register, signedIn } from './people.ts';
import { expect as expectAtOnce, test } from './shop.ts';

// A busy machine is slow; nothing here is measured.
const expect = expectAtOnce.configure({ timeout: 30_000 });

/** Whoever reads this table waits, as in a shop with a very long past, until the returned function is called. */
async function holdTable(shop: Shop, table: string): Promise<() => Promise<void>> {
  const client = await connectTo(shop.dataDir);
  // Its database may be stopped meanwhile.
  client.on('error', () => {});
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
}

async function openReports(shop: Shop, page: Page): Promise<Page> {
  await signedIn(page, shop.adminToken);
  await page.goto('/admin/reports?range=this_week');
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeVisible();
  return page;
}

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByRole('menuitem', { name: 'Orders and refunds' }).click();
}

test('a table that takes long says how far it is, can be stopped, and is not lost by going to another page', async ({
  shop,
  window,
}) => {
  const order = await sendOrder(shop, { quantity: 1 });
  await moveOrder(shop, order, 'accept', { minutes: 20 });
  await moveOrder(shop, order, 'collected-by-customer');
  const phone = { viewport: { width: 390, height: 844 }, acceptDownloads: true };
  const page = await openReports(shop, await window(phone));
  const panel = page.getByRole('region', { name: 'Getting your table' });

  const letGo = await holdTable(shop, 'refunds');
  await begin(page);
  await expect(panel).toContainText('Starting…');
  await expect(panel.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Stopped. Nothing was saved.')).toBeVisible();
  await expect(panel).toBeHidden();

  await begin(page);
  await expect(panel).toBeVisible();
  await page.evaluate("history.pushState(null, '', '/admin/customers')");
  await expect(page.getByRole('heading', { name: 'Customers', exact: true })).toBeVisible();
  await page.goBack();
  await expect(panel).toBeVisible();
  const downloading = page.waitForEvent('download');
  await letGo();
  expect((await downloading).suggestedFilename()).toMatch(/-orders-.*\.csv$/);
  await expect(page.getByText('Saved a table with 1 row.')).toBeVisible();
  await expect(panel).toBeHidden();
  expect(await downloadTable(page, 'Orders and refunds')).toHaveLength(1);
});

test('a table that breaks off is not saved, and is fetched again', async ({ shop, window }) => {
  const page = await openReports(shop, await window({ acceptDownloads: true }));
  const letGo = await holdTable(shop, 'refunds');
  await begin(page);
  await expect(page.getByRole('region', { name: 'Getting your table' })).toContainText('Starting…');
  await shop.restart('SIGKILL');
  await expect(page.getByText('The table did not arrive. Nothing was saved.')).toBeVisible();
  await letGo();
  const downloading = page.waitForEvent('download');
  // The page behind the notice may have been refused something by the shop that was away, and offers the same.
  await page.locator('[data-action]', { hasText: 'Try again' }).click();
  await downloading;
});

test('a search that is stopped after four seconds says what to do', async ({ shop, window }) => {
  await register(shop, 'Ada Byron');
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/customers');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  const letGo = await holdTable(shop, 'customer_sums');
  await page.getByRole('searchbox', { name: 'Search' }).fill('byron');
  await expect(page.getByRole('alert')).toContainText('This took too long and was stopped');
  await expectAccessible(page);
  await letGo();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a list longer than is counted says 10,000+ and goes on; a letter or two are searched among the last days', async ({
  shop,
  window,
}) => {
  await onDatabaseOf(shop.dataDir, (client) =>
    client.query(`
      insert into audit_log (id, at, actor, role, action, detail, request_id)
      select gen_random_uuid(), now() - i * interval '2 minutes', 'Sam', 'store_admin', 'POST /v1/orders/{id}/cancel',
        '{"reason":"Rang to cancel"}', 'req-' || i
      from generate_series(1, 10040) as i`),
  );
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/audit?search=rang&page=200');
  await expect(page.getByText('10,000+ entries')).toBeVisible();
  await page.getByRole('button', { name: 'Page 201', exact: true }).click();
  await expect(page).toHaveURL(/page=201/);
  await expect(page.getByRole('row')).toHaveCount(41);
  await page.getByRole('searchbox', { name: 'Search' }).fill('ra');
  await expect(page.getByText('Only the last 7 days were searched.')).toBeVisible();
  await expectAccessible(page);
});
