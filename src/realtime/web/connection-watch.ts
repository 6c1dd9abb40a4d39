import type { ConnectionState } from '#realtime/web/pusher.ts';

/** After so long without a connection the pages poll. */
const DOWN_AFTER_MS = 10_000;
export const POLL_EVERY_MS = 15_000;

/** What a page may show of the connection. A new object for each change, so that it can be compared. */
export interface ConnectionView {
  state: ConnectionState;
  /** When the server was last heard, in milliseconds since 1970; it speaks at least every 35 s. Null: never. */
  lastHeardAt: number | null;
  /** True when the socket has been down for 10 s: the pages poll until it is back. */
  isPolling: boolean;
}

/** What pages see of the connection. */
export interface ObservableConnection {
  read(): ConnectionView;
  /** Calls at each change of the view; returns what stops it. */
  observe(listener: () => void): () => void;
}

export interface ConnectionWatch extends ObservableConnection {
  changeState(state: ConnectionState): void;
  hear(): void;
  /** The page wants a connection from now on: the ten seconds start. */
  start(): void;
  stop(): void;
}

export function createConnectionWatch(): ConnectionWatch {
  const listeners = new Set<() => void>();
  let view: ConnectionView = { state: 'initialized', lastHeardAt: null, isPolling: false };
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(change: Partial<ConnectionView>): void {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  }

  function waitUntilDown(): void {
    timer ??= setTimeout(() => {
      // Reconnecting starts the library's own ten seconds anew each time, so it would never say "unavailable" itself.
      show({ isPolling: true, state: view.state === 'connecting' ? 'unavailable' : view.state });
    }, DOWN_AFTER_MS);
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    read: () => view,
    observe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    changeState(state) {
      if (state === 'connected') {
        stop();
        show({ state, lastHeardAt: Date.now(), isPolling: false });
        return;
      }
      waitUntilDown();
      const shown = state === 'connecting' && view.isPolling ? 'unavailable' : state;
      if (shown !== view.state) show({ state: shown });
    },
    hear: () => show({ lastHeardAt: Date.now() }),
    start: waitUntilDown,
    stop,
  };
}

/** Polls at once and every 15 s while the connection is down, and never otherwise. Returns what ends it. */
export function pollWhileDown(connection: ObservableConnection, poll: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  function follow(): void {
    const { isPolling } = connection.read();
    if (isPolling && timer === undefined) {
      timer = setInterval(poll, POLL_EVERY_MS);
      poll();
    } else if (!isPolling) {
      clearInterval(timer);
      timer = undefined;
    }
  }
  const stopObserving = connection.observe(follow);
  follow();
  return () => {
    stopObserving();
    clearInterval(timer);
  };
}
