import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { cashBasket } from '#testing/cash-basket.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { asStarted } from './as-started.ts';
import { endWithGoals, tell } from './goals.ts';

/**
 * The resident memory of the server's process, started with the settings of `npm start`: `npm run bench -- memory`, about
 * five minutes. PostgreSQL has processes of its own and is not counted. A share of the numbers (`file`) are pages of
 * Node's program file, which the system can drop and read again.
 */
const atRest = 180;
const afterLoad = 220;
let succeeded = 0;
let refused = 0;
const shop = await openShop(asStarted.environment, [], asStarted.flags);
try {
  await read(shop, '/menu');
  await sleep(60_000);
  report('60 s after the start and one /menu', atRest);
  for (const round of ['first', 'second']) {
    let largest = 0;
    const watch = setInterval(() => (largest = Math.max(largest, resident().whole)), 100);
    await load(shop).finally(() => clearInterval(watch));
    await sleep(60_000);
    report(`a minute after the ${round} load, at most ${largest.toFixed(0)} MB during it`, afterLoad);
  }
  console.log(`  ${succeeded} calls succeeded, ${refused} were refused because the machine was busy`);
} finally {
  await shop.stop();
}
endWithGoals();

function report(when: string, goal: number): void {
  const { whole, file } = resident();
  tell(`${whole.toFixed(0)} MB (${file.toFixed(0)} file) ${when}`, whole <= goal, `at most ${goal} MB`);
}

/** Twenty seconds of 24 clients, sixty edits of the menu, six uploads, and one opening of the API's page. */
async function load(open: Shop): Promise<void> {
  const basket = await cashBasket(open);
  const until = performance.now() + 20_000;
  const menu = `/v1/menus/store/${open.storeId}?include=categories.items.option_groups.options`;
  const clients = Array.from({ length: 24 }, async (_, client) => {
    for (let turn = client; performance.now() < until; turn += 1) {
      if (turn % 6 === 0) await post(open, '/v1/orders', { ...basket, session: randomUUID() });
      else await read(open, ['/menu', menu, '/', '/allergens', '/v1/stores'][turn % 5] ?? '/');
    }
  });
  await Promise.all([...clients, edit(open, basket, until), upload(open), readApiPage(open)]);
}

async function edit(open: Shop, basket: Record<string, unknown>, until: number): Promise<void> {
  const [line] = basket['lines'] as { item_id: string }[];
  for (let turn = 0; turn < 60 && performance.now() < until; turn += 1) {
    const change = { description: `Edit ${turn}, ${randomUUID()}` };
    const { status } = await open.api('PATCH', `/v1/items/${line?.item_id}`, change, open.adminToken);
    check('An edit', status);
    await sleep(300);
  }
}

/** Pictures of twelve megapixels, as phones take them. */
async function upload(open: Shop): Promise<void> {
  const picture = await sharp({
    create: { width: 4000, height: 3000, channels: 3, background: '#c33', noise: { type: 'gaussian', sigma: 20 } },
  })
    .jpeg()
    .toBuffer();
  for (let turn = 0; turn < 6; turn += 1) {
    const { status } = await fetch(`${open.url}/v1/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${open.adminToken}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(picture),
    });
    check('An upload', status);
  }
}

async function readApiPage(open: Shop): Promise<void> {
  const page = await read(open, '/api');
  for (const [, path = ''] of page.matchAll(/src="(\/[^"]+)"/g)) await read(open, path);
}

async function read(open: Shop, path: string): Promise<string> {
  const answer = await fetch(open.url + path, { headers: { accept: 'text/html', 'accept-encoding': 'br' } });
  return check(path, answer.status) ? answer.text() : '';
}

async function post(open: Shop, path: string, body: unknown): Promise<void> {
  const { status } = await open.api('POST', path, body);
  check(path, status);
}

/** Whether it succeeded. A busy machine makes the shop answer 503 or 429; everything else is a fault of the benchmark. */
function check(what: string, status: number): boolean {
  if (status < 300) succeeded += 1;
  else if (status === 503 || status === 429) refused += 1;
  else throw new Error(`${what} was answered with ${status}.`);
  return status < 300;
}

/** Megabytes: of the whole process, and of pages that come from files. */
function resident(): { whole: number; file: number } {
  const status = readFileSync(`/proc/${shop.processId()}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { whole: field('VmRSS'), file: field('RssFile') };
}
