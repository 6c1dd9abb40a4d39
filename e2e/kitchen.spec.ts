import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { plainDish, type Placed, readOrder, sendOrder } from './orders.ts';
import { expect as expectAtOnce, test } from './shop.ts';
import { fillCollection, goToCheckout, phone, placeOrder } from './storefront.ts';

// A busy machine is slow; nothing here is measured.
test.setTimeout(240_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });

const statusOf = async (shop: Shop, order: Placed) => (await readOrder(shop, order)).status;

test('a new order shows on every board without a reload, and rings until somebody has acknowledged it', async ({
  shop,
  window,
}) => {
  const first = await openBoard(shop, await window());
  const second = await openBoard(shop, await window());
  const order = await sendOrder(shop, { allergy_note: 'Severe nut allergy' });
  await expect(ticket(first, order)).toBeVisible();
  await expect(ticket(second, order)).toBeVisible();
  await expect(first.locator('[data-alarm="ringing"][data-sound]')).toBeVisible();
  await expect(ticket(first, order)).toContainText('Severe nut allergy');
  await first.getByRole('button', { name: 'Heard it' }).click();
  await expect(first.locator('[data-alarm="silent"]')).toBeVisible();
  // Acknowledging on one board counts for all.
  await expect(second.locator('[data-alarm="silent"]')).toBeVisible();

  await tap(first, order, '5 minutes more');
  await tap(first, order, /^Accept/);
  await expect(ticket(second, order)).toHaveAttribute('data-status', 'accepted');
  await expect(second.locator('[data-alarm="silent"]')).toBeVisible();
  expect(await statusOf(shop, order)).toBe('accepted');
});

test('a dish that takes 95 minutes is offered, accepted and promised to its customer in 95 minutes', async ({
  shop,
  window,
}) => {
  const dish = await plainDish(shop);
  await shop.api('PATCH', `/v1/items/${dish}`, { prep_minutes: 95 }, shop.adminToken);
  const order = await sendOrder(shop);
  await shop.api('PATCH', `/v1/items/${dish}`, { prep_minutes: null }, shop.adminToken);
  const board = await openBoard(shop, await window());
  await expect(ticket(board, order).getByText('95 min')).toBeVisible();
  await tap(board, order, /^Accept/);
  await expect(ticket(board, order)).toHaveAttribute('data-status', 'accepted');
  await expect.poll(async () => (await readOrder(shop, order)).status).toBe('accepted');
  const { promised_at, accepted_at } = await readOrder(shop, order);
  // The board sends whole minutes.
  expect(Math.round((Date.parse(promised_at) - Date.parse(accepted_at)) / 60_000)).toBe(95);
  const page = await window();
  await page.goto(`/orders/${order.id}`);
  const at = Math.floor(Date.parse(promised_at) / 300_000) * 300_000;
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/London' }).format(at);
  await expect(page.getByText(time).first()).toBeVisible();
});

test('an acknowledged order without an answer rings again, and in its last minute only an answer silences it', async ({
  shop,
  window,
}) => {
  const page = await window();
  await page.clock.install();
  const board = await openBoard(shop, page);
  const order = await sendOrder(shop);
  const ringing = board.locator('[data-alarm="ringing"]');
  const heardIt = board.getByRole('button', { name: 'Heard it' });
  await expect(ticket(board, order)).toBeVisible();
  // A clock that jumps makes the connection look dead: its banner comes and goes, and moves the content below it.
  const skip = async (time: string) => {
    await board.clock.fastForward(time);
    await expect(board.locator('[data-line="live"]')).toBeVisible();
    await expect(board.getByText('No connection.')).toBeHidden();
  };
  await heardIt.click();
  await expect(ringing).toBeHidden();
  await skip('02:05');
  await expect(ringing).toBeVisible();
  await heardIt.click();
  await expect(ringing).toBeHidden();
  // Staff have ten minutes to answer.
  await skip('07:05');
  await expect(ringing).toBeVisible();
  await expect(board.getByText('1 will be lost within a minute')).toBeVisible();
  await expect(heardIt).toBeHidden();
  await expectAccessible(board);
  await tap(board, order, /^Accept/);
  await expect(ringing).toBeHidden();
});

