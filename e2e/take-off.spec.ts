import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { askTakeOff, openBoard, tap, ticket } from './board.ts';
import { moveOrder, openGuestOrder, type Placed, readOrder, sendOrder } from './orders.ts';
import { newAddress } from './people.ts';
import { expect, test } from './shop.ts';
import { burger, linesOf, phone } from './storefront.ts';

// A busy machine is slow; nothing here is measured.
/** As customers and as the kitchen names them. */
const chips = { name: 'Skin-on chips', kitchen: 'Chips' };
const rings = { name: 'Battered onion rings', kitchen: 'Onion rings' };

async function moneyOf(shop: Shop, id: string) {
  const { body } = await shop.api('GET', `/v1/orders/${id}/payments`, undefined, shop.adminToken);
  return body['data'] as { total: number; refunded: number; refundable: number; refunds: object[] };
}

/** As the board names the order's first dish. */
const kitchenName = ({ lines }: Placed): string => lines[0]?.kitchen_name ?? lines[0]?.name ?? '';
const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

test('dishes are taken off: page, board and money agree; it can be taken back, the last cancels, and colleagues take one off once', async ({
  shop,
  window,
}) => {
  const wide = { width: 1024, height: 768 };
  const board = await openBoard(shop, await window({ viewport: wide, hasTouch: true }));
  const customer = await window(phone);
  const held = await linesOf(shop, { [burger]: 1, [chips.name]: 1, [rings.name]: 1 });
  const lines = held.map(({ item_id, quantity, options }) => ({ item_id, quantity, options }));
  const id = await openGuestOrder(shop, customer, newAddress(), { lines, payment_method: 'card' });
  const order = await readOrder(shop, { id });
  const price = (name: string) => order.lines.find((line) => line.name === name)?.unit_price ?? 0;
  await expect(ticket(board, order)).toBeVisible();

  // Nothing is chosen yet: the dialog says what is missing and sends nothing.
  let dialog = await askTakeOff(board, order);
  await dialog.getByRole('button', { name: 'Take off', exact: true }).click();
  await expect(dialog.getByText('Choose at least one dish.')).toBeVisible();
  await expect(dialog.getByText('Choose a reason.')).toBeVisible();
  await dialog.getByRole('button', { name: `Take one ${chips.kitchen} off` }).click();
  await expect(dialog.getByRole('button', { name: `Take one ${chips.kitchen} off` })).toBeDisabled();
  await dialog.getByRole('radio', { name: 'Sold out' }).check();
  const lower = order.total - price(chips.name);
  await expect(dialog).toContainText(
    `New total: ${pounds(lower)} instead of ${pounds(order.total)}. The card is charged ${pounds(price(chips.name))} less.`,
  );
  await expectAccessible(board);
  await dialog.getByRole('button', { name: 'Take 1 dish off' }).click();
  // It can be taken back until it is sent.
  await expect(ticket(board, order).getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect.poll(async () => (await readOrder(shop, order)).total).toBe(lower);
  await expect(ticket(board, order).getByText('Taken off')).toBeVisible();
  await expect(ticket(board, order)).toContainText(pounds(lower));
  await tap(board, order, `Details of order ${order.number}`);
  const details = board.getByRole('dialog', { name: `Order ${order.number}` });
  await expect(details.getByText('Taken off', { exact: true })).toBeInViewport({ ratio: 1 });
  const sections = await details.getByRole('heading', { level: 3 }).all();
  const lefts = await Promise.all(sections.map(async (heading) => (await heading.boundingBox())?.x));
  expect(new Set(lefts).size, 'one section is below the other').toBe(1);
  await board.keyboard.press('Escape');

  const gone = customer.getByRole('region', { name: 'Taken off your order' });
  await expect(gone).toContainText(chips.name);
  await expect(gone).toContainText('Sold out');
  await expect(gone).toContainText(`Your card will be charged ${pounds(lower)}.`);
  await expectAccessible(customer);

  await tap(board, order, /^Accept/);
  await expect.poll(async () => (await readOrder(shop, order)).payment_status).toBe('paid');
  expect(await moneyOf(shop, order.id)).toMatchObject({ total: lower, refunded: 0, refundable: lower, refunds: [] });

  // The second dish was charged, so it goes back.
  dialog = await askTakeOff(board, order);
  await dialog.getByRole('button', { name: `Take one ${rings.kitchen} off` }).click();
  await expect(dialog).toContainText(`${pounds(price(rings.name))} goes back to the card.`);
  await dialog.getByRole('radio', { name: 'Another reason' }).check();
  await dialog.getByRole('textbox', { name: 'The reason' }).fill('They fell on the floor');
  await dialog.getByRole('button', { name: 'Take 1 dish off' }).click();
  const lowest = lower - price(rings.name);
  await expect
    .poll(() => moneyOf(shop, order.id))
    .toMatchObject({
      total: lowest,
      refunded: 0,
      refundable: lowest,
      refunds: [{ kind: 'line_removed', status: 'succeeded', amount: price(rings.name) }],
    });
  await expect(gone).toContainText('They fell on the floor');
  await expect(gone).toContainText(`${pounds(price(rings.name))} for what was taken off was sent back to your card.`);
  expect((await readOrder(shop, order)).payment_status).toBe('paid');

  await takeBack(shop, board);
  await board.setViewportSize(wide);
  await bothAtOnce(shop, board);
});

/** On a phone: taking it off can be taken back, and the last dish cancels the order. */
async function takeBack(shop: Shop, board: Page): Promise<void> {
  await board.setViewportSize(phone.viewport);
  const order = await sendOrder(shop, { quantity: 2 });
  await moveOrder(shop, order, 'accept');
  await board.getByRole('tab', { name: /Kitchen/ }).click();
  await expect(ticket(board, order)).toBeVisible();
  const name = kitchenName(order);

  let dialog = await askTakeOff(board, order);
  await dialog.getByRole('button', { name: `Take one ${name} off` }).click();
  await dialog.getByRole('radio', { name: 'The customer asked for it' }).check();
  await expectAccessible(board);
  await dialog.getByRole('button', { name: 'Take 1 dish off' }).click();
  await ticket(board, order).getByRole('button', { name: 'Undo' }).click();
  await expect(ticket(board, order).getByRole('button', { name: 'Undo' })).toBeHidden();
  expect((await readOrder(shop, order)).total).toBe(order.total);

  dialog = await askTakeOff(board, order);
  await dialog.getByRole('button', { name: `Take one ${name} off` }).click();
  await dialog.getByRole('button', { name: `Take one ${name} off` }).click();
  await expect(dialog).toContainText('No dish is left, so this cancels the order.');
  await dialog.getByRole('radio', { name: 'Sold out' }).check();
  await dialog.getByRole('button', { name: 'Take 2 dishes off' }).click();
  await expect.poll(async () => (await readOrder(shop, order)).status).toBe('cancelled');
}

/** A dish that a colleague took off meanwhile is not taken off again. */
async function bothAtOnce(shop: Shop, board: Page): Promise<void> {
  const order = await sendOrder(shop, { quantity: 3 });
  await expect(ticket(board, order)).toBeVisible();
  const dialog = await askTakeOff(board, order);
  await dialog.getByRole('button', { name: `Take one ${kitchenName(order)} off` }).click();
  await dialog.getByRole('radio', { name: 'Sold out' }).check();
  await dialog.getByRole('button', { name: 'Take 1 dish off' }).click();
  // In the seconds in which it can be taken back.
  await moveOrder(shop, order, 'lines/remove', {
    lines: [{ line_id: order.lines[0]?.id, quantity: 1 }],
    reason: 'sold_out',
  });
  await expect(board.getByText('Somebody has changed this order in the meantime.')).toBeVisible();
  const { lines } = (await readOrder(shop, order)) as unknown as { lines: { quantity: number }[] };
  expect(lines.map(({ quantity }) => quantity)).toEqual([2]);
}
