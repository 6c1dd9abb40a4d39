import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '#config.ts';
import { demoStore } from '#demo/store.ts';
import { refuseUnknownStore, resolveStoreNameToId } from '#store/server/find-store.ts';
import { urlOf } from '#testing/database-url.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

// A terminal that is closed sends the second.
test.each(['SIGTERM', 'SIGHUP'] as const)(
  '`npm start` off a terminal writes a log only, and %s ends it and its database',
  { timeout: 120_000 },
  async (signal) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hatch-start-'));
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [npm.stdout, npm.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    try {
      await vi.waitFor(() => expect(said).toContain('The shop is open at'), { timeout: 60_000, interval: 100 });
      const own = async () =>
        (await commands()).filter(({ environment }) => environment.includes(`DATA_DIR=${dataDir}`));
      expect((await own()).some(({ command }) => command.includes('src/server.ts'))).toBe(true);
      const [pid] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n');
      const ended = once(npm, 'exit');
      const server = (await own()).find(({ command }) => command.includes('src/server.ts'));
      // To npm alone, as a supervisor does that knows no other process; a terminal tells every process in it.
      process.kill(Number(signal === 'SIGHUP' ? server?.pid : npm.pid), signal);
      await ended;
      await vi.waitFor(async () => expect(await own()).toEqual([]), { timeout: 60_000, interval: 100 });
      // One that has ended and that nobody has asked about has no command line any more.
      expect((await commands()).filter((one) => one.pid === pid && one.command !== '')).toEqual([]);
      // npm itself says which script it runs.
      const lines = said.split('\n').filter((line) => line !== '' && !line.startsWith('> '));
      const log = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
      expect(log.filter(({ level, msg }) => level > 30 || typeof msg !== 'string')).toEqual([]);
    } finally {
      npm.kill('SIGKILL');
      // A failed test leaves its database running for a moment.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  },
);

describe('STORE_NAME', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('template1');
  });
  afterAll(() => database.drop());

  const start = async (storeName: string, ...args: string[]) => {
    const server = spawn(process.execPath, ['src/server.ts', ...args], {
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: join(tmpdir(), `hatch-none-${process.pid}`),
        DATABASE_URL: urlOf(database.config),
        STORE_NAME: storeName,
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(server, 'close')) as [number];
    return { code, said };
  };
  const stores = () => database.db.selectFrom('stores').select('slug').execute();

  test(
    'that names no shop ends the start with one line, and leaves a new database empty',
    { timeout: 120_000 },
    async () => {
      expect(await start('elsewhere')).toEqual({
        code: 1,
        said: 'STORE_NAME is "elsewhere", which is no shop\'s id, slug or name. There is coalfinch ("Coalfinch").\n',
      });
      expect(await start('elsewhere', '--empty')).toEqual({
        code: 1,
        said: 'STORE_NAME is "elsewhere", and there is no shop yet: leave it out until the first one is set up.\n',
      });
      expect(await stores()).toEqual([]);
      const { storeId } = await seedSmallShop(database.db);
      const slug = `shop-${storeId}`;
      const { code, said } = await start('elsewhere');
      expect([code, said]).toEqual([1, expect.stringMatching(new RegExp(`^STORE_NAME .*${slug}.*\\n$`))]);
      expect(await stores()).toEqual([{ slug }]);
    },
  );

  test.each(['Coalfinch', 'COALFINCH', undefined])('%s lets a new database become the demo shop', async (wanted) => {
    const { db, drop } = await createTestDatabase();
    await expect(refuseUnknownStore(db, wanted, demoStore)).resolves.toBeUndefined();
    await drop();
  });

  test('means the same shop while the server runs, whatever it is called by then', async () => {
    const { db, drop } = await createTestDatabase();
    const { storeId } = await seedSmallShop(db, { name: 'Nonna’s' });
    await seedSmallShop(db, { name: 'Another' });
    const config = readConfig({ STORE_NAME: 'nonna’s' });
    expect((await resolveStoreNameToId(db, config)).STORE_NAME).toBe(storeId);
    await drop();
  });
});

describe('three instances that start at once on an empty database', () => {
  test.each([
    ['the demo shop', [], {}],
    ['an empty shop with an owner', ['--empty'], { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'a long secret' }],
  ])('all start: %s', { timeout: 180_000 }, async (_name, args, settings) => {
    const database = await createTestDatabase('template1');
    const dataDir = await mkdtemp(join(tmpdir(), 'hatch-start-'));
    const servers = Array.from({ length: 3 }, () => {
      const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: urlOf(database.config), ...settings };
      return spawn(process.execPath, ['src/server.ts', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    });
    const said = servers.map(() => '');
    for (const [n, { stdout, stderr }] of servers.entries()) {
      for (const stream of [stdout, stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said[n] += text));
    }
    try {
      const open = said.map(() => expect.stringContaining('The shop is open at'));
      await vi.waitFor(() => expect(said).toEqual(open), { timeout: 150_000, interval: 100 });
      expect(await database.db.selectFrom('stores').select('id').execute()).toHaveLength(args.length === 0 ? 1 : 0);
    } finally {
      const ended = servers.map((server) => once(server, 'close'));
      for (const server of servers) server.kill('SIGTERM');
      await Promise.all(ended);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

/** The processes that run now and that this user may look into. */
async function commands(): Promise<{ pid: string; command: string; environment: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  return Promise.all(
    pids.map(async (pid) => ({
      pid,
      command: await read(pid, 'cmdline'),
      environment: (await read(pid, 'environ')).replaceAll('\0', '\n'),
    })),
  );
}
