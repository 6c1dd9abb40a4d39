import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { findRunningDatabase } from '#database/embedded/server.ts';
import {
  cleanUp,
  copyProject,
  eventually,
  killDatabase,
  makeFolder,
  processesIn,
  query,
  startApp,
} from '#database/testing/embedded-apps.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const settings = { fsync: 'off' };
const ORDERS = 'CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)';
const orderIds = 'SELECT id FROM orders ORDER BY id';

// Each starts real servers, which a busy machine slows down many times.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
afterAll(cleanUp);

const serverPid = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')[0]);

describe('a shop on its own machine', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = join(await makeFolder(), 'data');
  });

  test('a first start makes a durable database in UTC, which a later start finds again', async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: quiet });
    const [row] = await query(
      first.connection,
      `SELECT current_setting('fsync') fsync, current_setting('full_page_writes') pages,
        current_setting('synchronous_commit') commit, current_setting('data_checksums') checksums,
        current_setting('timezone') zone, lower('É') lower, datlocale locale, pg_encoding_to_char(encoding) encoding
      FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual({
      fsync: 'on',
      pages: 'on',
      commit: 'on',
      checksums: 'on',
      zone: 'UTC',
      lower: 'é',
      locale: 'C.UTF-8',
      encoding: 'UTF8',
    });
    await query(first.connection, ORDERS);
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir, log: quiet });
    expect(await query(second.connection, orderIds)).toEqual([{ id: 1 }]);
    const found = await findRunningDatabase(dataDir);
    expect(found && (await query(found, orderIds))).toEqual([{ id: 1 }]);
    await second.stop();
    expect(await findRunningDatabase(dataDir)).toBeNull();
  });

  test('stopping leaves no process behind, even with a query still running, and may be asked twice', async () => {
    const database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    const running = query(database.connection, 'SELECT pg_sleep(600)').catch((error: unknown) => error);
    await eventually(async () => (await query(database.connection, activeSleeps)).length === 1);
    await Promise.all([database.stop(), database.stop()]);
    expect(await running).toBeInstanceOf(Error);
    await eventually(async () => (await processesIn(dataDir)).length === 0);
  });

  test('an order half written when the app is killed is gone, and the next app takes the running database over', async () => {
    const killed = startApp(dataDir, { work: 'INSERT INTO orders VALUES (2)' });
    await killed.ready();
    await killed.kill('SIGKILL');
    const pid = await serverPid(dataDir);
    expect(await processesIn(dataDir)).toContain(pid);
    const next = startApp(dataDir);
    const connection = await next.ready();
    expect(next.said).toContainEqual(expect.objectContaining({ wasRunning: true, pid }));
    expect(await query(connection, orderIds)).toEqual([{ id: 1 }]);
    await query(connection, 'INSERT INTO orders VALUES (2)');
    await next.kill('SIGTERM');
    await eventually(async () => (await processesIn(dataDir)).length === 0);
  });

  test('a database left running with other settings is started again with the wanted ones', async () => {
    const killed = startApp(dataDir, { settings: { work_mem: '5MB' } });
    await killed.ready();
    await killed.kill('SIGKILL');
    const next = startApp(dataDir, { settings: { work_mem: '6MB' } });
    expect(await query(await next.ready(), "SELECT current_setting('work_mem') memory")).toEqual([{ memory: '6MB' }]);
    expect(next.said).toContainEqual(expect.objectContaining({ wasRunning: false }));
    await next.kill('SIGTERM');
  });

  test('everything killed at once: what was committed is there after the start', async () => {
    const killed = startApp(dataDir, { settings: { fsync: 'on' }, work: 'INSERT INTO orders VALUES (4)' });
    await query(await killed.ready(), 'INSERT INTO orders VALUES (3)');
    await Promise.all([killed.kill('SIGKILL'), killDatabase(dataDir)]);
    const next = startApp(dataDir);
    expect(await query(await next.ready(), orderIds)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(next.said).toContainEqual(expect.objectContaining({ wasRunning: false }));
    await next.kill('SIGTERM');
  });

  test('a process number left behind that is now another program, or another shop, does not hinder the start', async () => {
    const killed = startApp(dataDir);
    await killed.ready();
    await Promise.all([killed.kill('SIGKILL'), killDatabase(dataDir)]);
    const owner = await stat(join(dataDir, 'postgres/cluster'));
    const stranger = spawn('sleep', ['600'], { uid: owner.uid, gid: owner.gid });
    const otherFolder = join(await makeFolder(), 'other');
    const other = await startEmbeddedPostgres({ dataDir: otherFolder, settings, log: quiet });
    const files = ['cluster/postmaster.pid', 'sockets/.s.PGSQL.5432.lock'].map((name) =>
      join(dataDir, 'postgres', name),
    );
    for (const pid of [stranger.pid, await serverPid(otherFolder)]) {
      for (const file of files)
        await writeFile(file, `${pid}\n/proc/self/cwd\n1795263342\n5432\n../sockets\n\n1 1\nready   \n`);
      const next = startApp(dataDir);
      expect(await query(await next.ready(), 'SELECT count(*)::int orders FROM orders')).toEqual([{ orders: 3 }]);
      await next.kill('SIGKILL');
      await killDatabase(dataDir);
    }
    expect(await query(other.connection, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    expect(stranger.kill()).toBe(true);
    await other.stop();
  });

  test('a second app on the folder says who holds it and harms nothing; the holder killed, it may start', async () => {
    const first = startApp(dataDir);
    const connection = await first.ready();
    const second = startApp(dataDir, { lockTimeout: 0 });
    const refusal = await second.hears((line) => line.state === 'refused');
    expect(refusal.code).toBe('folder_in_use');
    expect(refusal.message).toMatch(
      new RegExp(`process ${first.process.pid}, running since 20\\d\\d-.* UTC, at http://localhost:3000`),
    );
    expect(await query(connection, 'SELECT count(*)::int orders FROM orders')).toEqual([{ orders: 3 }]);
    await first.kill('SIGKILL');
    const third = startApp(dataDir, { lockTimeout: 0 });
    await third.ready();
    await third.kill('SIGTERM');
  });

  test('two starts in one process are told apart just the same', async () => {
    const first = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    await expect(startEmbeddedPostgres({ dataDir, log: quiet, lockTimeout: 0 })).rejects.toMatchObject({
      code: 'folder_in_use',
    });
    const stillLocked = startApp(dataDir, { lockTimeout: 0 });
    expect((await stillLocked.hears((line) => line.state === 'refused')).code).toBe('folder_in_use');
    await first.stop();
  });

  test('PostgreSQL killed while the app runs is started again', async () => {
    const app = startApp(dataDir);
    const connection = await app.ready();
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await app.hears((line) => line.message === 'PostgreSQL is ready again');
    expect(await query(connection, 'SELECT count(*)::int orders FROM orders')).toEqual([{ orders: 3 }]);
    await app.kill('SIGTERM');
    await eventually(async () => (await processesIn(dataDir)).length === 0);
  });

  test('PostgreSQL that cannot start again is tried again until it can', async () => {
    const app = startApp(dataDir);
    const connection = await app.ready();
    const cluster = join(dataDir, 'postgres/cluster');
    const pid = await serverPid(dataDir);
    await rename(cluster, join(dataDir, 'elsewhere'));
    process.kill(pid, 'SIGKILL');
    await app.hears((line) => line.message?.startsWith('PostgreSQL does not start') ?? false);
    await rename(join(dataDir, 'elsewhere'), cluster);
    await app.hears((line) => line.message === 'PostgreSQL is ready again');
    expect(await query(connection, 'SELECT count(*)::int orders FROM orders')).toEqual([{ orders: 3 }]);
    await app.kill('SIGTERM');
  });

  test('a lost or wrong password is replaced, and the data is kept', async () => {
    const file = join(dataDir, 'postgres/cluster/hatch-password');
    await rm(file);
    const first = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    expect(await query(first.connection, 'SELECT count(*)::int orders FROM orders')).toEqual([{ orders: 3 }]);
    await first.stop();
    await writeFile(file, 'from-another-backup\n');
    const second = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    expect(await query(second.connection, 'SELECT count(*)::int orders FROM orders')).toEqual([{ orders: 3 }]);
    await second.stop();
  });

  test('a database of another PostgreSQL version is left alone', async () => {
    const file = join(dataDir, 'postgres/cluster/PG_VERSION');
    await writeFile(file, '17\n');
    const start = startEmbeddedPostgres({ dataDir, log: quiet });
    await expect(start).rejects.toMatchObject({
      code: 'version_mismatch',
      message: expect.stringContaining('written by PostgreSQL 17; this version of Hatch brings PostgreSQL 18'),
    });
    expect(await readFile(file, 'utf8')).toBe('17\n');
    await writeFile(file, '18\n');
  });

  test('a database that was moved away is never replaced by an empty one', async () => {
    const cluster = join(dataDir, 'postgres/cluster');
    await rename(cluster, join(dataDir, 'elsewhere'));
    await expect(startEmbeddedPostgres({ dataDir, log: quiet })).rejects.toMatchObject({ code: 'cluster_missing' });
    await rename(join(dataDir, 'elsewhere'), cluster);
    const database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    expect(await query(database.connection, 'SELECT count(*)::int orders FROM orders')).toEqual([{ orders: 3 }]);
    await database.stop();
  });

  test('a log that has grown large makes room at the next start', async () => {
    const log = join(dataDir, 'postgres/postgres.log');
    await writeFile(log, 'x'.repeat(5_000_001));
    const database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    expect((await stat(`${log}.1`)).size).toBe(5_000_001);
    expect(await readFile(log, 'utf8')).toMatch(/^20.* LOG: {2}starting PostgreSQL 18/);
    await database.stop();
  });

  test('a server that cannot start says why', async () => {
    const start = startEmbeddedPostgres({ dataDir, log: quiet, settings: { shared_buffers: 'plenty' } });
    await expect(start).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/invalid value for parameter "shared_buffers": "plenty"/),
    });
    const database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    await database.stop();
  });
});

