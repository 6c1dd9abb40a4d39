import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { moveOrder, orderBody, type Placed, plainDish, readOrder, type Told } from './orders.ts';
import { expect as expectAtOnce, test } from './shop.ts';
import { addDish, fillCollection, goToCheckout, phone, placeOrder } from './storefront.ts';

// A busy machine is slow; nothing here is measured.
test.setTimeout(300_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });
/** Orders by hand, from the menu to the order's page. */
async function orderByHand(page: Page, shop: Shop, name: string): Promise<Placed> {
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page, name);
  return readOrder(shop, { id: await placeOrder(page) });
}

/** Orders as the customer's page would send it. */
function orderAgain(page: Page, shop: Shop, dish: string, name: string): Promise<Placed> {
  return page.evaluate(
    async (sent) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/v1/orders', { method: 'POST', headers, body: JSON.stringify(sent) });
      const { data } = (await answer.json()) as { data: Placed };
      return data;
    },
    orderBody(shop, dish, { name }),
  );
}

test('twenty orders from three windows onto two boards, one of which goes offline, all end in the right state', async ({
  shop,
  window,
}) => {
  test.setTimeout(600_000);
  const steady = await openBoard(shop, await window());
  const dropped = await openBoard(shop, await window());
  const names = ['Ada Byron', 'Grace Hopper', 'Alan Turing'];
  const customers = [await window(phone), await window(phone), await window(phone)];
  const dish = await plainDish(shop);
  const orders: Placed[] = [];
  for (const [index, page] of customers.entries()) orders.push(await orderByHand(page, shop, names[index] ?? ''));
  while (orders.length < 15) {
    const who = orders.length % 3;
    orders.push(await orderAgain(customers[who] ?? steady, shop, dish, names[who] ?? ''));
  }
  for (const order of orders) {
    await expect(ticket(steady, order)).toBeVisible();
    await expect(ticket(dropped, order)).toBeVisible();
  }
  const at = (place: number): { id: string; number: string } => orders[place] ?? { id: '', number: '' };

  await dropped.context().setOffline(true);
  // Both boards answer the first order: one accepts it, and the other one's call is refused, because it was second.
  await tap(steady, at(0), /^Accept/);
  await tap(steady, at(1), /^Accept/);
  await expect(ticket(steady, at(1))).toHaveAttribute('data-status', 'accepted');
  await tap(dropped, at(0), /^Accept/);
  await expect(dropped.getByText(`#${at(0).number}: “Accept” is not sent yet`)).toBeVisible();
  await tap(dropped, at(1), 'Reject');
  await dropped.getByRole('dialog').getByText('Too busy').click();
  await dropped.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  for (const place of [2, 3, 4]) await tap(dropped, at(place), /^Accept/);
  await tap(dropped, at(2), 'Packed');
  await expect(dropped.getByText(`#${at(2).number}: “Packed” is not sent yet`)).toBeVisible();
  await expect(dropped.getByText(`#${at(2).number} is packed.`)).toBeHidden();
  for (const place of [5, 6, 7]) await tap(steady, at(place), /^Accept/);
  for (let more = 0; more < 5; more += 1) {
    const placed = await orderAgain(customers[more % 3] ?? steady, shop, dish, names[more % 3] ?? '');
    orders.push(placed);
    await expect(ticket(steady, placed)).toBeVisible();
  }
  expect(orders).toHaveLength(20);
  expect((await readOrder(shop, at(2))).status).toBe('placed');

  await dropped.context().setOffline(false);
  await expect(dropped.locator('[data-waiting]')).toHaveCount(0, { timeout: 40_000 });
  await expect(dropped.locator('[data-connection="connected"]')).toBeVisible({ timeout: 40_000 });
  await expect.poll(async () => (await readOrder(shop, at(2))).status, { timeout: 40_000 }).toBe('packed');
  const truth = await Promise.all(orders.map((order) => readOrder(shop, order)));
  const taken = Array<string>(8).fill('accepted').with(2, 'packed');
  expect(truth.map(({ status }) => status)).toEqual([...taken, ...Array<string>(12).fill('placed')]);
  for (const order of truth) {
    expect(order.history.filter(({ to, from }) => to === 'accepted' && from !== to).length).toBeLessThanOrEqual(1);
    for (const board of [steady, dropped]) {
      await expect(ticket(board, order)).toHaveAttribute('data-status', order.status, { timeout: 20_000 });
    }
  }
  // Numbers are consecutive within a day.
  expect(truth.map(({ number }) => Number(number)).toSorted((a, b) => a - b)).toEqual(
    truth.map((_, index) => Number(truth[0]?.number) + index),
  );
  await expect(customers[0]?.getByRole('status').getByRole('heading') ?? steady.locator('h1')).toHaveText(
    /kitchen|cooking|making/i,
  );
});

