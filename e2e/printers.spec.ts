import type { Locator, Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { createStarPrinter, type StarPrinter } from '#printing/testing/printers/star-printer.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { openOffice, overlapping } from './office.ts';
import { sendOrder } from './orders.ts';
import { expect as expectAtOnce, test } from './shop.ts';

// A busy machine is slow.
test.setTimeout(240_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });

const step = (page: Page, title: string): Locator => page.getByRole('listitem').filter({ hasText: title });
const prints: StarPrinter[] = [];
test.afterEach(async () => {
  await Promise.all(prints.splice(0).map((printer) => printer.stop()));
});

/** Sets a Star printer up as an owner does, and switches it on as soon as its page shows what to type into it. */
async function setUp(page: Page, name: string): Promise<StarPrinter> {
  await page.getByRole('link', { name: 'Add a printer' }).click();
  await page.getByRole('button', { name: 'Choose: Star with CloudPRNT' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Add a printer' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(step(page, 'Wait for the printer to connect')).toContainText('Waiting for the printer');
  const typed = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  const printer = createStarPrinter({
    pollUrl: await typed('Server address (URL)'),
    username: await typed('User name'),
    secret: await typed('Secret (password)'),
    pollInterval: 1,
  });
  prints.push(printer);
  printer.start();
  await expect(step(page, 'Wait for the printer to connect')).toContainText('The printer is connected.');
  return printer;
}

const backToList = (page: Page) => page.getByRole('link', { name: 'All printers' }).click();
const cardOf = (page: Page, name: string) =>
  page.locator('[data-printer]').filter({ has: page.getByRole('link', { name, exact: true }) });

test('an owner sets printers up; one runs out of paper, the kitchen is told, the backup prints, and the ledger tells it', async ({
  shop,
  window,
}) => {
  const office = await openOffice(shop, await window(), '/admin/printers');
  await expect(office.getByRole('heading', { name: 'No printer yet' })).toBeVisible();
  await expect(office.getByRole('heading', { name: 'What to buy' })).toBeVisible();
  await expectAccessible(office, 'no printer');

  const bar = await setUp(office, 'Bar');
  await backToList(office);
  const kitchen = await setUp(office, 'Kitchen');
  await office.getByRole('button', { name: 'Print test page' }).click();
  await expect(step(office, 'Print the test page')).toContainText('The printer says that it printed');
  expect(kitchen.papers.map(({ text }) => text).join()).toContain('TEST PAGE');
  await office.getByRole('button', { name: 'The letters are right' }).click();
  await expect(step(office, 'Check the letters')).toContainText('The letters are right.');
  await step(office, 'Choose what it prints').getByRole('button', { name: 'Change' }).click();
  await office.getByLabel('Kitchen receipt', { exact: true }).check();
  await office.getByLabel('Backup printer').selectOption('Bar');
  await expectAccessible(office, 'what a printer prints');
  await office.getByRole('button', { name: 'Save' }).click();
  await expect(step(office, 'Choose what it prints')).toContainText('Prints kitchen receipts');
  await expectAccessible(office, 'a printer');
  await backToList(office);
  await cardOf(office, 'Bar').getByRole('link', { name: 'Bar' }).click();
  // The first printer prints tickets by itself; this one is only the backup.
  await step(office, 'Choose what it prints').getByRole('button', { name: 'Change' }).click();
  await office.getByLabel('Kitchen receipt', { exact: true }).uncheck();
  await office.getByRole('button', { name: 'Save' }).click();
  await expect(step(office, 'Choose what it prints').getByRole('button', { name: 'Change' })).toBeVisible();
  await backToList(office);
  await expect(cardOf(office, 'Kitchen')).toContainText('If it cannot print: Bar');

  const board = await openBoard(shop, await window());
  const first = await sendOrder(shop);
  await tap(board, first, /^Accept/);
  await expect.poll(() => kitchen.papers.length).toBe(2);
  expect(kitchen.papers[1]?.text).toContain(`#${first.number}`);
  await expect(board.locator('[data-alarm="silent"]')).toBeVisible();

  kitchen.runLow();
  await expect(board.getByText('The paper is nearly out.')).toBeVisible();
  await expect(board.locator('[data-alarm="silent"]')).toBeVisible();

  kitchen.runOutOfPaper();
  await expectAtOnce(board.getByText('Kitchen: The printer is out of paper.')).toBeVisible({ timeout: 15_000 });
  await expectAtOnce(board.locator('[data-alarm="ringing"][data-sound="ready"]')).toBeVisible({ timeout: 15_000 });
  await expect(board.getByText('Bar prints its receipts.')).toBeVisible();
  await expect(cardOf(office, 'Kitchen')).toContainText('The printer is out of paper.');
  await expectAccessible(board, 'a printer without paper');
  const second = await sendOrder(shop);
  await tap(board, second, /^Accept/);
  await expect.poll(() => bar.papers.length).toBe(1);
  expect(bar.papers[0]?.text).toContain(`#${second.number}`);
  await board.getByRole('button', { name: /Heard it/ }).click();
  await expect(board.locator('[data-alarm="silent"]')).toBeVisible();

  kitchen.refill();
  await expect(board.getByText('Kitchen: The printer is out of paper.')).toHaveCount(0);
  await expect(cardOf(office, 'Kitchen')).toContainText('Ready');
  const third = await sendOrder(shop);
  await tap(board, third, /^Accept/);
  await expect.poll(() => kitchen.papers.length).toBe(3);
  expect(kitchen.papers[2]?.text).toContain(`#${third.number}`);
  expect(bar.papers).toHaveLength(1);

  await office.getByRole('tab', { name: 'Recent prints' }).click();
  const rows = office.getByRole('row').filter({ hasText: 'Kitchen receipt' });
  await expect(rows).toHaveText([
    new RegExp(`#${third.number}, Kitchen receipt.*Kitchen.*Printed at`),
    new RegExp(`#${second.number}, Kitchen receipt, for another printer.*Bar.*Printed at`),
    new RegExp(
      `#${second.number}, Kitchen receipt.*Kitchen.*The backup printer printed it. The printer is out of paper`,
    ),
    new RegExp(`#${first.number}, Kitchen receipt.*Kitchen.*Printed at`),
  ]);
  await expectAccessible(office, 'the ledger');
  const { width = 1280, height = 900 } = office.viewportSize() ?? {};
  await office.setViewportSize({ width: 390, height: 844 });
  expect(await overlapping(rows)).toEqual([]);
  await office.setViewportSize({ width, height });
  await rows
    .first()
    .getByRole('button', { name: /Print again/ })
    .click();
  await expect.poll(() => kitchen.papers.length).toBe(4);
  expect(kitchen.papers[3]?.text).toContain('COPY');
});

/** A shop whose only printer is this one, switched on. */
async function onlyPrinter(shop: Shop, name: string): Promise<StarPrinter> {
  const { body } = await shop.api('GET', '/v1/printers', undefined, shop.adminToken);
  for (const { id } of body['data'] as { id: string }[]) {
    await shop.api('DELETE', `/v1/printers/${id}`, undefined, shop.adminToken);
  }
  const wanted = { store_id: shop.storeId, name, kind: 'star_cloudprnt', profile: 'star-mc-print', width_mm: 80 };
  const added = await shop.api('POST', '/v1/printers', wanted, shop.adminToken);
  const { poll_url: pollUrl, username, secret } = added.body['data'] as Record<string, string>;
  const printer = createStarPrinter({
    pollUrl: pollUrl ?? '',
    username: username ?? '',
    secret: secret ?? '',
    pollInterval: 1,
  });
  prints.push(printer);
  printer.start();
  return printer;
}

test('without a backup the board shows the ticket itself until somebody has read it', async ({ shop, window }) => {
  const only = await onlyPrinter(shop, 'Pass');
  const office = await openOffice(shop, await window(), '/admin/printers');
  await expect(cardOf(office, 'Pass')).toContainText('Ready');
  const board = await openBoard(shop, await window({ viewport: { width: 390, height: 844 } }));
  only.openCover();
  await expectAtOnce(board.getByText("Pass: The printer's cover is open.")).toBeVisible({ timeout: 15_000 });
  const order = await sendOrder(shop, { allergy_note: 'Severe nut allergy' });
  await tap(board, order, /^Accept/);
  const unread = board.locator('[data-unprinted]');
  await expect(unread).toContainText('1 receipt did not come out');
  await expect(unread.getByRole('img')).toHaveAttribute('alt', /Severe nut allergy/);
  await expectAccessible(board, 'a ticket that was not printed');
  for (const other of [await sendOrder(shop), await sendOrder(shop)]) await tap(board, other, /^Accept/);
  await expect(unread).toContainText('3 receipts did not come out');
  // However many there are, the board stays as wide as its screen.
  expect(await board.evaluate('document.documentElement.scrollWidth')).toBe(390);
  for (const left of [2, 1, 0]) {
    await unread
      .getByRole('button', { name: /I have read it/ })
      .first()
      .click();
    await expect(unread.getByRole('listitem')).toHaveCount(left);
  }

  only.closeCover();
  await expect(board.getByText(/cover is open/)).toHaveCount(0);
  await office.getByRole('tab', { name: 'Recent prints' }).click();
  const row = office.getByRole('row').filter({ hasText: `#${order.number}` });
  await expect(row).toContainText(/Read on the board by/);
  // It is not printed afterwards.
  expect(only.papers.filter(({ text }) => text.includes(`#${order.number}`))).toEqual([]);
});

test('a receipt that its printer cannot make is shown on the board with the reason', async ({ shop, window }) => {
  const only = await onlyPrinter(shop, 'Pass');
  const board = await openBoard(shop, await window());
  only.failNext('cannot_decode');
  const order = await sendOrder(shop);
  await tap(board, order, /^Accept/);
  const unread = board.locator('[data-unprinted]');
  await expect(unread).toContainText('Pass: The printer cannot read what it is sent.');
  await unread.getByRole('button', { name: /I have read it/ }).click();
  await expect(unread).toHaveCount(0);
});

test('a removed printer comes back, and a lost secret is replaced', async ({ shop, window }) => {
  await onlyPrinter(shop, 'Pass');
  const office = await openOffice(shop, await window(), '/admin/printers');
  await cardOf(office, 'Pass').getByRole('link', { name: 'Pass' }).click();
  await office.getByRole('button', { name: 'Remove' }).click();
  await expect(cardOf(office, 'Pass')).toHaveCount(0);
  await office.getByRole('button', { name: 'Undo' }).click();
  await expect(cardOf(office, 'Pass')).toBeVisible();
  await cardOf(office, 'Pass').getByRole('link', { name: 'Pass' }).click();
  await expect(office.getByLabel('Secret (password)', { exact: true })).toHaveCount(0);
  // A printer that is connected would stop printing, so the office asks first.
  await expect(step(office, 'Wait for the printer to connect')).toContainText('The printer is connected.');
  await office.getByRole('button', { name: 'New secret' }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
  await expect(office.getByLabel('Secret (password)', { exact: true })).toHaveValue(/^[\w-]{40,}$/);
});

test('the office warns of a printer that asks for its receipts only every two minutes', async ({ shop, window }) => {
  const { body } = await shop.api('GET', '/v1/printers', undefined, shop.adminToken);
  for (const { id } of body['data'] as { id: string }[]) {
    await shop.api('DELETE', `/v1/printers/${id}`, undefined, shop.adminToken);
  }
  const wanted = {
    store_id: shop.storeId,
    name: 'Slow',
    kind: 'star_cloudprnt',
    profile: 'star-mc-print',
    width_mm: 80,
  };
  const added = await shop.api('POST', '/v1/printers', wanted, shop.adminToken);
  const { poll_url: url = '', username, secret } = added.body['data'] as Record<string, string>;
  const poll = (clientAction?: object[]) =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ statusCode: '200 OK', printingInProgress: false, clientAction }),
    }).then(async (answer) => (await answer.json()) as { clientAction?: object[] });
  expect((await poll()).clientAction).toEqual([{ request: 'GetPollInterval', options: '' }]);
  await poll([{ request: 'GetPollInterval', result: '120' }]);
  const office = await openOffice(shop, await window(), '/admin/printers');
  await expect(cardOf(office, 'Slow')).toContainText('It asks for receipts only every 120 s, so they come late.');
});

test('the board shows where each copy of an order came out', async ({ shop, window }) => {
  await onlyPrinter(shop, 'Pass');
  const board = await openBoard(shop, await window());
  const order = await sendOrder(shop);
  await tap(board, order, /^Accept/);
  await expect(ticket(board, order)).toHaveAttribute('data-status', 'accepted');
  await tap(board, order, `More for order ${order.number}`);
  await board.getByRole('menuitem', { name: 'Receipts', exact: true }).click();
  await expect(board.locator('[data-copy="kitchen"]').first()).toContainText('Pass:');
});
