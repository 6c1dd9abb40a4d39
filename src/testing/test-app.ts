import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import type { NewUser } from '#accounts/server/users.ts';
import { createApp, type App, type AppOptions } from '#app.ts';
import { readConfig } from '#config.ts';
import { contract } from '#contract.ts';
import type { Endpoints } from '#platform/http/endpoint.ts';
import { logOptions } from '#platform/server/log.ts';
import { startServerParts, type RunningParts } from '#platform/server/parts.ts';
import type { ErrorCode } from '#platform/errors.ts';
import { errorCodesOf, successStatusesOf } from '#platform/http/openapi.ts';
import { saturdayEvening, seedSmallShop, type SmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { addUser } from '#testing/users.ts';

export interface Response {
  status: number;
  headers: Headers;
  /** The parsed body; each test knows its type. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a body can be anything that the server sends
  body: any;
}

export interface TestApp extends App, RunningParts {
  url: string;
  database: TestDatabase;
  shop: SmallShop;
  /** `uptime`: the machine's own time in milliseconds; if left out, it follows the clock. */
  clock: { now: Date; uptime?: number };
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** A new user's bearer token. */
  signIn(role: NewUser['role'], storeIds?: string[]): Promise<string>;
  /** A valid cash order of one large pizza, for collection. */
  orderBody(change?: Record<string, unknown>): Record<string, unknown>;
  close(): Promise<void>;
}

export interface RequestOptions {
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
}

/** The optional parts of the application. */
type Choice = Partial<Pick<AppOptions, 'instances' | 'servePages' | 'transports'>>;

/** The whole application on a database of its own, listening on a free port, with a clock that tests move. */
export async function startTestApp(
  store: Record<string, unknown> = {},
  environment: Record<string, string> = {},
  onLogLine?: (line: string) => void,
  choice?: Choice,
): Promise<TestApp> {
  const database = await createTestDatabase();
  const shop = await seedSmallShop(database.db, store);
  return startAppOn(database, shop, environment, onLogLine, choice);
}

/** Starts the application on an existing database with its shop. Closing drops the database. */
export async function startAppOn(
  database: TestDatabase,
  shop: SmallShop,
  environment: Record<string, string> = {},
  onLogLine?: (line: string) => void,
  choice: Choice = {},
): Promise<TestApp> {
  const clock: TestApp['clock'] = { now: saturdayEvening };
  const log = onLogLine
    ? pino(logOptions('info'), { write: onLogLine })
    : pino({ level: process.env['TEST_LOG'] ?? 'fatal' });
  const dataDir = await mkdtemp(join(tmpdir(), 'hatch-app-'));
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, ...environment });
  const machine = { name: 'test', boot: 'test', uptime: () => clock.uptime ?? clock.now.getTime() };
  const options = {
    config,
    db: database.db,
    database: database.config,
    log,
    now: () => clock.now,
    machine,
    ...choice,
  };
  const app = await startServerParts(log, (parts) => createApp(options, parts));
  const undeclared = watchRefusals(app);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });

  return {
    ...app,
    url,
    database,
    shop,
    clock,
    request: (method, path, options = {}) => send(url, method, path, options),
    async signIn(role, storeIds) {
      const user = await addUser(database.db, role, storeIds);
      const token = await createSignIn(database.db, user.id, 'test', clock.now);
      // Tests move the clock by days.
      const always = new Date('2100-01-01T00:00:00Z');
      const kept = { last_used_at: always, proven_at: always };
      await database.db.updateTable('sign_ins').set(kept).where('user_id', '=', user.id).execute();
      return token;
    },
    orderBody: (change = {}) => ({
      store_id: shop.storeId,
      session: randomUUID(),
      fulfilment_type: 'collection',
      requested_for: null,
      contact: { name: 'Ada Byron', phone: '07700 900123', email: 'ada@example.com' },
      payment_method: 'cash',
      lines: [
        {
          item_id: shop.pizza,
          quantity: 1,
          options: [{ option_group_id: shop.size.group, option_id: shop.size.large, quantity: 1 }],
        },
      ],
      ...change,
    }),
    async close() {
      const late = await app.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      if (late.length > 0) throw new Error(`Did not stop in time: ${late.join(', ')}`);
      if (undeclared.size > 0) {
        throw new Error(`Answers that the contract does not list (errors, also): ${[...undeclared].join(', ')}`);
      }
    },
  };
}

/** Collects every answer that its call does not declare, so that no test overlooks one. */
function watchRefusals({ http }: App): Set<string> {
  const undeclared = new Set<string>();
  http.addHook('onSend', async (request, reply, payload) => {
    const path = (request.routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}');
    const key = `${request.method} ${path}` as const;
    const endpoint = (contract as Endpoints)[key as keyof Endpoints];
    const { statusCode: status } = reply;
    if (!endpoint || status === 304) return;
    const isPublic = endpoint.access === 'guest' && request.method === 'GET';
    if (!isPublic && reply.getHeader('cache-control') !== 'no-store') undeclared.add(`${key}: may be stored`);
    if (status < 400) {
      if (!successStatusesOf(endpoint).includes(status)) undeclared.add(`${key}: ${status}`);
    } else if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      const { code } = JSON.parse(textOf(payload, reply.getHeader('content-encoding'))) as { code: ErrorCode };
      // The router matched another call's address to this route.
      if (code === 'method_not_allowed') return;
      if (!errorCodesOf(key as keyof Endpoints, endpoint).has(code)) undeclared.add(`${key}: ${code}`);
    }
  });
  return undeclared;
}

/** By now the body is compressed if it is long. */
function textOf(payload: string | Buffer, encoding: unknown): string {
  if (typeof payload === 'string') return payload;
  const bytes = encoding === 'br' ? brotliDecompressSync(payload) : encoding === 'gzip' ? gunzipSync(payload) : payload;
  return bytes.toString();
}

async function send(
  url: string,
  method: string,
  path: string,
  { body, token, headers }: RequestOptions,
): Promise<Response> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
