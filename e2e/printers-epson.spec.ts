import type { Locator, Page } from '@playwright/test';
import { type LanPrinter, startLanPrinter } from '#simulators/printers/lan-printer.ts';
import { createEpsonPrinter, type EpsonPrinter } from '#simulators/printers/epson-printer.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap } from './board.ts';
import { openOffice } from './office.ts';
import { sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

// A busy machine is slow.

const stops: (() => Promise<unknown>)[] = [];
test.afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const step = (page: Page, title: string): Locator => page.getByRole('listitem').filter({ hasText: title });
const withNumber = (printer: EpsonPrinter | LanPrinter, { number }: { number: string }) =>
  printer.papers.filter(({ text }) => text.includes(`#${number}`));

test('an owner connects an Epson printer by Server Direct Print; it prints, runs out of paper, rings, and goes on once it is refilled', async ({
  shop,
  window,
}) => {
  const office = await openOffice(shop, await window(), '/admin/printers');
  await office.getByRole('link', { name: 'Add a printer' }).click();
  await office.getByRole('button', { name: 'Choose: Epson with Server Direct Print' }).click();
  await office.getByLabel('Name').fill('Pass');
  await office.getByRole('button', { name: 'Add a printer' }).click();
  await expect(step(office, 'Wait for the printer to connect')).toContainText('Waiting for the printer');
  await expectAccessible(office, 'an Epson printer that is not connected');
  const typed = (label: string) => office.getByLabel(label, { exact: true }).inputValue();
  const printer = createEpsonPrinter({
    pollUrl: await typed('Server address (URL)'),
    username: await typed('ID'),
    secret: await typed('Secret (password)'),
    pollInterval: 1,
    signsInByForm: true,
  });
  stops.push(printer.stop);
  printer.start();
  await expect(step(office, 'Wait for the printer to connect')).toContainText('The printer is connected.');
  await office.getByRole('button', { name: 'Print test page' }).click();
  await expect(step(office, 'Print the test page')).toContainText('The printer says that it printed');
  expect(printer.papers.map(({ text }) => text).join()).toContain('TEST PAGE');

  const board = await openBoard(shop, await window());
  const first = await sendOrder(shop);
  await tap(board, first, /^Accept/);
  await expect.poll(() => withNumber(printer, first).length).toBe(1);

  printer.runOutOfPaper();
  await expect(board.getByText('Pass: The printer is out of paper.')).toBeVisible();
  await expect(board.locator('[data-alarm="ringing"]')).toBeVisible();
  await board.getByRole('button', { name: /Heard it/ }).click();
  const second = await sendOrder(shop);
  await tap(board, second, /^Accept/);
  // Without a backup the board shows the receipt.
  await expect(board.locator('[data-unprinted]')).toContainText('1 receipt did not come out');

  printer.refill();
  await expect(board.getByText('Pass: The printer is out of paper.')).toHaveCount(0);
  await expect.poll(() => withNumber(printer, second).length).toBe(1);
  expect(withNumber(printer, second)[0]?.text).not.toContain('POSSIBLE DUPLICATE');
  await expect(board.locator('[data-unprinted]')).toHaveCount(0);
  await office.goto('/admin/printers');
  await office.getByRole('tab', { name: 'Recent prints' }).click();
  await expect(office.getByRole('row').filter({ hasText: 'Kitchen receipt' })).toHaveText([
    new RegExp(`#${second.number}, Kitchen receipt.*Pass.*Printed at`),
    new RegExp(`#${first.number}, Kitchen receipt.*Pass.*Printed at`),
  ]);
});

test("an owner connects an Epson printer to the board's browser; it prints, its cover is opened, and it goes on once that is closed", async ({
  shop,
  window,
}) => {
  const { body } = await shop.api('GET', '/v1/printers', undefined, shop.adminToken);
  for (const { id } of body['data'] as { id: string }[]) {
    await shop.api('DELETE', `/v1/printers/${id}`, undefined, shop.adminToken);
  }
  const printer = await startLanPrinter('epos');
  stops.push(printer.close);
  const office = await openOffice(shop, await window(), '/admin/printers?add');
  await office.getByRole('button', { name: 'Choose: Network printer, from the board’s browser' }).click();
  await office.getByLabel('Name').fill('Counter');
  await office.getByLabel('Printer’s address').fill(printer.address);
  await office.getByRole('button', { name: 'Add a printer' }).click();
  await expect(office.getByRole('heading', { level: 1, name: 'Counter' })).toBeVisible();
  await step(office, 'Connect to it from this browser').getByRole('button', { name: 'Try it' }).click();
  await expect(step(office, 'Connect to it from this browser')).toContainText(
    'This browser can connect to the printer.',
  );
  await expectAccessible(office, "a printer of the board's browser");

  const board = await openBoard(shop, await window());
  await office.getByRole('button', { name: 'Print test page' }).click();
  await expect(step(office, 'Print the test page')).toContainText('The printer says that it printed');
  expect(printer.papers.map(({ text }) => text).join()).toContain('TEST PAGE');
  const first = await sendOrder(shop);
  await tap(board, first, /^Accept/);
  await expect.poll(() => withNumber(printer, first).length).toBe(1);

  printer.openCover();
  await expect(board.getByText("Counter: The printer's cover is open.")).toBeVisible();
  await expect(board.locator('[data-alarm="ringing"]')).toBeVisible();
  const second = await sendOrder(shop);
  await tap(board, second, /^Accept/);
  await expect(board.locator('[data-unprinted]')).toContainText('1 receipt did not come out');
  printer.closeCover();
  await expect(board.getByText(/cover is open/)).toHaveCount(0);
  await expect.poll(() => withNumber(printer, second).length).toBe(1);
  expect(withNumber(printer, second)[0]?.text).not.toContain('POSSIBLE DUPLICATE');
});
