import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '#config.ts';
import { demoShop } from '#demo/demo-shop.ts';
import { refuseUnknownStore, withStoreId } from '#store/server/named-store.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

test('SIGTERM to `npm start` ends the shop and its database with it', { timeout: 120_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hatch-start-'));
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    await vi.waitFor(() => expect(said).toContain('The shop is open at'), { timeout: 60_000, interval: 100 });
    const own = async () => (await commands()).filter(({ environment }) => environment.includes(`DATA_DIR=${dataDir}`));
    expect((await own()).some(({ command }) => command.includes('src/server.ts'))).toBe(true);
    const [pid] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n');
    const ended = once(npm, 'exit');
    // To npm alone, as a supervisor does that knows no other process.
    process.kill(npm.pid ?? 0, 'SIGTERM');
    await ended;
    await vi.waitFor(async () => expect(await own()).toEqual([]), { timeout: 60_000, interval: 100 });
    // One that has ended and that nobody has asked about has no command line any more.
    expect((await commands()).filter((one) => one.pid === pid && one.command !== '')).toEqual([]);
  } finally {
    npm.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('STORE_NAME', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('template1');
  });
  afterAll(() => database.drop());

  const start = async (storeName: string, ...args: string[]) => {
    const { host = '', port, user, password } = database.config;
    const login = `${user}:${encodeURIComponent(String(password ?? ''))}`;
    const server = spawn(process.execPath, ['src/server.ts', ...args], {
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: join(tmpdir(), `hatch-none-${process.pid}`),
        DATABASE_URL: `postgres://${login}@${encodeURIComponent(host)}:${port}/${database.config.database}`,
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
    await expect(refuseUnknownStore(db, wanted, demoShop.store)).resolves.toBeUndefined();
    await drop();
  });

  test('means the same shop while the server runs, whatever it is called by then', async () => {
    const { db, drop } = await createTestDatabase();
    const { storeId } = await seedSmallShop(db, { name: 'Nonna’s' });
    await seedSmallShop(db, { name: 'Another' });
    const config = readConfig({ STORE_NAME: 'nonna’s' });
    expect((await withStoreId(db, config)).STORE_NAME).toBe(storeId);
    await drop();
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
