import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { readOrder } from './orders.ts';
import { fillSignIn, register } from './people.ts';
import { expect, test } from './shop.ts';
import { addDish, changeDish, fillCollection, goToCheckout, orderIdOf, phone, placeOrder } from './storefront.ts';

const chips = 'Skin-on chips';
const allergies = (page: Page) => page.getByLabel(/Allergies/);
const toggle = (page: Page, way: 'Delivery' | 'Collection') =>
  page.getByRole('radio', { name: new RegExp(`^${way}`) }).locator('..');
const soon = (page: Page) => page.getByRole('radio', { name: /As soon as possible/ }).locator('..');

/** A customer whose profile has allergies. */
async function withAllergies(shop: Shop, codes: string[]) {
  const person = await register(shop);
  const { status } = await shop.api('PATCH', '/v1/auth/user', { allergies: codes }, person.token);
  expect(status).toBe(200);
  return person;
}

async function signInAtCheckout(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByRole('region', { name: 'Your details' }).getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, person);
  await page.waitForURL('/checkout');
}

async function openCheckout(page: Page, dish?: string): Promise<void> {
  await page.goto('/menu');
  await addDish(page, dish);
  await goToCheckout(page);
}

/** A basket above the minimum of every zone, for delivery. */
async function openDelivery(page: Page, postcode: string): Promise<void> {
  await openCheckout(page);
  const more = page.getByRole('button', { name: /^One more: / }).first();
  await more.click();
  await more.click();
  await page.getByRole('radio', { name: /^Delivery/ }).check({ force: true });
  await page.getByLabel('Postcode').fill(postcode);
  await expect(page.getByRole('status').filter({ hasText: 'We deliver to you' })).toBeVisible();
}

test("the profile's allergies are in the note and on the order, also after signing in at the checkout", async ({
  shop,
  window,
}) => {
  const person = await withAllergies(shop, ['peanuts', 'milk']);
  const page = await window(phone);
  await openCheckout(page);
  // Typing in another field stores the whole form, and an unchanged note is still the profile's.
  await page.getByLabel('Name').fill('Grace Hopper');
  await signInAtCheckout(page, person);
  await expect(allergies(page)).toHaveValue('Milk, peanuts');
  await fillCollection(page);
  const id = await placeOrder(page);
  expect(await readOrder(shop, { id })).toMatchObject({ allergy_note: 'Milk, peanuts' });

  // An unchanged note follows the profile; a note that was changed by hand stays.
  await shop.api('PATCH', '/v1/auth/user', { allergies: ['sesame'] }, person.token);
  await openCheckout(page);
  await page.reload();
  await expect(allergies(page)).toHaveValue('Sesame');
  await allergies(page).fill('');
  await page.getByLabel('Phone').fill('07700 900457');
  await page.reload();
  await expect(page.getByLabel('Phone')).toHaveValue('07700 900457');
  await expect(allergies(page)).toHaveValue('');
});

test("an allergy that a guest typed is not replaced by the profile's", async ({ shop, window }) => {
  const person = await withAllergies(shop, ['peanuts']);
  const page = await window(phone);
  await openCheckout(page);
  await allergies(page).fill('No kiwi please');
  await signInAtCheckout(page, person);
  await expect(page.getByLabel('Name')).toHaveValue(person.name);
  await expect(allergies(page)).toHaveValue('No kiwi please');
});

test('the offered times are those that are possible for the address, and a time that is not possible is reported', async ({
  shop,
  window,
}) => {
  const page = await window();
  await openDelivery(page, 'CV21 2AA');
  await page.getByRole('radio', { name: 'Choose a time' }).check({ force: true });
  const times = page.getByRole('combobox', { name: 'Time', exact: true });
  await expect(times).not.toHaveValue('');
  const near = await times.inputValue();

  // A village that takes fifteen minutes more, and slots are fifteen minutes long.
  await page.getByLabel('Postcode').fill('CV23 9AA');
  await expect(page.getByRole('status').filter({ hasText: 'is no longer available' })).toBeVisible();
  // While the next day's times load, none is offered.
  await expect(times).toHaveValue(/T/);
  await expect(times).not.toHaveValue(near);
  const far = await times.inputValue();
  expect(Date.parse(far)).toBeGreaterThan(Date.parse(near));
  await expect(times.locator(`option[value="${near}"]`)).toHaveCount(0);
  // Late in a trading day the next day may be the first one with a time for it.
  const day = await page.getByRole('combobox', { name: 'Day', exact: true }).inputValue();
  const { body } = await shop.api(
    'GET',
    `/v1/stores/${shop.storeId}/slots?fulfilment_type=delivery&postcode=CV23%209AA&date=${day}`,
  );
  const offered = (body['data'] as { starts_at: string }[]).map(({ starts_at: at }) => at);
  expect(offered).toContain(far);
  expect(offered).not.toContain(near);
});

