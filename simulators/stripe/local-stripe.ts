import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerCall, createDesk, type Desk, type Outcome } from './api/answer-call.ts';
import { createFaults } from './api/faults.ts';
import { createKeys } from './api/keys.ts';
import { faultsOfAnswer } from './api/validation.ts';
import { answerPage } from './checkout/page-calls.ts';
import { expireSessions } from './checkout/sessions.ts';
import { answerControl } from './control-calls.ts';
import { type Control, createControl } from './control.ts';
import { lapseHolds } from './objects/capture.ts';
import { settleMovements } from './objects/ledger.ts';
import { runPayouts } from './objects/payouts.ts';
import { settleRefunds } from './objects/refunds.ts';
import { createWebhooks } from './webhooks/deliveries.ts';
import { createWorld, seconds, type World } from './world.ts';

export interface LocalStripe {
  /** Such as `http://127.0.0.1:12111`. */
  origin: string;
  host: string;
  port: number;
  /** A secret key of the first account, in test mode. */
  secretKey: string;
  control: Control;
  close(): Promise<void>;
}

export interface LocalStripeOptions {
  /** Any free port if left out. */
  port?: number;
  /** One that listens on this machine already, and goes on when the local Stripe closes. */
  server?: Server;
  /** The time, in milliseconds since 1970; `control.advance` adds to it. The machine's if left out. */
  now?: () => number;
  /** Makes the ids the same in every run; they differ if left out. */
  seed?: string;
}

/**
 * Starts a Stripe on this machine: the calls of the API that a shop with hosted Checkout makes, the page where
 * customers pay, and webhooks. It was written from Stripe's documentation and types alone, without the shop's provider,
 * so that the two do not share a mistake. `README.md` shows how to use it.
 */
export async function startLocalStripe(options: LocalStripeOptions = {}): Promise<LocalStripe> {
  const host = '127.0.0.1';
  const { now = Date.now } = options;
  let ahead = 0;
  const world = createWorld({ origin: '', now: () => now() + ahead, seed: options.seed });
  const faults = createFaults();
  const keys = createKeys(world);
  const webhooks = createWebhooks(world);
  let ticked = 0;
  const tick = () => {
    ticked = seconds(world);
    letTimePass(world);
    webhooks.sendDue();
  };
  // Nothing is due more exactly than to a second, and looking through everything takes time.
  const follow = () => {
    if (seconds(world) !== ticked) tick();
  };
  const desk = createDesk(world, keys, faults, follow);
  world.published = (books, event) => {
    for (const problem of faultsOfAnswer(event)) {
      desk.violations.push({ request: event.type, where: 'event', problem });
    }
    webhooks.publish(books, event);
  };
  const control = createControl(desk, webhooks, {
    tick,
    move(milliseconds) {
      ahead += milliseconds;
    },
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    void answer(desk, control, request, response);
  };
  const server = options.server ?? (await listen(createServer(), options.port ?? 0, host));
  server.on('request', onRequest);
  // The server listens on a port.
  const { port } = server.address() as AddressInfo;
  world.origin = `http://${host}:${port}`;
  return {
    origin: world.origin,
    host,
    port,
    secretKey: keys.create(),
    control,
    async close() {
      server.off('request', onRequest);
      const closed = options.server ? null : new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await webhooks.close();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** Lets everything happen that is due by the clock. */
function letTimePass(world: World): void {
  for (const books of world.books.values()) {
    expireSessions(world, books);
    lapseHolds(world, books);
    settleRefunds(world, books);
    settleMovements(world, books);
    runPayouts(world, books);
  }
}

async function answer(desk: Desk, control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  try {
    const body = await readBody(request);
    if (path.startsWith('/__control/')) {
      const { status, body: result } = await answerControl(control, request.method ?? '', path, body);
      sendJson(response, status, result, {});
      return;
    }
    if (!path.startsWith('/v1/')) {
      desk.followClock();
      const page = answerPage(desk.world, request.method ?? '', path, new URLSearchParams(body));
      response.writeHead(page?.status ?? 404, {
        'content-type': 'text/html; charset=utf-8',
        ...(page?.to !== undefined && { location: page.to }),
      });
      response.end(page?.html ?? '');
      return;
    }
    await send(response, await answerCall(desk, request, body));
  } catch (error) {
    // The local Stripe itself is wrong: tests must see it.
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    desk.violations.push({ request: `${request.method} ${path}`, where: 'answer', problem });
    if (!response.headersSent) sendJson(response, 500, { error: { type: 'api_error', message: problem } }, {});
  }
}

async function send(response: ServerResponse, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'reset') response.socket?.resetAndDestroy();
  if (outcome.kind !== 'answer') return;
  await outcome.after;
  sendJson(response, outcome.answer.status, outcome.answer.body, outcome.answer.headers);
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body, null, 2));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
