import type { Locator, Page } from '@playwright/test';
import { expectAccessible, widthBeyond } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { moveOrder, type Placed, plainDishes, readOrder, sendOrder } from './orders.ts';
import { signedIn } from './people.ts';
import { expect, test } from './shop.ts';
import { findLostText } from './large-text.ts';
import { burger, changeDish, linesOf } from './storefront.ts';

/** The tick of an order's line, by its place. */
const tickOf = (board: Page, order: Placed, place: number): Locator => {
  const { name, kitchen_name: kitchenName } = order.lines[place] ?? { name: '', kitchen_name: null };
  return ticket(board, order).getByRole('button', { name: `Cooked: 1 × ${kitchenName ?? name}` });
};
const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error('A part of the board has no box.');
  return box;
};
const ticked = (shown: Locator): Promise<void> => expect(shown).toHaveAttribute('aria-pressed', 'true');
const notTicked = (shown: Locator): Promise<void> => expect(shown).toHaveAttribute('aria-pressed', 'false');

test('cooks tick dishes on two boards, one of which sleeps meanwhile; packing needs no tick', async ({
  shop,
  window,
}) => {
  const dishes = (await plainDishes(shop)).slice(0, 3);
  const order = await sendOrder(shop, { lines: dishes.map((item_id) => ({ item_id, quantity: 1 })) });
  // Accepted before the boards open, so that no lane changes its width while heights are compared.
  await moveOrder(shop, order, 'accept', { minutes: 20 });
  const fresh = await sendOrder(shop);
  const near = await openBoard(shop, await window({ viewport: { width: 1024, height: 768 }, hasTouch: true }));
  const far = await openBoard(shop, await window({ viewport: { width: 1920, height: 1080 } }), { path: '/kitchen' });
  await expect(ticket(near, fresh)).toBeVisible();
  await expect(ticket(near, fresh).getByRole('button', { name: /^Cooked: / })).toHaveCount(0);
  await notTicked(tickOf(near, order, 0));
  const before = await boxOf(ticket(near, order));
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
  expect((await boxOf(ticket(near, order))).height).toBeCloseTo(before.height, 0);

  // A board that sleeps shows its own tick, and later the ones that it missed; a line that both tick is ticked once.
  const farBefore = await boxOf(ticket(far, order));
  await far.context().setOffline(true);
  await tickOf(far, order, 1).click();
  await ticked(tickOf(far, order, 1));
  await expect(ticket(far, order)).toContainText('Not sent yet');
  // The notice takes no height, so the customer's name stays below the last dish.
  const list = await boxOf(ticket(far, order).locator('[data-list]'));
  const name = await boxOf(ticket(far, order).getByText('Ada Byron'));
  expect(name.y).toBeGreaterThanOrEqual(list.y + list.height);
  expect((await boxOf(ticket(far, order))).height).toBeCloseTo(farBefore.height, 0);
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

test('cooks see what to cook in all by station, what an order lacks, and the last orders again, by arrival if they like', async ({
  shop,
  window,
}) => {
  const board = await openBoard(shop, await window({ viewport: { width: 1024, height: 768 }, hasTouch: true }));
  const other = await openBoard(shop, await window({ viewport: { width: 1366, height: 768 } }), { path: '/kitchen' });
  const lines = await linesOf(shop, { [burger]: 1, 'Skin-on chips': 2 });
  const send = async (minutes: number): Promise<Placed> => {
    const order = await sendOrder(shop, {
      lines: lines.map(({ item_id, quantity, options }) => ({ item_id, quantity, options })),
    });
    await moveOrder(shop, order, 'accept', { minutes });
    return order;
  };
  const early = await send(60);
  const late = await send(30);
  const fresh = await sendOrder(shop, {
    lines: [{ item_id: lines[1]?.item_id, quantity: 3, options: lines[1]?.options }],
  });

  await expect(ticket(board, late)).toBeVisible();
  await board.getByRole('button', { name: 'To cook' }).click();
  const counts = board.getByRole('dialog', { name: 'To cook' });
  const fryer = counts.locator('[data-station="fryer"]').getByRole('listitem').filter({ hasText: 'Chips' });
  await expect(fryer).toContainText('4Chips+3 new');
  await expect(counts.locator('[data-station="grill"]').getByRole('listitem').first()).toContainText(/^2/);
  await expectAccessible(board, 'what to cook');
  // A tick on the other board leaves the counts at once.
  await expect(ticket(other, early)).toBeVisible();
  await ticket(other, early).getByRole('button', { name: 'Cooked: 2 × Chips' }).click();
  await expect(fryer).toContainText('2Chips+3 new');
  await board.keyboard.press('Escape');

  await tap(board, early, `Details of order ${early.number}`);
  const details = board.getByRole('dialog', { name: `Order ${early.number}` });
  await expect(details.locator('[data-missing]')).toContainText(/^Still to cookgrill: 1 × /);
  await expect(details.locator('[data-missing]')).not.toContainText('Chips');
  await details.getByRole('button', { name: /^Cooked: 1 × / }).tap();
  await expect(details.getByText('Every dish is ticked.')).toBeVisible();
  await expectAccessible(board, 'what an order lacks');
  await board.keyboard.press('Escape');

  const kitchen = board.locator('[data-column="kitchen"] [data-ticket]');
  await expect(kitchen.first()).toHaveAttribute('data-ticket', late.id);
  await board.getByRole('button', { name: 'This screen' }).click();
  await board.getByRole('dialog', { name: 'This screen' }).getByText('Oldest first').click();
  await board.keyboard.press('Escape');
  await expect(kitchen.first()).toHaveAttribute('data-ticket', early.id);
  // The other screen keeps its own order, this one after a reload too.
  await expect(other.locator('[data-column="kitchen"] [data-ticket]').first()).toHaveAttribute('data-ticket', late.id);
  await board.reload();
  await expect(kitchen.first()).toHaveAttribute('data-ticket', early.id);

  // A tap beside the buttons makes the next step, but answers nothing and takes no money.
  await board.getByRole('button', { name: 'This screen' }).click();
  await board.getByRole('dialog', { name: 'This screen' }).getByText('Makes the next step').click();
  await expectAccessible(board, 'the settings of a screen');
  await board.keyboard.press('Escape');
  await moveOrder(shop, early, 'packed');
  await expect(board.locator('[data-column="ready"]').locator(`[data-ticket="${early.id}"]`)).toBeVisible();
  for (const order of [fresh, early, late]) await ticket(board, order).getByText('Ada Byron').tap();
  await expect(board.getByText(`#${late.number} is packed.`)).toBeVisible();
  const statuses = async () =>
    Promise.all([fresh, early, late].map(async (each) => (await readOrder(shop, each)).status));
  expect(await statuses()).toEqual(['placed', 'packed', 'packed']);
  await board.locator('[data-notices]').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(statuses).toEqual(['placed', 'packed', 'accepted']);

  await moveOrder(shop, early, 'collected-by-customer');
  await moveOrder(shop, fresh, 'reject', { reason: 'too_busy' });
  await board.getByRole('button', { name: /^Done/ }).click();
  const done = board.getByRole('dialog', { name: 'Done' });
  await expect(done.locator(`[data-done="${fresh.id}"]`)).toBeVisible();
  await done.getByText('Last 20 handed over').click();
  await expect(done.locator(`[data-done="${fresh.id}"]`)).toBeHidden();
  await expectAccessible(board, 'the last orders');
  await done.getByRole('button', { name: `Receipts of order ${early.number}` }).click();
  await expect(board.getByRole('dialog', { name: `Receipts of order ${early.number}` })).toContainText('Chips');
});

const tv = { width: 1920, height: 1080 };
const portrait = { width: 1080, height: 1920 };

test('a wall shows what to cook, and the counter which numbers are ready, by itself after a lost connection', async ({
  shop,
  window,
}) => {
  const board = await openBoard(shop, await window({ viewport: { width: 1024, height: 768 } }));
  const send = async (change: Record<string, unknown> = {}): Promise<Placed> => {
    const order = await sendOrder(shop, change);
    await moveOrder(shop, order, 'accept', { minutes: 20 });
    return order;
  };
  const address = { line1: '1 Example Street', city: 'Rugby', postcode: 'CV23 9AA' };
  const cooking = await send({ note: 'No cutlery', allergy_note: 'Sesame' });
  const delivery = await send({ fulfilment_type: 'delivery', address, quantity: 2 });
  const packed = await send();

  // From the board by its settings, and at the address on a TV.
  await board.getByRole('button', { name: 'This screen' }).click();
  await board.getByRole('link', { name: /^Ready numbers/ }).click();
  await board.waitForURL('/kitchen/ready');
  const ready = board.locator('[data-stage="ready"]');
  const preparing = board.locator('[data-stage="preparing"]');
  const prepares = (order: Placed) => preparing.getByText(order.number, { exact: true });
  await expect(prepares(packed)).toBeVisible();
  await moveOrder(shop, packed, 'packed');
  await expect(ready.locator('[data-just-ready]').first()).toHaveText(`${packed.number} just ready`);

  const wall = await window({ viewport: tv });
  await signedIn(wall, shop.adminToken);
  // The shop answers late, and nobody is at a TV to try again.
  await wall.route('**/v1/stores?*', (route) => route.abort(), { times: 3 });
  await wall.goto('/kitchen/wall');
  await expect(wall.getByRole('button', { name: 'Try again' })).toBeVisible();

  const shown = wall.locator(`[data-wall="${cooking.id}"]`);
  await expect(shown).toContainText('No cutlery');
  await expect(shown).toContainText('Sesame');
  await expect(shown.getByText('Collection')).toBeVisible();
  await expect(wall.locator(`[data-wall="${delivery.id}"]`)).toContainText('2 ×');
  await expect(wall.locator(`[data-wall="${packed.id}"]`)).toHaveCount(0);
  await expect(wall.getByRole('main')).not.toContainText(/£|07700|Ada Byron/);
  await expectAccessible(wall, 'the kitchen’s wall');

  await expect(prepares(cooking)).toBeVisible();
  await expect(prepares(delivery)).toHaveCount(0);
  await expect(board.getByRole('main')).not.toContainText(/£|07700|Ada Byron/);
  await expectAccessible(board, 'the ready numbers');

  // The screen stays with the last numbers, says that they are old, and catches up.
  await board.context().setOffline(true);
  await expect(board.getByRole('alert')).toHaveText('This screen is not up to date. Please ask at the counter.');
  await expectAccessible(board, 'stale ready numbers');
  await moveOrder(shop, cooking, 'packed');
  await expect(shown).toHaveCount(0);
  await expect(prepares(cooking)).toBeVisible();
  await board.context().setOffline(false);
  await expect(ready.getByRole('listitem').first()).toContainText(cooking.number);
  await expect(board.getByRole('alert')).toHaveCount(0);
  await expect(prepares(cooking)).toHaveCount(0);
  for (const viewport of [tv, { width: 1366, height: 768 }, portrait]) {
    await board.setViewportSize(viewport);
    await expect(ready.getByText(new RegExp(`^${packed.number}( just ready)?$`))).toBeInViewport({ ratio: 1 });
    expect(await widthBeyond(board)).toBeLessThanOrEqual(0);
  }
  await board.getByRole('link', { name: 'Order board' }).click();
  await board.waitForURL('/kitchen');
});

test('a dish of sixty letters without a space is shown whole on tickets, in details, counts, the till and on the wall', async ({
  shop,
  window,
}) => {
  const long = {
    [burger]:
      '宫保鸡丁鱼香肉丝麻婆豆腐回锅肉水煮牛肉酸菜鱼夫妻肺片口水鸡担担面龙抄手钟水饺赖汤圆韩包子叶儿粑蛋烘糕三大炮糖油果子三合泥',
    'Skin-on chips': 'Donaudampfschifffahrtsgesellschaftskapitänsmützenkartoffeln1',
    'Halloumi fries': 'ก๋วยเตี๋ยวเรือน้ำตกหมูสับลูกชิ้นเนื้อเปื่อยพิเศษไม่ใส่ผักชีโรยกระเทียม',
  };
  const lines = await linesOf(shop, { [burger]: 1, 'Skin-on chips': 2, 'Halloumi fries': 1 });
  for (const [name, kitchen] of Object.entries(long))
    await changeDish(shop, name, { name: kitchen, kitchen_name: null });
  const dishes = Object.values(long);
  const order = await sendOrder(shop, {
    lines: lines.map(({ item_id, quantity, options }) => ({ item_id, quantity, options })),
  });
  await moveOrder(shop, order, 'accept', { minutes: 20 });
  const board = await openBoard(shop, await window({ viewport: { width: 390, height: 844 } }));
  await board.getByRole('tab', { name: /^Kitchen/ }).click();
  const wholeIn = async (within: Locator): Promise<void> => {
    for (const dish of dishes) await expect(within).toContainText(dish);
    await expect.poll(() => findLostText(board)).toEqual([]);
    expect(await widthBeyond(board)).toBeLessThanOrEqual(0);
  };
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 768, height: 1024 },
    { width: 1024, height: 768 },
    tv,
  ]) {
    await board.setViewportSize(viewport);
    await wholeIn(ticket(board, order));
  }
  await board.setViewportSize({ width: 1024, height: 768 });
  await tap(board, order, `Details of order ${order.number}`);
  await wholeIn(board.getByRole('dialog'));
  await board.keyboard.press('Escape');
  await board.getByRole('button', { name: 'To cook' }).click();
  await wholeIn(board.getByRole('dialog'));
  await board.keyboard.press('Escape');
  await board.getByRole('button', { name: 'New order', exact: true }).click();
  const till = board.getByRole('dialog', { name: 'New order' });
  for (const dish of dishes) {
    await till.getByRole('combobox', { name: 'Dish' }).fill(dish.slice(0, 5));
    await expect(till).toContainText(dish);
    await expect.poll(() => findLostText(board)).toEqual([]);
  }
  await board.goto('/kitchen/wall');
  for (const viewport of [{ width: 1024, height: 768 }, tv, portrait]) {
    await board.setViewportSize(viewport);
    await wholeIn(board.locator(`[data-wall="${order.id}"]`));
  }
});