const readLinks = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).flatMap((entry) => (entry.isSymbolicLink() ? [entry.name] : []));

async function removeLinks(folder: string): Promise<string[]> {
  const links = await readLinks(folder);
  expect(links.length).toBeGreaterThan(5);
  for (const name of links) await rm(join(folder, name));
  return links;
}

const activeSleeps = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'";

describe('starting for the first time', () => {
  test('an app killed while it makes the database leaves a folder that the next start makes again', async () => {
    const dataDir = join(await makeFolder(), 'data');
    const killed = startApp(dataDir);
    const draft = async () =>
      (await readdir(join(dataDir, 'postgres')).catch(() => [])).find((name) => name.includes('making'));
    await eventually(async () => (await draft()) !== undefined);
    const half = join(dataDir, 'postgres', (await draft()) ?? '');
    await eventually(async () => (await readdir(half)).includes('global'));
    await killed.kill('SIGKILL');
    const next = startApp(dataDir);
    expect(await query(await next.ready(), 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    expect((await readdir(join(dataDir, 'postgres'))).sort()).toEqual([
      'README.txt',
      'cluster',
      'postgres.log',
      'sockets',
    ]);
    await next.kill('SIGTERM');
  });

  test('the folder may have any name of any length, and the usual port may be taken', async () => {
    const taken = createServer().listen(5432, '127.0.0.1');
    taken.on('error', () => undefined);
    const dataDir = join(await makeFolder(), `Café “Zum Löwen” $HOME 'x' "y" \`z\` 寿司`, 'long'.repeat(30), 'data');
    const database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    expect(await query(database.connection, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    await database.stop();
    taken.close();
  });

  test('a folder that cannot be used is refused with its name', async () => {
    const dataDir = join(await makeFolder(), 'data');
    await writeFile(dataDir, 'a file');
    await expect(startEmbeddedPostgres({ dataDir, log: quiet })).rejects.toMatchObject({
      code: 'folder_unusable',
      message: expect.stringContaining(dataDir),
    });
  });

  test('packages that npm installed without running their scripts get their links, by two first starts at once', async () => {
    const folder = await makeFolder();
    const project = await copyProject(join(folder, 'shop'));
    const libraries = join(project.binaries, 'native/lib');
    const links = await removeLinks(libraries);
    const apps = ['data', 'other'].map((name) => startApp(join(folder, name), {}, { from: project }));
    for (const app of apps) {
      expect(await query(await app.ready(), 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    }
    expect(await readLinks(libraries)).toEqual(links);
    for (const app of apps) await app.kill('SIGTERM');
  });
});

describe('who may reach the database', () => {
  let dataDir: string;
  let database: EmbeddedPostgres;
  beforeAll(async () => {
    dataDir = join(await makeFolder(), 'data');
    await mkdir(dataDir);
    database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
  });
  afterAll(() => database.stop());

  test('nobody without the password, and the superuser not even with one', async () => {
    const { connection } = database;
    await expect(query({ ...connection, password: 'guess' }, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    await expect(query({ ...connection, user: 'postgres' }, 'SELECT 1')).rejects.toMatchObject({ code: '28000' });
    const [role] = await query(connection, 'SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user');
    expect(role).toEqual({ rolsuper: false, rolcreaterole: false });
  });

  test('the socket, the data and the password are closed to every other user, and no TCP port is open', async () => {
    const modes = await Promise.all(
      ['sockets', 'cluster', 'cluster/hatch-password', 'sockets/.s.PGSQL.5432', 'postgres.log'].map(async (name) => {
        const { mode } = await stat(join(dataDir, 'postgres', name));
        return (mode & 0o077).toString(8);
      }),
    );
    expect(modes).toEqual(['0', '0', '0', '0', '0']);
    expect(await query(database.connection, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  test('errors do not carry what customers typed into the log of the database', async () => {
    await expect(query(database.connection, "SELECT 'Ann Smith, 1 High Street'::int")).rejects.toThrow('Ann Smith');
    await expect(query(database.connection, 'SELECT 1/0 AS ann_smith')).rejects.toThrow('division by zero');
    expect(await readFile(join(dataDir, 'postgres/postgres.log'), 'utf8')).not.toMatch(/ann.smith/i);
  });

  test('where no socket can be made, a free port of this machine alone serves, with the same password', async () => {
    const folder = join(await makeFolder(), 'data');
    const killed = startApp(folder, { transport: 'tcp' });
    const connection = await killed.ready();
    expect(connection.host).toBe('127.0.0.1');
    expect(await query(connection, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await expect(query({ ...connection, password: 'guess' }, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    await killed.kill('SIGKILL');
    const next = startApp(folder, { transport: 'tcp' });
    expect(await next.ready()).toEqual(connection);
    expect(next.said).toContainEqual(expect.objectContaining({ wasRunning: true }));
    await next.kill('SIGTERM');
  });
});
