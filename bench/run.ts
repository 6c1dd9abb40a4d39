import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { get, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { connect } from '../src/database/connect.ts';
import { startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts';
import { migrate } from '../src/database/migrate.ts';
import { seedDemo } from '../src/demo/server/seed-demo.ts';
import { buildPages } from '#testing/running-shop.ts';
import { asStarted } from './as-started.ts';
import { load, report, startServer, type Load, type Server } from './processes.ts';
import { read } from './read-load.ts';

/** Each figure is a ratio to a reference measured in the same run, alternating: A B A B … */
const rounds = 5;
const seconds = 5;
buildPages();
const folder = await mkdtemp(join(tmpdir(), 'hatch-bench-'));
const log = { info() {}, warn: console.warn, error: console.error };
// Durable, as in a shop: every order is on disk before its answer.
const postgres = await startEmbeddedPostgres({ dataDir: folder, log, transport: 'tcp' });
try {
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${rounds} rounds of ${seconds} s, 16 connections`,
  );
  const ours = await makeDatabase('hatch_bench');
  const theirs = await makeDatabase('hatch_bench_reference');
  const { environment, flags } = asStarted;
  const hatch = await startServer('bench/hatch-server.ts', { ...environment, DATABASE_URL: ours.url }, flags);
  const { menuUrl, body } = await readMenu(hatch.url, ours.storeId);
  await compareReading('The whole menu from the API', hatch, menuUrl);
  await compareReading('The page /menu', hatch, '/menu');

  const quote = await fetch(`${hatch.url}/v1/orders/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data } = (await quote.json()) as { data: { lines: unknown[]; problems: unknown[] } };
  if (data.problems.length > 0) throw new Error(`The basket cannot be ordered: ${JSON.stringify(data.problems)}`);
  const bareOrders = await startServer('bench/bare-order-server.ts', {
    DATABASE_URL: theirs.url,
    LINES: JSON.stringify(data.lines),
  });
  const post = (storeId: string) => ({
    path: '/v1/orders',
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    requests: [
      {
        setupRequest: (request: object) => ({
          ...request,
          body: JSON.stringify({ ...body, store_id: storeId, session: randomUUID() }),
        }),
      },
    ],
  });
  const orders: { ours: Load[]; reference: Load[] } = { ours: [], reference: [] };
  await load(hatch, { ...post(ours.storeId), duration: 3 });
  await load(bareOrders, { ...post(theirs.storeId), duration: 3 });
  for (let round = 0; round < rounds; round += 1) {
    orders.ours.push(await load(hatch, { ...post(ours.storeId), duration: seconds }));
    orders.reference.push(await load(bareOrders, { ...post(theirs.storeId), duration: seconds }));
  }
  report({ name: `Orders of ${body.lines.length} lines, durable`, goal: 0.7, ...orders });
  await bareOrders.stop();
  await hatch.stop();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
// What printers cost is measured against its own goals, in a shop of its own.
const printing = spawnSync(process.execPath, ['bench/printing.ts'], { stdio: 'inherit' });
if (printing.status !== 0) process.exitCode = 1;

/** Compares with a server of Node that sends the same answer from memory, headers and body. */
async function compareReading(name: string, hatch: Server, path: string): Promise<void> {
  const { bytes, headers } = await fetchCompressed(hatch.url + path);
  const bytesFile = join(folder, 'answer.br');
  await writeFile(bytesFile, bytes);
  const bare = await startServer('bench/bare-menu-server.ts', { BYTES: bytesFile, HEADERS: JSON.stringify(headers) });
  const loads: { ours: Load[]; reference: Load[] } = { ours: [], reference: [] };
  await read(hatch, path, 2);
  await read(bare, path, 2);
  for (let round = 0; round < rounds; round += 1) {
    loads.ours.push(await read(hatch, path, seconds));
    loads.reference.push(await read(bare, path, seconds));
  }
  report({ name: `${name} (${bytes.length.toLocaleString('en')} bytes of brotli)`, goal: 0.7, ...loads });
  await bare.stop();
}

/** An answer that was sent before: its bytes as they are sent, and its headers but for those that Node adds itself. */
async function fetchCompressed(url: string): Promise<Answer> {
  await fetchOnce(url);
  return fetchOnce(url);
}

interface Answer {
  bytes: Buffer;
  headers: IncomingHttpHeaders;
}

function fetchOnce(url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...headers } = answer.headers;
        resolve({ bytes: Buffer.concat(parts), headers });
      });
    }).on('error', reject);
  });
}

async function makeDatabase(name: string): Promise<{ url: string; storeId: string }> {
  const { host, port, user, password } = postgres.connection;
  const server = connect(postgres.connection, () => {});
  await server.pool.query(`create database ${name}`);
  await server.close();
  const url = `postgres://${user}:${password}@${host}:${port}/${name}`;
  const { db, close } = connect(url, () => {});
  await migrate(db);
  await seedDemo(db, new Date());
  const always = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((day) => ({
    day,
    open: '05:00',
    close: '05:00',
  }));
  const store = await db
    .updateTable('stores')
    .set({
      operational_hours: JSON.stringify(always),
      last_order_minutes: 0,
      max_open_orders_per_person: null,
      max_orders_per_address_hour: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await close();
  return { url, storeId: store.id };
}

interface MenuAnswer {
  data: { categories: { items: { id: string; is_available: boolean; option_groups: { min_select: number }[] }[] }[] }[];
}

/** The menu's address, and a basket of its first three items without required options. */
async function readMenu(url: string, storeId: string) {
  const menuUrl = `/v1/menus/store/${storeId}?include=categories.items.option_groups.options`;
  const answer = await fetch(url + menuUrl, { headers: { 'accept-encoding': 'identity' } });
  const { data } = (await answer.json()) as MenuAnswer;
  const items = data.flatMap(({ categories }) => categories.flatMap((category) => category.items));
  const simple = items
    .filter((item) => item.is_available && item.option_groups.every(({ min_select: least }) => least === 0))
    .slice(0, 3);
  const lines = simple.map(({ id }, index) => ({ item_id: id, quantity: index + 1 }));
  const body = {
    store_id: storeId,
    fulfilment_type: 'collection',
    contact: { name: 'Ada Byron', phone: '07700 900123', email: 'ada@example.com' },
    payment_method: 'cash',
    lines,
  };
  return { menuUrl, body };
}
