import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { weekdays } from '#store/weekdays.ts';
import { refuseOrders, takeOrders } from '#testing/full-disk.ts';
import { keepData, putBack } from '#testing/kept-data.ts';

export const admin = { email: 'owner@example.com', password: 'a long enough secret' };

/** A running shop: the real server on its embedded database, opened round the clock so that tests run at any hour. */
export interface Shop {
  url: string;
  dataDir: string;
  storeId: string;
  adminToken: string;
  api(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Stops the server as a crash would, or in good order, and starts it again on the same folder and port. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** Moves the server's clock on by so many minutes. A restart puts it right again. */
  wait(minutes: number): Promise<void>;
  /** Sets the server's clock ahead of the right time by so many minutes, or behind it, as a bad time server would. */
  setClock(minutes: number): Promise<void>;
  /** Keeps the sandbox provider from answering, as a slow one would, until the answer is called. */
  holdPayments(): Promise<() => Promise<void>>;
  /** Has the database refuse every order as it does when its disk is full, until the answer is called. */
  fillDisk(): Promise<() => Promise<void>>;
  /** Makes a shop that began with the template what it was then, but for its version, without stopping its server. */
  reset(): Promise<void>;
  /** The server's process. */
  processId(): number;
  /** Stops the server and keeps its data folder. */
  close(): Promise<void>;
  /** Stops the server and removes its data folder. */
  stop(): Promise<void>;
}

/** A demo shop that was open before: what it wrote, and its owner's sign-in. */
interface Template {
  dataDir: string;
  storeId: string;
  adminToken: string;
}
const templateVariable = 'HATCH_SHOP_TEMPLATE';

/**
 * Opens a demo shop once, and closes it, for all that this process and those it starts will open: they begin with a copy
 * of its data folder. Answers what removes it.
 */
export async function prepareShops(): Promise<() => Promise<void>> {
  const shop = await openShop();
  await onDatabaseOf(shop.dataDir, keepData);
  await shop.close();
  const { dataDir, storeId, adminToken } = shop;
  process.env[templateVariable] = JSON.stringify({ dataDir, storeId, adminToken } satisfies Template);
  return () => rm(dataDir, { recursive: true, force: true });
}

function readTemplate(): Template | null {
  const text = process.env[templateVariable];
  // Written by prepareShops.
  return text ? (JSON.parse(text) as Template) : null;
}

/** Opens a shop with these settings, and the owner's account: the demo's, or an empty one for the argument `--empty`. */
export async function openShop(environment: Record<string, string> = {}, args: string[] = []): Promise<Shop> {
  const prepared = readTemplate();
  if (!prepared) buildPages();
  const template = args.includes('--empty') ? null : prepared;
  const dataDir = await mkdtemp(join(tmpdir(), 'hatch-e2e-'));
  if (template) await cp(template.dataDir, dataDir, { recursive: true });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'warn',
    ...environment,
  };
  let passed = 0;
  let jumped = 0;
  let resets = 0;
  const start = async (): Promise<ChildProcess> => {
    passed = 0;
    jumped = 0;
    const child = spawn(process.execPath, ['--import', './src/testing/moved-clock.ts', 'src/server.ts', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await waitForHealth(url, child);
    return child;
  };
  const api: Shop['api'] = async (method, path, body, token) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} };
  };
  let child = await start();
  const { storeId, adminToken } = template ?? (await openRoundTheClock(api));
  const kill = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  const setClock = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('message', () => resolve());
      child.send({ ahead: passed + jumped, passed });
    });
  return {
    url,
    dataDir,
    storeId,
    adminToken,
    api,
    async restart(signal = 'SIGTERM') {
      await kill(signal);
      child = await start();
    },
    wait(minutes) {
      passed += minutes * 60_000;
      return setClock();
    },
    setClock(minutes) {
      jumped = minutes * 60_000;
      return setClock();
    },
    async reset() {
      // Before the data is what it was: sweeps of another day would be at it.
      const isMoved = passed > 0 || jumped !== 0;
      passed = 0;
      jumped = 0;
      if (isMoved) await setClock();
      let version = 0;
      // A number of its own for each time, by which the server is seen to have heard of it.
      resets += 1;
      await onDatabaseOf(dataDir, (client) =>
        putBack(client, async () => {
          const { rows } = await client.query<{ version: number }>(
            'update stores set version = version + $2 where id = $1 returning version',
            [storeId, resets * 1_000],
          );
          version = rows[0]?.version ?? 0;
          // As patient with a shop without a board as a server that has just been started.
          await client.query(
            `insert into board_watches (store_id, seen_at) values ($1, now())
             on conflict (store_id) do update set seen_at = now(), lost_at = null`,
            [storeId],
          );
        }),
      );
      for (const folder of ['mail', 'uploads']) await rm(join(dataDir, folder), { recursive: true, force: true });
      await waitUntil(`The server did not hear that its shop was put back.`, () =>
        fetch(`${url}/shop/${storeId}-${version}.json`).then(({ ok }) => ok),
      );
    },
    async holdPayments() {
      const client = await connectTo(dataDir);
      await client.query('begin; lock table sandbox_payments in exclusive mode');
      return () => client.end();
    },
    async fillDisk() {
      await onDatabaseOf(dataDir, refuseOrders);
      return () => onDatabaseOf(dataDir, takeOrders);
    },
    processId: () => child.pid ?? 0,
    close: () => kill('SIGTERM'),
    async stop() {
      await kill('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** How another server comes to the embedded database of a data folder. */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres');
  const password = (await readFile(join(folder, 'cluster/hatch-password'), 'utf8')).trim();
  return `postgres://hatch:${password}@localhost/hatch?host=${encodeURIComponent(join(folder, 'sockets'))}`;
}

/** To the embedded database of a shop that runs on this folder. */
async function connectTo(dataDir: string): Promise<Client> {
  const client = new Client({ connectionString: await databaseUrlOf(dataDir) });
  await client.connect();
  return client;
}

/** Runs `work` with a connection of its own to the database of a data folder. */
export async function onDatabaseOf(dataDir: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = await connectTo(dataDir);
  await work(client).finally(() => client.end());
}

function buildPages(): void {
  const built = spawnSync(process.execPath, ['scripts/build.ts', '--if-needed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) throw new Error('The pages could not be built.');
}

/** Signs the owner in, and opens the first store, if there is one, at every hour. */
async function openRoundTheClock(api: Shop['api']): Promise<Pick<Template, 'storeId' | 'adminToken'>> {
  const { body: signedIn } = await api('POST', '/v1/auth/login', admin);
  const adminToken = String(signedIn['token']);
  const { body: stores } = await api('GET', '/v1/stores');
  const [store] = stores['data'] as { id: string }[];
  const storeId = store?.id ?? '';
  if (storeId) {
    const roundTheClock = weekdays.map((day) => ({ day, open: '05:00', close: '05:00' }));
    const change = { operational_hours: roundTheClock, last_order_minutes: 0 };
    await api('PATCH', `/v1/stores/${storeId}`, change, adminToken);
  }
  return { storeId, adminToken };
}

function waitForHealth(url: string, child: ChildProcess): Promise<void> {
  return waitUntil('The server did not become healthy within a minute.', () => {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    return fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
  });
}

/** Asks for a minute at most; then throws `complaint`. */
async function waitUntil(complaint: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 25) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(complaint);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
