import type { Locator, Page } from '@playwright/test';
import { expect, test } from './shop.ts';
import {
  addDish,
  burger,
  changeDish,
  changeStore,
  fillCollection,
  goToCheckout,
  linesOf,
  payWith,
  phone,
  placeOrder,
} from './storefront.ts';

const chips = 'Skin-on chips';
const churros = 'Cinnamon churros';
const takeOut = (name: string) => ({ name: `Remove ${name}` });

test('after removing a dish and after closing one, the focus stays near, in every place of the basket, and removing can be undone', async ({
  shop,
  window,
}) => {
  const page = await window({ ...phone, viewport: { width: 360, height: 740 } });

  await test.step('after closing the dish that a link opened, the focus is on that dish in the menu', async () => {
    const [dish] = await linesOf(shop, { [churros]: 1 });
    await page.goto(`/menu?item=${dish?.item_id}`);
    await expect(page.getByRole('dialog', { name: churros })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/menu$/);
    const card = page.getByRole('main').getByRole('link', { name: new RegExp(`^${churros}`) });
    await expect(card).toBeFocused();
    await expect(card).toBeInViewport();
  });

  await test.step('in the sheet of a small phone the dishes have the space that the total and the next step leave', async () => {
    await addDish(page, burger);
    await addDish(page, chips);
    const basket = page.getByRole('dialog', { name: 'Your basket' });
    for (const [width, height, least] of [
      [390, 664, 200],
      [320, 568, 120],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.getByRole('button', { name: /View basket/ }).tap();
      await expect(basket.getByLabel('Postcode')).toBeVisible();
      await expect(basket.getByRole('link', { name: /^Checkout/ })).toBeInViewport({ ratio: 1 });
      await expect(basket.getByText('Total before delivery')).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(visibleDishes), `at ${width} px`).toBeGreaterThan(least);
      await basket.getByText('Subtotal').scrollIntoViewIfNeeded();
      await expect(basket.getByText('Subtotal')).toBeInViewport({ ratio: 1 });
      await basket.getByRole('button', { name: 'Close' }).tap();
    }
    await page.setViewportSize({ width: 360, height: 740 });
  });

  await test.step('on a phone a dish that was removed by mistake can be restored while the basket is open', async () => {
    await page.getByRole('button', { name: /View basket/ }).tap();
    const basket = page.getByRole('dialog', { name: 'Your basket' });
    await basket.getByRole('button', takeOut(burger)).tap();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect(basket).toContainText(burger);
    await expect(page.getByText(`${burger} removed`)).toHaveCount(0);
  });

  await test.step('in its sheet', async () => {
    await removeByKeyboard(page, page.getByRole('dialog', { name: 'Your basket' }), [burger, chips]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('beside the menu', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await addDish(page, burger);
    await removeByKeyboard(page, page.getByRole('complementary', { name: 'Your basket' }), [chips, burger]);
  });

  await test.step('at the checkout', async () => {
    await addDish(page, chips);
    await goToCheckout(page);
    await removeByKeyboard(page, page.getByRole('region', { name: 'Your basket' }), [burger, chips]);
  });
});

async function fillBasket(page: Page, dishes: readonly string[]): Promise<void> {
  await page.goto('/menu');
  for (const dish of dishes) await addDish(page, dish);
}

test('a price that was accepted is not asked about again, and the next press places the order', async ({
  shop,
  window,
}) => {
  const page = await window();
  await fillBasket(page, [burger, chips]);
  await goToCheckout(page);
  await fillCollection(page);
  await changeDish(shop, burger, { price: 1049 });
  await changeDish(shop, chips, { price: 449 });
  const summary = page.getByRole('alert');
  await expect(page.getByRole('button', { name: /^Keep it for/ })).toHaveCount(2);
  await page.getByRole('button', { name: /^Place order/ }).click();
  await expect(summary).toContainText(burger);
  await expect(summary).toContainText(chips);
  const basket = page.getByRole('region', { name: 'Your basket' });
  const line = (name: string) => basket.getByRole('listitem').filter({ hasText: name });
  await line(burger)
    .getByRole('button', { name: /^Keep it for/ })
    .press('Enter');
  await expect(line(burger)).toBeFocused();
  await expect(summary).toContainText(chips);
  await expect(summary).not.toContainText(burger);
  await line(chips).getByRole('button', takeOut(chips)).last().click();
  await expect(summary).toHaveCount(0);
  await placeOrder(page);
});

test('if only the server knows of a sold-out dish, its answer also leads to the question about a changed price', async ({
  shop,
  window,
}) => {
  const page = await window();
  await page.routeWebSocket(/.*/, (socket) => void socket.close());
  await fillBasket(page, [burger, chips]);
  await goToCheckout(page);
  await fillCollection(page);
  // A page without a socket fetches the shop at intervals; it must not do so between the two changes.
  const askingForShop = /\/v1\/(stores|menus)\b/;
  const { promise: isChanged, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(askingForShop, async (route) => {
    await isChanged;
    await route.continue();
  });
  await changeDish(shop, burger, { price: 1149 });
  await changeDish(shop, chips, { is_available: false });
  goOn();
  try {
    await page.getByRole('button', { name: /^Place order/ }).click();
    const summary = page.getByRole('alert');
    await expect(summary).toContainText(`${chips} is sold out`);
    await expect(summary).toContainText(burger);
    await page.getByRole('region', { name: 'Your basket' }).getByRole('button', takeOut(chips)).last().click();
    await expect(summary).not.toContainText(chips);
    await expect(summary).toContainText(burger);
  } finally {
    await changeDish(shop, chips, { is_available: true });
  }
});

test('a question that another payment method settles is not asked again', async ({ shop, window }) => {
  const page = await window();
  await fillBasket(page, [burger]);
  await goToCheckout(page);
  await fillCollection(page);
  await changeStore(shop, { cash_max: 500 });
  try {
    const summary = page.getByRole('alert');
    await page.getByRole('button', { name: /^Place order/ }).click();
    await expect(summary).toContainText('We take cash for orders up to £5.00');
    await payWith(page, 'Card');
    await expect(summary).toHaveCount(0);
    await expect(page.getByText('We take cash for orders up to £5.00')).toHaveCount(0);
  } finally {
    await changeStore(shop, { cash_max: null });
  }
});

/** How much of the sheet's dishes is in the part that scrolls them, in px. */
const visibleDishes = `(() => {
  const list = document.querySelector('dialog[open] ul');
  const [own, part] = [list, list.parentElement].map((each) => each.getBoundingClientRect());
  return Math.min(own.bottom, part.bottom) - Math.max(own.top, part.top);
})()`;

/** Empties a basket of these two lines, and restores the second. */
async function removeByKeyboard(page: Page, basket: Locator, [first, last]: readonly [string, string]): Promise<void> {
  const line = (name: string) => basket.getByRole('listitem').filter({ hasText: name });
  await expect(basket.getByRole('listitem')).toHaveText([new RegExp(first), new RegExp(last)]);
  await basket.getByRole('button', takeOut(first)).press('Enter');
  await expect(line(first)).toHaveCount(0);
  await expect(line(last)).toBeFocused();
  // Removing the last dish leaves only the basket itself to have the focus.
  await basket.getByRole('button', takeOut(last)).press('Enter');
  await expect(line(last)).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
  const notice = page.getByRole('status').filter({ hasText: `${last} removed` });
  await expect(notice).toHaveCount(1);
  await notice.getByRole('button', { name: 'Undo' }).last().press('Enter');
  await expect(line(last)).toBeFocused();
}
