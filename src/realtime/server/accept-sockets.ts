import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ClientAddressReader, callerNetwork } from '#platform/server/client-address.ts';
import type { ChannelTable } from '#realtime/channels.ts';
import { ClientSocket, type RealtimeLimits } from '#realtime/server/connection.ts';
import type { Hub } from '#realtime/server/hub.ts';
import type { RealtimeLog } from '#realtime/server/log.ts';
import { CLOSE_CODES, encodeError, PROTOCOL_VERSIONS } from '#realtime/server/protocol.ts';
import type { SocketSessions } from '#realtime/server/socket-sessions.ts';
import { setTimeout as wait } from 'node:timers/promises';

export interface SocketAcceptorOptions {
  key: string;
  allowedOrigins?: readonly string[];
  clients: ClientAddressReader;
  limits: RealtimeLimits;
  log: RealtimeLog;
  hub: Hub;
  channels: ChannelTable;
  sessions: SocketSessions;
}

export interface SocketAcceptor {
  attach(server: Server): void;
  /** The number of sockets that are not closed yet, including refused ones. */
  socketCount(): number;
  droppedCount(): number;
  close(): Promise<void>;
}

/** The maximum number of refused sockets that are still closing; above it, upgrades are refused without a handshake. */
const MAX_LINGERING = 1000;

export function createSocketAcceptor(options: SocketAcceptorOptions): SocketAcceptor {
  const { key, limits, log, hub, channels, sessions, clients, allowedOrigins = [] } = options;
  const servers = new Set<{ server: Server; onUpgrade: UpgradeListener }>();
  // The published types lack `closeTimeout`.
  const settings = { noServer: true, maxPayload: limits.maxFrameBytes, closeTimeout: limits.closeTimeout };
  const sockets = new WebSocketServer({ ...settings, perMessageDeflate: false });
  let dropped = 0;
  let isClosing = false;

  function receiveUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = readUrl(request);
    if (!url || !isProtocolPath(url.pathname)) {
      // If the server has no other listener, nobody else would answer this upgrade, and the socket would hang.
      if (server.listenerCount('upgrade') === 1) answerUpgrade(socket, 404, 'Not Found');
      return;
    }
    const isFull = sockets.clients.size - hub.connections.size >= MAX_LINGERING;
    if (isFull) return answerUpgrade(socket, 503, 'Service Unavailable');
    const address = callerNetwork(clients.addressOf(request));
    const refusal = findRefusal(request, url, address);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      if (refusal) refuse(webSocket, refusal);
      else admit(webSocket, address);
    });
  }

  function findRefusal(request: IncomingMessage, url: URL, address: string): Refusal | null {
    const fault = checkUrl(url, key);
    if (fault) return fault;
    if (!isOriginAllowed(request, allowedOrigins)) {
      log.warn({ origin: request.headers.origin }, 'a page of another origin tried to connect; see ALLOWED_ORIGINS');
      return { code: CLOSE_CODES.unauthorized, reason: 'Origin not allowed' };
    }
    // The handshake succeeds although the server is closing, because pusher-js reconnects one second after this
    // close code. If the handshake failed, pusher-js would wait 15 s or more.
    if (isClosing) return { code: CLOSE_CODES.overCapacity, reason: 'Closing' };
    const { maxConnectionsPerAddress, maxConnectionsPerStranger } = limits;
    const most = clients.isBehindUnknownProxy(request) ? maxConnectionsPerStranger : maxConnectionsPerAddress;
    const isCrowded = hub.addressCount(address) >= most;
    if (isCrowded || hub.connections.size >= limits.maxConnections) {
      log.info({ client: address }, 'a socket was refused by a limit');
      return { code: CLOSE_CODES.overCapacity, reason: 'Over capacity' };
    }
    return null;
  }

  function admit(webSocket: WebSocket, address: string): void {
    const connection = new ClientSocket(webSocket, address, limits, performance.now(), () => (dropped += 1));
    const hear = () => connection.hear(performance.now());
    webSocket.on('ping', hear);
    webSocket.on('pong', hear);
    webSocket.on('error', (error) => log.debug({ err: error, socket: connection.id }, 'a client broke the protocol'));
    webSocket.on('close', () => sessions.closed(connection));
    webSocket.on('message', (bytes, isBinary) => {
      if (isBinary) webSocket.close(1003, 'Text only');
      else if (webSocket.readyState === webSocket.OPEN) sessions.receive(connection, String(bytes), performance.now());
    });
    connection.isOnTrial = hub.connections.size >= limits.maxConnections - limits.placesForStaff;
    sessions.open(connection);
  }

  return {
    attach(server) {
      const onUpgrade: UpgradeListener = (request, socket, head) => receiveUpgrade(server, request, socket, head);
      server.on('upgrade', onUpgrade);
      servers.add({ server, onUpgrade });
    },
    socketCount: () => sockets.clients.size,
    droppedCount: () => dropped,
    async close() {
      isClosing = true;
      await closeSocketsGradually(channels, [...hub.connections.values()], CLOSE_CODES.reconnect, limits.closeSpread);
      await Promise.all([...sockets.clients].map(waitUntilGone));
      for (const { server, onUpgrade } of servers) server.off('upgrade', onUpgrade);
      servers.clear();
      sockets.close();
    },
  };
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

