import { mkdir } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '../src/accounts/server/hash-password.ts';
import { auditChain } from '#database/audit.ts';
import { extendChain } from '#database/journal/chain.ts';
import { connect } from '../src/database/connect.ts';
import { startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts';
import { buildLargeIndexes } from '../src/database/indexes.ts';
import { migrate } from '../src/database/migrate.ts';
import { withStatementTimeout } from '../src/database/transaction.ts';
import { seedDemo } from '../src/demo/server/seed-demo.ts';
import { updateTakingsSums } from '../src/reports/server/sum-days.ts';
import { eraseOldGuests } from '../src/ordering/server/erase-guests.ts';
import type { OrderPaymentEffects, OrderPrintEffects } from '../src/ordering/server/services.ts';
import { asStarted } from './as-started.ts';
import { fillShop } from '../src/testing/fill-history.ts';
import { median, startServer, type Server } from './processes.ts';

/**
 * What reads the past costs after a million orders, beside ten thousand of the same three years: `node bench/history.ts
 * FOLDER`. Both shops are made by SQL at the first run, which takes a quarter of an hour, and are kept in the folder.
 * Searches that find fewer rows in the small shop than a page has are asked for one row of each shop: a call that shows
 * more rows of one shop than of the other ends the run.
 */
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Say in which folder to keep the shops: node bench/history.ts FOLDER');
const rounds = 15;
const owner = { email: 'owner@example.com', password: 'correct horse battery' };
const [lastDay, days] = ['2026-11-24', 1096];
const lists = [
  '/v1/orders',
  '/v1/orders?page=300',
  '/v1/orders?status=rejected',
  '/v1/orders?status=delivered,cancelled',
  '/v1/orders?start_date=2024-06-01&end_date=2024-12-31',
  '/v1/orders?search=ewa%20goldby&per_page=1',
  '/v1/orders?search=ewa%20gold',
  '/v1/orders?search=sara',
  '/v1/orders?search=5',
  '/v1/orders?search=gold',
  '/v1/orders?search=sa&per_page=1',
  '/v1/orders?search=07000 0&per_page=1',
  '/v1/payments',
  '/v1/orders?status=placed,accepted,packed',
  '/v1/orders?lost=1',
  '/v1/payments?payment_status=refunded',
  '/v1/payments?search=goldby',
  '/v1/refunds',
  '/v1/refunds?store_id=STORE&status=failed',
  '/v1/payouts',
  '/v1/customers',
  '/v1/customers?sort=-orders',
  '/v1/customers?sort=last_order_at',
  '/v1/customers?sort=name',
  '/v1/customers?search=goldby',
  '/v1/customers?search=sa&per_page=1',
  '/v1/audit',
  '/v1/audit?area=menu&per_page=1',
  '/v1/audit?search=sam',
  '/v1/audit?search=rang',
  '/v1/audit?search=am',
];
const ranges = { '30 days': '2026-10-25', year: '2025-11-25', 'three years': '2023-11-26' };

await mkdir(folder, { recursive: true });
const log = { info() {}, warn: console.warn, error: console.error };
const servers: Server[] = [];
const postgres = await startEmbeddedPostgres({ dataDir: folder, log, transport: 'tcp' });
try {
  const small = await open(10_000);
  const large = await open(1_000_000);
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}; medians of ${rounds}, ms`,
  );
  console.log('| call | 10,000 | 1,000,000 | ratio |\n|---|---|---|---|');
  for (const path of lists) await compare(path, (shop) => path.replace('STORE', shop.storeId), false);
  for (const [name, from] of Object.entries(ranges)) {
    const range = (shop: Shop) => `store_id=${shop.storeId}&start_date=${from}&end_date=${lastDay}`;
    await compare(`report of ${name}`, (shop) => `/v1/reports/sales?${range(shop)}`, false);
    await compare(`VAT of ${name}`, (shop) => `/v1/reports/sales/export?${range(shop)}&rows=vat`, false);
    const table = (shop: Shop) => `/v1/reports/sales/export?${range(shop)}&rows=orders`;
    await compare(`export of ${name}, first byte`, table, true);
    const [one, other] = [await readTable(small, table(small)), await readTable(large, table(large))];
    const row = (what: string, a: number, b: number) =>
      console.log(`| export of ${name}, ${what} | ${a.toFixed(1)} | ${b.toFixed(1)} | ${(b / a).toFixed(2)} |`);
    row('ms per 1,000 rows', one.perThousand, other.perThousand);
    row('rows', one.rows, other.rows);
    row('MB of memory beyond those before', one.megabytes, other.megabytes);
  }
  for (const shop of [small, large]) shop.isBusy = true;
  const busy = [small, large].map((shop) => searchOn(shop));
  await compare('`/health` beside twelve searches at once', () => '/health', false);
  await compare('open orders beside twelve searches at once', () => '/v1/orders?status=placed,accepted,packed', false);
  for (const shop of [small, large]) shop.isBusy = false;
  await Promise.all(busy);
  console.log(`\nload ${loadavg()[0]?.toFixed(1)} at the end`);
  async function compare(name: string, path: (shop: Shop) => string, isFirstByte: boolean): Promise<void> {
    const [one, other]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      const [a, b] = [await read(small, path(small), isFirstByte), await read(large, path(large), isFirstByte)];
      if (a.shown !== b.shown)
        throw new Error(`${name} shows ${a.shown} rows of one shop and ${b.shown} of the other.`);
      // The first fills the caches.
      if (round === 0) continue;
      one.push(a.took);
      other.push(b.took);
    }
    const [a, b] = [median(one), median(other)];
    console.log(`| ${name} | ${a.toFixed(1)} | ${b.toFixed(1)} | ${(b / a).toFixed(2)} |`);
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await postgres.stop();
}

interface Shop {
  server: Server;
  storeId: string;
  token: string;
  isBusy: boolean;
}

/** Twelve at once who search the whole past, until the shop is not busy any more. */
async function searchOn(shop: Shop): Promise<void> {
  const one = async () => {
    while (shop.isBusy) {
      const headers = { authorization: `Bearer ${shop.token}` };
      await (await fetch(`${shop.server.url}/v1/orders?search=sara&page=300`, { headers })).text();
    }
  };
  await Promise.all(Array.from({ length: 12 }, one));
}

/** A whole table: its rows, what a thousand of them take, and the most memory that it took meanwhile. */
async function readTable({ server, token }: Shop, path: string) {
  const before = await server.memory();
  let most = before;
  let isOver = false;
  const watched = (async () => {
    for (; !isOver; await sleep(50)) most = Math.max(most, await server.memory());
  })();
  const start = performance.now();
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  let rows = -1;
  for await (const part of answer.body ?? []) for (const byte of part) if (byte === 10) rows += 1;
  const took = performance.now() - start;
  isOver = true;
  await watched;
  return { rows, perThousand: (took / rows) * 1_000, megabytes: (most - before) / 1e6 };
}

/**
 * Requests a path. Returns the milliseconds until the whole answer, or until its first bytes, after which the request is
 * aborted. `shown`: the number of rows of a list; null: the answer is no list.
 */
async function read({ server, token }: Shop, path: string, isFirstByte: boolean) {
  const start = performance.now();
  const gone = new AbortController();
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` }, signal: gone.signal });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  if (isFirstByte) {
    await answer.body?.getReader().read();
    const took = performance.now() - start;
    gone.abort();
    // The server ends what it began, which is no part of the next call.
    await sleep(100);
    return { took, shown: null };
  }
  const text = await answer.text();
  const took = performance.now() - start;
  if (!answer.headers.get('content-type')?.includes('json')) return { took, shown: null };
  const { data } = JSON.parse(text) as { data?: unknown };
  return { took, shown: Array.isArray(data) ? data.length : null };
}

