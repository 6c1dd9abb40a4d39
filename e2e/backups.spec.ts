import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Backups } from '#backup/contract.ts';
import { hatch } from '#backup/testing/shop-folder.ts';
import { startTestBucket } from '#platform/testing/bucket.ts';
import { cashBasket } from '#testing/cash-basket.ts';
import { callsTo, type Shop } from '#testing/running-shop.ts';
import { startServer } from '#testing/shop-server.ts';
import { findFaultsInBoth } from './accessible.ts';
import { ticket } from './board.ts';
import { hireOwner, signedIn } from './people.ts';
import { expect, test } from './shop.ts';

test('the owner reads that backups are here only, makes one, and sees that it was restored for a trial', async ({
  shop,
  window,
}) => {
  test.setTimeout(120_000);
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/admin/audit');
  await page.getByRole('button', { name: 'Not this week' }).click();
  const band = page.getByRole('region', { name: 'Your backups are on this computer only' });
  await band.getByRole('link', { name: 'Open Backups' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Backups' })).toBeVisible();
  await expect(page.getByText('No backup yet')).toBeVisible();

  const make = page.getByRole('button', { name: 'Make a copy now' });
  await make.click();
  await expect(page.getByRole('status').filter({ hasText: '…' })).toBeVisible();
  await expect(make).toBeDisabled();
  const copies = page.getByRole('listitem').filter({ hasText: 'MB' });
  await expect(copies).toContainText('Good', { timeout: 90_000 });
  await expect(page.getByText('The last good backup is from')).toBeVisible();
  await expect(make).toBeEnabled();
  expect(await readdir(join(shop.dataDir, 'backups', 'copies'))).toEqual(['000001']);

  // A late backup is worse than a missing second place.
  const late = {
    state: 'late',
    good_at: '2026-11-20T03:00:00.000Z',
    has_second_place: false,
    second_place: null,
    running: null,
    problem: { at: '2026-11-21T03:00:00.000Z', reason: 'no_room', detail: null },
    copies: [
      { number: 2, made_at: '2026-11-21T03:00:00.000Z', bytes: 5e9, state: 'damaged', reason: 'damaged', detail: null },
    ],
  };
  const failing = {
    ...late,
    state: 'good',
    has_second_place: true,
    second_place: { to: '/mnt/disk', state: 'failing', sent_at: null, problem: 'The disk is full.' },
  };
  await page.route('**/v1/backups', (route) => route.fulfill({ json: { data: failing } }));
  await page.goto('/admin/audit');
  await expect(page.getByRole('note').filter({ hasText: 'did not get to the second place' })).toBeVisible();
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
  // The backup program has the lowest priority.
  test.setTimeout(480_000);
  const backups = async (method = 'GET') =>
    (await shop.api(method, '/v1/backups', method === 'POST' ? {} : undefined, shop.adminToken)).body[
      'data'
    ] as Backups;
  const scratch = join(shop.dataDir, 'backups', '.proof');
  await backups('POST');
  await expect
    .poll(() => existsSync(join(scratch, '.restoring', 'postgres')), { intervals: [20], timeout: 200_000 })
    .toBe(true);
  await shop.restart('SIGKILL');
  expect((await shop.api('GET', '/health')).status).toBe(200);
  await backups('POST');
  await expect.poll(async () => (await backups()).running, { timeout: 200_000 }).toBe(null);
  const { copies, problem } = await backups();
  expect(copies.map(({ state, reason }) => [state, reason]).slice(0, 2)).toEqual([
    ['good', null],
    ['unproven', 'interrupted'],
  ]);
  expect([problem, existsSync(scratch)]).toEqual([null, false]);
});

const passphrase = 'seven cold chips on a plate';
const step = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name }) });

