import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cashBasket } from '#testing/cash-basket.ts';
import { fillAround, fillShop } from '#testing/fill-history.ts';
import { randomFrom } from '#testing/hostile-values.ts';
import { openShop, type Shop } from '#testing/running-shop.ts';
import { databaseUrlOf, onDatabaseOf } from '#testing/shop-database.ts';
import { startServer } from '#testing/shop-server.ts';
import { connect } from '#database/connect.ts';
import { copySourceOf } from '#backup/server/copy-source.ts';
import type { CopySource } from '#backup/server/make-copy.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { type Damaged, damageKinds, fillWhileCopying, isFound } from './damages.ts';
import { openOneCore } from './one-core.ts';
import { report } from './rush.ts';

const perHundred = 5;
const minute = 60_000;

/**
 * Copies a shop with a long past while it sells, on one core with 1 GB, destroys it and restores it; then damages copies in
 * every way: `npm run soak -- restore [orders] [damages]`, 20,000 and 1,000 by default. Needs root, for the cgroup and for a
 * full disk in memory.
 */
export async function restoreShop([orders = '20000', damages = '1000']: string[]): Promise<boolean> {
  const place = await mkdtemp(join(tmpdir(), 'hatch-soak-restore-'));
  try {
    const found = await damageCopies(place, Number(damages));
    return report([...(await burnAndRestore(place, Number(orders))), ...found]);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

type Fact = [string, boolean];

async function burnAndRestore(place: string, orders: number): Promise<Fact[]> {
  const limit = openOneCore();
  // The shop's processes are our children, and stay where they began.
  limit.enter(process.pid);
  const shop = await openShop({ LOG_LEVEL: 'silent' });
  limit.leave(process.pid);
  const copies = join(place, 'copies');
  try {
    await giveAPast(shop, orders);
    const basket = await cashBasket(shop);
    const alone = await whileOrdering(shop, basket, () => sleep(minute));
    const took: number[] = [];
    const copying = await whileOrdering(shop, basket, async () => {
      for (const end = performance.now() + minute; performance.now() < end;) {
        const began = performance.now();
        await hatch(['backup', '--to', copies], shop.dataDir, limit.enter);
        await hatch(['verify', '--from', copies], shop.dataDir, limit.enter);
        took.push(performance.now() - began);
      }
    });
    const peak = limit.peak();
    await hatch(['backup', '--to', copies], shop.dataDir, limit.enter);
    const before = await ordersIn(shop.dataDir);
    await shop.close();
    const restored = await restore(place, copies, shop, basket);
    const [quiet, busy] = [percentile(alone, 95), percentile(copying, 95)];
    return [
      [`${limit.how}${peak === null ? '' : `, ${Math.round(peak / 1024 ** 2)} MB at most, with cached files`}`, true],
      [
        `copy and check of ${orders} orders: ${seconds(Math.max(...took))} at most, ${took.length} times`,
        Math.max(...took) <= 5 * minute,
      ],
      [
        `orders' p95 ${quiet.toFixed(0)} ms alone (${alone.length} orders), ${busy.toFixed(0)} ms meanwhile (${copying.length}): ${(busy / quiet).toFixed(2)} times`,
        busy <= 1.5 * quiet,
      ],
      [
        `restored in ${seconds(restored.made)}; its page is up ${seconds(restored.up)} after the start`,
        restored.up <= 90_000,
      ],
      [
        `from the burnt machine to the page: ${seconds(restored.made + restored.up)}`,
        restored.made + restored.up <= 90_000,
      ],
      ['the same orders, each with its sum', restored.orders === before],
      [`one tap sells again: ${restored.sold}`, restored.sold === 201],
    ];
  } finally {
    await shop.stop();
    limit.close();
  }
}

async function giveAPast({ dataDir, storeId }: Shop, orders: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: await databaseUrlOf(dataDir) });
  const lastDay = new Date(Date.now() - 24 * 60 * minute).toISOString().slice(0, 10);
  await despiteDeadlock(pool, () => fillShop(pool, { storeId, orders, days: 365, lastDay }));
  await despiteDeadlock(pool, () => fillAround(pool));
  await pool.end();
}

/** The last statement of a filling, and the shop's own work on its indexes, may wait for each other. */
async function despiteDeadlock(pool: pg.Pool, fill: () => Promise<void>): Promise<void> {
  await fill().catch(async (error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error;
    await pool.query('vacuum analyze');
  });
}

/** Milliseconds of one order a second until the work is done. */
async function whileOrdering(shop: Shop, basket: object, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  const open = new Set<Promise<void>>();
  const order = async () => {
    const began = performance.now();
    const { status } = await shop.api('POST', '/v1/orders', { ...basket, session: randomUUID() });
    if (status !== 201) throw new Error(`an order was answered ${status}`);
    took.push(performance.now() - began);
  };
  const timer = setInterval(() => {
    const one = order().finally(() => open.delete(one));
    open.add(one);
  }, 1_000);
  await work();
  clearInterval(timer);
  await Promise.all(open);
  return took;
}

