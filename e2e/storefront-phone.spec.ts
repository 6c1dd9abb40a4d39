import type { Page } from '@playwright/test';
import { fillSignIn } from './people.ts';
import { findLostText, setTextSize } from './large-text.ts';
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
  untilAlive,
} from './storefront.ts';

const chips = 'Skin-on chips';
const pay = (page: Page) => page.getByRole('button', { name: /^(Place order|Pay)/ });
/** Small phones of which a keyboard leaves this much, in px. */
const smallPhone = { viewport: { width: 375, height: 667 }, hasTouch: true };
const aboveKeyboard = 667 - 260;

test('what was put into the basket is named to screen readers, the first dish too', async ({ window }) => {
  const page = await window(phone);
  await page.goto('/menu');
  const news = page.locator('#basket-news');
  await expect(news).toHaveAttribute('role', 'status');
  await addDish(page);
  await expect(news).toHaveText(`Added to your basket: ${burger}.`);
  await addDish(page, chips);
  await expect(news).toHaveText(`Added to your basket: ${chips}.`);
});

test('what is searched shows its dishes above the keyboard of a small phone', async ({ window }) => {
  const page = await window(smallPhone);
  await page.goto('/menu');
  await untilAlive(page.getByRole('searchbox'));
  await page.getByRole('searchbox').tap();
  await page.keyboard.type('chicken');
  await expect(page.getByRole('status').filter({ hasText: /best matches|dishes found/ })).toBeVisible();
  const dishes = page.getByRole('region', { name: 'Search results' }).getByRole('listitem');
  const ends = async (place: number) => {
    const box = await dishes.nth(place).boundingBox();
    return box ? box.y + box.height : Infinity;
  };
  expect(await ends(0)).toBeLessThan(aboveKeyboard);
  // The name of the second one.
  expect((await dishes.nth(1).boundingBox())?.y).toBeLessThan(aboveKeyboard - 48);
  expect((await page.getByRole('searchbox').boundingBox())?.y).toBeGreaterThanOrEqual(0);
});

test('with text at 200 % the button of the basket stays a button', async ({ shop, window }) => {
  const page = await window({ viewport: { width: 320, height: 568 }, hasTouch: true });
  await setTextSize(page, 200);
  await page.goto('/menu');
  await addDish(page);
  const button = page.getByRole('button', { name: /View basket/ });
  const height = async () => (await button.boundingBox())?.height;
  expect(await height()).toBeLessThan(568 / 4);
  await changeDish(shop, burger, { price: 990 });
  try {
    await expect(button).toContainText('Something has changed');
    expect(await height()).toBeLessThan(568 / 2.5);
    expect(await findLostText(page)).toEqual([]);
    // Round ends of one line, and no circle of several.
    const radius = await page.evaluate<number>(
      `parseFloat(getComputedStyle([...document.querySelectorAll('button')].find((each) => each.textContent.includes('View basket'))).borderTopLeftRadius)`,
    );
    expect(radius).toBeLessThanOrEqual(56);
    await button.tap();
    await expect(page.getByRole('dialog')).toContainText(burger);
  } finally {
    await changeDish(shop, burger, { price: 850 });
  }
});

test('a basket of thirteen lines has the way to the checkout, and the checkout its button, in a window 768 px high', async ({
  shop,
  window,
}) => {
  const page = await window({ viewport: { width: 1440, height: 768 } });
  await openCheckout(shop, page, { 'Onion bhajis': 1, [burger]: 1, [chips]: 1 });
  await page.evaluate(`(() => {
    const held = JSON.parse(localStorage.getItem('basket'));
    held.lines = Array.from({ length: 13 }, (_, place) => ({ ...held.lines[place % held.lines.length], key: 'line ' + place, note: 'note ' + place }));
    localStorage.setItem('basket', JSON.stringify(held));
  })()`);
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 768 });
    await page.goto('/menu');
    await expect(page.getByRole('complementary', { name: 'Your basket' }).getByRole('listitem')).toHaveCount(13);
    await expect(page.getByRole('link', { name: /^Checkout/ })).toBeInViewport({ ratio: 1 });
    await page.mouse.wheel(0, 3000);
    await expect(page.getByRole('link', { name: /^Checkout/ })).toBeInViewport({ ratio: 1 });
  }
  await page.goto('/checkout');
  await expect(pay(page)).toBeInViewport({ ratio: 1 });
});

test('a lower price is taken and told; a higher one is asked about, and the button names the dish', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openCheckout(shop, page);
  await fillCollection(page);
  await changeDish(shop, burger, { price: 950 });
  try {
    await expect(pay(page)).toContainText(`First answer about: ${burger}`);
    await page.getByRole('button', { name: /^Keep it for/ }).click();
    await expect(pay(page)).not.toContainText('First answer');
    await changeDish(shop, burger, { price: 800 });
    await expect(page.getByText(/^Now £\d+\.\d\d instead of £\d+\.\d\d$/)).toBeVisible();
    await expect(pay(page)).not.toContainText('First answer');
    await expect(page.getByRole('button', { name: /^Keep it for/ })).toHaveCount(0);

    // Only the shop knows of the next one: a page without its socket is not told.
    const other = await window(phone);
    await other.routeWebSocket(/.*/, (socket) => void socket.close());
    await openCheckout(shop, other);
    await fillCollection(other);
    await other.route(/\/v1\/(stores|menus|orders\/quote)\b/, (route) => route.abort());
    await changeDish(shop, burger, { price: 700 });
    await pay(other).click();
    await other.waitForURL(orderPage);
    await expect(other.getByText(/Good news: your order now costs £\d+\.\d\d instead of/)).toBeVisible();
    expect(await readOrder(shop, { id: orderIdOf(other) })).toMatchObject({ status: 'placed' });
  } finally {
    await changeDish(shop, burger, { price: 850 });
  }
});

