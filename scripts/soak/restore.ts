import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
import { readCopySource } from '#backup/server/copy-source.ts';
import { type CopySource, makeCopy } from '#backup/server/make-copy.ts';
import { formatKeyMark } from '#backup/sealed.ts';
import type { Backups } from '#backup/contract.ts';
import { readIndex } from '#backup/server/copy-layout.ts';
import { recordErasures } from '#backup/server/erasure-list.ts';
import { type DamageTarget, damageKinds, fillWhileCopying, isDamageFound, drawOne, onSmallDisk } from './damages.ts';
import { createOneCoreGroup } from './one-core.ts';
import { printChecks } from './rush.ts';
import {
  fillDiskWhileSealing,
  isSealedDamageFound,
  openLossyBucket,
  openSealer,
  type Sealer,
  sealedKinds,
  sealedWorld,
  sendThreeSealedCopies,
} from './sealed-damages.ts';

const passphrase = 'seven cold chips on a plate';
/** The percentage of the damages in which the disk becomes full while a backup is made or sent. */
const perHundred = 5;
const minute = 60_000;

/**
 * Damages the backups of a small shop in ways drawn at random. Then backs up another shop while it sells on one core
 * with 1 GB, and destroys and restores it. Usage: `npm run soak -- restore [orders] [damages]`. The defaults are 20,000
 * orders and 1,000 damages. Needs root, for the cgroup and the RAM disk.
 */