test('a lost order stays on every board until staff record what they did about it', async ({ shop, window }) => {
  const first = await openBoard(shop, await window());
  const second = await openBoard(shop, await window(phone), { path: '/kitchen' });
  const order = await sendOrder(shop);
  await expect(ticket(first, order)).toBeVisible();
  await shop.wait(11);
  const lost = (board: Page) => board.locator(`[data-lost="${order.id}"]`);
  for (const board of [first, second]) {
    await expect(lost(board)).toContainText('Ada Byron');
    await expect(lost(board)).toContainText('07700 900123');
    await expect(lost(board)).toContainText(`£${(order.total / 100).toFixed(2)}`);
    await expect(board.getByRole('heading', { name: /^1 lost order/ })).toBeVisible();
    await expectAccessible(board);
  }
  // It is also shown on a board that is opened on a later day.
  await shop.wait(2 * 24 * 60);
  await second.reload();
  await expect(lost(second)).toContainText('07700 900123');

  await lost(first).getByRole('button', { name: 'Leave it' }).click();
  await lost(first).getByRole('button', { name: 'Undo' }).click();
  await lost(first).getByRole('button', { name: 'I called them' }).click();
  await expect(lost(first)).toBeHidden();
  await expect(lost(second)).toBeHidden();
  const { history } = await readOrder(shop, order);
  expect(history.at(-1)).toMatchObject({ from: 'rejected', to: 'rejected', reason: 'rung' });
});

test('without a printer the board says so, prints nothing, and shows both receipts as on paper', async ({
  shop,
  window,
}) => {
  const board = await openBoard(shop, await window());
  const order = await sendOrder(shop, { note: 'Two forks please' });
  await board.getByRole('button', { name: 'No printer set up' }).click();
  await expect(board.getByText('Nothing is printed when you accept an order.')).toBeVisible();
  await board.keyboard.press('Escape');
  await tap(board, order, /^Accept/);
  await expect(ticket(board, order)).toHaveAttribute('data-status', 'accepted');
  await ticket(board, order)
    .getByRole('button', { name: `More for order ${order.number}` })
    .click();
  await expect(board.getByRole('menuitem', { name: 'Receipts', exact: true })).toBeVisible();
  await expect(board.getByRole('menuitem', { name: 'Kitchen receipt' })).toHaveCount(0);
  await board.getByRole('menuitem', { name: 'Receipts', exact: true }).click();
  const panel = board.getByRole('dialog');
  await expect(panel.getByText('No printer set up')).toBeVisible();
  for (const copy of ['kitchen', 'customer']) {
    const paper = panel.locator(`[data-copy="${copy}"]`);
    await expect(paper.getByRole('img', { name: /as printed/ })).toBeVisible();
    await expect(paper).toContainText('Two forks please');
    await expect(paper.getByRole('button', { name: 'Print from this device' })).toBeVisible();
  }
  await expect(panel.getByText('Printed', { exact: true })).toHaveCount(0);
  await expectAccessible(board);
  const paper = await shop.api('GET', `/v1/orders/${order.id}/prints`, undefined, shop.adminToken);
  expect(paper.body['data']).toEqual([]);
});

test('an order of 18+ is confirmed at the checkout, and the board shows whose ID to check and the station', async ({
  shop,
  window,
}) => {
  const dish = await plainDish(shop);
  await shop.api('PATCH', `/v1/items/${dish}`, { min_age: 18, station: 'Bar' }, shop.adminToken);
  const page = await window({ viewport: { width: 390, height: 844 } });
  await page.goto(`/menu?item=${dish}`);
  await page.getByRole('button', { name: /^Add / }).click();
  await goToCheckout(page);
  await fillCollection(page);
  const confirm = page.getByRole('checkbox', { name: 'I confirm that I am 18 or over' });
  await expect(confirm).toBeVisible();
  await page.getByRole('button', { name: /Place order/ }).click();
  await expect(confirm).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Confirm that you are 18 or over.').first()).toBeVisible();
  await expectAccessible(page);
  await confirm.check();
  const id = await placeOrder(page);
  await expect(page.getByText(/^Have your ID ready: .* aged 18 or over\.$/)).toBeVisible();
  await expectAccessible(page);
  const board = await openBoard(shop, await window({ viewport: { width: 1024, height: 768 } }));
  await expect(ticket(board, { id })).toContainText('18+');
  await expect(ticket(board, { id })).toContainText('Bar');
  // The clock has the colour of the time that is left, whatever marks the dishes have.
  const [clock, urgency] = (await board.evaluate(`['[role=timer]', '[data-level]'].map(
    (part) => getComputedStyle(document.querySelector('[data-ticket="${id}"] ' + part)).color,
  )`)) as string[];
  expect(clock).toBe(urgency);
  await shop.api('PATCH', `/v1/items/${dish}`, { min_age: null }, shop.adminToken);
});