test('an order is typed by keyboard alone, paid immediately, and goes through every step; one step is undone', async ({
  shop,
  window,
}) => {
  const board = await openBoard(shop, await window());
  // The menu loads late: keys pressed before it is there must not close the dialog.
  await board.route('**/v1/menus/store/**', async (route) => {
    await board.keyboard.press('Enter');
    await route.continue();
  });
  await board.getByRole('button', { name: 'New order' }).press('Enter');
  const dialog = board.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Dish' })).toBeFocused();
  await board.keyboard.type('2 munch');
  await board.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: /Munch box/ }).first()).toBeVisible();
  await dialog.getByLabel('Name').fill('Radia Perlman');
  await dialog.getByLabel('Phone', { exact: false }).last().fill('07700 900789');
  await dialog.getByLabel('Already paid').check();
  // Nothing can be printed in a shop without a printer.
  await expect(dialog.getByRole('button', { name: 'Print without ordering' })).toHaveCount(0);
  await dialog.getByRole('button', { name: /^Send to the kitchen, £/ }).click();
  await expect(board.getByText(/^#\d+ is in the kitchen\.$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const list = await shop.api('GET', `/v1/orders?search=Radia&store_id=${shop.storeId}`, undefined, shop.adminToken);
  const [order] = list.body['data'] as Told[];
  if (!order) throw new Error('the order is not there');
  await expect(ticket(board, order)).toHaveAttribute('data-status', 'accepted');
  await expect.poll(() => readOrder(shop, order)).toMatchObject({ payment_status: 'paid', channel: 'phone' });

  // Late, so it gets a new promise.
  const promised = (await readOrder(shop, order)).promised_at;
  await ticket(board, order)
    .getByRole('button', { name: `More for order ${order.number}` })
    .press('Enter');
  await board.getByRole('menuitem', { name: '20 min later' }).press('Enter');
  await expect
    .poll(async () => Date.parse((await readOrder(shop, order)).promised_at))
    .toBeGreaterThan(Date.parse(promised));

  await tap(board, order, 'Packed');
  await tap(board, order, 'Customer has it');
  await expect.poll(async () => (await readOrder(shop, order)).status).toBe('collected');
  await board.getByRole('button', { name: /^Done/ }).click();
  await board.locator(`[data-done="${order.id}"]`).getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(async () => (await readOrder(shop, order)).status).toBe('packed');
  // It was paid before it was handed over.
  expect((await readOrder(shop, order)).payment_status).toBe('paid');
});

