import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import {
  cleanUp,
  copyProject,
  eventually,
  isRoot,
  killApps,
  killDatabase,
  makeFolder,
  processesIn,
  query,
  startApp,
  type ProjectCopy,
} from '#database/testing/embedded-apps.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const settings = { fsync: 'off' };
const NOBODY = { uid: 65534, gid: 65534 };
const NAMELESS = { uid: 61_999, gid: 61_999 };

// Each starts real servers, which a busy machine slows down many times.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
afterAll(cleanUp);

const usersOf = (pids: readonly number[]) => Promise.all(pids.map(async (pid) => (await stat(`/proc/${pid}`)).uid));

describe.runIf(isRoot)('started as root (these run only as root)', () => {
  test('the database runs as another user, in a data folder that this user cannot even reach', async () => {
    const home = await makeFolder();
    const dataDir = join(home, 'data');
    const database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
    const { uid, gid } = await stat(join(dataDir, 'postgres/cluster'));
    expect(uid).not.toBe(0);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect(() => execFileSync('ls', [dataDir], { uid, gid, stdio: 'ignore' })).toThrow('Command failed');
    expect(new Set(await usersOf(await processesIn(dataDir)))).toEqual(new Set([uid]));
    expect(await query(database.connection, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    await database.stop();
  });

  test('the programs run from a copy when npm has installed them in a home that only root may enter', async () => {
    const home = await makeFolder();
    const project = await copyProject(join(home, 'shop'));
    const killed = startApp(join(home, 'data'), {}, { from: project });
    await killed.ready();
    const [pid = 0] = await processesIn(join(home, 'data'));
    expect(
      execFileSync('readlink', [`/proc/${pid}/exe`], {
        ...(await stat(`/proc/${pid}`).then(({ uid, gid }) => ({ uid, gid }))),
        encoding: 'utf8',
      }),
    ).not.toContain(home);
    await killed.kill('SIGKILL');
    const next = startApp(join(home, 'data'), {}, { from: project });
    await next.ready();
    expect(next.said).toContainEqual(expect.objectContaining({ wasRunning: true }));
    await next.kill('SIGTERM');
  });

  test('a database copied back by root, with its rights widened, is given to the right user again', async () => {
    const folder = await makeFolder();
    const first = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings, log: quiet });
    await query(first.connection, 'CREATE TABLE orders (id int); INSERT INTO orders VALUES (1)');
    await first.stop();
    await cp(join(folder, 'data'), join(folder, 'restored'), { recursive: true });
    await chmod(join(folder, 'restored/postgres/cluster'), 0o755);
    const second = await startEmbeddedPostgres({ dataDir: join(folder, 'restored'), settings, log: quiet });
    expect(await query(second.connection, 'SELECT id FROM orders')).toEqual([{ id: 1 }]);
    await second.stop();
  });
});

