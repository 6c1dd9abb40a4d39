import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { readOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import {
  addDish,
  burger,
  changeDish,
  chooseWay,
  fillCollection,
  goToCheckout,
  openCheckout,
  openPart,
  orderIdOf,
  orderPage,
  phone,
  placeOrder,
} from './storefront.ts';

const chips = 'Skin-on chips';
const slaw = 'House slaw';
const toggle = (page: Page, way: 'Delivery' | 'Collection') =>
  page.getByRole('radio', { name: new RegExp(`^${way}`) }).locator('..');
const soon = (page: Page) => page.getByRole('radio', { name: /As soon as possible/ }).locator('..');

async function openFromMenu(page: Page, dish?: string): Promise<void> {
  await page.goto('/menu');
  await addDish(page, dish);
  await goToCheckout(page);
}

test('a delivery is priced and timed by its postcode, and what is not possible is said where it is filled in', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openCheckout(shop, page, { [burger]: 1, [chips]: 1 });
  const send = page.getByRole('button', { name: /^(Pay|Place order|Check)/ });
  const postcode = page.getByLabel('Postcode');
  const basket = page.getByRole('region', { name: 'Your basket' });

  await test.step('each line of the error summary is large enough for a thumb', async () => {
    await send.click();
    const links = page.getByRole('alert').getByRole('link');
    await expect(links.first()).toBeVisible();
    for (const link of await links.all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  await test.step('an error of a postcode takes one line where there is room', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await chooseWay(page, 'Delivery');
    await postcode.fill('ZZZ');
    await send.click();
    const error = page.locator('#field-address-postcode-error');
    await expect(error).toBeVisible();
    // One line of the error is 20 px high.
    expect((await error.boundingBox())?.height).toBeLessThan(30);
  });

  await test.step('the totals and the button say what is unknown about the delivery, and what is impossible', async () => {
    await postcode.fill('');
    await expect(page.getByRole('button', { name: /^Pay £\d+\.\d\d \+ delivery$/ })).toBeVisible();
    await postcode.fill('AB1');
    await expect(basket).toContainText('Delivery feedepends on your postcode');
    await postcode.fill('AB10 1AB');
    await expect(basket).toContainText('Deliverynot available at this address');
    await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Check the address' }).click();
    await expect(page.getByRole('alert')).toContainText('Sorry, we do not deliver to AB10.');
    await postcode.fill('CV21 2AA');
    await expect(page.getByRole('button', { name: /^Pay £\d+\.\d\d$/ })).toBeVisible();
  });

  // Above the minimum of every zone.
  const more = page.getByRole('button', { name: `One more: ${burger}` });
  await more.click();
  await more.click();
  await expect(page.getByRole('status').filter({ hasText: 'We deliver to you' })).toBeVisible();
  await openPart(page, 'when');
  await page.getByRole('radio', { name: 'Choose a time' }).check({ force: true });
  const times = page.getByRole('combobox', { name: 'Time', exact: true });
  const days = page.getByRole('combobox', { name: 'Day', exact: true });

  await test.step('the offered times are those that are possible for the address, and a time that is not possible is reported', async () => {
    await expect(times).not.toHaveValue('');
    const near = await times.inputValue();
    // A village that takes fifteen minutes more, and slots are fifteen minutes long.
    await postcode.fill('CV23 9AA');
    await expect(page.getByRole('status').filter({ hasText: 'is no longer available' })).toBeVisible();
    // While the next day's times load, none is offered.
    await expect(times).toHaveValue(/T/);
    await expect(times).not.toHaveValue(near);
    const far = await times.inputValue();
    expect(Date.parse(far)).toBeGreaterThan(Date.parse(near));
    await expect(times.locator(`option[value="${near}"]`)).toHaveCount(0);
    // The times after midnight stand under the next date and belong to the trading day before it.
    const asked = `/v1/stores/${shop.storeId}/slots?fulfilment_type=delivery&postcode=CV23%209AA`;
    const tradingDays = [asked, `${asked}&date=${await days.inputValue()}`];
    const answers = await Promise.all(tradingDays.map((day) => shop.api('GET', day)));
    const offered = answers
      .flatMap(({ body }) => body['data'] as { starts_at: string }[])
      .map((slot) => slot.starts_at);
    expect(offered).toContain(far);
    expect(offered).not.toContain(near);
  });

  await test.step('a chosen time is kept through a reload', async () => {
    // Less than an hour of today may be left.
    await days.selectOption({ label: 'Tomorrow' });
    await expect(times).toHaveValue(/T/);
    await times.selectOption({ index: 3 });
    const chosen = await times.inputValue();
    await page.reload();
    await openPart(page, 'when');
    await expect(times).toHaveValue(chosen);
  });

  await test.step("the switch shows the same times as the order's promise, with its zone, its dishes and a break", async () => {
    await openPart(page, 'when');
    await page.getByRole('radio', { name: /As soon as possible/ }).check({ force: true });
    await expect(soon(page)).toContainText('about 45 min');
    await expect(toggle(page, 'Delivery')).toContainText('about 45 min');
    try {
      await changeDish(shop, chips, { prep_minutes: 40 });
      await chooseWay(page, 'Collection');
      await expect(soon(page)).toContainText('about 40 min');
      await expect(toggle(page, 'Collection')).toContainText('about 40 min');
      await expect(toggle(page, 'Delivery')).toContainText('about 65 min');
      await shop.api('POST', `/v1/stores/${shop.storeId}/pause`, { minutes: 30 }, shop.adminToken);
      await expect(toggle(page, 'Collection')).toContainText(/from \d\d:\d\d/);
      await expect(toggle(page, 'Delivery')).toContainText(/from \d\d:\d\d/);
    } finally {
      await shop.api('POST', `/v1/stores/${shop.storeId}/resume`, undefined, shop.adminToken);
      await changeDish(shop, chips, { prep_minutes: null });
    }
  });
});

test("an invalid tip, or one above the basket's total, has an error beside it and is not charged", async ({
  window,
}) => {
  const page = await window(phone);
  await openFromMenu(page);
  await fillCollection(page);
  const button = page.getByRole('button', { name: /^Place order/ });
  const before = await button.textContent();
  await page.getByRole('radio', { name: 'Other' }).check({ force: true });
  const amount = page.getByLabel('Amount');
  for (const [typed, words] of [
    ['-5', /Enter an amount/],
    ['abc', /Enter an amount/],
    ['1.239', /Enter an amount/],
    ['999', /you can tip on this order is £\d+\.\d\d/],
  ] as const) {
    await amount.fill(typed);
    await expect(page.getByText(words)).toHaveCount(0);
    await amount.press('Tab');
    await expect(page.getByText(words)).toBeVisible();
    await expect(amount).toHaveAttribute('aria-invalid', 'true');
    await expect(button).toHaveText(before ?? '');
    await button.click();
    await expect(page.getByRole('alert').getByRole('link', { name: words })).toHaveAttribute('href', '#field-tip');
  }
  await amount.fill('1,50');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(button).not.toHaveText(before ?? '');
});

test('a typed tip survives a reload, and is not part of the next order', async ({ shop, window }) => {
  const page = await window(phone);
  await openFromMenu(page);
  await fillCollection(page);
  await page.getByRole('radio', { name: 'Other' }).check({ force: true });
  await page.getByLabel('Amount').fill('2.50');
  await page.reload();
  await expect(page.getByLabel('Amount')).toHaveValue('2.50');
  await placeOrder(page);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ tip: 250 });
  await openFromMenu(page);
  await expect(page.getByRole('radio', { name: 'No tip' })).toBeChecked();
});

