import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { indexMenus } from '#menu/menu-index.ts';
import type { Menu } from '#menu/menu-shapes.ts';
import { defaultOptions, normaliseSelections } from '#menu/option-rules.ts';
import { unitPrice } from '#ordering/pricing.ts';
import type { Shop } from '#testing/running-shop.ts';
import { expect } from './shop.ts';

/** An init script: a browser in data-saving mode, which prefetches no page. */
export const savesData = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`;

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
export const burger = 'Classic cheeseburger';
export const orderPage = /\/orders\/[0-9a-f-]+$/;

/** Resolves once React has hydrated the server's page; the browser itself would handle an earlier tap. */
export async function untilAlive(part: Locator): Promise<void> {
  const isAlive = (element: object) => Object.keys(element).some((key) => key.startsWith('__reactProps$'));
  await expect.poll(() => part.evaluate(isAlive), { message: 'the page is alive' }).toBe(true);
}

/** Adds a dish with its default choices, on the open menu. */
export async function addDish(page: Page, name = burger): Promise<void> {
  await page
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .first()
    .click();
  await page
    .getByRole('dialog', { name })
    .getByRole('button', { name: /^Add £/ })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** Goes to the checkout from the menu with a filled basket, at any width. */
export async function goToCheckout(page: Page): Promise<void> {
  const bar = page.getByRole('button', { name: /View basket/ });
  const link = page.getByRole('link', { name: /^Checkout/ });
  await expect(bar.or(link).first()).toBeVisible();
  if (await bar.isVisible()) await bar.click();
  await link.click();
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
}

const partTitles = {
  where: 'Delivery or collection',
  when: /^When would you like/,
  who: 'Your details',
  notes: 'Anything we should know?',
  pay: 'How would you like to pay?',
};

/** Opens a part of the checkout, which is one line once it is complete. Returns the part. */
export async function openPart(page: Page, part: keyof typeof partTitles): Promise<Locator> {
  const section = page.getByRole('region', { name: partTitles[part] });
  await expect(section).toBeVisible();
  const folded = section.getByRole('heading').getByRole('button', { expanded: false });
  if (await folded.isVisible()) await folded.click();
  await expect(folded).toBeHidden();
  return section;
}

/** A collection paid in cash: the shortest possible order. */
export async function fillCollection(page: Page, name = 'Grace Hopper'): Promise<void> {
  await chooseWay(page, 'Collection');
  await openPart(page, 'who');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Phone').fill('07700 900456');
  await payWith(page, 'Cash');
}

/** Chooses delivery or collection at the checkout. */
export async function chooseWay(page: Page, way: 'Delivery' | 'Collection'): Promise<void> {
  const where = await openPart(page, 'where');
  await where.getByRole('radio', { name: new RegExp(`^${way}`) }).check({ force: true });
}

/** Chooses the payment method at the checkout. */
export async function payWith(page: Page, method: 'Card' | 'Cash'): Promise<void> {
  const pay = await openPart(page, 'pay');
  await pay.getByRole('radio', { name: new RegExp(`^${method}`) }).check({ force: true });
}

export async function placeOrder(page: Page): Promise<string> {
  await page.getByRole('button', { name: /^Place order/ }).click();
  await page.waitForURL(orderPage);
  return orderIdOf(page);
}

/** Orders without an account, from the menu on; without an address if it is empty. Returns the order's id. */
export async function guestOrder(page: Page, email: string): Promise<string> {
  await page.goto('/menu');
  await addDish(page);
  await goToCheckout(page);
  await fillCollection(page);
  await openPart(page, 'who');
  await page.getByLabel('Email').fill(email);
  return placeOrder(page);
}

/** From the filled-in checkout to the payment page. */
export async function payByCard(page: Page): Promise<void> {
  await payWith(page, 'Card');
  await page.getByRole('button', { name: /^Pay £/ }).click();
  await page.waitForURL(/\/sandbox\/pay\//);
}

export function orderIdOf(page: Page): string {
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

/** Presses Tab until the wanted element has the focus, like a person without a mouse. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < 250; pressed++) {
    if ((await target.count()) > 0 && (await target.first().evaluate((each) => each.matches(':focus')))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key did not reach ${target.toString()}.`);
}

/** Changes a dish of the menu as the shop's owner. */
export async function changeDish(shop: Shop, name: string, change: Record<string, unknown>): Promise<void> {
  const { body } = await shop.api('GET', '/v1/menus?include=categories.items&per_page=200');
  const menus = body['data'] as { categories: { items: { id: string; name: string }[] }[] }[];
  const items = menus.flatMap((menu) => menu.categories.flatMap((category) => category.items));
  const item = items.find((each) => each.name === name);
  const { status } = await shop.api('PATCH', `/v1/items/${item?.id ?? ''}`, change, shop.adminToken);
  expect(status, `${name} is changed`).toBe(200);
}

export async function changeStore(shop: Shop, change: Record<string, unknown>): Promise<void> {
  const { status } = await shop.api('PATCH', `/v1/stores/${shop.storeId}`, change, shop.adminToken);
  expect(status, 'the store is changed').toBe(200);
}

/** These dishes, each with its default choices, as a basket holds them. */
export async function linesOf(shop: Shop, dishes: Record<string, number>) {
  const path = `/v1/menus/store/${shop.storeId}?include=categories.items.option_groups.options`;
  const found = [...indexMenus((await shop.api('GET', path)).body['data'] as Menu[]).items.values()];
  return Object.entries(dishes).map(([name, quantity]) => {
    const dish = found.find(({ item }) => item.name === name);
    if (!dish) throw new Error(`The menu has no ${name}.`);
    const options = defaultOptions(dish, new Date());
    const price = unitPrice(dish.item, normaliseSelections(dish, options).selected);
    return { key: randomUUID(), item_id: dish.item.id, name, quantity, note: '', options, seen_price: price };
  });
}

/**
 * The checkout with these dishes in the basket, each with its default choices: for journeys that begin there. Replaces the
 * basket that the window has.
 */
export async function openCheckout(shop: Shop, page: Page, dishes: Record<string, number> = { [burger]: 1 }) {
  const lines = await linesOf(shop, dishes);
  const basket = {
    session: randomUUID(),
    store_id: shop.storeId,
    fulfilment_type: null,
    postcode: '',
    lines,
  };
  // The smallest page that has the shop's storage.
  await page.goto('/robots.txt');
  await page.evaluate((held) => localStorage.setItem('basket', held), JSON.stringify(basket));
  await page.goto('/checkout');
  await expect(page.getByRole('heading', { name: 'Checkout', level: 1 })).toBeVisible();
}

/** Goes to a path of the same front end as a link on the open page does, without loading anything anew. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
}
