import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { admin, type Shop } from '#testing/running-shop.ts';
import { expectAccessible } from './accessible.ts';
import { expect as expectAtOnce, test } from './shop.ts';

// A busy machine takes its time; nothing here is measured.
test.setTimeout(240_000);
const expect = expectAtOnce.configure({ timeout: 30_000 });

/** A board with its shift begun, so that it may sound. */
async function openBoard(page: Page): Promise<Page> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('/');
  await page.goto('/store/orders');
  await page.getByRole('button', { name: 'Start shift' }).click();
  await expect(page.locator('[data-ready]')).toBeVisible();
  await expect(page.locator('[data-connection="connected"]')).toBeVisible();
  return page;
}

interface Placed {
  id: string;
  number: string;
}

async function placeOrder(shop: Shop, change: Record<string, unknown> = {}): Promise<Placed> {
  const { body: menus } = await shop.api(
    'GET',
    `/v1/menus/store/${shop.storeId}?include=categories.items.option_groups`,
  );
  const [menu] = menus['data'] as {
    categories: {
      items: { id: string; price: number; is_available: boolean; option_groups: { min_select: number }[] }[];
    }[];
  }[];
  const item = menu?.categories
    .flatMap(({ items }) => items)
    .find(
      (one) => one.is_available && one.price > 600 && one.option_groups.every(({ min_select: least }) => least === 0),
    );
  const { status, body } = await shop.api('POST', '/v1/orders', {
    store_id: shop.storeId,
    session: randomUUID(),
    fulfilment_type: 'collection',
    contact: { name: 'Ada Byron', phone: '07700 900123' },
    payment_method: 'cash',
    lines: [{ item_id: item?.id, quantity: 2 }],
    ...change,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body['data'] as Placed;
}

const ticket = (page: Page, order: Placed): Locator => page.locator(`[data-ticket="${order.number}"]`);
const statusOf = async (shop: Shop, { id }: Placed) =>
  ((await shop.api('GET', `/v1/orders/${id}`)).body['data'] as { status: string }).status;

test('a new order shows on every board by itself, and rings until somebody has heard it', async ({ shop, window }) => {
  const first = await openBoard(await window());
  const second = await openBoard(await window());
  const order = await placeOrder(shop, { allergy_note: 'Severe nut allergy' });
  await expect(ticket(first, order)).toBeVisible();
  await expect(ticket(second, order)).toBeVisible();
  await expect(first.locator('[data-alarm="ringing"][data-sound]')).toBeVisible();
  await expect(ticket(first, order)).toContainText('Severe nut allergy');
  await first.getByRole('button', { name: 'Heard it' }).click();
  await expect(first.locator('[data-alarm="silent"]')).toBeVisible();
  // Heard by somebody is heard by everybody.
  await expect(second.locator('[data-alarm="silent"]')).toBeVisible();

  await ticket(first, order).getByRole('button', { name: '5 minutes more' }).click();
  await ticket(first, order)
    .getByRole('button', { name: /^Accept/ })
    .click();
  await expect(ticket(second, order)).toHaveAttribute('data-status', 'accepted');
  await expect(second.locator('[data-alarm="silent"]')).toBeVisible();
  expect(await statusOf(shop, order)).toBe('accepted');
});

test('accepting prints both receipts, which can be looked at as paper', async ({ shop, window }) => {
  const board = await openBoard(await window());
  const order = await placeOrder(shop, { note: 'Two forks please' });
  await ticket(board, order)
    .getByRole('button', { name: /^Accept/ })
    .click();
  await expect(ticket(board, order)).toHaveAttribute('data-status', 'accepted');
  await ticket(board, order)
    .getByRole('button', { name: `More for order ${order.number}` })
    .click();
  await board.getByRole('menuitem', { name: 'Receipts', exact: true }).click();
  await expect(board.locator('[data-copy="kitchen"][data-status="printed"]')).toBeVisible();
  await expect(board.locator('[data-copy="customer"][data-status="printed"]')).toBeVisible();
  await expect(board.getByRole('img', { name: /as it comes out of the printer/ }).first()).toBeVisible();
  const paper = await shop.api('GET', `/v1/orders/${order.id}/prints`, undefined, shop.adminToken);
  expect(JSON.stringify(paper.body)).toContain('Two forks please');
});

test('a rejection is held for five seconds, can be taken back, and then reaches the customer', async ({
  shop,
  window,
}) => {
  const board = await openBoard(await window());
  const order = await placeOrder(shop);
  const reject = async () => {
    await ticket(board, order).getByRole('button', { name: 'Reject' }).click();
    const dialog = board.getByRole('dialog');
    await dialog.getByText('Too busy').click();
    await dialog.getByRole('button', { name: 'Reject' }).click();
  };
  await reject();
  await ticket(board, order).getByRole('button', { name: 'Undo' }).click();
  await expect(ticket(board, order).getByRole('button', { name: /^Accept/ })).toBeVisible();
  expect(await statusOf(shop, order)).toBe('placed');
  await reject();
  await expect.poll(() => statusOf(shop, order), { timeout: 15_000 }).toBe('rejected');
  const { body } = await shop.api('GET', `/v1/orders/${order.id}`);
  expect(body['data']).toMatchObject({ reject_reason: 'too_busy' });
});

test('a board that was offline catches up by itself, and sends once what was tapped meanwhile', async ({
  shop,
  window,
}) => {
  const steady = await openBoard(await window());
  const dropped = await openBoard(await window());
  const before = await placeOrder(shop);
  await expect(ticket(dropped, before)).toBeVisible();
  await dropped.context().setOffline(true);
  await ticket(dropped, before)
    .getByRole('button', { name: /^Accept/ })
    .click();
  const meanwhile = await placeOrder(shop);
  await ticket(steady, meanwhile)
    .getByRole('button', { name: /^Accept/ })
    .click();
  await expect(ticket(steady, meanwhile)).toHaveAttribute('data-status', 'accepted');
  expect(await statusOf(shop, before)).toBe('placed');
  await dropped.context().setOffline(false);
  await expect(ticket(dropped, meanwhile)).toHaveAttribute('data-status', 'accepted', { timeout: 30_000 });
  await expect.poll(() => statusOf(shop, before), { timeout: 30_000 }).toBe('accepted');
  const { body } = await shop.api('GET', `/v1/orders/${before.id}`, undefined, shop.adminToken);
  const { history } = body['data'] as { history: { to: string }[] };
  expect(history.filter(({ to }) => to === 'accepted')).toHaveLength(1);
});

test('the board passes the accessibility rules, with and without orders, on a phone and on a desk', async ({
  shop,
  window,
}) => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    const board = await openBoard(await window({ viewport }));
    await placeOrder(shop);
    await expect(board.locator('[data-ticket]').first()).toBeVisible();
    await expectAccessible(board);
  }
});