test('a rejection is held for five seconds, can be taken back, and then reaches the customer', async ({
  shop,
  window,
}) => {
  const board = await openBoard(shop, await window());
  const order = await sendOrder(shop);
  const reject = async () => {
    await tap(board, order, 'Reject');
    const dialog = board.getByRole('dialog');
    await dialog.getByText('Too busy').click();
    await dialog.getByRole('button', { name: 'Reject' }).click();
  };
  await reject();
  await tap(board, order, 'Undo');
  await expect(ticket(board, order).getByRole('button', { name: /^Accept/ })).toBeVisible();
  expect(await statusOf(shop, order)).toBe('placed');
  await reject();
  await expect.poll(() => statusOf(shop, order), { timeout: 15_000 }).toBe('rejected');
  const { body } = await shop.api('GET', `/v1/orders/${order.id}`);
  expect(body['data']).toMatchObject({ reject_reason: 'too_busy' });
});

test('a board that was offline catches up by itself, and sends the calls of the meantime once', async ({
  shop,
  window,
}) => {
  const steady = await openBoard(shop, await window());
  const dropped = await openBoard(shop, await window());
  const before = await sendOrder(shop);
  await expect(ticket(dropped, before)).toBeVisible();
  await dropped.context().setOffline(true);
  await tap(dropped, before, /^Accept/);
  const meanwhile = await sendOrder(shop);
  await tap(steady, meanwhile, /^Accept/);
  await expect(ticket(steady, meanwhile)).toHaveAttribute('data-status', 'accepted');
  expect(await statusOf(shop, before)).toBe('placed');
  await dropped.context().setOffline(false);
  await expect(ticket(dropped, meanwhile)).toHaveAttribute('data-status', 'accepted', { timeout: 30_000 });
  await expect.poll(() => statusOf(shop, before), { timeout: 30_000 }).toBe('accepted');
  const { history } = await readOrder(shop, before);
  expect(history.filter(({ to }) => to === 'accepted')).toHaveLength(1);
});

test('a dialog of the board opens without a connection once the board was idle', async ({ shop, window }) => {
  const board = await openBoard(shop, await window());
  const order = await sendOrder(shop);
  await expect(ticket(board, order)).toBeVisible();
  const loaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('reason-dialog'))";
  await expect.poll(() => board.evaluate(loaded)).toBe(true);
  await board.context().setOffline(true);
  await tap(board, order, /^Reject/);
  await expect(board.getByRole('dialog').getByLabel('Too busy')).toBeVisible();
});

test('a dialog whose code did not come says so, and opens when the connection is back', async ({ shop, window }) => {
  const page = await window();
  const missing = [/reason-dialog/, /\/live$/];
  for (const address of missing) await page.route(address, (route) => route.abort());
  const board = await openBoard(shop, page);
  const order = await sendOrder(shop);
  await tap(board, order, /^Reject/);
  const dialog = board.getByRole('dialog');
  await expect(dialog).toContainText('You seem to be offline');
  await expectAccessible(board);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  for (const address of missing) await page.unroute(address);
  await tap(board, order, /^Reject/);
  await expect(dialog.getByLabel('Too busy')).toBeVisible();
});

test('the board has no accessibility faults, with and without orders, on a phone and on a desktop', async ({
  shop,
  window,
}) => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    const board = await openBoard(shop, await window({ viewport }));
    await sendOrder(shop);
    await expect(board.locator('[data-ticket]').first()).toBeVisible();
    await expectAccessible(board);
  }
});

test('a clock that jumps ends no order until somebody confirms the time', async ({ shop, window }) => {
  const board = await openBoard(shop, await window());
  const order = await sendOrder(shop);
  await expect(ticket(board, order)).toBeVisible();
  await shop.setClock(26 * 60);
  const warning = board.getByText('The shop’s clock jumped 26 hours ahead');
  await expect(warning).toBeVisible();
  await expectAccessible(board);
  expect(await statusOf(shop, order)).toBe('placed');
  await board.getByRole('button', { name: 'This time is right' }).click();
  await expect(warning).toBeHidden();
  await expect.poll(() => statusOf(shop, order)).toBe('rejected');

  // The clock is corrected: that is another jump, and another question.
  await shop.setClock(0);
  await expect(board.getByText('The shop’s clock jumped 26 hours back')).toBeVisible();
  await board.getByRole('button', { name: 'This time is right' }).click();
  await expect(board.getByText('The shop’s clock jumped')).toBeHidden();
});

test('a clock that is corrected needs no further confirmation', async ({ shop, window }) => {
  const board = await openBoard(shop, await window());
  const order = await sendOrder(shop);
  await shop.setClock(-90);
  const warning = board.getByText('The shop’s clock jumped 90 minutes back');
  await expect(warning).toBeVisible();
  await shop.setClock(0);
  await expect(warning).toBeHidden();
  expect(await statusOf(shop, order)).toBe('placed');
});