describe.runIf(isRoot)('started as an ordinary user (these need root to become one)', () => {
  let folder: string;
  let project: ProjectCopy;
  let dataDir: string;
  beforeAll(async () => {
    folder = await makeFolder();
    await chmod(folder, 0o755);
    project = await copyProject(join(folder, 'shop'));
    dataDir = join(folder, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
  });

  test('the database runs as that user; root and the user may then take turns', async () => {
    for (const user of [NOBODY, undefined, NOBODY]) {
      const app = startApp(dataDir, {}, { from: project, user });
      expect(await query(await app.ready(), 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
      expect(new Set(await usersOf(await processesIn(join(dataDir, 'postgres'))))).toEqual(new Set([NOBODY.uid]));
      await app.kill('SIGTERM');
    }
  });

  test.each([
    ['that user installed run where they are', NOBODY, false],
    ['root installed run from a copy', { uid: 0, gid: 0 }, true],
  ])('programs without their links, which %s', async (_case, owner, isCopied) => {
    const installed = await copyProject(join(folder, `installed-by-${owner.uid}`));
    const libraries = join(installed.binaries, 'native/lib');
    await chown(libraries, owner.uid, owner.gid);
    for (const entry of await readdir(libraries, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(join(libraries, entry.name));
    }
    const own = join(folder, `data-beside-${owner.uid}`);
    await mkdir(own, { mode: 0o700 });
    await chown(own, NOBODY.uid, NOBODY.gid);
    const app = startApp(own, {}, { from: installed, user: NOBODY });
    expect(await query(await app.ready(), 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    expect((await readdir(join(own, 'postgres'))).includes('binaries')).toBe(isCopied);
    await app.kill('SIGTERM');
  });

  test('another user of the machine reaches neither its socket nor its files', async () => {
    const app = startApp(dataDir, {}, { from: project, user: NOBODY });
    const { host } = await app.ready();
    // As when the owner has opened the data folder: the folders inside close themselves.
    await chmod(dataDir, 0o755);
    const attempt = `require('net').connect('${host}/.s.PGSQL.5432').on('error', (e) => console.log(e.code)).on('connect', () => console.log('open'))`;
    const options = { ...NAMELESS, encoding: 'utf8', cwd: '/' } as const;
    expect(execFileSync(project.node, ['-e', attempt], options).trim()).toBe('EACCES');
    for (const name of ['cluster/hatch-password', 'cluster/PG_VERSION', 'postgres.log']) {
      expect(() => execFileSync('cat', [join(dataDir, 'postgres', name)], { ...options, stdio: 'ignore' })).toThrow(
        'Command failed',
      );
    }
    await app.kill('SIGTERM');
  });

  test('a folder that root has used before is refused with the way out', async () => {
    const own = join(folder, 'root-data');
    const first = await startEmbeddedPostgres({ dataDir: own, settings, log: quiet });
    await first.stop();
    const second = startApp(own, {}, { from: project, user: NOBODY });
    const refusal = await second.hears((line) => line.state === 'refused');
    expect(refusal.code).toBe('folder_unusable');
    expect(refusal.message).toContain('belongs to user root');
    expect(refusal.message).toContain(`sudo chown -R nobody '${own}'`);
    for (const path of [own, join(own, 'hatch.lock')]) await chown(path, NOBODY.uid, NOBODY.gid);
    const half = startApp(own, {}, { from: project, user: NOBODY });
    expect((await half.hears((line) => line.state === 'refused')).code).toBe('wrong_owner');
    execFileSync('chown', ['-R', 'nobody', own]);
    const third = startApp(own, {}, { from: project, user: NOBODY });
    await third.ready();
    await third.kill('SIGTERM');
  });

  test('on a volume that belongs to a mere number, root runs the database as a user that has a name', async () => {
    const volume = join(folder, 'volume');
    await mkdir(volume);
    await chown(volume, NAMELESS.uid, NAMELESS.gid);
    const database = await startEmbeddedPostgres({ dataDir: volume, settings, log: quiet });
    const { uid } = await stat(join(volume, 'postgres/cluster'));
    expect([0, NAMELESS.uid]).not.toContain(uid);
    await database.stop();
  });

  test('a user number without a name is told what PostgreSQL misses', async () => {
    const own = join(folder, 'nameless');
    await mkdir(own);
    await chown(own, NAMELESS.uid, NAMELESS.gid);
    const app = startApp(own, {}, { from: project, user: NAMELESS });
    const refusal = await app.hears((line) => line.state === 'refused');
    expect(refusal.code).toBe('no_database_user');
    expect(refusal.message).toContain(`user number ${NAMELESS.uid} has none`);
  });
});

describe.runIf(isRoot && canMount())(
  'on a small disk of its own (these run only as root, where it may mount one)',
  () => {
    let disk: string;
    const mount = (megabytes: number, ...more: string[]) =>
      execFileSync('mount', [
        '-t',
        'tmpfs',
        '-o',
        [`size=${megabytes}m`, 'mode=0755', ...more].join(','),
        'hatch-test',
        disk,
      ]);
    const fillDisk = () => execFileSync('sh', ['-c', `cat /dev/zero > '${disk}/filling' || true`], { stdio: 'ignore' });
    beforeAll(async () => {
      disk = join(await makeFolder(), 'disk');
      await mkdir(disk);
      mount(30);
    });
    afterAll(async () => {
      await killApps();
      await killDatabase(disk);
      execFileSync('umount', [disk]);
    });

    test('a first start on a full disk says so; with room it makes the database', async () => {
      const dataDir = join(disk, 'data');
      await expect(startEmbeddedPostgres({ dataDir, settings, log: quiet })).rejects.toMatchObject({
        code: 'disk_full',
      });
      expect(await readdir(join(dataDir, 'postgres'))).not.toContain('cluster');
      mount(150, 'remount');
      const database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
      await query(
        database.connection,
        'CREATE TABLE orders (id int PRIMARY KEY); CREATE TABLE lines (order_id int, note text)',
      );
      await database.stop();
    });

    test('a disk that fills while the shop runs refuses whole orders, and with room it goes on by itself', async () => {
      const app = startApp(join(disk, 'data'));
      const connection = await app.ready();
      const answered: number[] = [];
      const order = async (id: number) => {
        const lines = `INSERT INTO lines SELECT ${id}, repeat(md5(i::text), 60) FROM generate_series(1, 2000) i`;
        await query(connection, `BEGIN; INSERT INTO orders VALUES (${id}); ${lines}; COMMIT`);
        answered.push(id);
      };
      expect(await orderUntilRefused(order)).toBeInstanceOf(Error);
      expect(answered.length).toBeGreaterThan(2);
      mount(400, 'remount');
      let stored: Record<string, unknown>[] = [];
      const all = 'SELECT id, (SELECT count(*)::int FROM lines WHERE order_id = id) lines FROM orders ORDER BY id';
      await eventually(async () => {
        stored = await query(connection, all).catch(() => []);
        return stored.length > 0;
      });
      // The last order may be stored although its answer was lost; none is stored in part.
      expect(stored.slice(0, answered.length)).toEqual(answered.map((id) => ({ id, lines: 2000 })));
      expect(stored.slice(answered.length).every((row) => row.lines === 2000)).toBe(true);
      const orphans = await query(connection, 'SELECT FROM lines WHERE order_id NOT IN (SELECT id FROM orders)');
      expect(orphans).toEqual([]);
      await order(1000);
      await app.kill('SIGTERM');
    });

    test('a later start on a full disk says so and keeps the data', async () => {
      const dataDir = join(disk, 'data');
      fillDisk();
      await expect(startEmbeddedPostgres({ dataDir, settings, log: quiet })).rejects.toMatchObject({
        code: 'disk_full',
      });
      await rm(join(disk, 'filling'));
      const database = await startEmbeddedPostgres({ dataDir, settings, log: quiet });
      const [row] = await query(database.connection, 'SELECT count(*) > 2 AS kept FROM orders');
      expect(row).toEqual({ kept: true });
      await database.stop();
      expect(await readFile(join(dataDir, 'postgres/cluster/PG_VERSION'), 'utf8')).toBe('18\n');
    });
  },
);

async function orderUntilRefused(order: (id: number) => Promise<void>): Promise<unknown> {
  for (let id = 1; id < 100; id += 1) {
    try {
      await order(id);
    } catch (error) {
      return error;
    }
  }
  return undefined;
}

function canMount(): boolean {
  if (!isRoot) return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
