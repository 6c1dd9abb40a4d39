import { randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { cashBasket } from '#testing/cash-basket.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { asStarted } from './as-started.ts';
import { evenly, percentile, residentMegabytes, words } from './figures.ts';
import { endWithGoals, tell } from './goals.ts';

/**
 * Latency and refused orders of customers while staff edit the menu: `node bench/writers.ts [parallel | editing]`.
 *
 * parallel: fifty writers at once, beside sixteen customers who each order four times a second; compared with the same
 * customers without writers. editing: two changes a second, beside sixteen readers who each fetch the page and the API's
 * menu five times a second, on the demo's menu and on one of 500 dishes.
 */
const modes = process.argv.slice(2);
const wants = (mode: string) => modes.length === 0 || modes.includes(mode);
const { environment, flags } = asStarted;
/** By somebody who edits the menu for 20 seconds. */
const edits = 40;
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

if (wants('parallel')) {
  const shop = await openShop(environment, [], flags);
  try {
    await parallel(shop);
  } finally {
    await shop.stop();
  }
}
if (wants('editing')) {
  for (const dishes of [0, 500]) {
    const shop = await openShop(environment, [], flags);
    try {
      if (dishes > 0) await addDishes(shop, dishes);
      await edit(shop, dishes === 0 ? "the demo's menu" : `${dishes} dishes more`);
    } finally {
      await shop.stop();
    }
  }
}
agent.destroy();
endWithGoals();

async function parallel(shop: Shop): Promise<void> {
  const basket = await cashBasket(shop);
  const item = (basket['lines'] as { item_id: string }[])[0]?.item_id;
  const order = () => send(shop, 'POST', '/v1/orders', { ...basket, session: randomUUID() });
  await customers(order, 3);
  const quiet = await customers(order, 10);
  let isOver = false;
  const writes: Answer[] = [];
  const writers = Array.from({ length: 50 }, async (_, writer) => {
    for (let turn = 0; !isOver; turn += 1) {
      writes.push(
        await send(shop, 'PATCH', `/v1/items/${item}`, { description: `${writer} ${turn}` }, shop.adminToken),
      );
    }
  });
  const busy = await customers(order, 15);
  isOver = true;
  await Promise.all(writers);
  const limit = Math.max(3 * percentile(times(quiet), 95), 50);
  console.log(`\n50 writers beside 16 customers (${(writes.length / 15).toFixed(0)} changes a second)`);
  console.log(`  orders, quiet    ${words(times(quiet))}`);
  tell(
    `orders, beside   ${words(times(busy))}`,
    percentile(times(busy), 95) <= limit,
    `p95 at most ${limit.toFixed(0)} ms`,
  );
  console.log(`  changes          ${words(times(writes))}`);
  tell(`answers of 5xx   ${failures([...busy, ...writes])}`, failures([...busy, ...writes]) === 0, 'none');
}

async function edit(shop: Shop, menu: string): Promise<void> {
  const basket = await cashBasket(shop);
  const item = (basket['lines'] as { item_id: string }[])[0]?.item_id;
  const api = `/v1/menus/store/${shop.storeId}?include=categories.items.option_groups.options`;
  for (const path of ['/menu', api]) await read(shop, path);
  await sleep(1_000);
  let isOver = false;
  const seen = { page: [] as Answer[], api: [] as Answer[] };
  const readers = Array.from({ length: 16 }, async (_, reader) => {
    await sleep(reader * 12);
    while (!isOver) {
      const due = sleep(200);
      seen.page.push(await read(shop, '/menu'));
      seen.api.push(await read(shop, api));
      await due;
    }
  });
  const before = residentMegabytes(shop.processId());
  let largest = 0;
  const memory = setInterval(() => (largest = Math.max(largest, residentMegabytes(shop.processId()))), 100);
  const started = performance.now();
  const writes: Answer[] = [];
  for (let turn = 0; turn < edits; turn += 1) {
    await sleep(Math.max(0, started + turn * 500 - performance.now()));
    writes.push(await send(shop, 'PATCH', `/v1/items/${item}`, { description: `Change ${turn}.` }, shop.adminToken));
  }
  const ended = performance.now();
  const last = `Change ${edits - 1}.`;
  const fresh = await Promise.all(
    ['/menu', api].map(async (path) => {
      while (!(await read(shop, path, true)).text?.includes(last)) await sleep(20);
      return performance.now() - ended;
    }),
  );
  isOver = true;
  await Promise.all(readers);
  clearInterval(memory);
  const limit = menu.includes('500') ? 100 : 50;
  console.log(`\n${edits} changes, two a second, ${menu}, beside 16 readers`);
  console.log(`  changes          ${words(times(writes))}`);
  tell(
    `/menu            ${words(times(seen.page))}`,
    percentile(times(seen.page), 95) <= limit,
    `p95 at most ${limit} ms`,
  );
  tell(
    `the API's menu   ${words(times(seen.api))}`,
    percentile(times(seen.api), 95) <= limit,
    `p95 at most ${limit} ms`,
  );
  tell(`fresh after      ${fresh.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`, Math.max(...fresh) <= 1_500, '1.5 s');
  tell(`memory           ${largest.toFixed(0)} MB at most, ${before.toFixed(0)} before`, largest <= 500, '500 MB');
  const bad = failures([...writes, ...seen.page, ...seen.api]);
  tell(`answers of 5xx   ${bad}`, bad === 0, 'none');
}

/** Sixteen customers with four orders a second each. An order is sent when it is due, even if earlier ones wait. */
function customers(order: () => Promise<Answer>, seconds: number): Promise<Answer[]> {
  return evenly(16 * 4 * seconds, seconds, order);
}

interface Answer {
  status: number;
  /** Milliseconds. */
  took: number;
  /** Only kept if it is checked: a minute of pages does not fit into memory. */
  text?: string;
}

function send(shop: Shop, method: string, path: string, body: unknown, token?: string): Promise<Answer> {
  const text = JSON.stringify(body);
  return answerOf((hear) =>
    request(
      shop.url + path,
      {
        method,
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          ...(token && { authorization: `Bearer ${token}` }),
        },
      },
      hear,
    ).end(text),
  );
}