test('an order without an answer is rejected at its deadline, even with no board open, and boards show it', async ({
  shop,
  window,
}) => {
  const page = await window();
  await page.goto('/');
  const order = await orderAgain(page, shop, await plainDish(shop), 'Late Customer');
  await shop.wait(9);
  expect((await readOrder(shop, order)).status).toBe('placed');
  await shop.wait(2);
  await expect
    .poll(() => readOrder(shop, order), { timeout: 15_000 })
    .toMatchObject({
      status: 'rejected',
      reject_reason: 'not_answered',
    });
  const board = await openBoard(shop, await window());
  await expect(board.locator(`[data-lost="${order.id}"]`)).toContainText('Late Customer');
  await board.getByRole('button', { name: 'All orders' }).click();
  await board.getByLabel('Find by number, name or phone').fill('late cust');
  await board
    .getByRole('dialog')
    .getByRole('button', { name: /Late Customer/ })
    .click();
  // The list is still loading when the order arrives.
  const opened = board.getByRole('dialog', { name: /^Order \d+/ });
  await expect(opened).toContainText('Not answered in time');
  await opened.getByRole('button', { name: 'Close' }).click();
  await expect(board.getByLabel('Find by number, name or phone')).toHaveValue('late cust');
});

test('a dish is marked as sold out on the board and cannot be ordered, then marked as available again', async ({
  shop,
  window,
}) => {
  const board = await openBoard(shop, await window(), { path: '/kitchen' });
  const find = async () => {
    await board.getByLabel('Find a dish or an option').fill('Classic cheeseburger');
    return board.getByRole('group', { name: 'Classic cheeseburger, Dish' });
  };
  await board.getByRole('button', { name: 'Sold out' }).click();
  await (await find()).getByRole('button', { name: 'Sold out today' }).click();
  await expect((await find()).getByRole('button', { name: 'Available again' })).toBeVisible();
  const customer = await window();
  await customer.goto('/menu');
  await expect(customer.getByRole('link', { name: /^Classic cheeseburger/ }).first()).toContainText(/sold out/i);
  await (await find()).getByRole('button', { name: 'Available again' }).click();
  await expect((await find()).getByRole('button', { name: 'Sold out today' })).toBeVisible();
});

