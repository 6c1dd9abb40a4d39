import type { Locator, Page } from '@playwright/test';
import { type LanPrinter, startLanPrinter } from '#printing/testing/browser-printers/lan-printer.ts';
import { createEpsonPrinter, type EpsonPrinter } from '#printing/testing/printers/epson-printer.ts';
import { startEscPosPrinter } from '#printing/testing/printers/escpos-wire.ts';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap } from './board.ts';
import { openOffice } from './office.ts';
import { sendOrder } from './orders.ts';
import { expect as expectAtOnce, test } from './shop.ts';

// A busy machine is slow.
test.setTimeout(240_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });

const stops: (() => Promise<unknown>)[] = [];
test.afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const step = (page: Page, title: string): Locator => page.getByRole('listitem').filter({ hasText: title });
const withNumber = (printer: EpsonPrinter | LanPrinter, { number }: { number: string }) =>
  printer.papers.filter(({ text }) => text.includes(`#${number}`));

async function removePrinters(shop: Shop): Promise<void> {
  const { body } = await shop.api('GET', '/v1/printers', undefined, shop.adminToken);
  for (const { id } of body['data'] as { id: string }[]) {
    await shop.api('DELETE', `/v1/printers/${id}`, undefined, shop.adminToken);
  }
}

test('an owner connects an Epson printer by Server Direct Print, one by its address, and one to the boards’ browsers; each prints', async ({
  shop,
  window,
}) => {
  const office = await openOffice(shop, await window(), '/admin/printers');
  const board = await openBoard(shop, await window());

  await test.step('by Server Direct Print: it runs out of paper, rings, and goes on once it is refilled', async () => {
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

    const first = await sendOrder(shop);
    await tap(board, first, /^Accept/);
    await expect.poll(() => withNumber(printer, first).length).toBe(1);

    printer.runOutOfPaper();
    await expectAtOnce(board.getByText('Pass: The printer is out of paper.')).toBeVisible({ timeout: 15_000 });
    await expectAtOnce(board.locator('[data-alarm="ringing"]')).toBeVisible({ timeout: 15_000 });
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
    await office.getByRole('link', { name: 'All printers' }).click();
    await office.getByRole('tab', { name: 'Recent prints' }).click();
    await expect(office.getByRole('row').filter({ hasText: 'Kitchen receipt' })).toHaveText([
      new RegExp(`#${second.number}, Kitchen receipt.*Pass.*Printed at`),
      new RegExp(`#${first.number}, Kitchen receipt.*Pass.*Printed at`),
    ]);
  });

  await test.step('by its address: the test page has wrong letters, and the right tables are chosen by looking', async () => {
    await removePrinters(shop);
    // Its tables have other numbers than those of the model that its owner will choose.
    const printer = await startEscPosPrinter({ brand: 'Citizen' });
    stops.push(() => printer.stop());
    await office.goto('/admin/printers?add');
    await office.getByRole('button', { name: 'Choose: Network printer, by its address' }).click();
    await office.getByLabel('Name').fill('Pass');
    await office.getByLabel('Model').selectOption('xprinter-80');
    await expect(office.getByText(/hold the FEED button/)).toBeVisible();
    await office.getByLabel('Printer’s address').fill('192.168.1.40');
    await office.getByRole('button', { name: 'Add a printer' }).click();
    await expect(office.getByText(/on the server’s own network/).first()).toBeVisible();
    await office.getByLabel('Printer’s address').fill(`127.0.0.1:${printer.port}`);
    await office.getByRole('button', { name: 'Add a printer' }).click();
    await expect(office.getByRole('heading', { level: 1, name: 'Pass' })).toBeVisible();
    await office.getByRole('button', { name: 'Print test page' }).click();
    await expect(step(office, 'Print the test page')).toContainText('The printer says that it printed');

    // What an owner does with the paper in hand.
    const page = printer.papers.at(-1)?.text ?? '';
    expect(page).not.toContain('Łódź');
    const [, latin = ''] = /(\d+B) £ é/.exec(page) ?? [];
    const [, polish = ''] = /(\d+C) ł/.exec(page) ?? [];
    expect([latin, polish]).toEqual(['16B', '6C']);
    await step(office, 'Check the letters').getByRole('button', { name: 'They are wrong' }).click();
    await office.getByLabel('Name beside a correct £ é').selectOption(latin);
    await office.getByLabel('Name beside a correct ł, if there is one').selectOption(polish);
    await expectAccessible(office, 'choosing a printer’s tables');
    await office.getByRole('button', { name: 'Use these, and print again' }).click();
    await expect(step(office, 'Check the letters')).toContainText('Chosen from the test page: 16B, 6C.');
    await expect.poll(() => printer.papers.length).toBe(2);
    const order = await sendOrder(shop, { allergy_note: 'Łódź, £5 crème' });
    await tap(board, order, /^Accept/);
    await expect.poll(() => printer.papers.length).toBe(3);
    expect(printer.papers.at(-1)?.text).toContain('Łódź, £5 crème');
    expect(printer.accidents).toEqual([]);
  });

  await test.step('by the boards’ browsers: two print each ticket once, its cover is opened, and it goes on once that is closed', async () => {
    await removePrinters(shop);
    const printer = await startLanPrinter('epos');
    stops.push(printer.close);
    await office.goto('/admin/printers?add');
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
    await office.getByRole('button', { name: 'Print test page' }).click();
    await expect(step(office, 'Print the test page')).toContainText('The printer says that it printed');
    expect(printer.papers.map(({ text }) => text).join()).toContain('TEST PAGE');
    const second = await openBoard(shop, await window(), { path: '/kitchen' });
    const papers = printer.papers.length;
    const orders = [await sendOrder(shop), await sendOrder(shop), await sendOrder(shop)];
    for (const order of orders) await tap(board, order, /^Accept/);
    await expect.poll(() => printer.papers.length).toBe(papers + 3);
    for (const order of orders) expect(withNumber(printer, order)).toHaveLength(1);

    printer.openCover();
    await expectAtOnce(board.getByText("Counter: The printer's cover is open.")).toBeVisible({ timeout: 15_000 });
    for (const each of [board, second]) {
      await expectAtOnce(each.locator('[data-alarm="ringing"]')).toBeVisible({ timeout: 15_000 });
    }
    const last = await sendOrder(shop);
    await tap(board, last, /^Accept/);
    await expect(board.locator('[data-unprinted]')).toContainText('1 receipt did not come out');
    printer.closeCover();
    await expect(board.getByText(/cover is open/)).toHaveCount(0);
    await expect.poll(() => withNumber(printer, last).length).toBe(1);
    expect(withNumber(printer, last)[0]?.text).not.toContain('POSSIBLE DUPLICATE');
    printer.runOutOfPaper();
    await expect(second.getByText('Counter: The printer is out of paper.')).toBeVisible();
    printer.refill();
    await expect(second.getByText('Counter: The printer is out of paper.')).toHaveCount(0);
  });
});
