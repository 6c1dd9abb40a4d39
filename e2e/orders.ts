import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Shop } from '#testing/running-shop.ts';
import { expect } from './shop.ts';

export interface Placed {
  id: string;
  number: string;
  total: number;
  payment: { redirect_url: string | null };
  lines: { id: string; name: string; kitchen_name: string | null; unit_price: number }[];
}

/** Dishes without required options that together reach the delivery minimum: one from each category that has any. */
export async function plainDishes(shop: Shop): Promise<string[]> {
  const path = `/v1/menus/store/${shop.storeId}?include=categories.items.option_groups`;
  type Dish = { id: string; price: number; is_available: boolean; option_groups: { min_select: number }[] };
  const [menu] = (await shop.api('GET', path)).body['data'] as { categories: { items: Dish[] }[] }[];
  const isPlain = ({ is_available, price, option_groups }: Dish) =>
    is_available && price > 600 && option_groups.every(({ min_select: least }) => least === 0);
  return (menu?.categories ?? []).flatMap(({ items }) => items.find(isPlain)?.id ?? []);
}

/** The first of those dishes. */
export async function plainDish(shop: Shop): Promise<string> {
  const [dish] = await plainDishes(shop);
  if (!dish) throw new Error('Every dish has a required choice.');
  return dish;
}

/** This many different dishes, each with one option, below the limit at which a guest may pay in cash. */
export async function linesWithOption(shop: Shop, count: number): Promise<object[]> {
  const path = `/v1/menus/store/${shop.storeId}?include=categories.items.option_groups.options`;
  type Choice = { id: string; is_available: boolean };
  type Group = { id: string; min_select: number; options: Choice[] };
  type Dish = Choice & { price: number; option_groups: Group[] };
  const [menu] = (await shop.api('GET', path)).body['data'] as { categories: { items: Dish[] }[] }[];
  const dishes = (menu?.categories ?? []).flatMap(({ items }) => items).toSorted((a, b) => a.price - b.price);
  return dishes
    .flatMap(({ id, is_available: isAvailable, option_groups: groups }) => {
      const wanted = groups.filter(({ min_select: least }) => least > 0);
      const group = wanted[0] ?? groups[0];
      const option = group?.options.find((each) => each.is_available);
      if (!isAvailable || !group || !option || wanted.length > 1 || group.min_select > 1) return [];
      return [{ item_id: id, quantity: 1, options: [{ option_group_id: group.id, option_id: option.id }] }];
    })
    .slice(0, count);
}

/** The checkout's body for this many of one dish: a collection, paid in cash. */
export function orderBody(
  shop: Shop,
  dish: string,
  { name = 'Ada Byron', quantity = 1 }: { name?: string; quantity?: number | undefined } = {},
) {
  return {
    store_id: shop.storeId,
    session: randomUUID(),
    fulfilment_type: 'collection',
    contact: { name, phone: '07700 900123' },
    payment_method: 'cash',
    lines: [{ item_id: dish, quantity }],
  };
}

/** Places an order by the API, for journeys that begin after that: a guest's, or the customer's with this token. */
export async function sendOrder(
  shop: Shop,
  { quantity, ...change }: { quantity?: number; [field: string]: unknown } = {},
  token?: string,
): Promise<Placed> {
  const order = orderBody(shop, await plainDish(shop), { quantity });
  const { status, body } = await shop.api('POST', '/v1/orders', { ...order, ...change }, token);
  expect(status, JSON.stringify(body)).toBe(201);
  return body['data'] as Placed;
}

/**
 * A guest's order, placed by the API with this address, as if in this window, and paid on the sandbox's page if it is by card;
 * opens its page. Returns its id.
 */
export async function openGuestOrder(shop: Shop, page: Page, email: string, change: object = {}): Promise<string> {
  const session = randomUUID();
  const contact = { name: 'Grace Hopper', phone: '07700 900456', email };
  const { id, payment } = await sendOrder(shop, { session, contact, ...change });
  if (payment.redirect_url?.includes('/sandbox/')) await approvePayment(shop, { id, payment });
  await keepSession(page, id, session);
  await page.goto(`/orders/${id}`);
  return id;
}

/** Has this window know the order's secret, as if the order was placed in it. */
export async function keepSession(page: Page, id: string, session: string): Promise<void> {
  await page.addInitScript(
    (placed) => {
      const kept = JSON.parse(localStorage.getItem('order_sessions') ?? '[]') as string[][];
      if (kept.some(([known]) => known === placed[0])) return;
      localStorage.setItem('order_sessions', JSON.stringify([placed, ...kept]));
    },
    [id, session],
  );
}

/** Approves the card of an order on the sandbox's page, and waits until the shop knows. */
export async function approvePayment(shop: Shop, { id, payment }: Pick<Placed, 'id' | 'payment'>): Promise<void> {
  const form = new URLSearchParams({ outcome: 'approve', delivery: 'at_once' });
  const address = new URL(payment.redirect_url ?? '', shop.url);
  await fetch(address, { method: 'POST', body: form, redirect: 'manual' });
  await expect.poll(async () => (await readOrder(shop, { id })).payment_status).toBe('authorised');
}

/** Makes one of the order's calls as the owner, e.g. `accept`. */
export async function moveOrder(shop: Shop, { id }: { id: string }, call: string, body: object = {}): Promise<void> {
  const { status } = await shop.api('POST', `/v1/orders/${id}/${call}`, body, shop.adminToken);
  expect(status, call).toBe(200);
}

export interface Told extends Placed {
  status: string;
  payment_status: string;
  channel: string;
  requested_for: string | null;
  promised_at: string;
  accepted_at: string;
  history: { from: string | null; to: string }[];
}

/** An order as the owner sees it. */
export async function readOrder(shop: Shop, { id }: { id: string }): Promise<Told> {
  return (await shop.api('GET', `/v1/orders/${id}`, undefined, shop.adminToken)).body['data'] as Told;
}
