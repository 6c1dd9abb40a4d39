import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { expectAccessible } from './accessible.ts';
import { moveOrder, sendOrder } from './orders.ts';
import { expect, test } from './shop.ts';
import { fillCollection, openCheckout, orderPage, payByCard, phone, untilAlive } from './storefront.ts';

test('a guest who leaves the payment page finds the way back to the order, pays in cash, and finds it from the menu', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await openCheckout(shop, page);
  await fillCollection(page);
  await payByCard(page);
  const payAt = page.url();
  await page.goBack();
  const waits = page.getByRole('status').filter({ hasText: 'is waiting for your payment' });
  await expect(waits).toBeVisible();
  await expectAccessible(page, 'an order waits, at the checkout');
  await page.goto('/');
  await expect(waits).toBeVisible();
  await expectAccessible(page, 'an order waits, on the home page');
  await expect(waits.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', new URL(payAt).pathname);
  await waits.getByRole('link', { name: 'See the order' }).click();
  await page.waitForURL(orderPage);
  await page.getByRole('button', { name: /by card/ }).click();
  await page.waitForURL(payAt);

  // Leaving leads to the order immediately.
  await page.getByRole('button', { name: /leave|walk|without paying/i }).click();
  await page.waitForURL(orderPage);
  const at = page.url();
  await page.getByRole('button', { name: /cash/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Waiting for the shop to accept your order');

  await page.goto('/menu');
  const going = page.getByRole('status').filter({ hasText: 'Waiting for the shop' });
  await expect(going).toBeVisible();
  await expectAccessible(page, 'an order under way, on the menu');
  await going.getByRole('link', { name: 'See the order' }).click();
  await page.waitForURL(at);
});

const menus = /\/v1\/menus|\/shop\//;
const scripts = '**/static/assets/*.js';

test('an order is shown, updated and ordered again from its link, whether or not the menu loads', async ({
  shop,
  window,
}) => {
  const session = randomUUID();
  const contact = { name: 'Ada Lovelace', phone: '07700 900456' };
  const order = await sendOrder(shop, { session, contact });
  const page = await window(phone);
  const asked: string[] = [];
  await page.route(menus, (route) => void asked.push(route.request().url()));
  const number = page.getByText(`Order ${order.number}`, { exact: true });
  const headline = page.getByRole('heading', { level: 1 });

  await test.step('by its link alone, even if the menu never loads', async () => {
    await page.goto(`/orders/${order.id}`);
    await expect(number).toBeVisible();
    await expect(headline).toContainText('Waiting for the shop');
    // It shows nothing about its customer, once the shop knows who is looking.
    await expect(page.getByText('Names, addresses and notes are shown only')).toBeVisible();
    await expectAccessible(page, 'an order from its link, without the menu');
    const addToCalendar = page.getByRole('button', { name: 'Add to calendar' });
    await expect(addToCalendar).toBeHidden();
    await moveOrder(shop, order, 'accept', { minutes: 25 });
    await expect(headline).not.toContainText('Waiting');
    await expect(page).toHaveTitle(new RegExp(`^Order ${order.number}`));
    await expect(page.getByText(/^in \d+ to \d+ min$/)).toBeVisible();
    const [calendar] = await Promise.all([page.waitForEvent('download'), addToCalendar.click()]);
    expect(await readFile(await calendar.path(), 'utf8')).toContain(`/orders/${order.id}`);
    expect(asked).toEqual([]);
  });

  await test.step('while the shop cannot deliver it, in its last known state, which the page says', async () => {
    await page.route(`**/v1/orders/${order.id}`, (route) => route.abort());
    await page.clock.install();
    await page.reload();
    const unreachable = page.getByText(/^The shop cannot be reached at the moment\. This is your order as of/);
    await expect(unreachable).toBeVisible();
    await page.clock.fastForward('03:00:00');
    await expect(unreachable).toBeVisible();
    await expect(number).toBeVisible();
    // Whether it is late is unknown.
    await expect(page.getByText(/min late/)).toHaveCount(0);
    await page.unroute(`**/v1/orders/${order.id}`);
  });

  await test.step('whole where it was placed, and Order again loads the menu, or says that it cannot', async () => {
    await moveOrder(shop, order, 'collected-by-customer');
    await page.evaluate(
      (placed) => localStorage.setItem('order_sessions', JSON.stringify([placed])),
      [order.id, session],
    );
    await page.reload();
    await expect(page.getByText(contact.name)).toBeVisible();
    const again = page.getByRole('button', { name: /again/ });
    await untilAlive(again);
    expect(asked).toEqual([]);

    await page.unroute(menus);
    await page.route(menus, (route) => route.abort());
    // The third failure is reported on the console, in the contract's own words.
    await page.evaluate('console.error = () => undefined');
    await again.click();
    await expect(page.getByRole('status').filter({ hasText: /connection|reach/ })).toBeVisible();
    await page.unroute(menus);

    const { promise: isHeld, resolve: letThrough } = Promise.withResolvers<void>();
    await page.route(menus, async (route) => {
      await isHeld;
      await route.continue();
    });
    await again.click();
    await expect(again).toHaveAttribute('aria-disabled', 'true');
    await expect(page).toHaveURL(orderPage);
    letThrough();
    await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
    await expect(page.getByText(order.lines[0]?.name ?? '').first()).toBeVisible();
  });

  await test.step('as the usual on the home page and the menu, beside a favourite dish, until the basket has dishes', async () => {
    const dish = order.lines[0]?.name ?? '';
    const usual = page.getByRole('region', { name: 'The usual?' });
    await page.evaluate(() => localStorage.removeItem('basket'));
    await page.goto('/menu');
    await expect(usual.getByText(/^£[\d.]+ today, /)).toBeVisible();
    const title = page.getByRole('heading', { name: 'Menu', level: 1 });
    const placed = await title.boundingBox();
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    const ownOrders = /\/v1\/orders/;
    await page.route(ownOrders, async (route) => {
      await isAnswered;
      await route.continue();
    });
    const { promise: mayRun, resolve: run } = Promise.withResolvers<void>();
    await page.route(scripts, async (route) => {
      await mayRun;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await expect.poll(() => title.boundingBox(), { message: 'the height is reserved without scripts' }).toEqual(placed);
    run();
    await expect(page.locator('main .skeleton').first()).toBeVisible();
    expect(await title.boundingBox(), 'the height is reserved').toEqual(placed);
    await expect(usual).toBeHidden();
    answer();
    await expect(usual).toBeVisible();
    expect(await title.boundingBox()).toEqual(placed);
    await expect(page.locator('main .skeleton')).toHaveCount(0);
    await page.unroute(ownOrders);
    await page.unroute(scripts);
    await page
      .getByRole('link', { name: new RegExp(`^${dish}`) })
      .first()
      .click();
    await page.getByRole('dialog', { name: dish }).getByRole('button', { name: 'Favourite' }).click();
    await page.keyboard.press('Escape');
    await expect(usual.getByRole('link', { name: new RegExp(`^${dish}.*£`) })).toBeVisible();
    await page.goto('/');
    await expectAccessible(page, 'the usual on the home page');
    await usual.getByRole('button', { name: /^Order again/ }).click();
    await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
    const storedHeight = () => page.evaluate(() => localStorage.getItem('usual_height'));
    const height = await storedHeight();
    expect(Number(height)).toBeGreaterThan(0);
    await page.goto('/menu');
    await expect(
      page.getByRole('button', { name: /View basket/ }).or(page.getByRole('link', { name: /^Checkout/ })),
    ).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(usual).toBeHidden();
    expect(await storedHeight(), 'the height is kept for the next visit').toBe(height);
    await page.route(ownOrders, () => undefined);
    await page.reload();
    await untilAlive(title);
    await expect
      .poll(async () => (await title.boundingBox())?.y, { message: 'no height is reserved' })
      .toBeLessThan(placed?.y ?? 0);
  });

  await test.step('without its favourites while the menu does not load, and with them once it does', async () => {
    await page.addInitScript('console.error = () => undefined');
    await page.evaluate(() => localStorage.removeItem('basket'));
    await page.route(menus, (route) => route.abort());
    await page.goto('/');
    await untilAlive(page.getByRole('link', { name: 'Menu' }).first());
    await page.getByRole('banner').getByRole('link', { name: 'Menu' }).click();
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible();
    await page.unroute(menus);
    await retry.click();
    await expect(page.getByRole('heading', { name: 'Menu', level: 1 })).toBeVisible();
    await expect(page.getByRole('region', { name: 'The usual?' })).toBeVisible();
  });
});