test('the printed sheet alone gives a burnt shop back from a disk, and from online storage, and its board gets new orders', async ({
  shop,
  window,
}) => {
  test.setTimeout(360_000);
  const root = await mkdtemp(join(tmpdir(), 'hatch-sheet-'));
  const dataDir = join(root, 'data');
  const dataDirOfBucket = join(root, 'data-of-bucket');
  const storage = await startTestBucket('kitchen-backups');
  try {
    const page = await signedIn(await window(), shop.adminToken);
    await page.goto('/admin/backups');
    await lockBackups(page);
    const second = await hireOwner(shop, 'Bea');
    await tryOtherPassphrase(await signedIn(await window(), second.token));
    await setFolder(page, root);
    await makeCopy(page);
    const sheet = await openSheet(page);
    expect(await runLine(sheet, 'verify', { DATA_DIR: dataDir })).toMatch(/^0 .*Nothing is damaged/s);
    expect(await runLine(sheet, 'restore', { DATA_DIR: dataDir }, dataDir)).toMatch(/^0 .*Every row was checked/s);
    const pictures = { ...storage.environment, S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'pictures' };
    await whileServing({ DATA_DIR: dataDir, ...pictures }, async (url) => {
      await sellAgain(page, shop, url);
      await page.goto(`${url}/admin/backups`);
      await setBucket(page, storage.environment);
      await makeCopy(page);
      const newSheet = await openSheet(page);
      const settings = { ...settingsOn(newSheet, storage.environment), DATA_DIR: root };
      expect(await runLine(newSheet, 'verify', settings)).toMatch(
        /^0 .*Nothing is damaged in s3:\/\/kitchen-backups\/shop/s,
      );
      expect(await runLine(newSheet, 'restore', settings, dataDirOfBucket)).toMatch(/^0 .*Every row was checked/s);
    });
    await whileServing({ DATA_DIR: dataDirOfBucket, ...pictures }, async (url) => {
      const order = await sellAgain(page, shop, url);
      await page.goto(`${url}/store/orders`);
      await expect(ticket(page, order)).toContainText(`#${order.number}`);
      await page.close();
    });
  } finally {
    await storage.close();
    await rm(root, { recursive: true, force: true });
  }
});

/** Sets the passphrase, and confirms the printed sheet after a mistake. */
async function lockBackups(page: Page): Promise<void> {
  await expect(step(page, 'Second place').getByRole('textbox')).toHaveCount(0);
  const typed = step(page, 'Passphrase').getByRole('textbox');
  const lock = page.getByRole('button', { name: 'Lock backups with it' });
  await typed.fill('short');
  await expect(lock).toBeDisabled();
  await page.getByRole('button', { name: 'Suggest one' }).click();
  await expect(typed).toHaveValue(/^(?:[a-z2-9]{4} ){4}[a-z2-9]{4}$/);
  await typed.fill(passphrase);
  await lock.click();
  await expect(step(page, 'Passphrase')).toContainText('Set on');
  const sheet = step(page, 'Recovery sheet');
  await sheet.getByRole('textbox').fill('seven cold chips on the plate');
  await sheet.getByRole('button', { name: 'I have the sheet' }).click();
  await expect(sheet).toContainText('This is not the passphrase of your backups.');
  await sheet.getByRole('textbox').fill(passphrase);
  await sheet.getByRole('button', { name: 'I have the sheet' }).click();
  await expect(sheet).toContainText('Confirmed on');
}

/** Sets another passphrase on the stale page of another owner. */
async function tryOtherPassphrase(page: Page): Promise<void> {
  await page.route('**/v1/backup-place', (route) => route.fulfill({ json: { data: { key: null, place: null } } }));
  await page.goto('/admin/backups');
  await step(page, 'Passphrase').getByRole('textbox').fill('the one that Bea likes');
  await page.getByRole('button', { name: 'Lock backups with it' }).click();
  await expect(step(page, 'Passphrase').getByRole('alert')).toContainText('yours does not count');
  await page.unroute('**/v1/backup-place');
  await page.reload();
  await expect(step(page, 'Passphrase')).toContainText('Set on');
}

async function setFolder(page: Page, root: string): Promise<void> {
  await writeFile(join(root, 'holiday.jpg'), '');
  const place = step(page, 'Second place');
  const save = place.getByRole('button', { name: 'Try it and save' });
  await place.getByLabel('Folder').fill(join(root, 'holiday.jpg', 'hatch'));
  await save.click();
  await expect(place).toContainText('a part of this path is a file');
  await place.getByLabel('Folder').fill(join(root, 'disk'));
  await save.click();
  await expect(place).toContainText('This folder is on the same disk as the shop.');
  await place.getByLabel('Use it all the same').check();
  await save.click();
  await expect(place).toContainText('No backup has been sent there yet.');
}

