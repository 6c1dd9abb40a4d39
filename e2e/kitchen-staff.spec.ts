import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { admin, type Shop } from '#testing/running-shop.ts';
import { expect, test } from './shop.ts';

interface Placed {
  id: string;
  number: string;
}

const password = 'a good secret';
const patient = { timeout: 30_000 };
const ticket = (page: Page, { number }: Placed): Locator => page.locator(`[data-ticket="${number}"]`);

/** Somebody who works in one shop, with the password they chose from their invitation. */
async function invite(shop: Shop, storeId: string): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const body = { name: 'Grace Hopper', email, role: 'store_admin', store_ids: [storeId] };
  expect((await shop.api('POST', '/v1/staff', body, shop.adminToken)).status).toBe(201);
  let token = '';
  await expect
    .poll(async () => {
      const list = await shop.api('GET', '/v1/mail?per_page=50', undefined, shop.adminToken);
      const mail = (list.body['data'] as { id: string; to: string }[]).find(({ to }) => to === email);
      if (!mail) return '';
      const { body: read } = await shop.api('GET', `/v1/mail/${mail.id}`, undefined, shop.adminToken);
      token = /token=([\w-]+)/.exec((read['data'] as { text: string }).text)?.[1] ?? '';
      return token;
    }, patient)
    .not.toBe('');
  expect((await shop.api('POST', '/v1/auth/reset-password', { token, password })).status).toBe(200);
  return email;
}

async function openKitchen(page: Page, email: string, secret: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.goto('/kitchen');
  await page.getByRole('button', { name: 'Start shift' }).click();
  await expect(page.locator('[data-connection="connected"]')).toBeVisible(patient);
}

async function placeOrder(shop: Shop, name: string): Promise<Placed> {
  const path = `/v1/menus/store/${shop.storeId}?include=categories.items.option_groups`;
  type Dish = { id: string; price: number; is_available: boolean; option_groups: { min_select: number }[] };
  const [menu] = (await shop.api('GET', path)).body['data'] as { categories: { items: Dish[] }[] }[];
  const dish = menu?.categories
    .flatMap(({ items }) => items)
    .find((one) => one.is_available && one.price > 600 && one.option_groups.every(({ min_select: min }) => min === 0));
  const { status, body } = await shop.api('POST', '/v1/orders', {
    store_id: shop.storeId,
    session: randomUUID(),
    fulfilment_type: 'collection',
    contact: { name, phone: '07700 900123' },
    payment_method: 'cash',
    lines: [{ item_id: dish?.id, quantity: 1 }],
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body['data'] as Placed;
}

test('staff of one shop run its kitchen, and see nothing of another one', async ({ shop, window }) => {
  test.setTimeout(400_000);
  const email = await invite(shop, shop.storeId);
  const order = await placeOrder(shop, 'Ada Byron');
  const page = await window();
  await openKitchen(page, email, password);

  await ticket(page, order)
    .getByRole('button', { name: /^Accept/ })
    .click();
  await expect(ticket(page, order)).toHaveAttribute('data-status', 'accepted', patient);

  await page.getByRole('button', { name: 'Sold out' }).click();
  await page.getByLabel('Find a dish or an option').fill('Classic cheeseburger');
  const dish = page.getByRole('group', { name: 'Classic cheeseburger, Dish' });
  await dish.getByRole('button', { name: 'Out for today' }).click();
  await dish.getByRole('button', { name: 'Back again' }).click();
  await expect(dish.getByRole('button', { name: 'Out for today' })).toBeVisible(patient);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('menuitem', { name: /^15 minutes/ }).click();
  await page.getByRole('button', { name: 'Take orders again' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible(patient);

  await page.getByRole('button', { name: 'New order' }).click();
  const till = page.getByRole('dialog');
  await till.getByRole('combobox', { name: 'Dish' }).fill('munch');
  await expect(till.getByRole('option').first()).toBeVisible(patient);
  await page.keyboard.press('Enter');
  await till.getByLabel('Name').fill('Radia Perlman');
  await till.getByLabel('Phone', { exact: false }).last().fill('07700 900789');
  await till.getByRole('button', { name: /^Into the kitchen, £/ }).click();
  await expect(page.getByText(/^#\d+ is in the kitchen\.$/)).toBeVisible(patient);
  await till.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'All orders' }).click();
  for (const name of [/Ada Byron/, /Radia Perlman/])
    await expect(page.getByRole('dialog').getByRole('button', { name }).first()).toBeVisible(patient);

  const made = await shop.api('POST', '/v1/stores', { name: 'Another shop' }, shop.adminToken);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const stranger = await window();
  await openKitchen(stranger, await invite(shop, (made.body['data'] as { id: string }).id), password);
  await stranger.getByRole('button', { name: 'All orders' }).click();
  await expect(stranger.getByRole('dialog')).toBeVisible();
  await expect(stranger.getByText(/Ada Byron|Radia Perlman/)).toHaveCount(0);
  await expect(stranger.locator('[data-ticket]')).toHaveCount(0);
  const token = (await stranger.evaluate(() => localStorage.getItem('token'))) ?? '';
  const accept = await shop.api('POST', `/v1/orders/${order.id}/packed`, {}, token);
  expect(accept.status).toBe(403);
  const list = await shop.api('GET', '/v1/orders', undefined, token);
  expect(list.body['data']).toEqual([]);
});

test('a board whose device has a wrong clock counts and promises by the shop’s', async ({ shop, window }) => {
  test.setTimeout(240_000);
  const page = await window();
  await page.clock.install({ time: Date.now() + 37 * 60_000 });
  await openKitchen(page, admin.email, admin.password);
  const order = await placeOrder(shop, 'Ada Byron');
  await expect(ticket(page, order).getByRole('timer')).toHaveText(/^(10:00|[89]:\d\d)$/, patient);
  const asked = Date.now();
  await ticket(page, order)
    .getByRole('button', { name: /^Accept/ })
    .click();
  await expect(ticket(page, order)).toHaveAttribute('data-status', 'accepted', patient);
  const { body } = await shop.api('GET', `/v1/orders/${order.id}`, undefined, shop.adminToken);
  const promised = Date.parse((body['data'] as { promised_at: string }).promised_at);
  // The usual twenty minutes, not the device's 37 more or less.
  expect(promised - asked).toBeGreaterThan(10 * 60_000);
  expect(promised - asked).toBeLessThan(30 * 60_000);
});
