import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expectAccessible, expectAccessibleInBoth } from './accessible.ts';
import { keepSession, moveOrder, sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import {
  addDish,
  burger,
  changeDish,
  fillCollection,
  goToCheckout,
  orderIdOf,
  orderPage,
  phone,
  placeOrder,
} from './storefront.ts';

/** The expected content shows, and axe finds nothing in it, in light and in dark. */
async function expectState(page: Page, title: RegExp, state: string): Promise<void> {
  await expect(page.getByRole('heading', { name: title }).first()).toBeVisible();
  await expectAccessibleInBoth(page, state);
}

async function step(shop: Shop, id: string, action: string, body: Record<string, unknown> = {}): Promise<void> {
  const { status } = await shop.api('POST', `/v1/orders/${id}/${action}`, body, shop.adminToken);
  expect(status, action).toBe(200);
}

test("an order's page has no accessibility faults in any state, from the payment to the handover", async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  const session = randomUUID();
  const order = await sendOrder(shop, { session, payment_method: 'card' });
  const payment = order.payment.redirect_url ?? '';
  await keepSession(page, order.id, session);

  await page.goto(`/orders/${order.id}/payment/callback`);
  await expectState(page, /Checking your payment/, 'payment return, pending');
  await page.getByRole('link', { name: 'Go to the order' }).click();
  await expectState(page, /Waiting for your payment/, 'not paid yet');
  await page.goto(payment);
  await page.getByRole('button', { name: 'Decline the card' }).click();
  await expectState(page, /did not go through/, 'payment return, declined');
  await page.getByRole('button', { name: 'Pay cash instead' }).click();
  await expectState(page, /Waiting for the shop/, 'placed');
  await expect(
    page.getByText(/^The shop answers by \d\d:\d\d\. If it does not, the order is called off and you pay nothing\.$/),
  ).toBeVisible();
  // Where to collect the order, directions and the telephone number show from the beginning.
  const collect = page.getByRole('region', { name: 'Collect from' });
  await expect(collect).toContainText('27 Fennel Row, Rugby');
  await expect(collect.getByRole('link', { name: 'Directions' })).toHaveAttribute('href', /destination=/);
  await expect(collect.getByRole('link', { name: /^0\d/ })).toHaveAttribute('href', /^tel:/);
  await page.goto(`/orders/${order.id}/payment/callback`);
  await page.waitForURL(orderPage);

  await moveOrder(shop, order, 'accept', { minutes: 15 });
  await expectState(page, /The kitchen is cooking/, 'accepted');
  await shop.wait(90);
  await page.reload();
  await expect(page.getByText(/^Promised by \d\d:\d\d, now \d+ min late/)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /^0\d/ })).toHaveAttribute('href', /^tel:/);
  await expectState(page, /The kitchen is cooking/, 'late');
  await moveOrder(shop, order, 'packed');
  await expectState(page, /Ready to collect/, 'packed');
  await moveOrder(shop, order, 'collected-by-customer');
  await expectState(page, /Enjoy your meal/, 'collected');
  await expect(collect).toBeHidden();
  // One question at a time: first the rating, then the account.
  const account = page.getByRole('heading', { name: 'Keep this order' });
  await expect(account).toBeHidden();
  await page.getByRole('radio', { name: '1 star of 5' }).check({ force: true });
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(account).toBeVisible();
});

test('a browser is offered to install the shop after its second order, once, and its own offer is held back', async ({
  shop,
  window,
}) => {
  const page = await window({ ...phone, userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/140 Mobile' });
  const sessions = [randomUUID(), randomUUID()] as const;
  const first = await sendOrder(shop, { session: sessions[0] });
  const address = { line1: '1 Example Street', city: 'Rugby', postcode: 'CV23 9AA' };
  const delivery = { session: sessions[1], quantity: 2, fulfilment_type: 'delivery', address };
  const second = await sendOrder(shop, delivery);
  await keepSession(page, first.id, sessions[0]);
  const offerOn = (there: Page) => there.getByRole('region', { name: 'Keep Coalfinch on this device?' });
  const offer = offerOn(page);
  const account = page.getByRole('heading', { name: 'Keep this order' });
  const browserOffers = () =>
    page.evaluate<boolean>(`(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true });
      event.prompt = async () => localStorage.setItem('asked', 'yes');
      dispatchEvent(event);
      return event.defaultPrevented;
    })()`);
  await page.goto(`/orders/${first.id}`);
  await expect(account).toBeVisible();
  expect(await browserOffers()).toBe(true);
  await expect(offer).toBeHidden();

  await keepSession(page, second.id, sessions[1]);
  await page.goto(`/orders/${second.id}`);
  await expect(offer.getByRole('link', { name: 'Show me how' })).toBeVisible();
  await expect(account).toBeHidden();
  // A delivery has the shop's phone number as well.
  await expect(page.getByRole('main').getByRole('link', { name: /^0\d/ })).toHaveAttribute('href', /^tel:/);
  await moveOrder(shop, second, 'reject', { reason: 'too_busy' });
  await expect(page.getByRole('heading', { name: /could not take/ })).toBeVisible();
  await expect(offer).toBeHidden();

  // An iPad claims to be a Mac.
  const iPad = await window({
    viewport: { width: 820, height: 1180 },
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15',
  });
  await iPad.addInitScript(`
    delete window.PushManager;
    Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 });`);
  await keepSession(iPad, first.id, sessions[0]);
  await keepSession(iPad, second.id, sessions[1]);
  await iPad.goto(`/orders/${first.id}`);
  await expect(offerOn(iPad).getByRole('link', { name: 'Show me how' })).toBeVisible();
  await expect(iPad.getByText('On an iPhone or iPad this works only from the home screen')).toBeVisible();

  await page.goto(`/orders/${first.id}`);
  await expect(offer).toBeVisible();
  expect(await browserOffers()).toBe(true);
  await expectAccessibleInBoth(page, 'the offer to install');
  await offer.getByRole('button', { name: 'Install' }).click();
  await expect(offer).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('asked'))).toBe('yes');
  await page.reload();
  await expect(account).toBeVisible();
  await expect(offer).toBeHidden();
});