test('free delivery that falls away with a sold-out dish is told', async ({ shop, window }) => {
  const page = await window(phone);
  const { body } = await shop.api('GET', `/v1/stores/${shop.storeId}`);
  const { delivery_zones: zones } = body['data'] as { delivery_zones: Record<string, unknown>[] };
  const change = (part: object) => shop.api('PATCH', `/v1/stores/${shop.storeId}`, part, shop.adminToken);
  const free = zones.map((zone) => ({ ...zone, fee: 250, free_over: 1200, minimum_order: 0 }));
  expect((await change({ delivery_zones: free })).status).toBe(200);
  try {
    await openCheckout(shop, page, { [burger]: 1, [chips]: 1 });
    await chooseWay(page, 'Delivery');
    await page.getByLabel('Postcode').fill('CV21 2AA');
    await expect(page.getByText('Free', { exact: true })).toBeVisible();
    await changeDish(shop, chips, { is_available: false });
    await expect(page.getByRole('status').filter({ hasText: 'Delivery is no longer free' })).toContainText(chips);
    await changeDish(shop, chips, { is_available: true });
    await change({ delivery_zones: free.map((zone) => ({ ...zone, free_over: 2000 })) });
    await page.goto('/menu');
    await expect(page.getByRole('button', { name: /View basket/ })).toContainText(/£\d+\.\d\d more for free delivery/);
  } finally {
    await changeDish(shop, chips, { is_available: true });
    await change({ delivery_zones: zones });
  }
});

test('the last order’s payment is chosen for the next one, and ordering again asks what becomes of a filled basket', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openCheckout(shop, page);
  await fillCollection(page);
  const id = await placeOrder(page);
  await shop.api('POST', `/v1/orders/${id}/accept`, { minutes: 20 }, shop.adminToken);
  await shop.api('POST', `/v1/orders/${id}/cancel`, { reason: 'The grill has broken down.' }, shop.adminToken);

  // A new tab has no draft of an order.
  const tab = await page.context().newPage();
  await tab.goto('/menu');
  await addDish(tab, chips);
  await goToCheckout(tab);
  await expect(tab.getByRole('region', { name: 'How would you like to pay?' })).toContainText('Cash');

  const again = page.getByRole('button', { name: /^Order again/ });
  const basket = page.getByRole('region', { name: 'Your basket' });
  const question = page.getByRole('dialog', { name: 'Your basket is not empty' });
  await again.click();
  await expect(question).toContainText(chips);
  await question.getByRole('button', { name: 'Not now' }).click();
  await expect(page).toHaveURL(orderPage);
  await again.click();
  await question.getByRole('button', { name: 'Keep it and add this order' }).click();
  await expect(basket).toContainText(chips);
  await expect(basket).toContainText(burger);
  await page.goto(`/orders/${id}`);
  await again.click();
  await question.getByRole('button', { name: 'Replace it with this order' }).click();
  await expect(basket).toContainText(burger);
  await expect(basket).not.toContainText(chips);
});

test('when a day has no time left, the button says so and does not order', async ({ shop, window }) => {
  const page = await window(phone);
  await page.route(/\/v1\/stores\/[^/]+\/slots/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object[] };
    await route.fulfill({ json: { ...body, data: body.data.map((slot) => ({ ...slot, is_available: false })) } });
  });
  await openCheckout(shop, page);
  await fillCollection(page);
  await openPart(page, 'when');
  await page.getByRole('radio', { name: /Choose a time/ }).check({ force: true });
  const none = page.getByRole('button', { name: 'No times left' });
  await expect(none).toHaveAttribute('aria-disabled', 'true');
  await expect(pay(page)).toHaveCount(0);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/orders')) sent.push(request.url());
  });
  await none.click({ force: true });
  await expect(page.getByRole('alert')).toContainText('no times left on this day');
  expect(sent).toEqual([]);
  await page.getByRole('radio', { name: /As soon/ }).check({ force: true });
  await expect(pay(page)).toBeEnabled();
});

test('a password is shown on demand, and only staff are offered what is theirs', async ({ window }) => {
  const page = await window(phone);
  await page.goto('/login');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('a good secret');
  await page.getByRole('button', { name: 'Show Password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide Password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show Password' }).click();
  await fillSignIn(page, { email: 'nobody@example.com', password: 'a good secret' });
  await expect(page.getByRole('alert')).toContainText('is wrong');
  await expect(password).toHaveAttribute('type', 'password');
  const passkey = page.getByRole('button', { name: 'Staff: sign in with a passkey' });
  await expect(passkey).toHaveCount(0);
  await page.goto('/kitchen');
  await page.waitForURL('**/login');
  await expect(passkey).toBeVisible();
});
