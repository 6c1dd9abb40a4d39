import { expectAccessible } from './accessible.ts';
import { openBoard, tap, ticket } from './board.ts';
import { readOrder, sendOrder } from './orders.ts';
import { fillSignIn, hire } from './people.ts';
import { expect, test } from './shop.ts';

const patient = { timeout: 30_000 };
test('staff of one shop can work on its orders, and see nothing of another shop', async ({ shop, window }) => {
  test.setTimeout(400_000);
  const person = await hire(shop, 'Grace Hopper');
  const order = await sendOrder(shop);
  const page = await openBoard(shop, await window(), { path: '/kitchen', person });

  await tap(page, order, /^Accept/);
  await expect(ticket(page, order)).toHaveAttribute('data-status', 'accepted', patient);

  await page.getByRole('button', { name: 'Sold out' }).click();
  await page.getByLabel('Find a dish or an option').fill('Classic cheeseburger');
  const dish = page.getByRole('group', { name: 'Classic cheeseburger, Dish' });
  await dish.getByRole('button', { name: 'Sold out today' }).click();
  await dish.getByRole('button', { name: 'Available again' }).click();
  await expect(dish.getByRole('button', { name: 'Sold out today' })).toBeVisible(patient);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('menuitem', { name: /^15 minutes/ }).click();
  await page.getByRole('button', { name: 'Start taking orders again' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible(patient);

  await page.getByRole('button', { name: 'New order' }).click();
  const till = page.getByRole('dialog');
  await till.getByRole('combobox', { name: 'Dish' }).fill('munch');
  await expect(till.getByRole('option').first()).toBeVisible(patient);
  await page.keyboard.press('Enter');
  await till.getByLabel('Name').fill('Radia Perlman');
  await till.getByLabel('Phone', { exact: false }).last().fill('07700 900789');
  await till.getByRole('button', { name: /^Send to the kitchen, £/ }).click();
  await expect(page.getByText(/^#\d+ is in the kitchen\.$/)).toBeVisible(patient);
  await till.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'All orders' }).click();
  for (const name of [/Ada Byron/, /Radia Perlman/])
    await expect(page.getByRole('dialog').getByRole('button', { name }).first()).toBeVisible(patient);

  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  // The owner ends their sign-in while the board is open: it shows nothing more, and others no longer count it.
  const staff = await shop.api('GET', '/v1/staff', undefined, shop.adminToken);
  const member = (staff.body['data'] as { id: string; email: string }[]).find(({ email }) => email === person.email);
  const ended = await shop.api('POST', `/v1/staff/${member?.id}/logout-everywhere`, {}, shop.adminToken);
  expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  const unheard = await sendOrder(shop);
  await page.waitForURL('/login', patient);
  await expect(page.getByText(/Ada Byron|Radia Perlman/)).toHaveCount(0);
  await fillSignIn(page, person);
  await page.waitForURL('/kitchen', patient);
  await expect(ticket(page, unheard)).toBeVisible(patient);
  await expect(page.locator('[data-connection="connected"]')).toContainText('Live', patient);

  const made = await shop.api('POST', '/v1/stores', { name: 'Another shop' }, shop.adminToken);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const other = await hire(shop, 'Ida Rhodes', (made.body['data'] as { id: string }).id);
  const stranger = await openBoard(shop, await window(), { path: '/kitchen', person: other });
  await stranger.getByRole('button', { name: 'All orders' }).click();
  await expect(stranger.getByRole('dialog')).toBeVisible();
  await expect(stranger.getByText(/Ada Byron|Radia Perlman/)).toHaveCount(0);
  await expect(stranger.locator('[data-ticket]')).toHaveCount(0);
  const accept = await shop.api('POST', `/v1/orders/${order.id}/packed`, {}, other.token);
  expect(accept.status).toBe(403);
  const list = await shop.api('GET', '/v1/orders', undefined, other.token);
  expect(list.body['data']).toEqual([]);
});

// The tests share a shop.
test.afterEach(async ({ shop }) => {
  await shop.api('POST', `/v1/stores/${shop.storeId}/resume`, undefined, shop.adminToken);
  await shop.api('PATCH', `/v1/stores/${shop.storeId}`, { cash_max: null }, shop.adminToken);
});

const screens = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
};

test('an error for customers is only a warning at the till, shown at its button', async ({ shop, window }) => {
  test.setTimeout(120_000);
  const set = async (method: string, path: string, body: Record<string, unknown>): Promise<void> => {
    const answer = await shop.api(method, `/v1/stores/${shop.storeId}${path}`, body, shop.adminToken);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  await set('POST', '/pause', { minutes: 60 });
  await set('PATCH', '', { cash_max: 500 });
  for (const [name, viewport] of Object.entries(screens)) {
    const page = await openBoard(shop, await window({ viewport }), { path: '/kitchen' });
    const resume = page.getByRole('button', { name: 'Start taking orders again' });
    await expect(resume.getByText('Start taking orders again')).toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: /^New order/ }).click();
    if (name === 'phone') await page.getByRole('menuitem', { name: 'New order' }).click();
    const till = page.getByRole('dialog');
    await till.getByRole('combobox', { name: 'Dish' }).fill('munch');
    await expect(till.getByRole('option').first()).toBeVisible(patient);
    await page.keyboard.press('Enter');
    await till.getByLabel('Name').fill('Radia Perlman');
    await till.getByLabel('Phone', { exact: false }).last().fill('07700 900789');
    const place = till.getByRole('button', { name: /^Send to the kitchen anyway, £/ });
    await expect(place).toBeInViewport({ ratio: 0.999 });
    const warnings = [
      till.getByText(/^We are not taking orders until/),
      till.getByText(/^We take cash for orders up to/),
    ];
    for (const warning of warnings) await expect(warning).toBeInViewport({ ratio: 1 });
    // None of its text is cut.
    expect(
      await place.evaluate((button) =>
        [button, ...button.querySelectorAll('span')].some(
          (each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0,
        ),
      ),
    ).toBe(false);
    await expectAccessible(page);
    await place.click();
    const made = page.getByText(/^#\d+ is in the kitchen\.$/);
    await expect(made).toBeVisible(patient);
    for (const warning of warnings) await expect(warning).toBeHidden();
  }
});

test("a board on a device with a wrong clock counts and promises by the shop's clock", async ({ shop, window }) => {
  test.setTimeout(240_000);
  const page = await window();
  await page.clock.install({ time: Date.now() + 37 * 60_000 });
  await openBoard(shop, page, { path: '/kitchen' });
  const order = await sendOrder(shop);
  await expect(ticket(page, order).getByRole('timer')).toHaveText(/^(10:00|[89]:\d\d)$/, patient);
  const asked = Date.now();
  await tap(page, order, /^Accept/);
  await expect(ticket(page, order)).toHaveAttribute('data-status', 'accepted', patient);
  const promised = Date.parse((await readOrder(shop, order)).promised_at);
  // The usual twenty minutes, without the 37 minutes by which the device is wrong.
  expect(promised - asked).toBeGreaterThan(10 * 60_000);
  expect(promised - asked).toBeLessThan(30 * 60_000);
});