async function open(orders: number): Promise<Shop> {
  const name = `history_${orders}`;
  const first = connect(postgres.connection, () => {});
  const { rowCount } = await first.pool.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await first.pool.query(`create database ${name}`);
  await first.close();
  const { db, pool, close } = connect({ ...postgres.connection, database: name }, console.error);
  await migrate(db);
  if (await seedDemo(db, new Date())) {
    const { rows } = await pool.query<{ id: string }>('select id from stores');
    await pool.query(
      `insert into users (id, name, email, role, password_hash, addresses) values (gen_random_uuid(), 'Owner', $1, 'admin', $2, '[]')`,
      [owner.email, await hashPassword(owner.password)],
    );
    await fillShop(pool, { storeId: rows[0]?.id ?? '', orders, days, lastDay });
  }
  await buildLargeIndexes(db, log);
  await withStatementTimeout(3_600_000, () => updateTakingsSums(db));
  await extendChain(db, auditChain);
  // As in a shop that has run all the time: its guests were forgotten, and PostgreSQL has cleaned up.
  const nothing = { forget: async () => {} };
  const others = { owed: nothing as unknown as OrderPaymentEffects, prints: nothing as unknown as OrderPrintEffects };
  await withStatementTimeout(3_600_000, () => eraseOldGuests({ db, now: () => new Date(), ...others }));
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_stat_user_tables where schemaname = 'public' and (n_dead_tup > 0 or n_mod_since_analyze > 0)`,
  );
  for (const { name: table } of tables) await pool.query(`vacuum analyze ${table}`);
  const { rows } = await pool.query<{ id: string }>('select id from stores');
  await close();
  const { host, port, user, password } = postgres.connection;
  const url = `postgres://${user}:${password}@${host}:${port}/${name}`;
  const server = await startServer(
    'bench/history/api-server.ts',
    { ...asStarted.environment, DATABASE_URL: url },
    asStarted.flags,
  );
  servers.push(server);
  const answer = await fetch(`${server.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  });
  const { token } = (await answer.json()) as { token: string };
  return { server, storeId: rows[0]?.id ?? '', token, isBusy: false };
}