test('an order that arrived without an answer is found, and an order that did not arrive is reported as such', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openFromMenu(page);
  await fillCollection(page);
  const orders = (url: URL) => url.pathname === '/v1/orders';
  const button = page.getByRole('button', { name: /^Place order/ });

  // The request is lost: once the shop can be reached again, it knows no such order.
  await page.route(orders, (route) => route.abort());
  await page.route(/\/v1\/orders\/session\//, (route) => route.abort());
  await button.click();
  await expect(page.getByRole('alert')).toContainText('it will not be placed twice');
  await page.unroute(/\/v1\/orders\/session\//);
  await expect(page.getByRole('alert')).toContainText('did not reach us');
  await expect(page.getByRole('alert')).not.toContainText('We got no answer');
  await page.unroute(orders);

  // The answer is lost.
  await page.route(orders, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button.click();
  await page.waitForURL(/\/orders\//);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ status: 'placed' });
  await page.unroute(orders);
});

test('a proxy’s page in place of the answer is no refusal: the order is found, and is not placed twice', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openFromMenu(page);
  await fillCollection(page);
  await page.route(
    (url) => url.pathname === '/v1/orders',
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
    },
  );
  await page.getByRole('button', { name: /^Place order/ }).click();
  await page.waitForURL(/\/orders\//);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ status: 'placed' });
});

test('while a proxy answers that the shop is away, the same order is sent again and says so, and there is one order', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openFromMenu(page);
  await fillCollection(page);
  const sessions: unknown[] = [];
  await page.route(
    (url) => url.pathname === '/v1/orders',
    async (route) => {
      sessions.push((route.request().postDataJSON() as { session: unknown }).session);
      if (sessions.length > 1) return route.continue();
      return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
    },
  );
  await page.getByRole('button', { name: /^Place order/ }).click();
  await expect(page.getByRole('button', { name: 'Still trying…' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'It will not be placed twice' })).toBeVisible();
  await page.waitForURL(orderPage);
  expect(sessions).toHaveLength(2);
  expect(new Set(sessions).size).toBe(1);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ status: 'placed' });
});