export async function soakRestore([orders = '20000', damages = '1000']: string[]): Promise<boolean> {
  const place = await mkdtemp(join(tmpdir(), 'hatch-soak-restore-'));
  try {
    const found = await damageCopies(place, Number(damages));
    return printChecks([...(await burnAndRestore(place, Number(orders))), ...found]);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

type Fact = [string, boolean];

async function burnAndRestore(place: string, orders: number): Promise<Fact[]> {
  const limit = createOneCoreGroup();
  // Child processes inherit the cgroup, so this process enters it, starts the shop, and leaves it again.
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
    const second = join(place, 'second');
    await setSecondPlace(shop, second);
    const steps = new Map<string, number>();
    let problem: string | null = null;
    const proving = await whileOrdering(shop, basket, async () => (problem = await backItselfUp(shop, steps)));
    const peak = limit.peak();
    await hatch(['backup', '--to', second], shop.dataDir, limit.enter);
    const before = await ordersIn(shop.dataDir);
    await shop.close();
    const restored = await restore(place, second, shop, basket);
    const [quiet, busy, nightly] = [alone, copying, proving].map((each) => percentile(each, 95));
    const own = ['copying', 'proving', 'sending'].map((step) => steps.get(step) ?? 0);
    const [made = 0, proved = 0, sent = 0] = own;
    return [
      [`${limit.how}${peak === null ? '' : `, ${Math.round(peak / 1024 ** 2)} MB at most, with cached files`}`, true],
      [
        `copy and check of ${orders} orders: ${seconds(Math.max(...took))} at most, ${took.length} times`,
        Math.max(...took) <= 5 * minute,
      ],
      ofP95('the commands', { quiet, busy, count: copying.length }),
      [
        `the shop's own backup: copied in ${seconds(made)}, proved in ${seconds(proved)}, sealed and sent in ${seconds(sent)}`,
        made + proved + sent <= 5 * minute && problem === null,
      ],
      ofP95('its own backup', { quiet, busy: nightly, count: proving.length }),
      [
        `restored from the sealed copy in ${seconds(restored.made)}; its page is up ${seconds(restored.up)} after the start`,
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
    const killed = limit.killed();
    if (killed) console.error(`${killed} processes were killed for their memory`);
    await shop.stop();
    limit.close();
  }
}

function ofP95(
  during: string,
  { quiet = Infinity, busy = Infinity, count }: Record<'quiet' | 'busy', number | undefined> & { count: number },
): Fact {
  return [
    `orders' p95 ${quiet.toFixed(0)} ms alone, ${busy.toFixed(0)} ms during ${during} (${count} orders): ${(busy / quiet).toFixed(2)} times`,
    busy <= 1.5 * quiet,
  ];
}

/** Makes a backup of a shop while its second backup location fills up. */
async function fillSecondPlace(shop: Shop, folder: string): Promise<Fact> {
  await mkdir(folder);
  return onSmallDisk(folder, 20, async (disk) => {
    await setSecondPlace(shop, disk);
    let problem: string | null = null;
    const basket = await cashBasket(shop);
    const orders = await whileOrdering(shop, basket, async () => (problem = await backItselfUp(shop)));
    return [`a full second place: ${problem} ${orders.length} orders meanwhile`, /is full/.test(String(problem))];
  });
}

/** Sets a folder as the second backup location, so that later backups are encrypted there. */
async function setSecondPlace({ api, adminToken }: Shop, folder: string): Promise<void> {
  const calls = { '/passphrase': { passphrase }, '': { to: folder, allows_same_disk: true } };
  for (const [path, body] of Object.entries(calls)) {
    const { status } = await api('POST', `/v1/backup-place${path}`, body, adminToken);
    if (status !== 200) throw new Error(`the second place was answered ${status}`);
  }
}

/**
 * Lets the shop make, try out and send a backup as on every night, and measures each step (ms). Returns the problem of
 * the second backup location.
 */
async function backItselfUp({ api, adminToken }: Shop, steps = new Map<string, number>()): Promise<string | null> {
  const ask = async (method: 'GET' | 'POST') =>
    (await api(method, '/v1/backups', method === 'POST' ? {} : undefined, adminToken)).body['data'] as Backups;
  let found = await ask('POST');
  let at = performance.now();
  while (found.running) {
    await sleep(250);
    const now = performance.now();
    steps.set(found.running.step, (steps.get(found.running.step) ?? 0) + now - at);
    at = now;
    found = await ask('GET');
  }
  if (found.copies[0]?.state !== 'good') throw new Error(`the backup is not good: ${JSON.stringify(found)}`);
  return found.second_place?.problem ?? null;
}

async function giveAPast({ dataDir, storeId }: Shop, orders: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: await databaseUrlOf(dataDir) });
  const lastDay = new Date(Date.now() - 24 * 60 * minute).toISOString().slice(0, 10);
  await despiteDeadlock(pool, () => fillShop(pool, { storeId, orders, days: 365, lastDay }));
  await despiteDeadlock(pool, () => fillAround(pool));
  await pool.end();
}

/** Repeats `vacuum analyze`, the last statement of `fill`, if it deadlocked with the shop's own index work. */
async function despiteDeadlock(pool: pg.Pool, fill: () => Promise<void>): Promise<void> {
  await fill().catch(async (error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error;
    await pool.query('vacuum analyze');
  });
}

/** Sends one order per second until the work is done. Returns the orders' durations (ms). */
async function whileOrdering(shop: Shop, basket: object, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  const open = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const order = async () => {
    const began = performance.now();
    const { status } = await shop.api('POST', '/v1/orders', { ...basket, session: randomUUID() });
    if (status !== 201) throw new Error(`an order was answered ${status}`);
    took.push(performance.now() - began);
  };
  const timer = setInterval(() => {
    const sent = order().catch((error: unknown) => void faults.push(error));
    open.add(sent);
    void sent.then(() => open.delete(sent));
  }, 1_000);
  await work().finally(() => clearInterval(timer));
  await Promise.all(open);
  if (faults.length > 0) throw faults[0];
  return took;
}

async function restore(place: string, from: string, old: Shop, basket: object) {
  const dataDir = join(place, 'restored');
  const began = performance.now();
  const sheet = { BACKUP_PASSPHRASE: passphrase };
  await hatch(['restore', '--from', from, '--data-dir', dataDir], dataDir, undefined, sheet);
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

/** Runs a `hatch` command in its own process. Throws if it fails. */
async function hatch(
  argv: string[],
  dataDir: string,
  enter: (pid: number) => void = () => undefined,
  environment: Record<string, string> = {},
): Promise<void> {
  const child = spawn('sh', ['-c', 'read go; exec sh bin/hatch "$@"', 'sh', ...argv], {
    env: { ...process.env, DATA_DIR: dataDir, ...environment },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  enter(child.pid ?? 0);
  child.stdin.end('go\n');
  const code = await ended;
  if (code !== 0) throw new Error(`hatch ${argv.join(' ')} ended with ${code}`);
}

interface Worlds {
  plain: Omit<DamageTarget, 'folder' | 'draw'>;
  /** The shop's second backup location (`own`), another shop's (`others`), and the key mark on the recovery sheet. */
  sealed: { sealer: Sealer; own: string; others: string; mark: string };
  bucket: Awaited<ReturnType<typeof openLossyBucket>>;
}

/** Damages the backups of a small shop in ways drawn at random. In one damage of twenty, the disk becomes full. */
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
      const { worlds, close } = await openWorlds(place, source);
      for (let n = 0; n < damages;) {
        const full = n % 2 === 0 ? fullDisk : sealed + fullDisk;
        const kind = n % 100 < perHundred ? full : drawOne(kinds, draw);
        const found = await damageOnce(kind, { place, draw, worlds });
        if (found === null) continue;
        if (!found.isFound) undetected.push(`${kind}: ${found.damage}`);
        done.set(kind, (done.get(kind) ?? 0) + 1);
        n += 1;
        process.stdout.write(`\r${n} of ${damages} damages, ${undetected.length} undetected `);
      }
      await close();
    });
    console.log(`\n${[...done].map(([kind, count]) => `${kind}: ${count}`).join(', ')}`);
    for (const each of undetected) console.log(`undetected ${each}`);
    return [
      [`${undetected.length} of ${damages} damages undetected`, undetected.length === 0],
      await fillSecondPlace(own, join(place, 'small')),
    ];
  } finally {
    for (const shop of shops) await shop.stop();
  }
}

