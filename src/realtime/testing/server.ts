import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket } from 'ws';
import { boardChannels } from '#kitchen/channels.ts';
import { orderChannelRules } from '#ordering/channels.ts';
import { createClientAddressReader } from '#platform/server/client-address.ts';
import { makeChannelTable } from '#realtime/channels.ts';
import { createInProcessBus } from '#realtime/server/open-bus.ts';
import type { RealtimeLog } from '#realtime/server/log.ts';
import { createRealtimeServer, type RealtimeServer, type RealtimeOptions } from '#realtime/server/realtime.ts';
import { STORES_CHANNEL } from '#store/channels.ts';

export const APP = { appId: '1', key: 'hatch-key', secret: '7ad3773142a6692b25b8' };

/** Timers short enough for tests; everything else as in production. */
export const FAST = {
  sweepEvery: 20,
  closeSpread: 0,
  closeTimeout: 200,
  beatEvery: 40,
  peerTimeout: 1500,
  askTimeout: 300,
};

/** The channels of the product, which have rules of every kind. */
const someChannels = makeChannelTable([...orderChannelRules, ...boardChannels], [STORES_CHANNEL]);

export const silentLog: RealtimeLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export interface TestServer {
  realtime: RealtimeServer;
  http: Server;
  port: number;
  /** Each call of the authorisation endpoint, by bearer token and channel. */
  authCalls: { token: string | null; channel: string }[];
  /** The only tokens that are accepted, if set; a token is also its user's id. */
  tokens: Set<string> | null;
  stop(): Promise<void>;
  /** As if the process died: every connection is cut without a close frame. */
  crash(): void;
}

/** A plain HTTP server with the protocol's three endpoints: the socket, the authorisation, and the server API. */
export async function startTestServer(options: Partial<RealtimeOptions> = {}, port = 0): Promise<TestServer> {
  const bus = options.bus ?? createInProcessBus();
  const limits = { ...FAST, ...options.limits };
  const realtime = createRealtimeServer({
    ...APP,
    channels: someChannels,
    clients: createClientAddressReader(),
    log: silentLog,
    ...options,
    bus,
    limits,
  });
  const http = createServer((request, response) => {
    answer(server, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const open = new Set<Socket>();
  http.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  realtime.attach(http);
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  const server: TestServer = {
    realtime,
    http,
    port: (http.address() as AddressInfo).port,
    authCalls: [],
    tokens: null,
    async stop() {
      await realtime.close();
      http.closeAllConnections();
      http.close();
    },
    crash() {
      for (const socket of open) socket.destroy();
      http.close();
    },
  };
  return server;
}

async function answer(server: TestServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const rawBody = Buffer.concat(chunks);
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  if (url.pathname.startsWith('/apps/')) {
    const query = Object.fromEntries(url.searchParams);
    const { status, body } = await server.realtime.handleServerApi({
      method: request.method ?? '',
      path: url.pathname,
      query,
      rawBody,
    });
    return void send(status, body);
  }
  const form = new URLSearchParams(rawBody.toString());
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
  const socketId = form.get('socket_id') ?? '';
  if (url.pathname.endsWith('/user-auth')) {
    const userData = JSON.stringify({ id: token });
    return void send(200, { auth: server.realtime.signUser(socketId, userData), user_data: userData });
  }
  const channel = form.get('channel_name') ?? '';
  server.authCalls.push({ token, channel });
  if (token === null || (server.tokens && !server.tokens.has(token))) return void send(403, { message: 'Forbidden.' });
  const member = JSON.stringify({
    user_id: token,
    user_info: { name: token.toUpperCase() },
    signed_in_by: `sign-in ${token}`,
  });
  const channelData = channel.startsWith('presence-') ? member : undefined;
  send(200, { auth: server.realtime.sign(socketId, channel, channelData), channel_data: channelData });
}

/** A client that speaks the protocol directly. `received` keeps every event with its data decoded. */
export interface RawClient {
  socket: WebSocket;
  socketId: string;
  received: ReceivedEvent[];
  send(event: string, data?: unknown, channel?: string): void;
  /** Waits for the next event with that name; an event received earlier counts once. */
  next(event: string): Promise<ReceivedEvent>;
  closed: Promise<{ code: number; reason: string }>;
}

export interface ReceivedEvent {
  event: string;
  channel?: string;
  user_id?: string;
  data: unknown;
}

export function socketUrl(
  port: number,
  path = `/app/${APP.key}?protocol=7&client=js&version=8.6.0&flash=false`,
): string {
  return `ws://127.0.0.1:${port}${path}`;
}

interface RawOptions {
  origin?: string;
  autoPong?: boolean;
  headers?: Record<string, string>;
}

export function openRaw(url: string, options: RawOptions = {}): RawClient {
  const socket = new WebSocket(url, { ...options, perMessageDeflate: false });
  const client: RawClient = {
    socket,
    socketId: '',
    received: [],
    send: (event, data, channel) => socket.send(JSON.stringify({ event, data, channel })),
    async next(event) {
      const deadline = Date.now() + 3000;
      while (Date.now() < deadline) {
        const index = client.received.findIndex((it) => it.event === event);
        const [found] = index < 0 ? [] : client.received.splice(index, 1);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error(`${event} did not come; got ${JSON.stringify(client.received)}`);
    },
    closed: new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    }),
  };
  socket.on('error', ignore);
  socket.on('message', (bytes) => {
    const frame = JSON.parse(String(bytes)) as ReceivedEvent;
    client.received.push({ ...frame, data: JSON.parse(String(frame.data)) });
  });
  return client;
}

/** Opens a client and waits for the server's greeting. */
export async function connectRaw(port: number, options: RawOptions = {}): Promise<RawClient> {
  const client = openRaw(socketUrl(port), options);
  const greeting = await client.next('pusher:connection_established');
  client.socketId = (greeting.data as { socket_id: string }).socket_id;
  return client;
}

/** Subscribes by hand as the given user, and waits for the answer. */
export async function subscribeRaw(
  server: TestServer,
  client: RawClient,
  channel: string,
  userId?: string,
): Promise<ReceivedEvent> {
  const channelData =
    userId === undefined ? undefined : JSON.stringify({ user_id: userId, user_info: { name: userId } });
  const auth = server.realtime.sign(client.socketId, channel, channelData);
  client.send('pusher:subscribe', { channel, auth, channel_data: channelData });
  return client.next('pusher_internal:subscription_succeeded');
}

/** Long enough for everything on the way to arrive on this machine. */
export function settle(milliseconds = 60): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

function ignore(): void {}