test('a shop whose disk is full says that it cannot take orders, and the basket stays', async ({ shop, window }) => {
  const page = await window(phone);
  await openFromMenu(page, chips);
  await fillCollection(page);
  const makeRoom = await shop.fillDisk();
  const button = page.getByRole('button', { name: /^Place order/ });
  try {
    await button.click();
    await expect(page.getByRole('alert')).toContainText('The shop cannot take orders right now');
  } finally {
    await makeRoom();
  }
  await page.reload();
  await expect(page.getByText(chips).first()).toBeVisible();
  await fillCollection(page);
  await button.click();
  await page.waitForURL(/\/orders\//);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ status: 'placed' });
});

test('without a connection the page says that nothing was sent, and nothing is sent', async ({ shop, window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/v1/orders') sent.push(request.url());
  });
  await page.context().setOffline(true);
  const button = page.getByRole('button', { name: /^Place order/ });
  await button.click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('nothing was sent');
  await expect(alert).not.toContainText('do not know');
  expect(sent).toEqual([]);
  await page.context().setOffline(false);
  await button.click();
  await page.waitForURL(orderPage);
  expect(sent).toHaveLength(1);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ status: 'placed' });
});

test('after a second tap without a connection, the page does not say whether the first one arrived', async ({
  window,
}) => {
  const page = await window(phone);
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await page.route(
    (url) => url.pathname === '/v1/orders' || url.pathname.startsWith('/v1/orders/session/'),
    (route) => route.abort(),
  );
  const button = page.getByRole('button', { name: /^Place order/ });
  await button.click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('we do not know');
  await page.context().setOffline(true);
  await button.click();
  await expect(alert).toContainText('we do not know');
  await expect(alert).not.toContainText('nothing was sent');
});

