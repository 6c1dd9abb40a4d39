import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { weekdays } from '#database/page-values.ts';
import { refuseOrders, takeOrders } from '#testing/full-disk.ts';
import { keepData } from '#testing/personal-data.ts';
import { connectTo, onDatabaseOf, putShopBack } from '#testing/shop-database.ts';
import { startServer, waitUntil } from '#testing/shop-server.ts';

export const admin = { email: 'owner@example.com', password: 'a long enough secret' };

/** A running shop: the real server on its embedded database, always open, so that tests run at any hour. */
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
  /**
   * Stops the server, by a crash or in good order, and starts it again on the same folder and port, with more settings.
   */
  restart(signal?: NodeJS.Signals, settings?: Record<string, string>): Promise<void>;
  /** Moves the server's clock forward by this many minutes. A restart resets it. */
  wait(minutes: number): Promise<void>;
  /** Sets the server's clock this many minutes ahead of the right time, or behind it, as a bad time server would. */
  setClock(minutes: number): Promise<void>;
  /** Delays the answers of the sandbox provider until the returned function is called. */
  holdPayments(): Promise<() => Promise<void>>;
  /** Makes the database refuse every order, as with a full disk, until the returned function is called. */
  fillDisk(): Promise<() => Promise<void>>;
  /** Resets a shop that began as the template to that state, except for its version, without stopping its server. */
  reset(): Promise<void>;
  /** The server's process. */
  processId(): number;
  /** What the server has printed on its console. */
  printed(): string;
  /** Stops the server and keeps its data folder. */
  close(): Promise<void>;
  /** Stops the server and removes its data folder. */
  stop(): Promise<void>;
}

/** A demo shop that was opened before: its data folder, and its owner's sign-in. */
interface Template {
  dataDir: string;
  storeId: string;
  adminToken: string;
}
const templateVariable = 'HATCH_SHOP_TEMPLATE';

/**
 * Opens a demo shop once and closes it, as the template of all shops that this process and its children open: they
 * begin with a copy of its data folder. Returns a function that removes the folder.
 */
export async function prepareShops(): Promise<() => Promise<void>> {
  const shop = await openShop();
  await onDatabaseOf(shop.dataDir, async (client) => {
    // Journeys let days pass, and the owner of the office must not be signed out by them, nor asked who they are.
    await client.query(`update sign_ins set last_used_at = '2100-01-01', proven_at = '2100-01-01'`);
    await keepData(client);
  });
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

/**
 * Opens a shop with these settings, which may depend on its own address, and the owner's account: the demo shop, or an
 * empty one with `--empty` among `args`. `flags` are Node's.
 */
export async function openShop(
  environment: Record<string, string> | ((url: string) => Record<string, string>) = {},
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<Shop> {
  const prepared = readTemplate();
  if (!prepared) buildPages();
  const template = args.includes('--empty') ? null : prepared;
  const dataDir = await mkdtemp(join(tmpdir(), 'hatch-e2e-'));
  if (template) await cp(template.dataDir, dataDir, { recursive: true });
  const server = await startServer(
    (url) => ({
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      LOG_LEVEL: 'warn',
      ...(typeof environment === 'function' ? environment(url) : environment),
    }),
    args,
    flags,
  );
  const { url } = server;
  const api = callsTo(url);
  const { storeId, adminToken } = template ?? (await openRoundTheClock(api));
  let resets = 0;
  return {
    url,
    dataDir,
    storeId,
    adminToken,
    api,
    restart: server.restart,
    wait: server.wait,
    setClock: server.setClock,
    async reset() {
      // The clock is reset before the data, because sweeps of another day would change the data again.
      await server.putClockRight();
      // A different version each time, which shows that the server has read the reset data.
      resets += 1;
      const version = await putShopBack(dataDir, storeId, resets * 1_000);
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
    processId: server.processId,
    printed: server.printed,
    close: () => server.end('SIGTERM'),
    async stop() {
      await server.end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Calls to the API of a shop. */
export function callsTo(url: string): Shop['api'] {
  return async (method, path, body, token) => {
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
}

/** Builds the pages, unless they are built from the same sources. */
export function buildPages(): void {
  const built = spawnSync(process.execPath, ['scripts/build.ts', '--if-needed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) throw new Error('The pages could not be built.');
}

/** Signs the owner in, and opens the first store, if there is one, the whole week and for any number of orders. */
export async function openRoundTheClock(api: Shop['api']): Promise<Pick<Template, 'storeId' | 'adminToken'>> {
  const { status, body: signedIn } = await api('POST', '/v1/auth/login', admin);
  const adminToken = String(signedIn['token']);
  const { body: stores } = await api('GET', '/v1/stores');
  const [store] = stores['data'] as { id: string }[];
  // A shop that is not set up yet has neither a store nor an owner.
  if (store && status !== 200)
    throw new Error(`The demo's owner cannot sign in: ${status} ${JSON.stringify(signedIn)}`);
  const storeId = store?.id ?? '';
  if (storeId) {
    const roundTheClock = weekdays.map((day) => ({ day, open: '05:00', close: '05:00' }));
    // Tests order as one person, from one address.
    const unlimited = { max_open_orders_per_person: null, max_orders_per_address_hour: null };
    const change = { operational_hours: roundTheClock, last_order_minutes: 0, ...unlimited };
    const changed = await api('PATCH', `/v1/stores/${storeId}`, change, adminToken);
    if (changed.status !== 200) throw new Error(`The shop was not opened: ${changed.status}`);
  }
  return { storeId, adminToken };
}