const lossy = 'S3 that loses acknowledged writes';
const sealed = 'sealed, ';
const fullDisk = 'full disk';
const kinds = [...Object.keys(damageKinds), ...Object.keys(sealedKinds).map((kind) => sealed + kind), lossy, lossy];

async function openWorlds(place: string, source: CopySource): Promise<{ worlds: Worlds; close(): Promise<void> }> {
  const [own, others] = [await openSealer(join(place, 'own')), await openSealer(join(place, 'others'))];
  const places = { own: join(place, 'own-sealed'), others: join(place, 'others-sealed') };
  await sendThreeSealedCopies(own, places.own);
  await sendThreeSealedCopies(others, places.others);
  const bucket = await openLossyBucket(own);
  const older = await readFile(join(place, 'own', 'erasures.json'), 'utf8');
  for (const name of ['own', 'others']) await noteOne(join(place, name));
  return {
    worlds: {
      plain: { others: join(place, 'others'), older, source },
      sealed: { ...places, sealer: own, mark: formatKeyMark(own.keys.recipient) },
      bucket,
    },
    close: bucket.close,
  };
}

/** Damages a copy of an intact folder of backups, and verifies the copy; null: it has nothing that `kind` damages. */
async function damageOnce(
  kind: string,
  {
    place,
    draw,
    worlds: { plain, sealed: sealedPlaces, bucket },
  }: { place: string; draw: () => number; worlds: Worlds },
): Promise<{ damage: string; isFound: boolean } | null> {
  if (kind === lossy) return bucket.lose(draw);
  const folder = join(place, 'damaged');
  const { sealer, own, others, mark } = sealedPlaces;
  const isSealed = kind.startsWith(sealed);
  await cp(isSealed ? own : join(place, 'own'), folder, { recursive: true });
  try {
    if (kind === fullDisk)
      return { damage: 'while a copy was made', isFound: await fillWhileCopying({ ...plain, folder, draw }) };
    if (kind === sealed + fullDisk)
      return { damage: 'while a copy was sent', isFound: await fillDiskWhileSealing(sealer, folder, draw) };
    if (isSealed) {
      const world = sealedWorld(folder, others, draw);
      const damage = (await sealedKinds[kind.slice(sealed.length)]?.(world)) ?? null;
      return damage === null ? null : { damage, isFound: await isSealedDamageFound(world, mark) };
    }
    const world = { ...plain, folder, draw };
    const damage = (await damageKinds[kind]?.(world)) ?? null;
    return damage === null ? null : { damage, isFound: await isDamageFound(world) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes three backups, dated one day apart, each after a new order and a new picture. Then adds an erasure. */
async function copyThrice(shop: Shop, folder: string): Promise<void> {
  const basket = await cashBasket(shop);
  await mkdir(join(shop.dataDir, 'uploads'), { recursive: true });
  await withSource(shop, async (source) => {
    for (let n = 0; n < 3; n += 1) {
      await shop.api('POST', '/v1/orders', { ...basket, session: randomUUID() });
      await writeFile(join(shop.dataDir, 'uploads', `${String(n).repeat(64)}.webp`), randomUUID());
      await makeCopy({ ...source, now: () => new Date(Date.now() - (3 - n) * 24 * 60 * minute) }, folder);
    }
  });
  await noteOne(folder);
}

async function noteOne(folder: string): Promise<void> {
  const index = await readIndex(folder);
  if (!index) throw new Error(`${folder} has no index`);
  await recordErasures(folder, index, [{ kind: 'order', subject: randomUUID(), erased_at: new Date().toISOString() }]);
}

async function withSource(shop: Shop, work: (source: CopySource) => Promise<void>): Promise<void> {
  const connectionString = await databaseUrlOf(shop.dataDir);
  const { db, close } = connect(connectionString, () => undefined);
  const config = { dataDir: shop.dataDir };
  try {
    await work(await readCopySource({ config, db, database: connectionString, now: () => new Date() }, '1.0.0'));
  } finally {
    await close();
  }
}

function percentile(all: readonly number[], percent: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Infinity;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