test("a returning guest's checkout is one screen of a small phone: what, where, when, who, how, and one tap orders", async ({
  shop,
  window,
}) => {
  const page = await window({ viewport: { width: 390, height: 664 }, hasTouch: true });
  await openCheckout(shop, page);
  await test.step('one part after the other is open while something is missing', async () => {
    const where = page.getByRole('region', { name: 'Delivery or collection' });
    await expect(where.getByLabel('Postcode')).toBeVisible();
    await expect(page.getByLabel('Name')).toBeHidden();
    const bar = page.locator('.pay-bar');
    await expect(bar).toContainText('Add £1.50 more for delivery');
    await where.getByText('Collection', { exact: true }).click();
    await expect(bar).not.toContainText('more for delivery');
    const folded = where.getByRole('button', { expanded: false });
    await expect(folded).toHaveCount(0);
    await page.getByLabel('Name').fill('Grace');
    await expect(folded).toBeVisible();
    await expect(page.getByLabel('Name')).toBeInViewport();
    await folded.click();
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await expect(page.getByRole('alert')).toContainText('Enter a phone number');
    await expect(folded).toBeVisible();
    await expect(page.getByLabel('Phone')).toBeVisible();
  });
  await fillCollection(page);
  await openPart(page, 'who');
  await page.getByLabel('Email').fill('grace@example.com');
  await openPart(page, 'notes');
  await page.getByLabel('Allergies').fill('Peanuts');
  await test.step('stated allergies stand in the folded line', async () => {
    await openPart(page, 'who');
    await expect(page.getByLabel('Allergies')).toBeHidden();
    await expect(page.getByText('Allergies: Peanuts')).toBeVisible();
  });
  const first = await readOrder(shop, { id: await placeOrder(page) });
  expect(first).toMatchObject({ allergy_note: 'Peanuts', if_sold_out: 'ring', cutlery: false });

  await page.goto('/menu');
  for (const dish of [burger, chips, slaw]) await addDish(page, dish);
  await goToCheckout(page);
  const known = ['Collection from 27 Fennel Row', 'About 20 min', 'Grace Hopper, 07700 900456, grace@example.com'];
  const shown = [...known, 'Cash in the shop', /1\s× Classic cheeseburger, 1\s× .*, 1\s× House slaw/, 'No tip'];
  for (const words of shown) {
    await expect(page.getByText(words).filter({ visible: true }).first()).toBeInViewport({ ratio: 1 });
  }
  const bar = page.getByRole('button', { name: /^Place order · £/ });
  await expect(bar).toBeInViewport({ ratio: 1 });
  const end = page.getByRole('radiogroup', { name: 'A tip for the team?' });
  const [barBox, endBox] = [await bar.boundingBox(), await end.boundingBox()];
  expect((endBox?.y ?? 0) + (endBox?.height ?? 0), 'nothing is under the bar').toBeLessThanOrEqual(barBox?.y ?? 0);
  await expectAccessible(page, 'a folded checkout');

  await test.step('a part opens in place and folds the one before', async () => {
    const head = (name: RegExp) => page.getByRole('heading', { level: 2 }).getByRole('button', { name });
    await head(/^Delivery or collection/).click();
    await expect(page.getByRole('radio', { name: /^Delivery/ })).toBeAttached();
    // A page that is not scrolled could not follow the part upwards.
    await page.evaluate('scrollTo(0, 340)');
    const before = await head(/^How would you/).boundingBox();
    await head(/^How would you/).click();
    await expect(page.getByRole('radio', { name: /^Card/ })).toBeVisible();
    await expect(page.getByRole('radio', { name: /^Delivery/ })).toHaveCount(0);
    const after = await head(/^How would you/).boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(2);
    await head(/^How would you/).click();
  });
  await test.step('the wishes stand in the folded line, and survive a reload', async () => {
    await openPart(page, 'notes');
    await expect(page.getByLabel('Ring me')).toBeChecked();
    await page.getByLabel('Take it off, and make the rest').check();
    await page.getByLabel('Napkins and cutlery, please').check();
    await page.reload();
    const wishes = page.getByText('If sold out: take it off. Napkins and cutlery');
    await expect(wishes).toBeVisible();
    await openPart(page, 'notes');
    await page.getByLabel('Napkins and cutlery, please').uncheck();
    await page.reload();
    await expect(page.getByText('If sold out: take it off', { exact: true })).toBeVisible();
  });
  expect(await readOrder(shop, { id: await placeOrder(page) })).toMatchObject({
    contact: { email: 'grace@example.com' },
    allergy_note: '',
    if_sold_out: 'remove',
    cutlery: false,
  });
  await expect(page.getByText('If sold out: take it off')).toBeVisible();
});