/** Reads like a browser; without compression if the content is checked. */
function read(shop: Shop, path: string, isLookedAt = false): Promise<Answer> {
  const headers = { accept: 'text/html', 'accept-language': 'en', ...(!isLookedAt && { 'accept-encoding': 'br' }) };
  return answerOf((hear) => get(shop.url + path, { agent, headers }, hear), isLookedAt);
}

function answerOf(
  ask: (hear: (response: IncomingMessage) => void) => ClientRequest,
  isLookedAt = false,
): Promise<Answer> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    ask((response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => isLookedAt && chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          took: performance.now() - started,
          ...(isLookedAt && { text: Buffer.concat(chunks).toString() }),
        }),
      );
    }).on('error', reject);
  });
}

async function addDishes(shop: Shop, count: number): Promise<void> {
  const { body } = await shop.api('GET', `/v1/menus/store/${shop.storeId}?include=categories`);
  const [menu] = body['data'] as { categories: { id: string }[] }[];
  const categories = menu?.categories ?? [];
  const changes = Array.from({ length: count }, (_, n) => {
    const id = randomUUID();
    const category = categories[n % categories.length];
    const dish = {
      id,
      name: `Dish ${n}`,
      price: 500 + n,
      description: 'With everything that belongs to it, and bread.',
    };
    return [
      { call: 'POST /v1/items', body: dish },
      { call: 'POST /v1/categories/{id}/items/add', id: category?.id, body: { items: [id] } },
    ];
  }).flat();
  const { status, body: answer } = await shop.api('POST', '/v1/menus/changes', { changes }, shop.adminToken);
  if (status >= 300) throw new Error(`The dishes were not added: ${JSON.stringify(answer)}`);
}

function times(answers: readonly Answer[]): number[] {
  return answers.map(({ took }) => took);
}

function failures(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status >= 500).length;
}
