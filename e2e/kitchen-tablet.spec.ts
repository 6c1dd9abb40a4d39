import type { Locator, Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { linesWithOption, moveOrder, type Placed, readOrder, sendOrder } from './orders.ts';
import { expect as expectAtOnce, test } from './shop.ts';

// A busy machine is slow; nothing here is measured.
test.setTimeout(240_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });
const tablet = { width: 1024, height: 768 };
const desktop = { width: 1920, height: 1080 };

async function sendOrders(shop: Shop, count: number, dishes = 4): Promise<Placed[]> {
  const lines = await linesWithOption(shop, dishes);
  expect(lines).toHaveLength(dishes);
  const orders: Placed[] = [];
  while (orders.length < count) orders.push(await sendOrder(shop, { lines }));
  return orders;
}

/** Ends all other orders on the board. */
async function clear(shop: Shop): Promise<void> {
  const { body } = await shop.api(
    'GET',
    '/v1/orders?status=placed,accepted,packed&per_page=100',
    undefined,
    shop.adminToken,
  );
  for (const order of body['data'] as { id: string; status: string }[]) {
    if (order.status === 'placed') await moveOrder(shop, order, 'reject', { reason: 'too_busy' });
    else await moveOrder(shop, order, 'cancel', { reason: 'Cleared' });
  }
}

/** Whether the element in the middle of the button is the button itself. */
const isUncovered = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
  });

/** One of a ticket's dishes, without its options. */
const dish = (shown: Locator, place: number): Locator => shown.getByText(/^\d+ ×$/).nth(place);

async function expectWhole(board: Page, order: Placed): Promise<void> {
  const whole = ticket(board, order);
  await expect(whole).toBeInViewport({ ratio: 1 });
  for (const [place] of order.lines.entries()) await expect(dish(whole, place)).toBeInViewport({ ratio: 1 });
  for (const name of [/^Accept/, 'Reject', '5 minutes more', '5 minutes less']) {
    const button = whole.getByRole('button', { name });
    await expect(button).toBeInViewport({ ratio: 1 });
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    expect(await isUncovered(button)).toBe(true);
  }
}

test.beforeEach(({ shop }) => clear(shop));

for (const path of ['/store/orders', '/kitchen']) {
  test(`${path}: a tablet shows six new orders completely, and a large screen shows twelve`, async ({
    shop,
    window,
  }) => {
    const address = { line1: '1 Example Street', city: 'Rugby', postcode: 'CV23 9AA' };
    const lines = (await linesWithOption(shop, 4)).map((line) => ({ ...line, quantity: 2 }));
    // One of the first orders has more text than the others.
    const delivery = await sendOrder(shop, { lines, fulfilment_type: 'delivery', address });
    const orders = [delivery, ...(await sendOrders(shop, 11))];
    for (const [viewport, count] of [
      [tablet, 6],
      [desktop, 12],
    ] as const) {
      const board = await openBoard(shop, await window({ viewport }), { path });
      // Together with the bar at the bottom while they ring.
      await expect(board.getByRole('button', { name: 'Heard it' })).toBeVisible();
      for (const order of orders.slice(0, count)) await expectWhole(board, order);
      // Beside the payment mark.
      const postcode = await ticket(board, delivery).getByText('CV23 9AA').boundingBox();
      const due = await ticket(board, delivery).getByText('To pay').boundingBox();
      if (!postcode || !due) throw new Error('both are shown');
      expectAtOnce(postcode.x + postcode.width).toBeLessThanOrEqual(due.x);
      await expectAccessible(board);
    }
  });
}

test('with orders in every column, each one’s next step is on the tablet’s screen', async ({ shop, window }) => {
  const [fresh, cooking, ready] = await sendOrders(shop, 3);
  if (!fresh || !cooking || !ready) throw new Error('three orders were sent');
  const board = await openBoard(shop, await window({ viewport: tablet }));
  await expectWhole(board, fresh);
  await moveOrder(shop, cooking, 'accept');
  await moveOrder(shop, ready, 'accept');
  await moveOrder(shop, ready, 'packed');
  for (const [order, name] of [
    [fresh, /^Accept/],
    [cooking, 'Packed'],
    [ready, 'Customer has it'],
  ] as const) {
    const step = ticket(board, order).getByRole('button', { name });
    await expect(step).toBeInViewport({ ratio: 1 });
    expect(await isUncovered(step)).toBe(true);
  }
  for (const name of [/^New/, /^In the kitchen/, /^Ready and out/])
    await expect(board.getByRole('heading', { name })).toBeInViewport();
});

