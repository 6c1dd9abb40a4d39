import type { Page } from '@playwright/test';
import { expect, test } from './shop.ts';
import { addDish, goToCheckout, openPart, orderIdOf, orderPage, phone } from './storefront.ts';

const dish = 'BBQ onion ring stack';
const guest = { name: 'Grace Hopper', phone: '07700 900987' };

async function expectTyped(page: Page, typed: Record<string, string>): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
  for (const [label, value] of Object.entries(typed)) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  }
}

test('with reloads, Back and Forward, lost connections and a second tab, nothing is typed twice and one order is placed', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  const typed: Record<string, string> = {};
  await page.goto('/menu');
  const prefetched = page.waitForResponse(/\/static\/assets\/checkout-page-[^/]+\.js$/);
  await page.route(/checkout-page-[^/]+\.css$/, (route) => route.abort(), { times: 1 });
  const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'));
  await addDish(page, dish);
  expect((await prefetched).ok(), "the checkout's code is loaded while the customer chooses").toBe(true);
  await test.step('the checkout has its styles, although they did not load while the customer chose', async () => {
    await lost;
    await goToCheckout(page);
    await expect(page.locator('.pay-bar')).toHaveCSS('position', 'fixed');
    await page.goto('/menu');
  });
  await test.step('the postcode is asked for beside the basket on the menu, and carried along', async () => {
    await page.getByRole('button', { name: /View basket/ }).click();
    const basket = page.getByRole('dialog', { name: 'Your basket' });
    await basket.getByLabel('Postcode').fill('sw1a 1aa');
    const refusal = basket.getByText('we do not deliver to SW1A');
    await expect(refusal).toBeVisible();
    const second = await page.context().newPage();
    await second.goto('/menu');
    await second.getByRole('button', { name: /View basket/ }).click();
    const other = second.getByRole('dialog', { name: 'Your basket' });
    await other.getByLabel('Postcode').fill('cv21 2a');
    await other.getByLabel('Postcode').blur();
    await expect(other.getByText('Enter a full UK postcode')).toBeVisible();
    await expect(refusal).toBeHidden();
    await other.getByLabel('Postcode').fill('cv21 2aa');
    await second.close();
    await expect(basket.getByLabel('Postcode')).toHaveValue('CV21 2AA');
    await expect(basket.getByText('£1.49', { exact: true })).toBeVisible();
    typed['Postcode'] = 'CV21 2AA';
    await page.keyboard.press('Escape');
  });
  await goToCheckout(page);
  await expectTyped(page, typed);

  await test.step('each typed field survives a reload, and Back with Forward', async () => {
    for (const [label, value] of [
      ['Address', '1 High Street'],
      ['Name', guest.name],
      ['Phone', guest.phone],
    ] as const) {
      if (label === 'Name') await openPart(page, 'who');
      await page.getByLabel(label, { exact: true }).fill(value);
      typed[label] = value;
      await page.reload();
      await expectTyped(page, typed);
      await page.goBack();
      await expect(page.getByRole('heading', { name: 'Menu', level: 1 })).toBeVisible();
      await page.goForward();
      await expectTyped(page, typed);
    }
  });

  await test.step('a tap on Pay without a connection sends nothing, and the fields stay', async () => {
    await page.context().setOffline(true);
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await expect(page.getByRole('alert')).toContainText('nothing was sent');
    await page.context().setOffline(false);
    await expectTyped(page, typed);
  });

  await test.step('Back from the payment page names the waiting order, and paying twice is not possible', async () => {
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await page.reload();
    await page.goBack();
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: /is waiting for your payment/ })
        .first(),
    ).toBeVisible();
    await page.goForward();
    await page.waitForURL(/\/sandbox\/pay\//);
  });

  await test.step('a second tab has the same basket, and no basket once the order is paid in the first', async () => {
    const second = await page.context().newPage();
    await second.goto('/checkout');
    await expect(second.getByText(dish).filter({ visible: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Approve the payment' }).click();
    await page.waitForURL(orderPage);
    await page.reload();
    await expect(page.getByRole('heading', { name: /Waiting for the shop/ })).toBeVisible();
    await expect(second.getByRole('button', { name: /^Pay £/ })).toBeHidden();
    await second.close();
  });

  await test.step('Back from the order offers nothing to send again, and the shop has one order', async () => {
    const id = orderIdOf(page);
    await page.goto('/checkout');
    await expect(page.getByRole('button', { name: /^(Pay|Place order)/ })).toBeHidden();
    const { body } = await shop.api('GET', '/v1/orders?status=placed&per_page=50', undefined, shop.adminToken);
    const orders = body['data'] as { id: string; contact: { phone: string } }[];
    expect(orders.filter(({ contact }) => contact.phone.replaceAll(' ', '').endsWith('7700900987'))).toMatchObject([
      { id },
    ]);
  });
});
