import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { moveOrder, type Placed, plainDishes, readOrder, sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';

/** The tick of an order's line, by its place. */
const tickOf = (board: Page, order: Placed, place: number): Locator => {
  const { name, kitchen_name: kitchenName } = order.lines[place] ?? { name: '', kitchen_name: null };
  return ticket(board, order).getByRole('button', { name: `Done: 1 × ${kitchenName ?? name}` });
};
const ticked = (shown: Locator): Promise<void> => expect(shown).toHaveAttribute('aria-pressed', 'true');
const notTicked = (shown: Locator): Promise<void> => expect(shown).toHaveAttribute('aria-pressed', 'false');

test('cooks tick dishes on two boards, one of which sleeps meanwhile; packing needs no tick', async ({
  shop,
  window,
}) => {
  const dishes = (await plainDishes(shop)).slice(0, 3);
  const order = await sendOrder(shop, { lines: dishes.map((item_id) => ({ item_id, quantity: 1 })) });
  const near = await openBoard(shop, await window({ viewport: { width: 1024, height: 768 }, hasTouch: true }));
  const far = await openBoard(shop, await window({ viewport: { width: 1920, height: 1080 } }), { path: '/kitchen' });
  await expect(ticket(near, order)).toBeVisible();
  await expect(ticket(near, order).getByRole('button', { name: /^Done: / })).toHaveCount(0);
  await moveOrder(shop, order, 'accept', { minutes: 20 });
  await notTicked(tickOf(near, order, 0));
  const before = await ticket(near, order).boundingBox();
  await tickOf(near, order, 0).tap();
  for (const board of [near, far]) {
    await ticked(tickOf(board, order, 0));
    await notTicked(tickOf(board, order, 1));
  }
  await expectAccessible(near, 'a ticked dish');
  await tickOf(far, order, 0).click();
  for (const board of [near, far]) await notTicked(tickOf(board, order, 0));
  await tickOf(far, order, 0).click();
  for (const board of [near, far]) await ticked(tickOf(board, order, 0));
  // A tick changes no height, so nothing below moves.
  expect((await ticket(near, order).boundingBox())?.height).toBe(before?.height);

  // A board that sleeps shows its own tick, and later the ones that it missed; a line that both tick is ticked once.
  await far.context().setOffline(true);
  await tickOf(far, order, 1).click();
  await ticked(tickOf(far, order, 1));
  await expect(ticket(far, order)).toContainText('Not sent yet');
  await tickOf(near, order, 1).tap();
  await ticked(tickOf(near, order, 1));
  await tickOf(near, order, 0).tap();
  await notTicked(tickOf(near, order, 0));
  await ticked(tickOf(far, order, 0));
  await far.context().setOffline(false);
  await notTicked(tickOf(far, order, 0));
  await expect(ticket(far, order)).not.toContainText('Not sent yet');
  for (const board of [near, far]) await ticked(tickOf(board, order, 1));

  await tap(near, order, 'Packed');
  await expect.poll(async () => (await readOrder(shop, order)).status).toBe('packed');
});