for (const [device, viewport] of [
  ['tablet', tablet],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(`notices never cover the next step of an order on a ${device}`, async ({ shop, window }) => {
    const orders = await sendOrders(shop, 9, 1);
    const board = await openBoard(shop, await window({ viewport }));
    // Notices close after a time; here they stay until they were checked.
    await board.clock.install();
    await board.clock.pauseAt(Date.now() + 1000);
    for (const order of orders.slice(0, 4)) {
      await tap(board, order, /^Accept/);
      const notice = board.locator('[data-notices]').getByText(`#${order.number} `).first();
      await expect(notice).toBeInViewport({ ratio: 1 });
      await board.clock.runFor(1000);
    }
    // A phone shows only the new orders; the others are behind a tab.
    if (device === 'phone') await expect(board.locator('[data-step]')).toHaveCount(5);
    for (const order of device === 'phone' ? orders.slice(4) : orders) {
      const step = ticket(board, order).locator('[data-step]');
      // At every scroll position of the list, up to directly below the content above the tickets.
      for (const block of ['start', 'end'] as const) {
        await step.evaluate((element, at) => element.scrollIntoView({ block: at }), block);
        await expect.poll(() => isUncovered(step)).toBe(true);
      }
    }
    expect(await board.locator('[data-notices]').getByText('#').count()).toBeGreaterThan(1);
  });
}

test('a long list is cut until it is tapped, the allergy is always shown whole, and the buttons stay in reach', async ({
  shop,
  window,
}) => {
  const lines = await linesWithOption(shop, 9);
  const allergy = 'Severe peanut and sesame allergy: please clean the board, the knife and the pan before you begin.';
  const order = await sendOrder(shop, { lines, allergy_note: allergy });
  const board = await openBoard(shop, await window({ viewport: tablet }));
  const shown = ticket(board, order);
  const accept = shown.getByRole('button', { name: /^Accept/ });
  const last = dish(shown, order.lines.length - 1);
  await expect(shown).toBeInViewport({ ratio: 1 });
  await expect(shown.getByText(allergy)).toBeInViewport({ ratio: 1 });
  await expect(dish(shown, 0)).toBeInViewport({ ratio: 1 });
  await expect(last).not.toBeInViewport();
  await expect(accept).toBeInViewport({ ratio: 1 });
  await expectAccessible(board);

  // Anywhere on the list, not only on the last line.
  await shown
    .getByRole('button', { name: `Show all ${order.lines.length} dishes` })
    .click({ position: { x: 40, y: 20 } });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await expect(accept).toBeInViewport({ ratio: 1 });
  expect(await isUncovered(accept)).toBe(true);
  await expectAccessible(board);
  await shown.getByRole('button', { name: 'Show less' }).press('Enter');
  await expect(last).not.toBeInViewport();
});

test('no order is rejected without a chosen reason, by touch or by keyboard', async ({ shop, window }) => {
  const [order] = await sendOrders(shop, 1);
  if (!order) throw new Error('one order was sent');
  const board = await openBoard(shop, await window({ viewport: tablet }), { path: '/kitchen' });
  const dialog = board.getByRole('dialog');
  const reject = dialog.getByRole('button', { name: 'Reject' });
  await tap(board, order, 'Reject');
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0);
  await reject.click();
  await expect(dialog.getByText('Choose a reason first.')).toBeVisible();
  await expectAccessible(board);
  await dialog.getByRole('button', { name: 'Keep the order' }).click();
  await expect(dialog).toBeHidden();

  await ticket(board, order)
    .getByRole('button', { name: /^Accept/ })
    .focus();
  await board.keyboard.press('r');
  await expect(dialog.getByRole('radio').first()).toBeFocused();
  await board.keyboard.press('Enter');
  await expect(dialog.getByText('Choose a reason first.')).toBeVisible();
  await board.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: 'Something is sold out' })).toBeChecked();
  await board.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await readOrder(shop, order)).status).toBe('rejected');
  const { body } = await shop.api('GET', `/v1/orders/${order.id}`);
  expect(body['data']).toMatchObject({ reject_reason: 'item_unavailable' });
});