test('a basket, the list of own orders and ordering again show what has changed, without accessibility faults', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await page.goto('/register');
  await page.getByLabel('Name').fill('Katherine Johnson');
  await page.getByLabel('Email').fill(`katherine-${Date.now()}@example.com`);
  await page.getByLabel('Phone').fill('07700 900654');
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.waitForURL((url) => url.pathname !== '/register');
  await page.goto('/customer/orders');
  await expectState(page, /No orders yet/, 'no orders yet');

  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await placeOrder(page);
  await step(shop, orderIdOf(page), 'reject', { reason: 'too_busy' });
  await expectState(page, /could not take/, 'rejected');
  // A visitor with only the link also gets a way forward.
  const stranger = await window(phone);
  await stranger.goto(page.url());
  await expectState(stranger, /could not take/, 'rejected, by its link');
  await expect(stranger.getByRole('main').getByRole('link', { name: /^0\d/ })).toHaveAttribute('href', /^tel:/);
  await stranger.getByRole('main').getByRole('link', { name: /menu/i }).click();
  await stranger.waitForURL('/menu');
  await expect(page.getByRole('main')).toContainText('There is nothing to pay.');

  await page.goto('/menu');
  await addDish(page);
  await changeDish(shop, burger, { price: 990 });
  try {
    await page.reload();
    await page.getByRole('button', { name: /View basket/ }).click();
    await expect(page.getByRole('dialog')).toContainText(/Was £\d\.\d\d, now £9\.90/);
    await expectState(page, /Your basket/, 'basket with a changed price');
    await page.goto('/customer/orders');
    await expectState(page, /My orders/, 'orders');
    // First the order, then its status.
    await expect(page.getByRole('main').getByRole('listitem').first()).toHaveText(
      /^Order \d+ · \d+ \w+ \d{4}£[\d.]+1 × Classic cheeseburger.*could not take/,
    );
    await page.getByRole('button', { name: /^Order again/ }).click();
    await expectState(page, /has changed since/, 'ordering again');
    await page.getByRole('button', { name: 'Add to basket' }).click();
    await expectState(page, /basket is not empty/, 'ordering again into a filled basket');
    await page.getByRole('button', { name: 'Keep it and add this order' }).click();
    await page.waitForURL('/checkout');
  } finally {
    await changeDish(shop, burger, { price: 850 });
  }
});

test('nothing is lost at double size, with forced colours and without motion', async ({ window }) => {
  const page = await window({
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  await page.goto('/menu');
  await expectAccessible(page, 'menu, at twice the size');
  await page.getByRole('radio', { name: /^Collection/ }).check({ force: true });
  await page.emulateMedia({ forcedColors: 'active' });
  const colours = await page.evaluate<string[]>(
    "[...document.querySelectorAll('label:has([name=fulfilment])')].map((each) => getComputedStyle(each).backgroundColor)",
  );
  expect(new Set(colours).size, 'what is chosen can be told apart').toBe(2);
  await page.emulateMedia({ forcedColors: 'none' });

  await page
    .getByRole('link', { name: new RegExp(`^${burger}`) })
    .first()
    .click();
  await expectAccessible(page, 'dish, at twice the size');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Add £/ })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: /View basket/ }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: /^Checkout/ })).toBeInViewport();
  await expectAccessible(page, 'basket, at twice the size');
  await page.getByRole('link', { name: /^Checkout/ }).click();
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
  await expectAccessible(page, 'checkout, at twice the size');
  await fillCollection(page);
  await placeOrder(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Waiting for the shop/);
  await expectAccessible(page, 'order, at twice the size');
});

test('a page that waits for the shop always has a heading', async ({ window }) => {
  const page = await window(phone);
  for (const path of ['/checkout', `/orders/${crypto.randomUUID()}`]) {
    await page.route('**/v1/**', () => undefined);
    await page.goto(path);
    await expect(page.getByText('Loading')).toBeAttached();
    await expectAccessible(page, `${path}, waiting`);
    await page.unroute('**/v1/**');
  }
});

test("a dish that is tapped before its sheet's code has loaded shows that it is loading", async ({ window }) => {
  const page = await window(phone);
  let send: () => void = () => undefined;
  const isSent = new Promise<void>((resolve) => (send = resolve));
  await page.route(/\/sheets-[^/]*\.js$/, async (route) => {
    await isSent;
    await route.continue();
  });
  // The page requests the code once React runs. An earlier tap follows the link, and the server sends the sheet itself.
  const isAlive = page.waitForRequest(/\/sheets-[^/]*\.js$/);
  await page.goto('/menu');
  await isAlive;
  await page
    .getByRole('link', { name: new RegExp(`^${burger}`) })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: 'Loading' })).toBeVisible();
  await expectAccessible(page, 'a sheet on its way');
  send();
  await expect(page.getByRole('dialog', { name: burger })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
});