function refuse(webSocket: WebSocket, { code, reason }: Refusal): void {
  webSocket.on('error', ignore);
  // Both an event and a close code are sent, because some client libraries read only one of them.
  webSocket.send(encodeError(reason, code));
  webSocket.close(code, reason);
}

function answerUpgrade(socket: Duplex, status: number, phrase: string): void {
  socket.on('error', ignore);
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${phrase.length}\r\n\r\n${phrase}`,
  );
}

function waitUntilGone(webSocket: WebSocket): Promise<void> {
  if (webSocket.readyState === webSocket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => void webSocket.once('close', () => resolve()));
}

function ignore(): void {}

/**
 * A refused socket is closed with this code and reason after a successful handshake, because pages cannot read the HTTP
 * status of a failed handshake.
 */
interface Refusal {
  code: number;
  reason: string;
}

/** The URL of an upgrade request; null: invalid. */
function readUrl(request: IncomingMessage): URL | null {
  return URL.parse(request.url ?? '', 'http://localhost');
}

/** Whether the path is `/app` or below it. Upgrades of other paths are left to the server's other listeners. */
function isProtocolPath(pathname: string): boolean {
  return pathname === '/app' || pathname.startsWith('/app/');
}

/** The refusal of a wrong path, key or version (codes 4001, 4005–4008); null: all are valid. */
function checkUrl(url: URL, key: string): Refusal | null {
  const wanted = /^\/app\/([^/]+)$/.exec(url.pathname)?.[1];
  if (wanted === undefined) return { code: CLOSE_CODES.pathNotFound, reason: 'Path not found' };
  if (wanted !== key) return { code: CLOSE_CODES.unknownKey, reason: 'Application does not exist' };

  const version = url.searchParams.get('protocol');
  if (version === null) return { code: CLOSE_CODES.missingVersion, reason: 'No protocol version supplied' };
  if (!/^\d+$/.test(version)) return { code: CLOSE_CODES.invalidVersion, reason: 'Invalid version string format' };
  if (PROTOCOL_VERSIONS.includes(Number(version))) return null;
  return { code: CLOSE_CODES.unsupportedVersion, reason: 'Unsupported protocol version' };
}

/**
 * Whether the page that requests an upgrade may connect. Browsers send the page's origin; clients without an origin are
 * accepted. Accepted origins are the host's own and the listed ones (`https://shop.example`); `*` accepts all.
 */
function isOriginAllowed(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return true;
  return URL.parse(origin)?.host === host;
}

const STEP_MS = 50;

/**
 * Closes all sockets, because the server stops or has missed events: first those with a `closesFirst` channel, then the
 * others in random order. Closing takes `spread` milliseconds, because simultaneous reconnects would overload the
 * server.
 */
export async function closeSocketsGradually(
  table: ChannelTable,
  connections: ClientSocket[],
  code: number,
  spread: number,
): Promise<void> {
  const isFirst = ({ channels }: ClientSocket) =>
    [...channels.keys()].some((channel) => table.find(channel)?.rule.closesFirst);
  const steps = Math.max(1, Math.floor(spread / STEP_MS));
  const perStep = Math.ceil(connections.length / steps);
  const shuffled = connections
    .map((connection) => ({ connection, rank: isFirst(connection) ? -1 : Math.random() }))
    .sort((a, b) => a.rank - b.rank);
  for (let from = 0; from < shuffled.length; from += perStep) {
    if (from > 0) await wait(STEP_MS);
    for (const { connection } of shuffled.slice(from, from + perStep)) connection.socket.close(code, 'Reconnect');
  }
}