async function setBucket(page: Page, access: Record<string, string>): Promise<void> {
  const place = step(page, 'Second place');
  const save = place.getByRole('button', { name: 'Try it and save' });
  const fill = (name: string, value = '') => place.getByLabel(name, { exact: true }).fill(value);
  await place.getByRole('button', { name: 'Change' }).click();
  await place.getByText('Online storage', { exact: true }).click();
  await fill('Bucket and folder (S3)', 's3://kitchen-backups/shop');
  await fill('Address of the storage', access['S3_ENDPOINT']);
  await fill('Region', 'eu-west-2');
  await fill('Access key ID', 'pictures');
  await fill('Secret access key', 'mistyped');
  await save.click();
  await expect(place).toContainText('This is the key for your pictures.');
  await fill('Access key ID', access['S3_ACCESS_KEY_ID']);
  await save.click();
  await expect(place).toContainText('does not accept this secret key');
  await fill('Secret access key', access['S3_SECRET_ACCESS_KEY']);
  await save.click();
  await expect(place).toContainText('No backup has been sent there yet.');
}

async function makeCopy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make a copy now' }).click();
  await expect(page.getByRole('status').filter({ hasText: '…' })).toBeVisible();
  await expect(step(page, 'Second place')).toContainText('One backup is there.', { timeout: 90_000 });
}

/** Opens the sheet. Returns the lines to type. */
async function openSheet(page: Page): Promise<string[]> {
  await page.getByRole('link', { name: 'Open the sheet' }).click();
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findFaultsInBoth(page, 'light')).toEqual([]);
  }
  return (await page.locator('pre').allTextContents()).flatMap((text) => text.split('\n'));
}

/** Runs a command of the sheet. Returns its exit code and output. */
async function runLine(
  sheet: readonly string[],
  command: string,
  environment: Record<string, string>,
  dataDir = '/var/lib/hatch',
): Promise<string> {
  const line = sheet.find((each) => each.startsWith(`sudo hatch ${command} `)) ?? '';
  const argv = line.replace('sudo hatch ', '').replace('/var/lib/hatch', dataDir).split(' ');
  const { code, text } = await hatch(argv, environment, passphrase);
  return `${code} ${text}`;
}

/** Returns the settings of the sheet, with the secret that its owner wrote on it. */
function settingsOn(sheet: readonly string[], access: Record<string, string>): Record<string, string> {
  const settings = sheet.flatMap((line) =>
    [...line.matchAll(/^([A-Z0-9_]+)=(.*)$/g)].map(([, name, value]) => [name, value]),
  );
  return { ...Object.fromEntries(settings), BACKUP_S3_SECRET_ACCESS_KEY: access['S3_SECRET_ACCESS_KEY'] };
}

async function whileServing(environment: Record<string, string>, work: (url: string) => Promise<void>): Promise<void> {
  const server = await startServer(() => ({ LOG_LEVEL: 'error', ...environment }), [], []);
  await work(server.url).finally(() => server.end('SIGTERM'));
}

/** Lets a restored shop take orders again. Returns its first order. */
async function sellAgain(page: Page, shop: Shop, url: string): Promise<{ id: string; number: string }> {
  const api = callsTo(url);
  const order = async () =>
    api('POST', '/v1/orders', { ...(await cashBasket({ api, storeId: shop.storeId })), session: randomUUID() });
  await page.goto(`${url}/admin/restored`);
  await expect(page.getByText('The backup is from')).toBeVisible();
  expect((await order()).status).not.toBe(201);
  await page.getByRole('button', { name: 'Take orders again' }).click();
  await expect(page.getByText('It has taken orders again since')).toBeVisible();
  const { status, body } = await order();
  expect(status).toBe(201);
  const { id, number } = body['data'] as { id: string; number: number };
  return { id, number: String(number) };
}
