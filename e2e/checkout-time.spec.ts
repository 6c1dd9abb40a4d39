import type { Shop } from '#testing/running-shop.ts';
import { timeWords } from '#platform/date-words.ts';
import { weekdays } from '#database/page-values.ts';
import { expectAccessible } from './accessible.ts';
import { readOrder, sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import {
  addDish,
  changeStore,
  fillCollection,
  goToCheckout,
  openCheckout,
  openPart,
  orderIdOf,
  orderPage,
  phone,
} from './storefront.ts';

const zone = 'Europe/London';
const roundTheClock = {
  operational_hours: weekdays.map((day) => ({ day, open: '05:00', close: '05:00' })),
  last_order_minutes: 0,
};

async function pause(shop: Shop): Promise<void> {
  const { status } = await shop.api('POST', `/v1/stores/${shop.storeId}/pause`, { minutes: 30 }, shop.adminToken);
  expect(status).toBe(200);
}

async function resume(shop: Shop): Promise<void> {
  await shop.api('POST', `/v1/stores/${shop.storeId}/resume`, undefined, shop.adminToken);
}

/** Open until half an hour from now, with last orders half an hour ago. */
function afterLastOrders() {
  const at = (minutes: number) => timeWords(new Date(Date.now() + minutes * 60_000), zone);
  const hours = weekdays.map((day) => ({ day, open: at(-120), close: at(30) }));
  return { operational_hours: hours, last_order_minutes: 60, last: at(-30) };
}

test('a pause during the checkout asks for a time, and the button names it', async ({ shop, window }) => {
  const page = await window(phone);
  await openCheckout(shop, page);
  await fillCollection(page);
  const soon = page.getByRole('button', { name: /^Place order · £\d+\.\d\d$/ });
  await expect(soon).toBeVisible();
  const asked = page.getByRole('status').filter({ hasText: 'Choose a time for your order instead' });
  try {
    // Once the break is over, what the server said during it is no obstacle.
    const refused = page.waitForResponse(
      async (answer) => answer.url().endsWith('/quote') && (await answer.text()).includes('shop_paused'),
    );
    await pause(shop);
    await expect(asked).toBeVisible();
    await refused;
    await resume(shop);
    await expect(soon).toBeVisible();
    await soon.click();
    await page.waitForURL(orderPage);

    await openCheckout(shop, page);
    await fillCollection(page);
    await expect(soon).toBeVisible();
    await pause(shop);
    await expect(asked).toContainText('We are not taking orders until');
    // The times are offered, and none is preselected.
    const offered = page.getByRole('combobox', { name: 'Time', exact: true });
    await expect(offered.locator('option').nth(1)).toBeAttached();
    await expect(offered).toHaveValue('');
    await expect(page.getByRole('button', { name: /^Place order/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Choose a time', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Order for later?' });
    await expect(dialog).toContainText('Nothing has been ordered yet');
    const accept = dialog.getByRole('button', { name: /^Place order · £\d+\.\d\d for / });
    await expect(accept).toBeVisible();
    await expectAccessible(page, 'asked for a time');
    // The question follows the shop's state.
    await resume(shop);
    await expect(dialog.getByText('You can now have it as soon as possible.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Place order · £\d+\.\d\d$/ })).toBeVisible();
    await pause(shop);
    await expect(accept).toBeVisible();

    // Opens the list of times: one is chosen by hand, and the button names it.
    await dialog.getByRole('button', { name: 'Choose another time' }).click();
    const times = page.getByRole('combobox', { name: 'Time', exact: true });
    // The day's last time; late in a trading day it is the only time.
    const chosen = (await times.locator('option').last().getAttribute('value')) ?? '';
    await times.selectOption(chosen);
    await expect(page.getByRole('button', { name: /^Place order/ })).toHaveText(
      new RegExp(`for .*${timeWords(chosen, zone)}$`),
    );
    await page.getByRole('button', { name: /^Place order/ }).click();
    await page.waitForURL(orderPage);
    const order = await readOrder(shop, { id: orderIdOf(page) });
    expect(Date.parse(order.requested_for ?? '')).toBe(Date.parse(chosen));
  } finally {
    await resume(shop);
  }
});

test('a slot that is lost at the order is chosen anew, with nothing typed again, and one order is placed', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openCheckout(shop, page);
  await fillCollection(page);
  await openPart(page, 'when');
  await page.getByRole('radio', { name: /^Choose a time/ }).check({ force: true });
  // Today may be nearly over.
  await page.getByRole('combobox', { name: 'Day' }).selectOption({ index: 1 });
  const times = page.getByRole('combobox', { name: 'Time', exact: true });
  await expect(times.locator('option').nth(2)).toBeAttached();
  await times.selectOption({ index: 1 });
  const lost = await times.inputValue();
  const order = page.getByRole('button', { name: /^Place order · £.* for / });
  await expect(order).toBeVisible();

  await changeStore(shop, { max_orders_per_slot: 1 });
  try {
    const faster = await sendOrder(shop, { requested_for: lost });
    await order.click();
    // The next free time is proposed, and a message says so.
    await expect(times).not.toHaveValue(lost);
    await expect(times.locator(`option[value="${lost}"]`)).toBeDisabled();
    await expect(page.getByRole('status').filter({ hasText: timeWords(lost, zone) })).toBeVisible();
    await order.click();
    await page.waitForURL(orderPage);
    const placed = await readOrder(shop, { id: orderIdOf(page) });
    expect(placed).toMatchObject({ contact: { name: 'Grace Hopper' }, fulfilment_type: 'collection' });
    expect(Date.parse(placed.requested_for ?? '')).toBeGreaterThan(Date.parse(lost));
    const { body } = await shop.api('GET', '/v1/orders?status=placed&per_page=50', undefined, shop.adminToken);
    const scheduled = (body['data'] as { id: string; requested_for: string | null }[]).filter(
      ({ requested_for: at }) => at !== null && Date.parse(at) >= Date.parse(lost),
    );
    expect(scheduled.map(({ id }) => id)).toEqual(expect.arrayContaining([faster.id, orderIdOf(page)]));
    expect(scheduled.filter(({ id }) => ![faster.id, orderIdOf(page)].includes(id))).toEqual([]);
  } finally {
    await changeStore(shop, { max_orders_per_slot: null });
  }
});

test('last orders that the page missed lead to a question, which stays after a no, and one tap accepts the time', async ({
  shop,
  window,
}) => {
  const { last, ...change } = afterLastOrders();
  const page = await window(phone);
  await page.routeWebSocket(/\/app\//, (socket) => void socket.close());
  await openCheckout(shop, page);
  await fillCollection(page);
  await changeStore(shop, change);
  try {
    await page.getByRole('button', { name: /^Place order/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Order for later?' });
    await expect(dialog).toContainText('We have taken the last orders for now.');
    const accept = dialog.getByRole('button', { name: /^Place order · £\d+\.\d\d for / });
    await expect(accept).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL('/checkout');
    await expect(page.getByRole('button', { name: 'Choose a time', exact: true })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Time', exact: true }).locator('option').nth(1)).toBeAttached();
    await page.getByRole('button', { name: 'Choose a time', exact: true }).click();
    await expect(dialog).toBeVisible();
    const words = (await accept.textContent()) ?? '';
    await accept.click();
    await page.waitForURL(orderPage);
    const order = await readOrder(shop, { id: orderIdOf(page) });
    expect(words).toContain(timeWords(order.requested_for ?? '', zone));

    // A later visitor is told, and asked nothing: the first time is preselected.
    await page.goto('/');
    await expect(page.getByText(`Last orders were at ${last} · order for `).first()).toBeVisible();
    await expect(page.getByText(/(Open|Order) until/)).toHaveCount(0);
    await expectAccessible(page, 'after last orders');
    await openCheckout(shop, page);
    await fillCollection(page);
    await expect(page.getByRole('button', { name: /^Place order · £\d+\.\d\d for (\w+ )?\d\d:\d\d$/ })).toBeVisible();
  } finally {
    await changeStore(shop, roundTheClock);
  }
});

test('after last orders the shop shows when they were and from when customers can order, also on a phone four hours slow', async ({
  shop,
  window,
}) => {
  const { last, ...change } = afterLastOrders();
  await changeStore(shop, change);
  try {
    const page = await window(phone);
    await page.clock.install({ time: Date.now() - 4 * 60 * 60_000 });
    await page.goto('/');
    await expect(page.getByText(`Last orders were at ${last} · order for `).first()).toBeVisible();
    await expect(page.getByText(/(Open|Order) until/)).toHaveCount(0);
    await expectAccessible(page, 'after last orders');
    await page.goto('/menu');
    await expect(page.getByText(`Last orders were at ${last}`)).toBeVisible();
    await expect(page.getByText(/(Open|Order) until/)).toHaveCount(0);

    // As soon as possible was never possible here, so nothing is asked: the first time is preselected.
    await addDish(page);
    await goToCheckout(page);
    await fillCollection(page);
    await expect(page.getByRole('button', { name: /^Place order · £\d+\.\d\d for (\w+ )?\d\d:\d\d$/ })).toBeVisible();
  } finally {
    await changeStore(shop, roundTheClock);
  }
});
