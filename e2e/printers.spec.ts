import type { Locator, Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { createStarPrinter, type StarPrinter } from '#simulators/printers/star-printer.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { openOffice, overlapping } from './office.ts';
import { sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

// A busy machine is slow.

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
  await expect(board.getByText('Kitchen: The printer is out of paper.')).toBeVisible();
  await expect(board.locator('[data-alarm="ringing"][data-sound="ready"]')).toBeVisible();
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

async function addStar(shop: Shop, name: string): Promise<Record<'id' | 'poll_url' | 'username' | 'secret', string>> {
  const wanted = { store_id: shop.storeId, name, kind: 'star_cloudprnt', profile: 'star-mc-print', width_mm: 80 };
  const { body } = await shop.api('POST', '/v1/printers', wanted, shop.adminToken);
  return body['data'] as Record<'id' | 'poll_url' | 'username' | 'secret', string>;
}

const remove = (shop: Shop, id: string) => shop.api('DELETE', `/v1/printers/${id}`, undefined, shop.adminToken);

/** A shop whose only printer is this one, switched on. */
async function onlyPrinter(shop: Shop, name: string): Promise<StarPrinter> {
  const { body } = await shop.api('GET', '/v1/printers', undefined, shop.adminToken);
  for (const { id } of body['data'] as { id: string }[]) await remove(shop, id);
  const { poll_url: pollUrl, username, secret } = await addStar(shop, name);
  const printer = createStarPrinter({ pollUrl, username, secret, pollInterval: 1 });
  prints.push(printer);
  printer.start();
  return printer;
}

/** A printer that has said that it asks for its receipts only every two minutes. Returns its id. */
async function addSlowPrinter(shop: Shop): Promise<string> {
  const { id, poll_url: url, username, secret } = await addStar(shop, 'Slow');
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
  return id;
}

/** Opens the receipts that did not come out; a phone's line may have room for the alarm only. */
async function openUnread(board: Page): Promise<void> {
  const open = board.getByRole('button', { name: /^Read (it|them)$/ });
  const more = board.getByRole('button', { name: /^and \d+ more$/ });
  await expect(open.or(more).first()).toBeVisible();
  if (await more.isVisible()) await more.click();
  await open.click();
}

test('without a backup the board shows what did not come out until somebody has read it; the printer is removed, comes back, and its secret is replaced', async ({
  shop,
  window,
}) => {
  const only = await onlyPrinter(shop, 'Pass');
  const slow = await addSlowPrinter(shop);
  const office = await openOffice(shop, await window(), '/admin/printers');
  await expect(cardOf(office, 'Pass')).toContainText('Ready');
  await expect(cardOf(office, 'Slow')).toContainText('It asks for receipts only every 120 s, so they come late.');
  await remove(shop, slow);
  const board = await openBoard(shop, await window({ viewport: { width: 390, height: 844 } }));
  only.openCover();
  await expect(board.getByText('1 printer is not printing')).toBeVisible();
  // On a phone the alarm has the only line.
  await board
    .getByRole('button', { name: 'and 1 more' })
    .or(board.getByRole('button', { name: 'and 2 more' }))
    .click();
  await expect(board.getByText("Pass: The printer's cover is open.")).toBeVisible();
  await board.getByRole('button', { name: 'Close', exact: true }).click();
  const order = await sendOrder(shop, { allergy_note: 'Severe nut allergy' });
  await tap(board, order, /^Accept/);
  const unread = board.locator('[data-unprinted]');
  await expect(unread).toContainText('1 receipt did not come out');
  const sheet = board.getByRole('dialog', { name: /did not come out/ });
  await openUnread(board);
  await expect(sheet.getByRole('listitem').locator('img')).toHaveAttribute('alt', /Severe nut allergy/);
  await expectAccessible(board, 'a ticket that was not printed');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(sheet).toBeHidden();
  for (const other of [await sendOrder(shop), await sendOrder(shop)]) await tap(board, other, /^Accept/);
  await expect(unread).toContainText('3 receipts did not come out');
  // However many there are, the board stays as wide as its screen.
  expect(await board.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await openUnread(board);
  for (const left of [2, 1, 0]) {
    await sheet
      .getByRole('button', { name: /I have read it/ })
      .first()
      .click();
    await expect(sheet.getByRole('listitem')).toHaveCount(left);
  }

  only.closeCover();
  await expect(board.getByText(/cover is open/)).toHaveCount(0);
  await office.getByRole('tab', { name: 'Recent prints' }).click();
  const row = office.getByRole('row').filter({ hasText: `#${order.number}` });
  await expect(row).toContainText(/Read on the board by/);
  // It is not printed afterwards.
  expect(only.papers.filter(({ text }) => text.includes(`#${order.number}`))).toEqual([]);

  // A receipt that its printer cannot make is shown with the reason.
  only.failNext('cannot_decode');
  const strange = await sendOrder(shop);
  await tap(board, strange, /^Accept/);
  await expect(unread).toContainText('1 receipt did not come out');
  await openUnread(board);
  await expect(sheet).toContainText('Pass: The printer cannot read what it is sent.');
  await sheet.getByRole('button', { name: /I have read it/ }).click();
  await expect(unread).toHaveCount(0);

  // The board shows where each copy of an order came out.
  await board.setViewportSize({ width: 1280, height: 800 });
  const copied = await sendOrder(shop);
  await tap(board, copied, /^Accept/);
  await expect(ticket(board, copied)).toHaveAttribute('data-status', 'accepted');
  await tap(board, copied, `More for order ${copied.number}`);
  await board.getByRole('menuitem', { name: 'Receipts', exact: true }).click();
  await expect(board.locator('[data-copy="kitchen"]').first()).toContainText('Pass:');

  await office.getByRole('tab', { name: 'Printers', exact: true }).click();
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
