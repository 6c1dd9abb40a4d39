import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { connectTo, onDatabaseOf } from '#testing/shop-database.ts';
import { expectAccessible } from './accessible.ts';
import { downloadTable, openOffice } from './office.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { register } from './people.ts';
import { expect, test } from './shop.ts';

// A busy machine is slow; nothing here is measured.

/** Whoever reads this table waits, as in a shop with a very long past, until the returned function is called. */
async function holdTable(shop: Shop, table: string): Promise<() => Promise<void>> {
  const client = await connectTo(shop.dataDir);
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
}

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByRole('menuitem', { name: 'Orders and refunds' }).click();
}

/** Ends the connection of whoever waits for a held table, as a database that goes away does. */
async function cutOff(shop: Shop): Promise<void> {
  await onDatabaseOf(shop.dataDir, async (client) => {
    // The view of activity cuts a long statement, and may not show the table's name.
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks where relation = 'refunds'::regclass and not granted`,
    );
  });
}

test('the office of a shop with a long past: its tables, searches and lists say how far they are, and what to do', async ({
  shop,
  window,
}) => {
  const order = await sendOrder(shop, { quantity: 1 });
  await moveOrder(shop, order, 'accept', { minutes: 20 });
  await moveOrder(shop, order, 'collected-by-customer');
  await register(shop, 'Ada Byron');
  const phone = { viewport: { width: 390, height: 844 }, acceptDownloads: true };
  const page = await openOffice(shop, await window(phone), '/admin/reports?range=this_week');
  const panel = page.getByRole('region', { name: 'Getting your table' });
  const go = (address: string) => page.evaluate(`history.pushState(null, '', '${address}')`);

  await test.step('a table that takes long says how far it is, and can be stopped', async () => {
    const unfreeze = await holdTable(shop, 'refunds');
    await begin(page);
    await expect(panel).toContainText('Starting…');
    await expect(panel.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0');
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByText('Stopped. Nothing was saved.')).toBeVisible();
    await expect(panel).toBeHidden();
    await unfreeze();
  });

  await page.setViewportSize({ width: 1280, height: 800 });
  await test.step('one that breaks off is not saved, and is fetched again, also while another page is open', async () => {
    const unfreeze = await holdTable(shop, 'refunds');
    // Its heads arrive at once: only after them does a table break off.
    const begun = page.waitForResponse(/\/reports\/sales\/export/);
    await begin(page);
    await begun;
    await expect(panel).toContainText('Starting…');
    // The shop's own work may wait for the table too, and before the export does.
    const brokenOff = page.getByText('The table did not arrive. Nothing was saved.');
    await expect.poll(() => cutOff(shop).then(() => brokenOff.isVisible())).toBe(true);
    await page.locator('[data-action]', { hasText: 'Try again' }).click();
    await expect(panel).toBeVisible();
    await go('/admin/customers');
    await expect(page.getByRole('heading', { name: 'Customers', exact: true })).toBeVisible();
    await page.goBack();
    await expect(panel).toBeVisible();
    const downloading = page.waitForEvent('download');
    await unfreeze();
    expect((await downloading).suggestedFilename()).toMatch(/-orders-.*\.csv$/);
    await expect(page.getByText('Saved a table with 1 row.')).toBeVisible();
    await expect(panel).toBeHidden();
    expect(await downloadTable(page, 'Orders and refunds')).toHaveLength(1);
  });

  await test.step('a search that is stopped after four seconds says what to do', async () => {
    await go('/admin/customers');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await expect(search).toBeVisible();
    const unfreeze = await holdTable(shop, 'customer_sums');
    await search.fill('byron');
    await expect(page.getByRole('alert')).toContainText('This took too long and was stopped');
    await expectAccessible(page);
    await unfreeze();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('alert')).toBeHidden();
  });

  await test.step('a list longer than is counted says 10,000+; a letter or two are searched among the last days', async () => {
    await onDatabaseOf(shop.dataDir, (client) =>
      client.query(`
        insert into audit_log (id, at, actor, role, action, detail, request_id)
        select gen_random_uuid(), now() - i * interval '2 minutes', 'Sam', 'store_admin', 'POST /v1/orders/{id}/cancel',
          '{"reason":"Rang to cancel"}', 'req-' || i
        from generate_series(1, 10040) as i`),
    );
    await go('/admin/audit?search=rang&page=200');
    await expect(page.getByText('10,000+ entries')).toBeVisible();
    await page.getByRole('button', { name: 'Page 201', exact: true }).click();
    await expect(page).toHaveURL(/page=201/);
    await expect(page.getByRole('row')).toHaveCount(41);
    await page.getByRole('searchbox', { name: 'Search' }).fill('ra');
    await expect(page.getByText('Only the last 7 days were searched.')).toBeVisible();
    await expectAccessible(page);
  });
});
