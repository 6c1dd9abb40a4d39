import {
  type ConnectionWatch,
  createConnectionWatch,
  type ObservableConnection,
} from '#realtime/web/connection-watch.ts';
import type {
  ChannelAuthorisation,
  ChannelAuthoriser,
  ConnectionState,
  PusherClient,
  PusherConstructor,
} from '#realtime/web/pusher.ts';
import { type ChannelListener, createSubscriptions, type PresentMember } from '#realtime/web/subscriptions.ts';

export interface RealtimeConfig {
  key: string;
  host: string;
  port: number;
  tls: boolean;
  cluster: string;
  authUrl: string;
  /**
   * Whether the page has watched channels. A ping after five seconds of silence then detects a half-open connection
   * within 15 seconds.
   */
  isWatched?: boolean;
}

/** Event handlers by event name. `Events` types each event's data: `{ 'user.renamed': { name: string } }`. */
export type ChannelHandlers<Events> = { [Name in keyof Events]?: (data: Events[Name]) => void };

export interface SubscribeOptions {
  /** Called at each subscription and after missed events, when the page must refetch. */
  onCaughtUp?(): void;
  onMembers?(members: PresentMember[]): void;
}

export interface RealtimeClient {
  /** Listens until the returned function is called. The library is loaded at the first subscription. */
  subscribe<Events>(channel: string, handlers: ChannelHandlers<Events>, options?: SubscribeOptions): () => void;
  listen(channel: string, listener: ChannelListener): () => void;
  /** Sends an event to the other members of a channel; without a connection the event is dropped. */
  tell(channel: string, event: `client-${string}`, data: unknown): void;
  readonly connection: ObservableConnection;
  close(): void;
}

/** The timeouts of pages with watched channels (ms); the longest undetected silence is their sum. */
const watchedTimes = { activityTimeout: 5000, pongTimeout: 10_000 };
const watchedSilence = watchedTimes.activityTimeout + watchedTimes.pongTimeout;

/** The delay before the library's code is requested again (ms). */
const LOAD_AGAIN_MS = 5000;

export function createRealtimeClient(config: RealtimeConfig, page: RealtimePageCallbacks): RealtimeClient {
  const watch = createConnectionWatch();
  const subscriptions = createSubscriptions(watch.changeChannel, page.hearEpoch);
  let pusher: PusherClient | null = null;
  let stopReconnecting: (() => void) | null = null;
  let hasStarted = false;
  let isClosed = false;
  let loadTimer: ReturnType<typeof setTimeout> | undefined;

  function start(): void {
    if (hasStarted) return;
    hasStarted = true;
    watch.start();
    page.whenIdle(() => void load());
  }

  async function load(): Promise<void> {
    try {
      const Pusher = await page.loadPusher();
      if (!isClosed) connect(Pusher);
    } catch {
      if (!isClosed) loadTimer = setTimeout(() => void load(), LOAD_AGAIN_MS);
    }
  }

  function connect(Pusher: PusherConstructor): void {
    const authorise = createAuthoriser(config.authUrl, page, isCurrent);
    const created = new Pusher(config.key, {
      cluster: config.cluster,
      wsHost: config.host,
      wsPort: config.port,
      wssPort: config.port,
      forceTLS: config.tls,
      enabledTransports: ['ws', 'wss'],
      channelAuthorization: { customHandler: authorise },
      ...(config.isWatched && watchedTimes),
    });
    pusher = created;
    created.connection.bind('message', () => watch.hear());
    stopReconnecting = createReconnector(created, watch, page.onReturn, config.isWatched ? watchedSilence : undefined);
    subscriptions.use(created);
  }

  function isCurrent(socketId: string): boolean {
    return pusher?.connection.state === 'connected' && pusher.connection.socket_id === socketId;
  }

  function listen(channel: string, listener: ChannelListener): () => void {
    start();
    return subscriptions.listen(channel, listener);
  }

  return {
    listen,
    subscribe<Events>(channel: string, handlers: ChannelHandlers<Events>, options: SubscribeOptions = {}) {
      // The cast is right: the events are our own server's. Events without a handler are ignored.
      const byName = handlers as Record<string, ((data: unknown) => void) | undefined>;
      return listen(channel, { ...options, onEvent: (event, data) => byName[event]?.(data) });
    },
    tell: (channel, event, data) => subscriptions.tell(channel, event, data),
    connection: watch,
    close() {
      isClosed = true;
      clearTimeout(loadTimer);
      stopReconnecting?.();
      watch.stop();
      subscriptions.stop();
      const open = pusher;
      // The connection is closed by a timer, after the library has left its channels. Otherwise browsers would log an
      // error for each message on the closing socket.
      setTimeout(() => open?.disconnect());
    },
  };
}