async function restore(place: string, from: string, old: Shop, basket: object) {
  const dataDir = join(place, 'restored');
  const began = performance.now();
  await hatch(['restore', '--from', from, '--data-dir', dataDir], dataDir);
  const made = performance.now() - began;
  const server = await startServer(() => ({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }), [], []);
  try {
    const call = (method: string, path: string, body?: object) =>
      fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${old.adminToken}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    const page = await call('GET', '/admin/restored');
    const { data } = (await (await call('GET', '/v1/restored')).json()) as { data: { continued_at: string | null } };
    const up = performance.now() - began - made;
    if (!page.ok || data.continued_at !== null) throw new Error('The restored shop does not wait for its owner.');
    const orders = await ordersIn(dataDir);
    await call('POST', '/v1/restored/continue', {});
    const sold = (await call('POST', '/v1/orders', { ...basket, session: randomUUID() })).status;
    return { made, up, orders, sold };
  } finally {
    await server.end('SIGTERM');
  }
}

const ordersIn = (dataDir: string): Promise<string> =>
  onDatabaseOf(dataDir, async (client) => {
    const { rows } = await client.query<{ sum: string }>(
      `select count(*) || ' ' || md5(string_agg(id::text || number || status || total, ',' order by id)) as sum from orders`,
    );
    return rows[0]?.sum ?? '';
  });

/** Runs a command as its own process. Throws unless it is done. */
async function hatch(argv: string[], dataDir: string, enter: (pid: number) => void = () => undefined): Promise<void> {
  const child = spawn('sh', ['-c', 'read go; exec sh bin/hatch "$@"', 'sh', ...argv], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  enter(child.pid ?? 0);
  child.stdin.end('go\n');
  const code = await ended;
  if (code !== 0) throw new Error(`hatch ${argv.join(' ')} ended with ${code}`);
}

/** Damages the copies of a small shop in each way by turns, one out of twenty by a full disk. */
async function damageCopies(place: string, damages: number): Promise<Fact[]> {
  const shops: Shop[] = [];
  const undetected: string[] = [];
  const done = new Map<string, number>();
  try {
    for (const name of ['own', 'others']) {
      const shop = await openShop({ LOG_LEVEL: 'silent' });
      shops.push(shop);
      await copyThrice(shop, join(place, name));
    }
    const [own] = shops;
    if (!own) return [];
    await withSource(own, async (source) => {
      const draw = randomFrom(1);
      const kinds = Object.entries(damageKinds);
      for (let n = 0; n < damages;) {
        const folder = join(place, 'damaged');
        await cp(join(place, 'own'), folder, { recursive: true });
        const world: Damaged = { folder, others: join(place, 'others'), source, draw };
        const isFull = n % 100 < perHundred;
        const [kind = '', damage] = isFull ? ['full disk'] : (kinds[Math.floor(draw() * kinds.length)] ?? []);
        const what = damage ? await damage(world) : 'while a copy was made';
        if (what !== null) {
          const isDetected = isFull ? await fillWhileCopying(world) : await isFound(world);
          if (!isDetected) undetected.push(`${kind}: ${what}`);
          done.set(kind, (done.get(kind) ?? 0) + 1);
          n += 1;
          process.stdout.write(`\r${n} of ${damages} damages, ${undetected.length} undetected `);
        }
        await rm(folder, { recursive: true, force: true });
      }
    });
    console.log(`\n${[...done].map(([kind, count]) => `${kind}: ${count}`).join(', ')}`);
    for (const one of undetected) console.log(`undetected ${one}`);
    return [[`${undetected.length} of ${damages} damages undetected`, undetected.length === 0]];
  } finally {
    for (const shop of shops) await shop.stop();
  }
}

/** Three copies, with an order and a picture between them. */
async function copyThrice(shop: Shop, folder: string): Promise<void> {
  const basket = await cashBasket(shop);
  await mkdir(join(shop.dataDir, 'uploads'), { recursive: true });
  await withSource(shop, async (source) => {
    for (let n = 0; n < 3; n += 1) {
      await shop.api('POST', '/v1/orders', { ...basket, session: randomUUID() });
      await writeFile(join(shop.dataDir, 'uploads', `${String(n).repeat(64)}.webp`), randomUUID());
      await makeCopy(source, folder);
    }
  });
}

async function withSource(shop: Shop, work: (source: CopySource) => Promise<void>): Promise<void> {
  const connectionString = await databaseUrlOf(shop.dataDir);
  const { db, close } = connect(connectionString, () => undefined);
  const config = { dataDir: shop.dataDir };
  try {
    await work(await copySourceOf({ config, db, database: connectionString, now: () => new Date() }, '1.0.0'));
  } finally {
    await close();
  }
}

function percentile(all: readonly number[], percent: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Infinity;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
