import { startEscPosPrinter } from '#simulators/printers/escpos-wire.ts';
import type { TcpPrinter } from '#simulators/printers/tcp-printer.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap } from './board.ts';
import { openOffice } from './office.ts';
import { sendOrder } from './orders.ts';
import { expect, test as base } from './shop.ts';

// A busy machine is slow.

/** A shop that may connect to simulated printers of its own machine. */
const test = base.extend<{ shop: Shop }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what the fixture needs
  shop: async ({}, use) => {
    const shop = await openShop({ PRINTER_SIMULATOR: '1' });
    await use(shop);
    await shop.stop();
  },
});

let printer: TcpPrinter;
test.beforeEach(async () => {
  // Its tables have other numbers than those of the model that its owner will choose.
  printer = await startEscPosPrinter({ brand: 'Citizen' });
});
test.afterEach(() => printer.stop());

test('an owner types a printer’s address, sees wrong letters on the test page, and chooses the right tables by looking', async ({
  shop,
  window,
}) => {
  const office = await openOffice(shop, await window(), '/admin/printers?add');
  const step = (title: string) => office.getByRole('listitem').filter({ hasText: title });
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
  await expect(step('Print the test page')).toContainText('The printer says that it printed');

  // What an owner does with the paper in hand.
  const page = printer.papers.at(-1)?.text ?? '';
  expect(page).not.toContain('Łódź');
  const [, latin = ''] = /(\d+B) £ é/.exec(page) ?? [];
  const [, polish = ''] = /(\d+C) ł/.exec(page) ?? [];
  expect([latin, polish]).toEqual(['16B', '6C']);
  await step('Check the letters').getByRole('button', { name: 'They are wrong' }).click();
  await office.getByLabel('Name beside a correct £ é').selectOption(latin);
  await office.getByLabel('Name beside a correct ł, if there is one').selectOption(polish);
  await expectAccessible(office, 'choosing a printer’s tables');
  await office.getByRole('button', { name: 'Use these, and print again' }).click();
  await expect(step('Check the letters')).toContainText('Chosen from the test page: 16B, 6C.');
  await expect.poll(() => printer.papers.length).toBe(2);

  const board = await openBoard(shop, await window());
  const order = await sendOrder(shop, { allergy_note: 'Łódź, £5 crème' });
  await tap(board, order, /^Accept/);
  await expect.poll(() => printer.papers.length).toBe(3);
  expect(printer.papers.at(-1)?.text).toContain('Łódź, £5 crème');
  expect(printer.accidents).toEqual([]);
});
