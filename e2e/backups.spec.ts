import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backups } from '#backup/contract.ts';
import { findFaultsInBoth } from './accessible.ts';
import { signedIn } from './people.ts';
import { expect, test } from './shop.ts';

test('the owner reads that backups are here only, makes one, and sees that it was restored for a trial', async ({
  shop,
  window,
}) => {
  test.setTimeout(120_000);
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/audit');
  const band = page.getByRole('note').filter({ hasText: 'Your backups are on this computer only' });
  await band.getByRole('link', { name: 'Open Backups' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Backups' })).toBeVisible();
  await expect(page.getByText('No backup yet')).toBeVisible();

  const make = page.getByRole('button', { name: 'Make a copy now' });
  await make.click();
  await expect(page.getByRole('status')).toContainText('…');
  await expect(make).toBeDisabled();
  const copies = page.getByRole('listitem').filter({ hasText: 'MB' });
  await expect(copies).toContainText('Good', { timeout: 90_000 });
  await expect(page.getByText('The last good backup is from')).toBeVisible();
  await expect(make).toBeEnabled();
  expect(await readdir(join(shop.dataDir, 'backups', 'copies'))).toEqual(['000001']);

  // A late one is worse than a missing second place.
  const late = {
    state: 'late',
    good_at: '2026-11-20T03:00:00.000Z',
    has_second_place: false,
    running: null,
    problem: { at: '2026-11-21T03:00:00.000Z', reason: 'no_room', detail: null },
    copies: [
      { number: 2, made_at: '2026-11-21T03:00:00.000Z', bytes: 5e9, state: 'damaged', reason: 'damaged', detail: null },
    ],
  };
  await page.route('**/v1/backups', (route) => route.fulfill({ json: { data: late } }));
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/admin/audit');
    await expect(page.getByRole('alert').filter({ hasText: 'No good backup since 20 November 2026' })).toBeVisible();
    await page.goto('/admin/backups');
    await expect(page.getByText('does not give your shop back')).toBeVisible();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  }
  expect(await findFaultsInBoth(page, 'light')).toEqual([]);
});

test('a page that cannot read the backups says so, and reads them again', async ({ shop, window }) => {
  const page = await signedIn(await window(), shop.adminToken);
  await page.route('**/v1/backups', (route) => route.abort());
  await page.goto('/admin/backups');
  await expect(page.getByRole('alert').getByRole('button')).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/v1/backups');
  await page.getByRole('alert').getByRole('button').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Backups' })).toBeVisible();
});

test('a shop that is killed while it tries a backup out sells again, and makes the next one', async ({ shop }) => {
  test.setTimeout(120_000);
  const backups = async (method = 'GET') =>
    (await shop.api(method, '/v1/backups', method === 'POST' ? {} : undefined, shop.adminToken)).body[
      'data'
    ] as Backups;
  const scratch = join(shop.dataDir, 'backups', '.proof');
  await backups('POST');
  await expect
    .poll(() => existsSync(join(scratch, '.restoring', 'postgres')), { intervals: [20], timeout: 60_000 })
    .toBe(true);
  await shop.restart('SIGKILL');
  expect((await shop.api('GET', '/health')).status).toBe(200);
  await backups('POST');
  await expect.poll(async () => (await backups()).running, { timeout: 90_000 }).toBe(null);
  const { copies, problem } = await backups();
  expect(copies.map(({ state, reason }) => [state, reason]).slice(0, 2)).toEqual([
    ['good', null],
    ['unproven', 'interrupted'],
  ]);
  expect([problem, existsSync(scratch)]).toEqual([null, false]);
});
