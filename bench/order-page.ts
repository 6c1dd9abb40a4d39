import { randomUUID } from 'node:crypto';
import { chromium, type Browser } from '@playwright/test';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { findChromium } from '../scripts/find-chromium.ts';
import { calmRounds } from './calm-rounds.ts';

/**
 * How long a customer on a slow phone waits between opening an order's link, or returning from the payment, and reading
 * that the order was placed; and how much loads until then: `npm run bench -- order-page`, some five minutes. Slow 3G (400
 * kbit/s, 400 ms) at a quarter of the speed, with an empty cache, on the demo and on a menu of 500 dishes.
 */
const line = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const slowdown = 4;
const rounds = 3;
const dishes = 500;
const timeout = 120_000;

const shop = await openShop();
const browser = await chromium.launch({
  executablePath: findChromium(console.log, { isWhole: false }),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await report('the demo');
  await lengthenMenu(shop, dishes);
  await report(`${dishes} dishes`);
} finally {
  await browser.close();
  await shop.stop();
}

async function report(menu: string): Promise<void> {
  const order = await placeOrder(shop);
  for (const [name, path] of [
    ['an order opened from its link', `/orders/${order.id}`],
    ['the return from paying', `/orders/${order.id}/payment/callback`],
  ] as const) {
    // The browser that ordered returns from the payment; another browser opens the link.
    const session = path.endsWith('callback') ? order.session : null;
    const { counted, words } = await calmRounds(rounds, () => openOrder(browser, shop.url + path, order, session));
    const middle = counted.toSorted((a, b) => a.ms - b.ms)[Math.floor(counted.length / 2)];
    if (!middle) continue;
    console.log(`\n${menu}: ${name}, median of ${words}`);
    console.log(`  placed is read after ${middle.ms} ms, with ${middle.bytes} bytes fetched`);
    for (const file of middle.files) console.log(`    ${file}`);
  }
}

interface Opened {
  ms: number;
  bytes: number;
  files: string[];
}

async function openOrder(
  chrome: Browser,
  url: string,
  { id, number }: Placed,
  session: string | null,
): Promise<Opened> {
  const context = await chrome.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  if (session) {
    const held = JSON.stringify([[id, session]]);
    await page.addInitScript((text) => localStorage.setItem('order_sessions', text), held);
  }
  const devtools = await context.newCDPSession(page);
  const names = new Map<string, string>();
  const files: string[] = [];
  let bytes = 0;
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => names.set(requestId, request.url));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    files.push(`${String(encodedDataLength).padStart(8)} ${new URL(names.get(requestId) ?? url).pathname}`);
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', line);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const began = performance.now();
  await page.goto(url, { waitUntil: 'commit', timeout });
  await page.locator('#content').getByText(`Order ${number}`).first().waitFor({ timeout });
  const ms = Math.round(performance.now() - began);
  const opened = { ms, bytes, files: [...files] };
  await context.close();
  return opened;
}

interface Placed {
  id: string;
  number: string;
  session: string;
}

interface Dish {
  id: string;
  option_groups: { id: string; min_select: number }[];
}

/** Paid in cash, so that it is placed immediately. */
async function placeOrder({ api, storeId }: Shop): Promise<Placed> {
  const plain = (await readDishes(shop)).find(({ option_groups: groups }) => groups.every((it) => it.min_select === 0));
  const session = randomUUID();
  const { body } = await api('POST', '/v1/orders', {
    store_id: storeId,
    session,
    fulfilment_type: 'collection',
    contact: { name: 'Ada Byron', phone: '07700 900123' },
    payment_method: 'cash',
    lines: [{ item_id: plain?.id, quantity: 2 }],
  });
  const placed = body['data'] as Omit<Placed, 'session'> | undefined;
  if (!placed) throw new Error(`The order was refused: ${JSON.stringify(body)}`);
  return { ...placed, session };
}

async function readDishes({ api, storeId }: Shop): Promise<Dish[]> {
  const { body } = await api('GET', `/v1/menus/store/${storeId}?include=categories.items.option_groups`);
  const menus = body['data'] as { categories: { items: Dish[] }[] }[];
  return menus.flatMap(({ categories }) => categories.flatMap(({ items }) => items));
}

/** Adds dishes with the option groups of existing ones, until there are this many. */
async function lengthenMenu({ api, storeId, adminToken }: Shop, wanted: number): Promise<void> {
  const known = await readDishes(shop);
  const groups = [...new Set(known.flatMap(({ option_groups: each }) => each.map(({ id }) => id)))];
  const { body } = await api('GET', `/v1/menus/store/${storeId}?include=categories`);
  const categories = (body['data'] as { categories: { id: string }[] }[]).flatMap((menu) => menu.categories);
  const added: string[] = [];
  for (let count = known.length; count < wanted; count += 1) {
    const fields = {
      store_id: storeId,
      name: `Dish ${count}`,
      price: 500 + count,
      description: 'Slowly roasted with thyme and garlic, served with the salad of the day and bread from our oven.',
    };
    const { body: made } = await api('POST', '/v1/items', fields, adminToken);
    const id = (made['data'] as { id: string }).id;
    const own = [groups[count % groups.length], groups[(count * 7 + 3) % groups.length]];
    await api('POST', `/v1/items/${id}/option-groups/add`, { option_groups: [...new Set(own)] }, adminToken);
    added.push(id);
  }
  for (const [index, { id }] of categories.entries()) {
    const items = added.filter((_, at) => at % categories.length === index);
    if (items.length > 0) await api('POST', `/v1/categories/${id}/items/add`, { items }, adminToken);
  }
}