/** The timeouts of successive connection attempts (ms). The library's own are 15 s, 30 s and 60 s. */
const ATTEMPT_MS = [4000, 6000, 9000, 13_000, 15_000];
/**
 * The longest silence of a live connection (ms). If the silence is longer when the page becomes visible or online, the
 * connection counts as lost. A message arrives at least every 35 s.
 */
const SILENCE_MS = 75_000;

/**
 * Reports the library's states to `watch`, and reconnects sooner than the library would. After a restart of the server
 * a page has therefore missed less than a minute of events. Returns the stop function.
 */
export function createReconnector(
  pusher: PusherClient,
  watch: ConnectionWatch,
  onReturn: (run: () => void) => () => void,
  longestSilence: number = SILENCE_MS,
): () => void {
  const { connection } = pusher;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRestarting = false;

  function follow(state: ConnectionState): void {
    // The library's state "disconnected" is ignored while this code restarts the connection.
    if (isRestarting) return;
    watch.changeState(state);
    clearTimeout(timer);
    if (state === 'connected') attempts = 0;
    else if (isTrying(state)) timer = setTimeout(restart, nextDelay());
  }

  function nextDelay(): number {
    const delay = ATTEMPT_MS[Math.min(attempts, ATTEMPT_MS.length - 1)] ?? 0;
    attempts += 1;
    // A random factor spreads the attempts, so that pages do not reconnect at the same moment after a server has
    // stopped.
    return delay * (0.75 + Math.random() / 2);
  }

  function restart(): void {
    isRestarting = true;
    pusher.disconnect();
    pusher.connect();
    isRestarting = false;
    follow(connection.state);
  }

  const stopReturning = onReturn(() => {
    const heard = watch.read().lastHeardAt ?? 0;
    const isDead = connection.state === 'connected' && Date.now() - heard > longestSilence;
    if (isDead || isTrying(connection.state)) restart();
  });
  connection.bind('state_change', ({ current }: { current: ConnectionState }) => follow(current));
  follow(connection.state);

  return () => {
    clearTimeout(timer);
    stopReturning();
    isRestarting = true;
  };
}

function isTrying(state: ConnectionState): boolean {
  return state === 'connecting' || state === 'unavailable';
}

const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 30_000;
/**
 * An authorisation is aborted after this time (ms), because on a half-open connection a browser would wait for minutes.
 */
const ANSWER_MS = 5000;

class ChannelRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The channel was refused with status ${status}.`);
    this.name = 'ChannelRefused';
    this.status = status;
  }
}

/**
 * Requests an authorisation with the current token. Temporary errors (network, 429, 5xx) are retried on the same
 * socket. After a refusal the request is repeated only if the token has changed meanwhile.
 */
export function createAuthoriser(
  url: string,
  { readToken, onRefused }: Pick<RealtimePageCallbacks, 'readToken' | 'onRefused'>,
  isCurrent: (socketId: string) => boolean,
): ChannelAuthoriser {
  async function ask(
    token: string | null,
    socketId: string,
    channelName: string,
  ): Promise<ChannelAuthorisation | ChannelRefused | 'later'> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: new URLSearchParams({ socket_id: socketId, channel_name: channelName }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => null);
    if (!response || response.status === 429 || response.status >= 500) return 'later';
    if (response.status !== 200) return new ChannelRefused(response.status);
    // The cast is right: the response is our own server's. A truncated body is requested again.
    return response.json().catch(() => 'later') as Promise<ChannelAuthorisation | 'later'>;
  }

  return async ({ socketId, channelName }, answer) => {
    for (let wait = FIRST_RETRY_MS; isCurrent(socketId); wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      const token = readToken();
      const answered = await ask(token, socketId, channelName);
      if (answered instanceof ChannelRefused) await onRefused();
      if (!isCurrent(socketId)) return;
      if (answered instanceof ChannelRefused) {
        if (readToken() !== token) continue;
        return answer(answered, null);
      }
      if (answered !== 'later') return answer(null, answered);
      await new Promise((resolve) => void setTimeout(resolve, wait));
    }
  };
}

export interface RealtimePageCallbacks {
  loadPusher(): Promise<PusherConstructor>;
  readToken(): string | null;
  /** Called when the server has refused a channel. Resolves once the user was looked up again. */
  onRefused(): Promise<void>;
  /** Called with an event's epoch. Only events of a restored shop have one; it changes at each restore. */
  hearEpoch?(epoch: unknown): void;
  whenIdle(run: () => void): void;
  /** Calls `run` when the page becomes visible or online; returns the stop function. */
  onReturn(run: () => void): () => void;
}
