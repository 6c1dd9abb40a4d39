import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { cutBanners, openBoard, tap, ticket } from './board.ts';
import { moveOrder, plainDish, type Placed, readOrder, sendOrder } from './orders.ts';
import { signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { fillCollection, phone, placeOrder } from './storefront.ts';

// A busy machine is slow; nothing here is measured.

const statusOf = async (shop: Shop, order: Placed) => (await readOrder(shop, order)).status;

test('a board on a device with a wrong clock counts and promises by the shop’s clock, and rings again until an answer', async ({
  shop,
  window,
}) => {
  const page = await window();
  await page.clock.install({ time: Date.now() + 37 * 60_000 });
  const board = await openBoard(shop, page, { path: '/kitchen' });
  const first = await sendOrder(shop, { if_sold_out: 'remove', cutlery: true });
  await expect(ticket(board, first)).toContainText('If sold out: take it off. Napkins and cutlery');
  await expect(ticket(board, first).getByRole('timer')).toHaveText(/^(10:00|[89]:\d\d)$/);
  const asked = Date.now();
  await tap(board, first, /^Accept/);
  await expect(ticket(board, first)).toHaveAttribute('data-status', 'accepted');
  const promised = Date.parse((await readOrder(shop, first)).promised_at);
  // The usual twenty minutes, without the 37 minutes by which the device is wrong.
  expect(promised - asked).toBeGreaterThan(10 * 60_000);
  expect(promised - asked).toBeLessThan(30 * 60_000);

  // Acknowledged without an answer, an order rings again, and in its last minute only an answer silences it.
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

test('what goes on is green, in a shop whose own colour is red; red is for what stops or is late', async ({
  shop,
  window,
}) => {
  await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { accent_color: '#cc0000' }, shop.adminToken);
  const page = await signedIn(await window(), shop.adminToken);
  await page.goto('/kitchen');
  const start = page.getByRole('button', { name: 'Start shift' });
  await expect(start).toBeVisible();
  const green = await page.evaluate<string>(`{
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--good)';
    getComputedStyle(probe).color;
  }`);
  await expect(start).toHaveCSS('background-color', green);
  await start.click();
  const order = await sendOrder(shop);
  await tap(page, order, /^Accept/);
  for (const step of ['Packed', 'Customer has it']) {
    const button = ticket(page, order).getByRole('button', { name: step });
    await expect(button).toHaveCSS('background-color', green);
    if (step === 'Packed') await button.click();
  }
  await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { accent_color: null }, shop.adminToken);
});

test('a dialog whose code did not come opens when the connection is back; without a printer, receipts are shown as on paper', async ({
  shop,
  window,
}) => {
  const page = await window();
  const missing = [/reason-dialog/, /\/live$/];
  for (const address of missing) await page.route(address, (route) => route.abort());
  const board = await openBoard(shop, page);
  const dialog = board.getByRole('dialog');
  const order = await sendOrder(shop);
  await tap(board, order, /^Reject/);
  await expect(dialog).toContainText('You seem to be offline');
  await expectAccessible(board);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  for (const address of missing) await page.unroute(address);

  // A rejection is held for five seconds, can be taken back, and then reaches the customer.
  const reject = async () => {
    await tap(board, order, /^Reject/);
    await dialog.getByText('Too busy').click();
    await dialog.getByRole('button', { name: 'Reject' }).click();
  };
  await reject();
  await tap(board, order, 'Undo');
  await expect(ticket(board, order).getByRole('button', { name: /^Accept/ })).toBeVisible();
  expect(await statusOf(shop, order)).toBe('placed');
  await reject();
  await expect.poll(() => statusOf(shop, order)).toBe('rejected');
  const { body } = await shop.api('GET', `/v1/orders/${order.id}`);
  expect(body['data']).toMatchObject({ reject_reason: 'too_busy' });

  // Without a printer the board says so, and prints nothing.
  const noted = await sendOrder(shop, { note: 'Two forks please' });
  await board.getByRole('button', { name: 'No printer set up' }).click();
  await expect(board.getByText('Nothing is printed when you accept an order.')).toBeVisible();
  await board.keyboard.press('Escape');
  await tap(board, noted, /^Accept/);
  await expect(ticket(board, noted)).toHaveAttribute('data-status', 'accepted');
  await tap(board, noted, `More for order ${noted.number}`);
  await expect(board.getByRole('menuitem', { name: 'Receipts', exact: true })).toBeVisible();
  await expect(board.getByRole('menuitem', { name: 'Kitchen receipt' })).toHaveCount(0);
  await board.getByRole('menuitem', { name: 'Receipts', exact: true }).click();
  await expect(dialog.getByText('No printer set up')).toBeVisible();
  for (const copy of ['kitchen', 'customer']) {
    const paper = dialog.locator(`[data-copy="${copy}"]`);
    await expect(paper.getByRole('img', { name: /as printed/ })).toBeVisible();
    await expect(paper).toContainText('Two forks please');
    await expect(paper.getByRole('button', { name: 'Print from this device' })).toBeVisible();
  }
  await expect(dialog.getByText('Printed', { exact: true })).toHaveCount(0);
  const paper = await shop.api('GET', `/v1/orders/${noted.id}/prints`, undefined, shop.adminToken);
  expect(paper.body['data']).toEqual([]);
});

interface Dish {
  id: string;
  name: string;
  price: number;
}

/** The checkout with one of this dish in the basket. */
async function openCheckoutWith(shop: Shop, page: Page, { id, name, price }: Dish): Promise<void> {
  const line = { key: id, item_id: id, name, quantity: 1, note: '', options: [], seen_price: price };
  const basket = { session: randomUUID(), store_id: shop.storeId, fulfilment_type: null, postcode: '' };
  // An emptied basket is stored too, and stays empty.
  const text = JSON.stringify({ ...basket, lines: [line] });
  await page.addInitScript((held) => void (localStorage['basket'] ??= held), text);
  await page.goto('/checkout');
}

test('an order of 18+ is confirmed at the checkout; the board shows whose ID to check, the station, and promises its 95 minutes', async ({
  shop,
  window,
}) => {
  const dish = await plainDish(shop);
  const change = { min_age: 18, station: 'Bar', prep_minutes: 95 };
  const changed = await shop.api('PATCH', `/v1/items/${dish}`, change, shop.adminToken);
  const page = await window({ viewport: { width: 390, height: 844 } });
  await openCheckoutWith(shop, page, changed.body['data'] as Dish);
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
  await shop.api('PATCH', `/v1/items/${dish}`, { min_age: null, prep_minutes: null }, shop.adminToken);

  const board = await openBoard(shop, await window({ viewport: { width: 1024, height: 768 } }));
  await expect(ticket(board, { id })).toContainText('18+');
  await expect(ticket(board, { id })).toContainText('Bar');
  // The clock has the colour of the time that is left, whatever marks the dishes have.
  const [clock, urgency] = (await board.evaluate(`['[role=timer]', '[data-level]'].map(
    (part) => getComputedStyle(document.querySelector('[data-ticket="${id}"] ' + part)).color,
  )`)) as string[];
  expect(clock).toBe(urgency);

  await expect(ticket(board, { id }).getByText('95 min')).toBeVisible();
  await tap(board, { id }, /^Accept/);
  await expect(ticket(board, { id })).toHaveAttribute('data-status', 'accepted');
  await expect.poll(async () => (await readOrder(shop, { id })).status).toBe('accepted');
  const { promised_at, accepted_at } = await readOrder(shop, { id });
  // The board sends whole minutes.
  expect(Math.round((Date.parse(promised_at) - Date.parse(accepted_at)) / 60_000)).toBe(95);
  const at = Math.floor(Date.parse(promised_at) / 300_000) * 300_000;
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/London' }).format(at);
  await expect(page.getByText(time).first()).toBeVisible();

  await test.step('its customer comes to collect: every board rings until one has heard it', async () => {
    const other = await openBoard(shop, await window());
    await page.getByRole('button', { name: 'I’m here' }).click();
    await expect(page.getByText('The shop knows that you are here.')).toBeVisible();
    for (const each of [board, other]) {
      await expect(each.getByRole('alert').filter({ hasText: '1 customer is here' })).toBeVisible();
      await expect(ticket(each, { id })).toContainText('Customer is here');
    }
    await tap(board, { id }, 'Packed');
    await expect(board.locator('[data-lane="ready"]').locator(ticket(board, { id }))).toContainText('Customer is here');
    await board.getByRole('button', { name: 'Heard it' }).click();
    await expect(other.locator('[data-alarm="ringing"]')).toBeHidden();
    await expectAccessible(page);
    await expectAccessible(board);
  });
});

test('orders ring on every board until somebody has acknowledged them, and a lost one stays until staff record what they did', async ({
  shop,
  window,
}) => {
  const first = await openBoard(shop, await window());
  const second = await openBoard(shop, await window({ hasTouch: true }), { path: '/kitchen' });
  const answered = await sendOrder(shop, { allergy_note: 'Severe nut allergy', allergies: ['milk'] });
  await expect(ticket(first, answered)).toBeVisible();
  await expect(ticket(second, answered)).toBeVisible();
  await expect(first.locator('[data-alarm="ringing"][data-sound]')).toBeVisible();
  await expect(ticket(first, answered)).toContainText('Severe nut allergy');
  await expect(ticket(first, answered)).toContainText('Avoids: milk');
  await first.getByRole('button', { name: 'Heard it' }).click();
  await expect(first.locator('[data-alarm="silent"]')).toBeVisible();
  // Acknowledging on one board counts for all.
  await expect(second.locator('[data-alarm="silent"]')).toBeVisible();
  // The next one rings for all that wait, heard or not.
  const next = await sendOrder(shop);
  await expect(first.getByRole('alert').filter({ hasText: '2 new orders' })).toBeVisible();
  await tap(first, next, /^Accept/);
  await expect(first.locator('[data-alarm="silent"]')).toBeVisible();

  await tap(first, answered, '5 minutes more');
  await tap(first, answered, /^Accept/);
  await expect(ticket(second, answered)).toHaveAttribute('data-status', 'accepted');
  await expect(second.locator('[data-alarm="silent"]')).toBeVisible();
  expect(await statusOf(shop, answered)).toBe('accepted');

  // One that nobody answers is lost at its deadline.
  await second.setViewportSize(phone.viewport);
  const order = await sendOrder(shop, { contact: { name: 'Late Customer', phone: '07700 900123' } });
  await expect(ticket(first, order)).toBeVisible();
  await shop.wait(11);
  const lost = (board: Page) => board.locator(`[data-lost="${order.id}"]`);
  // Beside a ringing order it is no higher, and both are answered without opening the other banners.
  const ringing = await sendOrder(shop);
  await expect(ticket(second, ringing)).toBeVisible();
  for (const viewport of [{ width: 768, height: 1024 }, phone.viewport]) {
    await second.setViewportSize(viewport);
    const strip = second.locator('[data-banners]');
    await expect.poll(async () => (await strip.boundingBox())?.height).toBeLessThanOrEqual(72);
    for (const name of ['Heard it', 'Show', 'Call them'])
      await expect(strip.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    await expect.poll(() => cutBanners(second)).toEqual([]);
    await expectAccessible(second, 'a lost order beside a ringing one');
  }
  await moveOrder(shop, ringing, 'accept');
  const openLost = async (board: Page): Promise<void> => {
    await expect(board.getByText(/^1 lost order/)).toBeVisible();
    await board.getByRole('button', { name: 'Call them' }).click();
  };
  for (const board of [first, second]) {
    await openLost(board);
    await expect(lost(board)).toContainText('Late Customer');
    await expect(lost(board)).toContainText('07700 900123');
    await expect(lost(board)).toContainText(`£${(order.total / 100).toFixed(2)}`);
    await expect(board.getByRole('heading', { name: /^1 lost order/ })).toBeVisible();
    await expectAccessible(board);
    // The number to call is whole, also beside the buttons on a phone.
    const called = await lost(board).getByRole('link').boundingBox();
    for (const button of await lost(board).getByRole('button').all()) {
      const box = await button.boundingBox();
      const isBeside = box && called && (box.x >= called.x + called.width || box.x + box.width <= called.x);
      const isBelow = box && called && (box.y >= called.y + called.height || box.y + box.height <= called.y);
      expect(isBeside || isBelow, await button.innerText()).toBe(true);
    }
    await board.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  }

  // It is found among all orders, and the list still has what was looked for after the order was read.
  await first.getByRole('button', { name: 'All orders' }).click();
  const search = first.getByLabel('Find by number, name or phone');
  await search.fill('late cust');
  await first
    .getByRole('dialog')
    .getByRole('button', { name: /Late Customer/ })
    .click();
  // The list is still loading when the order arrives.
  const opened = first.getByRole('dialog', { name: /^Order \d+/ });
  await expect(opened).toContainText('Not answered in time');
  await expect(opened).toContainText('cash, nothing to pay');
  await expect(opened.getByText(/^(TO PAY|By \d)/)).toHaveCount(0);
  await opened.getByRole('button', { name: 'Close' }).click();
  await expect(search).toHaveValue('late cust');
  await first.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  // It is also shown on a board that is opened on a later day.
  await shop.wait(2 * 24 * 60);
  await second.reload();
  await openLost(second);
  await expect(lost(second)).toContainText('07700 900123');
  await second.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  // A name is found on any day, with its date, and what a day leaves out is said.
  await second.getByRole('button', { name: 'All orders' }).click();
  await second.getByRole('menuitem', { name: 'All orders' }).click();
  const all = second.getByRole('dialog');
  const left = all.getByText(/^\d+ more orders? on other days or with another status\.$/);
  const today = await all.getByLabel('From').inputValue();
  await expect(all.getByText('No orders match.')).toBeVisible();
  await expect(left).toBeVisible();
  await expectAccessible(second);
  await all.getByLabel('Find by number, name or phone').fill('làte cüst');
  const found = all.getByRole('button', { name: /Late Customer/ });
  await expect(found).toContainText(/\d \w+ 20\d\d, \d\d:\d\d/);
  await expect(left).toBeHidden();
  await all.getByLabel('From').fill(today);
  await expect(found).toBeHidden();
  await expect(left).toBeVisible();
  await all.getByRole('button', { name: 'Show these too' }).click();
  await expect(found).toBeVisible();
  await all.getByRole('button', { name: 'Close' }).click();

  await openLost(first);
  await lost(first).getByRole('button', { name: 'Leave it' }).click();
  await lost(first).getByRole('button', { name: 'Undo' }).click();
  await lost(first).getByRole('button', { name: 'I called them' }).click();
  await expect(lost(first)).toBeHidden();
  await expect(lost(second)).toBeHidden();
  const { history } = await readOrder(shop, order);
  expect(history.at(-1)).toMatchObject({ from: 'rejected', to: 'rejected', reason: 'rung' });
});

test('a clock that jumps ends no order until somebody confirms the time, unless it is corrected', async ({
  shop,
  window,
}) => {
  const board = await openBoard(shop, await window());
  const order = await sendOrder(shop);
  await expect(ticket(board, order)).toBeVisible();
  const warning = (words: string) => board.getByText(`The shop’s clock jumped ${words}`);
  await shop.setClock(-90);
  await expect(warning('90 minutes back')).toBeVisible();
  await shop.setClock(0);
  await expect(warning('90 minutes back')).toBeHidden();
  expect(await statusOf(shop, order)).toBe('placed');

  await shop.setClock(26 * 60);
  await expect(warning('26 hours ahead')).toBeVisible();
  await expectAccessible(board);
  // On a low screen the alarm, the clock and all others leave the tickets their room.
  await board.setViewportSize({ width: 1024, height: 768 });
  const lines = board.locator('[data-tone="ringing"], [data-tone="bad"][aria-live]');
  expect(await lines.count()).toBeGreaterThan(1);
  const boxes = await Promise.all((await lines.all()).map(async (line) => line.boundingBox()));
  const edges = boxes.flatMap((box) => (box ? [box.y, box.y + box.height] : []));
  expect(Math.max(...edges) - Math.min(...edges)).toBeLessThanOrEqual(72);
  expect(await statusOf(shop, order)).toBe('placed');
  // Beside a ringing alarm the question may wait behind a button.
  const isRight = board.getByRole('button', { name: 'This time is right' });
  if (!(await isRight.isVisible())) await board.getByRole('button', { name: /^and \d+ more$/ }).click();
  await isRight.click();
  await expect(warning('26 hours ahead')).toBeHidden();
  await expect.poll(() => statusOf(shop, order)).toBe('rejected');

  // The clock is corrected: that is another jump, and another question.
  await shop.setClock(0);
  await expect(warning('26 hours back')).toBeVisible();
  await board.getByRole('button', { name: 'This time is right' }).click();
  await expect(warning('')).toBeHidden();
});
