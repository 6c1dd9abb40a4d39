import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readBundledVersion } from '#database/embedded/binaries.ts';
import { hasHadShop, knownMigrations, readDataVersionFile } from '#database/data-version.ts';
import { lockFolder } from '#database/embedded/lock.ts';
import { cleanUp, eventually, processesIn } from '#database/testing/embedded-apps.ts';
import { urlOf } from '#testing/database-url.ts';
import { startOnce } from '#testing/start-once.ts';
import { createTestDatabase } from '#testing/test-database.ts';

// Each starts real servers, which a busy machine slows down many times.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });
afterAll(cleanUp);

let home: string;
let DATA_DIR: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hatch-start-'));
  DATA_DIR = join(home, 'data');
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Node's flags with which a start fails that loads the application. */
const withoutApp = [
  '--import',
  `data:text/javascript,import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { if (url.endsWith('/src/app.ts')) throw new Error('loaded'); return next(url, context); } });`,
];
const APP_URL = 'https://shop.example.com';

test('a folder without a shop, as of a disk that is not mounted, is left as it was at a real address', async () => {
  for (const prepare of [() => undefined, () => mkdir(DATA_DIR)]) {
    await prepare();
    const { code, said } = await startOnce({ DATA_DIR, APP_URL }, [], withoutApp);
    expect([code, said]).toEqual([1, expect.stringMatching(/^There is no shop in .*Is the disk mounted\?.*--demo\n$/)]);
  }
  expect(await readdir(DATA_DIR)).toEqual([]);
});

describe('the data of a newer Hatch', () => {
  test('ends the start in one line before its database runs', async () => {
    const cluster = join(DATA_DIR, 'postgres/cluster');
    await mkdir(cluster, { recursive: true });
    await writeFile(join(cluster, 'hatch-version.json'), '{"hatch":"9.1.0","migration":"999-later"}\n');
    const { code, said } = await startOnce({ DATA_DIR }, [], withoutApp);
    expect(code).toBe(1);
    expect(said).toMatch(/^The data in .* was written by a newer Hatch \(9.1.0 with 999-later\) than this one.*\n$/);
    expect(await readdir(DATA_DIR)).toEqual(['postgres']);
    expect(await readdir(cluster)).toEqual(['hatch-version.json']);
  });

  test('in a database of one’s own ends it right after connecting, and a database without the shop it had makes none', async () => {
    const [newer, empty] = await Promise.all([createTestDatabase(), createTestDatabase('template1')]);
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2099-01-01')`.execute(newer.db);
    const refused = await startOnce({ DATA_DIR, DATABASE_URL: urlOf(newer.config) });
    expect(refused.code).toBe(1);
    expect(refused.said).toMatch(/^The database at .* was written by a newer Hatch \(with 999-later\) than .*\n$/);
    expect(existsSync(DATA_DIR)).toBe(false);

    await mkdir(DATA_DIR);
    await writeFile(join(DATA_DIR, 'hatch.json'), '{"has_had_shop":true}\n');
    const lost = await startOnce({ DATA_DIR, DATABASE_URL: urlOf(empty.config) }, ['--demo']);
    expect([lost.code, lost.said]).toEqual([1, expect.stringMatching(/^.* has had a shop, but the database at .*\n$/)]);
    const { rows } = await sql`select 1 from pg_tables where schemaname = 'public'`.execute(empty.db);
    expect(rows).toEqual([]);
    await Promise.all([newer.drop(), empty.drop()]);
  });
});

test('a second start on a folder says so before it loads the application', async () => {
  await mkdir(DATA_DIR);
  const lock = await lockFolder(DATA_DIR, 0);
  const { code, said } = await startOnce({ DATA_DIR }, [], withoutApp);
  lock.release();
  expect([code, said]).toEqual([1, expect.stringContaining(`Hatch is already running on ${DATA_DIR}`)]);
});

test.each([
  ['SIGTERM', 'cluster/postmaster.pid'],
  ['SIGINT', 'sockets/.s.PGSQL.5432'],
  ['SIGTERM', 'README.txt'],
] as const)('%s during a start, once there is %s, leaves no PostgreSQL behind', async (signal, file) => {
  const server = spawn(process.execPath, ['src/server.ts'], {
    env: { ...process.env, PORT: '0', DATA_DIR, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(server, 'exit');
  await eventually(async () => existsSync(join(DATA_DIR, 'postgres', file)), 90_000);
  server.kill(signal);
  expect(await ended).toEqual([0, null]);
  expect(await processesIn(DATA_DIR)).toEqual([]);
});

test('the first line of the log has the versions, and the folder keeps those that wrote it', async () => {
  const server = spawn(process.execPath, ['src/server.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR,
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: '0.0.0.0/0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await eventually(async () => said.includes('The shop is open at'), 240_000);
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  const last = [...knownMigrations()].toSorted().at(-1);
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const postgres = await readBundledVersion();
  expect(JSON.parse(said.split('\n')[0] ?? '')).toMatchObject({ hatch: version, data: null, postgres });
  expect(said).toContain(`PostgreSQL ${postgres} is ready`);
  expect(await readDataVersionFile(DATA_DIR)).toEqual({ hatch: version, migration: last });
  expect(await hasHadShop(DATA_DIR)).toBe(true);
});
