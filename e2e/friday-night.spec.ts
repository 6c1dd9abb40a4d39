import type { Locator, Page } from '@playwright/test';
import { openLine } from '#testing/line.ts';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { moveOrder, openGuestOrder, orderBody, type Placed, plainDish, readOrder, sendOrder } from './orders.ts';
import { hire, newAddress } from './people.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

// A busy machine is slow; nothing here is measured.
test.setTimeout(600_000);

/** Leaves out the board behind a dialog, which is checked by itself. */
const behind = '[data-ready]';

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

test("the board's dialogs and lists have no accessibility faults, in light, in dark and on the wall screen", async ({
  shop,
  window,
}) => {
  const sendFor = (name: string) => sendOrder(shop, { contact: { name, phone: '07700 900123' } });
  const order = await sendFor('Ada Byron');
  const accepted = await sendFor('Grace Hopper');
  const paid = await sendFor('Paid in cash');
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
  const check = async (board: Page, isNarrow: boolean, colorScheme: 'light' | 'dark'): Promise<void> => {
    await expect(board.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await expectAccessible(board, `${board.url()} ${colorScheme}`);
    // An unanswered order moves as long as it rings, and every frame is drawn by the processor.
    await board.emulateMedia({ reducedMotion: 'reduce' });
    const open = async (name: string) => {
      if (!isNarrow || name === 'Sold out') return board.getByRole('button', { name, exact: true }).click();
      await board.getByRole('button', { name: 'New order, all orders' }).click();
      return board.getByRole('menuitem', { name }).click();
    };
    const close = async () => {
      await board.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await expect(board.getByRole('dialog')).toBeHidden();
    };
    await open('New order');
    await board.getByRole('combobox', { name: 'Dish' }).fill('ch');
    await expect(board.getByRole('option').first()).toBeVisible();
    await expectAccessible(board, `new order ${colorScheme}`, behind);
    await board.keyboard.press('Enter');
    await expect(board.getByRole('button', { name: /^Send to the kitchen, £/ })).toBeEnabled();
    await expectAccessible(board, `new order with a dish ${colorScheme}`, behind);
    if (await board.getByRole('button', { name: 'Back' }).isVisible())
      await board.getByRole('button', { name: 'Back' }).click();
    await board.getByRole('combobox', { name: 'Dish' }).fill('munch');
    await board.keyboard.press('Enter');
    await board.getByRole('dialog').getByText('Delivery', { exact: true }).click();
    await board.getByRole('dialog').getByRole('textbox', { name: 'Postcode' }).fill('AB10 1AB');
    await expect(board.locator('[aria-invalid="true"]').first()).toBeVisible();
    await expectAccessible(board, `new order with an error ${colorScheme}`, behind);
    await close();
    await open('Sold out');
    await expect(board.getByRole('button', { name: 'Sold out today' }).first()).toBeVisible();
    await expectAccessible(board, `sold out ${colorScheme}`, behind);
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
    await expectAccessible(board, `all orders, none found ${colorScheme}`, behind);
    const showAll = dialog.getByRole('button', { name: 'Show all' });
    await expect(showAll).toHaveCSS('opacity', '1');
    await showAll.click();
    await expect(showAll).toHaveCSS('opacity', '0.55');
    await expect(dialog.getByRole('button', { name: /Ada Byron/ }).first()).toBeVisible();
    await expect(dialog.getByText('Collection, as soon as possible').first()).toBeVisible();
    await expectAccessible(board, `all orders ${colorScheme}`, behind);
    await close();

    await showStage(board, 'New');
    await tap(board, order, 'Reject');
    await expectAccessible(board, `reject ${colorScheme}`, behind);
    await dialog.getByRole('button', { name: 'Keep the order' }).click();
    await showStage(board, 'Kitchen');
    const taken = ticket(board, accepted);
    await taken.getByRole('button', { name: `More for order ${accepted.number}` }).click();
    await expectAccessible(board, `a ticket's menu ${colorScheme}`, behind);
    await board.getByRole('menuitem', { name: 'Cancel order' }).click();
    await dialog.getByRole('button', { name: 'Cancel order' }).click();
    await expect(dialog.getByText('Choose a reason first')).toBeVisible();
    await dialog.getByText('Another reason').click();
    await dialog.getByRole('button', { name: 'Cancel order' }).click();
    await expect(dialog.getByText('Enter a reason for cancelling')).toBeVisible();
    await expectAccessible(board, `cancel, without a reason ${colorScheme}`, behind);
    await dialog.getByRole('button', { name: 'Keep the order' }).click();
    await taken.getByRole('button', { name: `More for order ${accepted.number}` }).click();
    await board.getByRole('menuitem', { name: 'Receipts', exact: true }).click();
    await expect(dialog.getByRole('img').first()).toBeVisible();
    await expectAccessible(board, `receipts ${colorScheme}`, behind);
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
    await expectAccessible(board, `a refund of too much ${colorScheme}`, behind);
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
    await expectAccessible(board, `details ${colorScheme}`, behind);
    // Back to the list that led to it.
    await board
      .getByRole('dialog', { name: `Order ${order.number}` })
      .getByRole('button', { name: 'Close' })
      .click();
    await expect(board.getByLabel('Find by number, name or phone')).toHaveValue('Ada Byron');
    await close();
  };
  const office = await openBoard(shop, await window({ reducedMotion: 'no-preference' }));
  await check(office, false, 'light');
  await office.setViewportSize({ width: 360, height: 740 });
  await office.emulateMedia({ colorScheme: 'dark' });
  await check(office, true, 'dark');
  // An order without an answer rings on it.
  await office.close();
  // Only tickets look different on a wall screen, not what opens over them.
  const screen = await window({ colorScheme: 'dark', viewport: { width: 1920, height: 1080 } });
  const wall = await openBoard(shop, screen, { path: '/kitchen' });
  await expect(wall.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAccessible(wall, 'the wall screen');
  await wall.getByRole('button', { name: 'New order', exact: true }).click();
  await wall.getByRole('combobox', { name: 'Dish' }).fill('munch');
  await wall.keyboard.press('Enter');
  await expect(wall.getByRole('button', { name: /Munch box/ }).first()).toBeVisible();
  await expect(wall.getByRole('button', { name: /^Send to the kitchen, £/ })).toBeEnabled();
  await expectAccessible(wall, 'new order with a dish on the wall screen', behind);
  await wall.close();
  await moveOrder(shop, order, 'reject', { reason: 'too_busy' });
});

test('twenty orders from three windows onto two boards, one of which goes offline and then loses its line silently, all end in the right state', async ({
  shop,
  window,
}) => {
  const line = await openLine(Number(new URL(shop.url).port));
  try {
    const steady = await openBoard(shop, await window());
    const { token } = await hire(shop, 'Nadiya Hussain');
    const dropped = await openBoard(shop, await window({ baseURL: `http://127.0.0.1:${line.port}` }), {
      path: '/kitchen',
      token,
    });
    await expect(steady.getByText('2 boards on')).toBeVisible();
    const names = ['Ada Byron', 'Grace Hopper', 'Alan Turing'];
    const customers = [await window(phone), await window(phone), await window(phone)];
    const dish = await plainDish(shop);
    const orders: Placed[] = [];
    for (const page of customers) {
      orders.push(await readOrder(shop, { id: await openGuestOrder(shop, page, newAddress()) }));
    }
    const orderMore = async (until: number): Promise<void> => {
      while (orders.length < until) {
        const who = orders.length % 3;
        orders.push(await orderAgain(customers[who] ?? steady, shop, dish, names[who] ?? ''));
      }
    };
    await orderMore(15);
    for (const order of orders) {
      await expect(ticket(steady, order)).toBeVisible();
      await expect(ticket(dropped, order)).toBeVisible();
    }
    const at = (place: number): { id: string; number: string } => orders[place] ?? { id: '', number: '' };

    /** A tap on a ticket that has just taken another one's place does nothing and says so; a cook reads, and taps again. */
    const tapUntil = async (board: Page, place: number, button: RegExp | string, done: Locator): Promise<void> => {
      const refused = board.getByText('Nothing was done: another order had just moved there.');
      do {
        await tap(board, at(place), button);
        await expect(done.or(refused).first()).toBeVisible();
        if ((await done.count()) === 0) await expect(refused).toBeHidden();
      } while ((await done.count()) === 0);
    };
    const accept = async (board: Page, ...places: number[]): Promise<void> => {
      for (const place of places) {
        await tapUntil(
          board,
          place,
          /^Accept/,
          board.locator(`[data-ticket="${at(place).id}"][data-status="accepted"]`),
        );
      }
    };
    const notSent = (place: number, call: string): Locator =>
      dropped.getByText(`#${at(place).number}: “${call}” is not sent yet`);

    // An idle board has loaded the code of its dialogs, so that they open without a connection.
    const loaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('reason-dialog'))";
    await expect.poll(() => dropped.evaluate(loaded)).toBe(true);
    await dropped.context().setOffline(true);
    // Both boards answer the first order: one accepts it, and the other one's call is refused, because it was second.
    await accept(steady, 0, 1);
    await tapUntil(dropped, 0, /^Accept/, notSent(0, 'Accept'));
    await tapUntil(dropped, 1, 'Reject', dropped.getByRole('dialog'));
    await dropped.getByRole('dialog').getByText('Too busy').click();
    await dropped.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await accept(dropped, 2, 3, 4);
    await tapUntil(dropped, 2, 'Packed', notSent(2, 'Packed'));
    await expect(dropped.getByText(`#${at(2).number} is packed.`)).toBeHidden();
    await accept(steady, 5, 6, 7);
    await orderMore(20);
    for (const order of orders.slice(15)) await expect(ticket(steady, order)).toBeVisible();
    // One that came and was accepted while this board was away.
    await accept(steady, 15);
    expect(orders).toHaveLength(20);
    expect((await readOrder(shop, at(2))).status).toBe('placed');

    await dropped.context().setOffline(false);
    await expect(dropped.locator('[data-waiting]')).toHaveCount(0, { timeout: 40_000 });
    await expect(dropped.locator('[data-connection="connected"]')).toBeVisible({ timeout: 40_000 });
    await expect.poll(async () => (await readOrder(shop, at(2))).status, { timeout: 40_000 }).toBe('packed');
    const truth = await Promise.all(orders.map((order) => readOrder(shop, order)));
    const taken = Array<string>(8).fill('accepted').with(2, 'packed');
    const others = Array<string>(12)
      .fill('placed')
      .with(15 - 8, 'accepted');
    expect(truth.map(({ status }) => status)).toEqual([...taken, ...others]);
    for (const order of truth) {
      expect(order.history.filter(({ to, from }) => to === 'accepted' && from !== to).length).toBeLessThanOrEqual(1);
      for (const board of [steady, dropped]) {
        await expect(ticket(board, order)).toHaveAttribute('data-status', order.status);
      }
    }
    // Numbers are consecutive within a day.
    expect(truth.map(({ number }) => Number(number)).toSorted((a, b) => a - b)).toEqual(
      truth.map((_, index) => Number(truth[0]?.number) + index),
    );
    await expect(customers[0]?.getByRole('status').getByRole('heading') ?? steady.locator('h1')).toHaveText(
      /kitchen|cooking|making/i,
    );

    // The line dies silently: the board says so and reports nothing as done, and others see that it is off.
    const last = at(19);
    const besideIt = `[data-ticket]:not([data-ticket="${last.id}"])`;
    await expect(steady.getByText('2 boards on')).toBeVisible({ timeout: 60_000 });
    line.die();
    await expect(dropped.locator('[data-line="late"]')).toContainText(/last update (8|9|1[0-4]) s ago/);
    await expectAccessible(dropped, 'a late line', besideIt);
    await tapUntil(dropped, 19, /^Accept/, notSent(19, 'Accept'));
    await expect(ticket(dropped, last)).toContainText('Not sent yet');
    await expect(dropped.locator('[data-line="dead"]')).toContainText(/last update \d+ s ago/);
    await expect(dropped.getByText('No connection. The orders shown may be out of date.')).toBeVisible();
    await expect(dropped.getByText(`#${last.number} accepted`)).toBeHidden();
    // Nobody would hear of the next order: the board sounds for that as well, until somebody has heard it.
    await expect(dropped.getByRole('alert').filter({ hasText: 'No connection to the shop' })).toBeVisible();
    await expectAccessible(dropped, 'a dead line', besideIt);
    await dropped.getByRole('button', { name: 'Heard it' }).click();
    await expect(dropped.locator('[data-alarm="silent"]')).toBeVisible();
    await expect(steady.getByText('2 boards on')).toBeHidden({ timeout: 60_000 });
    expect((await readOrder(shop, last)).status).toBe('placed');

    line.recover();
    // The browser gives up its requests over dead connections one by one.
    await expect(dropped.getByText('Not sent yet')).toHaveCount(0, { timeout: 120_000 });
    await expect(dropped.locator('[data-line="live"]')).toBeVisible({ timeout: 120_000 });
    await expect(steady.getByText('2 boards on')).toBeVisible({ timeout: 60_000 });
    const { status, history } = await readOrder(shop, last);
    expect(status).toBe('accepted');
    expect(history.filter(({ to }) => to === 'accepted')).toHaveLength(1);
  } finally {
    await line.close();
  }
});
