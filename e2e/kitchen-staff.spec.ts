import type { Locator } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { plainDish, readOrder, sendOrder, type Told } from './orders.ts';
import { fillSignIn, hire } from './people.ts';
import { expect, test } from './shop.ts';

// A busy machine is slow; nothing here is measured.
test.setTimeout(400_000);

test('a member of staff takes an order on the phone by keyboard alone, brings it through every step, and sees nothing more once signed out', async ({
  shop,
  window,
}) => {
  const person = await hire(shop, 'Grace Hopper');
  const waiting = await sendOrder(shop);
  const board = await openBoard(shop, await window(), { path: '/kitchen', person });
  const dialog = board.getByRole('dialog');
  await tap(board, waiting, /^Accept/);
  await expect(ticket(board, waiting)).toHaveAttribute('data-status', 'accepted');

  // The menu loads late: keys pressed before it is there must not close the dialog.
  const menu = '**/v1/menus/store/**';
  await board.route(menu, async (route) => {
    await board.keyboard.press('Enter');
    await route.continue();
  });
  await board.getByRole('button', { name: 'New order' }).press('Enter');
  await expect(dialog.getByRole('combobox', { name: 'Dish' })).toBeFocused();
  await board.keyboard.type('2 munch');
  await board.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: /Munch box/ }).first()).toBeVisible();
  await board.unroute(menu);
  await dialog.getByLabel('Name').fill('Radia Perlman');
  await dialog.getByLabel('Phone', { exact: false }).last().fill('07700 900789');
  await dialog.getByLabel('Already paid').check();
  // Nothing can be printed in a shop without a printer.
  await expect(dialog.getByRole('button', { name: 'Print without ordering' })).toHaveCount(0);
  await dialog.getByRole('button', { name: /^Send to the kitchen, £/ }).click();
  await expect(board.getByText(/^#\d+ is in the kitchen\.$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const list = await shop.api('GET', `/v1/orders?search=Radia&store_id=${shop.storeId}`, undefined, person.token);
  const [order] = list.body['data'] as Told[];
  if (!order) throw new Error('the order is not there');
  await expect(ticket(board, order)).toHaveAttribute('data-status', 'accepted');
  await expect.poll(() => readOrder(shop, order)).toMatchObject({ payment_status: 'paid', channel: 'phone' });

  // Late, so it gets a new promise.
  const promised = (await readOrder(shop, order)).promised_at;
  // A ticket that has just taken another one's place takes no press yet.
  await expect(ticket(board, order)).not.toHaveAttribute('data-fresh');
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
  await dialog.getByRole('button', { name: 'Close' }).click();

  // A dish is marked as sold out and cannot be ordered, then as available again.
  await board.getByRole('button', { name: 'Sold out' }).click();
  await board.getByLabel('Find a dish or an option').fill('Classic cheeseburger');
  const dish = board.getByRole('group', { name: 'Classic cheeseburger, Dish' });
  const isOffered = async (): Promise<boolean | undefined> => {
    const { body } = await shop.api('GET', `/v1/menus/store/${shop.storeId}?include=categories.items`);
    const menus = body['data'] as { categories: { items: { name: string; is_available: boolean }[] }[] }[];
    const dishes = menus.flatMap(({ categories }) => categories.flatMap(({ items }) => items));
    return dishes.find(({ name }) => name === 'Classic cheeseburger')?.is_available;
  };
  await dish.getByRole('button', { name: 'Sold out today' }).click();
  await expect(dish.getByRole('button', { name: 'Available again' })).toBeVisible();
  expect(await isOffered()).toBe(false);
  const readMenu = async () => (await fetch(`${shop.url}/menu`)).text();
  await expect.poll(readMenu).toMatch(/Classic cheeseburger(?:(?!<\/a>)[^])*Sold out/);
  await dish.getByRole('button', { name: 'Available again' }).click();
  await expect(dish.getByRole('button', { name: 'Sold out today' })).toBeVisible();
  expect(await isOffered()).toBe(true);

  // The portions of a dish are counted, until an order takes the last one.
  const { body } = await shop.api('GET', `/v1/items/${await plainDish(shop)}`);
  const { name } = body['data'] as { name: string };
  await board.getByLabel('Find a dish or an option').fill(name);
  const counted = board.getByRole('group', { name: `${name}, Dish` });
  await counted.getByRole('button', { name: 'Count portions' }).click();
  await board.getByLabel(`Portions of ${name} left`).fill('1');
  await board.keyboard.press('Enter');
  await expect(board.getByText('One portion left')).toBeVisible();
  await sendOrder(shop);
  await expect(board.getByText('No portions left')).toBeVisible();
  await counted.getByRole('button', { name: 'Available again' }).click();
  await expect(board.getByText('No portions left')).toBeHidden();
  await dialog.getByRole('button', { name: 'Close' }).click();

  // On a phone a dish is sold out in two taps, and a third takes it back.
  const size = board.viewportSize() ?? screens.desktop;
  await board.setViewportSize(screens.phone);
  await board.getByRole('button', { name: 'Sold out', exact: true }).click();
  await counted.getByRole('button', { name: 'Sold out today' }).click();
  await expect(counted.getByRole('button', { name: 'Available again' })).toBeVisible();
  // The notice leaves the search free for the next dish.
  const takeBack = board.locator('[data-notices]').getByRole('button', { name: 'Undo' });
  const searchEnd = await board
    .getByLabel('Find a dish or an option')
    .evaluate((field) => field.getBoundingClientRect().bottom);
  expect(await takeBack.evaluate((button) => button.getBoundingClientRect().top)).toBeGreaterThan(searchEnd);
  await takeBack.click();
  await expect(counted.getByRole('button', { name: 'Sold out today' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await board.setViewportSize(size);

  await board.getByRole('button', { name: 'Pause' }).click();
  await board.getByRole('menuitem', { name: /^15 minutes/ }).click();
  await board.getByRole('button', { name: 'Start taking orders again' }).click();
  await expect(board.getByRole('button', { name: 'Pause' })).toBeVisible();

  await board.getByRole('button', { name: 'All orders' }).click();
  for (const name of [/Ada Byron/, /Radia Perlman/])
    await expect(dialog.getByRole('button', { name }).first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  // The owner ends their sign-in while the board is open: it shows nothing more, and others no longer count it.
  const staff = await shop.api('GET', '/v1/staff', undefined, shop.adminToken);
  const member = (staff.body['data'] as { id: string; email: string }[]).find(({ email }) => email === person.email);
  const ended = await shop.api('POST', `/v1/staff/${member?.id}/logout-everywhere`, {}, shop.adminToken);
  expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  const unheard = await sendOrder(shop);
  await board.waitForURL('/login');
  await expect(board.getByText(/Ada Byron|Radia Perlman/)).toHaveCount(0);
  await fillSignIn(board, person);
  await board.waitForURL('/kitchen');
  await expect(ticket(board, unheard)).toBeVisible();
  await expect(board.locator('[data-connection="connected"]')).toContainText('Live');
});

const screens = {
  phone: { width: 390, height: 844 },
  tablet: { width: 1024, height: 768 },
  desktop: { width: 1440, height: 900 },
};

/** Whether text of the button or of a part of it is cut. */
const isCut = (button: Locator): Promise<boolean> =>
  button.evaluate((element) =>
    [element, ...element.querySelectorAll('span')].some(
      (each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0,
    ),
  );

test('an error for customers is only a warning at the till, shown at its button', async ({ shop, window }) => {
  const set = async (method: string, path: string, body: Record<string, unknown>): Promise<void> => {
    const answer = await shop.api(method, `/v1/stores/${shop.storeId}${path}`, body, shop.adminToken);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  await set('POST', '/pause', { minutes: 60 });
  await set('PATCH', '', { cash_max: 500 });
  const page = await openBoard(shop, await window({ viewport: screens.phone }), { path: '/kitchen' });
  const resume = page.getByRole('button', { name: 'Start taking orders again' });
  for (const viewport of [screens.desktop, screens.tablet, screens.phone]) {
    await page.setViewportSize(viewport);
    await expect(resume.getByText('Start taking orders again')).toBeInViewport({ ratio: 1 });
  }
  await page.getByRole('button', { name: /^New order/ }).click();
  await page.getByRole('menuitem', { name: 'New order' }).click();
  const till = page.getByRole('dialog');
  await till.getByRole('combobox', { name: 'Dish' }).fill('munch');
  await expect(till.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await till.getByLabel('Name').fill('Radia Perlman');
  await till.getByLabel('Phone', { exact: false }).last().fill('07700 900789');
  const place = till.getByRole('button', { name: /^Send to the kitchen anyway, £/ });
  const warnings = [
    till.getByText(/^We are not taking orders until/),
    till.getByText(/^We take cash for orders up to/),
  ];
  for (const [name, viewport] of Object.entries(screens)) {
    await page.setViewportSize(viewport);
    await expect(place).toBeInViewport({ ratio: 0.999 });
    for (const warning of warnings) await expect(warning).toBeInViewport({ ratio: 1 });
    expect(await isCut(place)).toBe(false);
    // The board behind it is checked by itself.
    await expectAccessible(page, name, '[data-ready]');
  }
  await place.click();
  await expect(page.getByText(/^#\d+ is in the kitchen\.$/)).toBeVisible();
  for (const warning of warnings) await expect(warning).toBeHidden();
});