test("the board's dialogs and lists have no accessibility faults, in light, in dark and on the wall screen", async ({
  shop,
  window,
}) => {
  test.setTimeout(900_000);
  const customer = await window();
  await customer.goto('/');
  const dish = await plainDish(shop);
  const order = await orderAgain(customer, shop, dish, 'Ada Byron');
  const accepted = await orderAgain(customer, shop, dish, 'Grace Hopper');
  const paid = await orderAgain(customer, shop, dish, 'Paid in cash');
  for (const [one, calls] of [
    [accepted, ['accept']],
    [paid, ['accept', 'collected-by-customer']],
  ] as const) {
    for (const call of calls) await moveOrder(shop, one, call);
  }
  const showStage = async (board: Page, name: string): Promise<void> => {
    const tab = board.getByRole('tab', { name: new RegExp(`^${name}`) });
    if (await tab.isVisible()) await tab.click();
  };
  for (const [colorScheme, path, viewport, reducedMotion] of [
    ['light', '/store/orders', { width: 1280, height: 800 }, 'no-preference'],
    ['dark', '/store/orders', { width: 360, height: 740 }, 'reduce'],
    ['dark', '/kitchen', { width: 1920, height: 1080 }, 'reduce'],
  ] as const) {
    const board = await openBoard(shop, await window({ colorScheme, viewport, reducedMotion }), { path });
    await expectAccessible(board, `${path} ${colorScheme}`);
    const open = async (name: string) => {
      if (viewport.width > 700) return board.getByRole('button', { name, exact: true }).click();
      await board.getByRole('button', { name: 'New order, sold out, all orders' }).click();
      return board.getByRole('menuitem', { name }).click();
    };
    const close = async () => {
      await board.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await expect(board.getByRole('dialog')).toBeHidden();
    };
    await open('New order');
    await board.getByRole('combobox', { name: 'Dish' }).fill('ch');
    await expect(board.getByRole('option').first()).toBeVisible();
    await expectAccessible(board, `new order ${colorScheme}`);
    await board.keyboard.press('Enter');
    await expectAccessible(board, `new order with a dish ${colorScheme}`);
    if (await board.getByRole('button', { name: 'Back' }).isVisible())
      await board.getByRole('button', { name: 'Back' }).click();
    await board.getByRole('combobox', { name: 'Dish' }).fill('munch');
    await board.keyboard.press('Enter');
    await board.getByRole('dialog').getByText('Delivery', { exact: true }).click();
    await board.getByRole('dialog').getByRole('textbox', { name: 'Postcode' }).fill('AB10 1AB');
    await expect(board.locator('[aria-invalid="true"]').first()).toBeVisible();
    await expectAccessible(board, `new order with an error ${colorScheme}`);
    await close();
    await open('Sold out');
    await expect(board.getByRole('button', { name: 'Sold out today' }).first()).toBeVisible();
    await expectAccessible(board, `sold out ${colorScheme}`);
    await close();
    const dialog = board.getByRole('dialog');
    const find = async (name: string) => {
      await open('All orders');
      await board.getByLabel('Find by number, name or phone').fill(name);
    };
    await find('nobody of this name');
    await dialog.getByLabel('From').fill('2026-01-02');
    await dialog.getByLabel('Status').selectOption('Collected');
    await expect(dialog.getByText('No orders match.')).toBeVisible();
    await expectAccessible(board, `all orders, none found ${colorScheme}`);
    await dialog.getByRole('button', { name: 'Show all' }).click();
    await expect(dialog.getByRole('button', { name: /Ada Byron/ }).first()).toBeVisible();
    await expectAccessible(board, `all orders ${colorScheme}`);
    await close();

    await showStage(board, 'New');
    await tap(board, order, 'Reject');
    await expectAccessible(board, `reject ${colorScheme}`);
    await dialog.getByRole('button', { name: 'Keep the order' }).click();
    await showStage(board, 'Kitchen');
    const taken = ticket(board, accepted);
    await taken.getByRole('button', { name: `More for order ${accepted.number}` }).click();
    await expectAccessible(board, `a ticket's menu ${colorScheme}`);
    await board.getByRole('menuitem', { name: 'Cancel order' }).click();
    await dialog.getByRole('button', { name: 'Cancel order' }).click();
    await expect(dialog.getByText('Enter a reason for cancelling')).toBeVisible();
    await expectAccessible(board, `cancel, without a reason ${colorScheme}`);
    await dialog.getByRole('button', { name: 'Keep the order' }).click();
    await taken.getByRole('button', { name: `More for order ${accepted.number}` }).click();
    await board.getByRole('menuitem', { name: 'Receipts', exact: true }).click();
    await expect(dialog.getByRole('img').first()).toBeVisible();
    await expectAccessible(board, `receipts ${colorScheme}`);
    await close();

    await find('Paid in cash');
    await dialog
      .getByRole('button', { name: /Paid in cash/ })
      .first()
      .click();
    await dialog.getByRole('button', { name: 'Refund' }).click();
    const refund = board.getByRole('dialog', { name: `Refund for order ${paid.number}` });
    await refund.getByRole('radio', { name: 'Another amount' }).check();
    await refund.getByRole('textbox', { name: /^Amount/ }).fill('1000');
    await refund.getByRole('textbox', { name: /^Reason/ }).fill('Cold');
    await expect(refund.getByText(/^You can refund £/)).toBeVisible();
    await expectAccessible(board, `a refund of too much ${colorScheme}`);
    await refund.getByRole('button', { name: 'Cancel' }).click();
    await expect(refund).toBeHidden();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await board.getByLabel('Find by number, name or phone').fill('Ada Byron');
    await dialog
      .getByRole('button', { name: /Ada Byron/ })
      .first()
      .click();
    await expect(board.getByRole('dialog', { name: `Order ${order.number}` })).toBeVisible();
    await expect(board.getByRole('dialog')).toHaveCount(1);
    await expectAccessible(board, `details ${colorScheme}`);
    // An order without an answer rings on it.
    await board.close();
  }
});
