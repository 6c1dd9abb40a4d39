import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { refuseCopiedCluster } from '#database/embedded/copied-cluster.ts';
import { cleanUp, killDatabase, makeFolder, query, startApp } from '#database/testing/embedded-apps.ts';

// Each starts real servers, which a busy machine slows down many times.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
afterAll(cleanUp);

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const settings = { fsync: 'off' };
const orderIds = 'SELECT id FROM orders ORDER BY id';

describe('a database', () => {
  let home: string;
  let dataDir: string;
  const start = (folder: string, options = {}) =>
    startEmbeddedPostgres({ dataDir: folder, log: quiet, settings, ...options });
  /** The outcome of a start of the folder, or its refusal. */
  const found = async (folder: string, options = {}) => {
    try {
      const database = await start(folder, options);
      const rows = await query(database.connection, orderIds);
      await database.stop();
      return rows;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  /** Kills an app and its database while they run. */
  const crash = async (folder: string) => {
    const app = startApp(folder);
    await app.ready();
    await app.kill('SIGKILL');
    await killDatabase(folder);
  };

  beforeAll(async () => {
    home = await makeFolder();
    dataDir = join(home, 'data');
    const database = await start(dataDir);
    await query(database.connection, 'CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)');
    await database.stop();
  });

  test('that crashes where it is starts again, each time', async () => {
    for (let kill = 0; kill < 3; kill += 1) await crash(dataDir);
    expect(await found(dataDir)).toEqual([{ id: 1 }]);
  });

  test('that was stopped may be copied, moved and crash there', async () => {
    await cp(dataDir, join(home, 'copy'), { recursive: true });
    await crash(join(home, 'copy'));
    expect(await found(join(home, 'copy'))).toEqual([{ id: 1 }]);
    await rename(join(home, 'copy'), join(home, 'moved'));
    expect(await found(join(home, 'moved'))).toEqual([{ id: 1 }]);
  });

  test('that was copied while it ran is refused with what to do, and started only when asked', async () => {
    const app = startApp(dataDir);
    await app.ready();
    const copies = ['cp', 'tar', 'node'].map((name) => join(home, `by-${name}`));
    const [byCp = '', byTar = '', byNode = ''] = copies;
    execFileSync('cp', ['-a', dataDir, byCp]);
    await mkdir(byTar);
    execFileSync('sh', ['-c', 'tar -C "$1" --exclude=.s.PGSQL* -cf - . | tar -C "$2" -xf -', 'sh', dataDir, byTar]);
    await cp(dataDir, byNode, { recursive: true, filter: (path) => !path.includes('.s.PGSQL') });
    for (const copy of copies) {
      const before = await readFile(join(copy, 'postgres/cluster/global/pg_control'));
      await expect(start(copy)).rejects.toMatchObject({
        code: 'copied_while_running',
        message: expect.stringMatching(/copied while Hatch ran.*\n.*npm start -- --take-copy$/),
      });
      expect(await readFile(join(copy, 'postgres/cluster/global/pg_control'))).toEqual(before);
    }
    expect(await found(byCp, { takesCopy: true })).toEqual([{ id: 1 }]);
    expect(await found(byCp)).toEqual([{ id: 1 }]);
    await app.kill('SIGTERM');
  });

  test('whose backup was made while it ran, and is put back into its own folder, is refused', async () => {
    const [folder, backup] = [join(home, 'own'), join(home, 'backup')];
    await cp(dataDir, folder, { recursive: true });
    const app = startApp(folder);
    await app.ready();
    execFileSync('cp', ['-a', folder, backup]);
    await app.kill('SIGTERM');
    // As rsync and tar do, which write each file anew.
    execFileSync('cp', ['-a', '--remove-destination', `${backup}/.`, folder]);
    expect(await found(folder)).toBe('copied_while_running');
  });

  test('of an earlier version is taken as it is, and known from then on', async () => {
    const folder = join(home, 'earlier');
    await cp(dataDir, folder, { recursive: true });
    await rm(join(folder, 'postgres/cluster/hatch-place.json'));
    await crash(folder);
    execFileSync('cp', ['-a', folder, join(home, 'earlier-copy')]);
    expect(await found(join(home, 'earlier-copy'))).toBe('copied_while_running');
    expect(await found(folder)).toEqual([{ id: 1 }]);
  });
});

describe('the place of a cluster', () => {
  const warnings: string[] = [];
  const log = { warn: (_details: object, message: string) => void warnings.push(message) };
  const control = (state: number) => Buffer.from(Int32Array.of(0, 0, 0, 0, state, 0).buffer);
  let cluster: string;
  beforeAll(async () => {
    cluster = await makeFolder();
    await mkdir(join(cluster, 'global'));
    await writeFile(join(cluster, 'global/pg_control'), control(6));
    await refuseCopiedCluster(cluster, undefined, { log });
  });
  const note = () => readFile(join(cluster, 'hatch-place.json'), 'utf8');
  const change = async (place: (kept: { cluster: { inode: string; born: string | null } }) => void) => {
    const kept = JSON.parse(await note());
    place(kept);
    await writeFile(join(cluster, 'hatch-place.json'), JSON.stringify(kept));
  };

  test('is its inode alone where a birth time is not known', async () => {
    await change((kept) => (kept.cluster.born = null));
    await expect(refuseCopiedCluster(cluster, undefined, { log })).resolves.toBeUndefined();
    await change((kept) => (kept.cluster.inode = '1'));
    await expect(refuseCopiedCluster(cluster, undefined, { log })).rejects.toMatchObject({
      code: 'copied_while_running',
    });
  });

  test('is another where a new folder has the inode of the old one', async () => {
    await change((kept) => (kept.cluster = { ...kept.cluster, born: '1795263342000000000' }));
    await expect(refuseCopiedCluster(cluster, undefined, { log })).rejects.toMatchObject({
      code: 'copied_while_running',
    });
  });

  test.each([
    [1, undefined],
    [2, 'copied_while_running'],
  ])('that is another matters only to one that was not stopped: state %i', async (state, refusal) => {
    await writeFile(join(cluster, 'global/pg_control'), control(state));
    await change((kept) => (kept.cluster.inode = '1'));
    const code = await refuseCopiedCluster(cluster, undefined, { log }).then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    expect(code).toBe(refusal);
  });

  test.each([0x6969, 0x65735546, 0xff534d42, -11317950])(
    'is warned of on file systems of the network: %i',
    async (type) => {
      warnings.length = 0;
      await change((kept) => (kept.cluster.inode = '1'));
      await refuseCopiedCluster(cluster, undefined, { log, fileSystemOf: async () => ({ type }) });
      expect(warnings).toEqual([expect.stringContaining('orders may be missing')]);
    },
  );
});
