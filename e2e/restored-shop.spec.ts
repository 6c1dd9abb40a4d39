import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCopySource } from '#backup/server/copy-source.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { restoreCopy } from '#backup/server/restore-copy.ts';
import { connect } from '#database/connect.ts';
import { startLocalStripe } from '#simulators/stripe/local-stripe.ts';
import { cashBasket } from '#testing/cash-basket.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { databaseUrlOf } from '#testing/shop-database.ts';
import { startServer } from '#testing/shop-server.ts';
import { findFaultsInBoth } from './accessible.ts';
import { rightsBut } from './card-shop.ts';
import { signedIn } from './people.ts';
import { expect, test } from './shop.ts';

const quiet = { info() {}, warn() {}, error() {} };

async function copy(shop: Shop, folder: string): Promise<void> {
  const database = await databaseUrlOf(shop.dataDir);
  const { db, close } = connect(database, () => undefined);
  const source = { config: { dataDir: shop.dataDir }, db, database, now: () => new Date() };
  await makeCopy(await readCopySource(source, '1.0.0'), folder).finally(close);
}

/** Places an order by card, pays it on Stripe's page, and accepts it. */
async function sell(shop: Shop, { control }: Awaited<ReturnType<typeof startLocalStripe>>): Promise<void> {
  const body = { ...(await cashBasket(shop)), payment_method: 'card', session: randomUUID() };
  const placed = await shop.api('POST', '/v1/orders', body);
  const { id } = placed.body['data'] as { id: string };
  const [session = ''] = [...control.books().tables['checkout.session'].keys()].slice(-1);
  control.pay(session);
  await control.webhooks.settled();
  await expect
    .poll(() => shop.api('POST', `/v1/orders/${id}/accept`, {}, shop.adminToken).then(({ status }) => status), {
      timeout: 20_000,
    })
    .toBe(200);
  await expect.poll(() => [...control.books().tables.charge.values()].at(-1)?.captured, { timeout: 20_000 }).toBe(true);
}

test('the owner of a burnt shop sees a payment without its order, gives it back, and sells again', async ({
  window,
}) => {
  test.setTimeout(180_000);
  const place = await mkdtemp(join(tmpdir(), 'hatch-burnt-'));
  const stripe = await startLocalStripe();
  const settings = { STRIPE_API_BASE: stripe.origin };
  const shop = await openShop(settings);
  const key = stripe.control.keys.create({ rights: rightsBut() });
  await shop.api('POST', '/v1/payments/setup', { secret_key: key }, shop.adminToken);
  await shop.api('POST', '/v1/orders', { ...(await cashBasket(shop)), session: randomUUID() });
  await copy(shop, join(place, 'copies'));
  await sell(shop, stripe);
  await shop.close();
  const dataDir = join(place, 'data');
  const from = join(place, 'copies');
  await restoreCopy({ from, dataDir, until: null, secretsKey: undefined, hatch: '1.0.0', log: quiet });
  const server = await startServer(() => ({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings }), [], []);
  try {
    const page = await signedIn(await window(), shop.adminToken);
    await page.goto(`${server.url}/admin/audit`);
    const band = page.getByRole('alert').filter({ hasText: 'This shop was restored from a backup' });
    await band.getByRole('link', { name: 'Open' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Restored shop' })).toBeVisible();
    await expect(band).toHaveCount(0);
    const since = page.locator('[data-since-copy]');
    const refund = since.getByRole('button', { name: /^Refund £/ });
    await expect(refund).toBeVisible({ timeout: 15_000 });
    await expect(since).toContainText('This payment has no order here.');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    expect(await findFaultsInBoth(page, 'light')).toEqual([]);
    await refund.click();
    await expect(since.getByText('Refunded', { exact: true })).toBeVisible();
    expect(stripe.control.books().tables.refund.size).toBe(1);
    const board = await signedIn(await window(), shop.adminToken);
    await board.goto(`${server.url}/store/orders`);
    // The deadline of the answer passes.
    await server.wait(30);
    await expect(board.locator('[data-ready]')).toBeVisible();
    await expect(board.getByText(/new order/).first()).toBeVisible();
    await expect(board.getByText('will be lost within a minute')).toHaveCount(0);
    await page.getByRole('button', { name: 'Take orders again' }).click();
    await expect(page.getByText('It has taken orders again since')).toBeVisible();
    await expect(since.getByText('Refunded', { exact: true })).toBeVisible();
    // Open sockets would log errors when the server ends.
    await Promise.all([page.close(), board.close()]);
  } finally {
    await server.end('SIGTERM');
    await stripe.close();
    await rm(place, { recursive: true, force: true });
    await shop.stop();
  }
});