test('a chosen time is kept through a reload', async ({ window }) => {
  const page = await window();
  await openDelivery(page, 'CV21 2AA');
  await page.getByRole('radio', { name: 'Choose a time' }).check({ force: true });
  const times = page.getByRole('combobox', { name: 'Time', exact: true });
  // Less than an hour of today may be left.
  await page.getByRole('combobox', { name: 'Day', exact: true }).selectOption({ label: 'Tomorrow' });
  await expect(times).not.toHaveValue('');
  await times.selectOption({ index: 3 });
  const chosen = await times.inputValue();
  await page.reload();
  await expect(times).toHaveValue(chosen);
});

test("an invalid tip, or one above the basket's total, has an error beside it and is not charged", async ({
  window,
}) => {
  const page = await window(phone);
  await openCheckout(page);
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
  await openCheckout(page);
  await fillCollection(page);
  await page.getByRole('radio', { name: 'Other' }).check({ force: true });
  await page.getByLabel('Amount').fill('2.50');
  await page.reload();
  await expect(page.getByLabel('Amount')).toHaveValue('2.50');
  await placeOrder(page);
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ tip: 250 });
  await openCheckout(page);
  await expect(page.getByRole('radio', { name: 'No tip' })).toBeChecked();
});

test("the switch shows the same times as the order's promise, with its zone, its dishes and a break", async ({
  shop,
  window,
}) => {
  const page = await window();
  await openDelivery(page, 'CV23 9AA');
  await expect(soon(page)).toContainText('about 45 min');
  await expect(toggle(page, 'Delivery')).toContainText('about 45 min');
  await changeDish(shop, chips, { prep_minutes: 40 });
  try {
    await openCheckout(page, chips);
    await page.getByRole('radio', { name: /^Collection/ }).check({ force: true });
    await expect(soon(page)).toContainText('about 40 min');
    await expect(toggle(page, 'Collection')).toContainText('about 40 min');
    await expect(toggle(page, 'Delivery')).toContainText('about 65 min');
  } finally {
    await changeDish(shop, chips, { prep_minutes: null });
  }
  await shop.api('POST', `/v1/stores/${shop.storeId}/pause`, { minutes: 30 }, shop.adminToken);
  try {
    await page.reload();
    await expect(toggle(page, 'Collection')).toContainText(/from \d\d:\d\d/);
    await expect(toggle(page, 'Delivery')).toContainText(/from \d\d:\d\d/);
  } finally {
    await shop.api('POST', `/v1/stores/${shop.storeId}/resume`, undefined, shop.adminToken);
  }
});

test('each line of the error summary is large enough for a thumb', async ({ window }) => {
  const page = await window(phone);
  await openCheckout(page);
  await page.getByRole('button', { name: /^(Pay|Place order|Check)/ }).click();
  const links = page.getByRole('alert').getByRole('link');
  await expect(links.first()).toBeVisible();
  const heights = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height));
  for (const height of heights) expect(height).toBeGreaterThanOrEqual(44);
});

test('the totals and the button say what is unknown about the delivery, and what is impossible', async ({ window }) => {
  const page = await window();
  await openCheckout(page);
  await page.getByRole('radio', { name: /^Delivery/ }).check({ force: true });
  const basket = page.getByRole('region', { name: 'Your basket' });
  const postcode = page.getByLabel('Postcode');
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

test('an error of a postcode takes one line where there is room', async ({ window }) => {
  const page = await window({ viewport: { width: 1280, height: 900 } });
  await openCheckout(page);
  await page.getByRole('radio', { name: /^Delivery/ }).check({ force: true });
  await page.getByLabel('Postcode').fill('ZZZ');
  await page.getByRole('button', { name: /^(Pay|Place order|Check)/ }).click();
  const error = page.locator('#field-address-postcode-error');
  await expect(error).toBeVisible();
  // One line of the error is 20 px high.
  expect((await error.boundingBox())?.height).toBeLessThan(30);
});

test('an order that arrived without an answer is found, and an order that did not arrive is reported as such', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openCheckout(page);
  await fillCollection(page);
  const orders = (url: URL) => url.pathname === '/v1/orders';
  const button = page.getByRole('button', { name: /^Place order/ });

  // The request is lost: once the shop can be reached again, it knows no such order.
  await page.route(orders, (route) => route.abort());
  await page.route(/\/v1\/orders\/session\//, (route) => route.abort());
  await button.click();
  await expect(page.getByRole('alert')).toContainText('it will not be placed twice');
  await page.unroute(/\/v1\/orders\/session\//);
  await expect(page.getByRole('alert')).toContainText('did not reach us', { timeout: 30_000 });
  await expect(page.getByRole('alert')).not.toContainText('We got no answer');
  await page.unroute(orders);

  // The answer is lost.
  await page.route(orders, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button.click();
  await page.waitForURL(/\/orders\//, { timeout: 30_000 });
  expect(await readOrder(shop, { id: orderIdOf(page) })).toMatchObject({ status: 'placed' });
});

test('a shop whose disk is full says that it cannot take orders, and the basket stays', async ({ shop, window }) => {
  const page = await window(phone);
  await openCheckout(page, chips);
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
