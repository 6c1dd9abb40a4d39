import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { type LanPrinter, startLanPrinter } from '#simulators/printers/lan-printer.ts';
import type { Shop } from '#testing/running-shop.ts';
import { browserArgs } from '../playwright.config.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap } from './board.ts';
import { sendOrder } from './orders.ts';
import { expect, test as base } from './shop.ts';

// A busy machine is slow.

// A Chromium without windows has no permissions.
const executablePath = process.env['WHOLE_CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const pem = (name: string) => readFileSync(new URL(`../src/push/testing/${name}.pem`, import.meta.url));

/** The shop by https, as it is reached on the internet. */
async function startFront(shop: Shop): Promise<{ origin: string; host: string; stop(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer({ key: pem('key'), cert: pem('certificate') }, (near) => {
    const far = connect({ host: 'localhost', port: Number(new URL(shop.url).port) });
    for (const side of [near, far]) {
      open.add(side);
      side.on('error', () => {});
      side.on('close', () => {
        open.delete(side);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    origin: `https://${host}`,
    stop: () =>
      new Promise((resolve) => {
        for (const side of open) side.destroy();
        server.close(() => resolve());
      }),
  };
}

interface Distant {
  device: LanPrinter;
  page: Page;
  context: BrowserContext;
  /** The browser's user answers its question, or changes the site's settings. */
  answer(setting: 'granted' | 'denied'): Promise<void>;
}

/** A browser for which the shop is on the internet, and the only printer, of the board's browser, in the local network. */
const test = base.extend<{ distant: Distant }>({
  distant: async ({ shop }, use) => {
    const device = await startLanPrinter('epos');
    const front = await startFront(shop);
    const port = device.address.split(':').at(-1) ?? '';
    await onlyPrinter(shop, `printer.test:${port}`);
    const browser = await chromium.launch({
      executablePath,
      args: [
        ...browserArgs,
        '--host-resolver-rules=MAP printer.test 127.0.0.1',
        // It goes by the address of the other end, so names and `localhost` would mean nothing here.
        `--ip-address-space-overrides=${front.host}=public,127.0.0.1:${port}=local`,
      ],
    });
    const context = await browser.newContext({
      baseURL: front.origin,
      ignoreHTTPSErrors: true,
      serviceWorkers: 'block',
      locale: 'en-GB',
      timezoneId: 'Europe/London',
    });
    const page = await context.newPage();
    await use({
      device,
      page,
      context,
      answer: async (setting) =>
        // To grant nothing is to refuse everything.
        context.grantPermissions(setting === 'granted' ? ['local-network-access'] : [], { origin: front.origin }),
    });
    await browser.close();
    await front.stop();
    await device.close();
  },
});

async function onlyPrinter(shop: Shop, address: string): Promise<void> {
  const { body } = await shop.api('GET', '/v1/printers', undefined, shop.adminToken);
  for (const { id } of body['data'] as { id: string }[]) {
    await shop.api('DELETE', `/v1/printers/${id}`, undefined, shop.adminToken);
  }
  const kind = { kind: 'browser', profile: 'epson-tm-m30', width_mm: 80 };
  const printer = { store_id: shop.storeId, name: 'Pass', address, ...kind };
  expect((await shop.api('POST', '/v1/printers', printer, shop.adminToken)).status).toBe(201);
}

const papersOf = (device: LanPrinter, { number }: { number: string }) =>
  device.papers.filter(({ text }) => text.includes(`#${number}`));
const banner = (board: Page, why: string) => board.locator(`[data-lan="${why}"]`);

test('a board on a secure page whose browser was allowed prints on a printer of the local network', async ({
  shop,
  distant,
}) => {
  const { device, page, answer } = distant;
  await answer('granted');
  const board = await openBoard(shop, page, { path: '/kitchen' });
  const order = await sendOrder(shop);
  await tap(board, order, /^Accept/);
  await expect.poll(() => papersOf(device, order).length).toBe(1);
  await expect(board.locator('[data-lan]')).toHaveCount(0);
});

test('a browser that was refused lets nothing out: the board says how to allow it, and prints as soon as it is allowed', async ({
  shop,
  distant,
}) => {
  const { device, page, answer } = distant;
  await answer('denied');
  const board = await openBoard(shop, page, { path: '/kitchen' });
  await expect(banner(board, 'refused')).toContainText('allow “Local network access”');
  await expectAccessible(board, 'a board whose browser was refused');
  const order = await sendOrder(shop);
  await tap(board, order, /^Accept/);
  await board.getByRole('button', { name: 'Try again' }).click();
  await expect(board.locator('[data-unprinted]')).toContainText('1 receipt did not come out');
  expect(device.asked, 'the browser lets nothing out').toBe(0);
  await answer('granted');
  await board.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => papersOf(device, order).length).toBe(1);
  await expect(banner(board, 'refused')).toHaveCount(0);
});

test('a browser that has not been asked is explained first, and prints once its user allows it', async ({
  shop,
  distant,
}) => {
  const { device, page, answer } = distant;
  const board = await openBoard(shop, page, { path: '/kitchen' });
  await expect(banner(board, 'prompt')).toContainText('This browser needs permission');
  await board.getByRole('button', { name: 'Allow', exact: true }).click();
  const order = await sendOrder(shop);
  await tap(board, order, /^Accept/);
  expect(device.asked, 'the browser waits for its user').toBe(0);
  await answer('granted');
  await expect.poll(() => papersOf(device, order).length).toBe(1);
  await expect(banner(board, 'prompt')).toHaveCount(0);
});

test('a browser without that permission says which browsers have it', async ({ shop, distant }) => {
  const { device, page, answer } = distant;
  // As Firefox and Safari: they do not know its name, and let nothing out to such an address.
  await page.addInitScript(`
    const query = navigator.permissions.query.bind(navigator.permissions);
    navigator.permissions.query = (wanted) =>
      /network/.test(wanted.name) ? Promise.reject(new TypeError('unknown name')) : query(wanted);`);
  await answer('denied');
  const board = await openBoard(shop, page, { path: '/kitchen' });
  await expect(banner(board, 'lacking')).toContainText('Use Chrome or Edge');
  expect(device.asked).toBe(0);
});
