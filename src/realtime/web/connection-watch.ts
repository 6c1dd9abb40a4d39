import { makeStore } from '#platform/web/store.ts';
import type { ConnectionState } from '#realtime/web/pusher.ts';

/** After this much time without a connection the pages poll, the board too. */
const DOWN_AFTER_MS = 10_000;
/** How often the board asks then, and every other page. */
export const POLL_EVERY_MS = 15_000;

/** Requested, and then subscribed or refused. A channel that is lost with the connection is requested again. */
export type SubscriptionState = 'asked' | 'heard' | 'refused';
/** `unsubscribed`: connected, but not subscribed to the channel. */
export type ChannelState = ConnectionState | 'unsubscribed';

/** The state of the connection that a page may show. A new object for each change, so that it can be compared. */
export interface ConnectionView {
  state: ConnectionState;
  /** When the last message of the server arrived, in milliseconds since 1970; there is one at least every 35 s. Null: never. */
  lastHeardAt: number | null;
  /** The channels that the page wants. */
  channels: ReadonlyMap<string, SubscriptionState>;
  /** True when a channel the page wants has not been subscribed for 10 s, or is refused: the pages poll until it is. */
  isPolling: boolean;
}

/** The pages' view of the connection. */
export interface ObservableConnection {
  read(): ConnectionView;
  /** Calls at each change of the view; returns the function that stops it. */
  observe(listener: () => void): () => void;
}

export interface ConnectionWatch extends ObservableConnection {
  changeState(state: ConnectionState): void;
  /** Null: nobody on the page wants the channel any more. */
  changeChannel(name: string, hearing: SubscriptionState | null): void;
  hear(): void;
  /** The page wants a connection from now on: the ten seconds start. */
  start(): void;
  stop(): void;
}

export function createConnectionWatch(): ConnectionWatch {
  const view = makeStore<ConnectionView>(() => ({
    state: 'initialized',
    lastHeardAt: null,
    channels: new Map(),
    isPolling: false,
  }));
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(change: Partial<ConnectionView>): void {
    view.set({ ...view.read(), ...change });
  }

  function waitUntilDown(): void {
    timer ??= setTimeout(() => {
      // Reconnecting restarts the library's own ten seconds each time, so it would never report "unavailable" itself.
      const { state } = view.read();
      show({ isPolling: true, state: state === 'connecting' ? 'unavailable' : state });
    }, DOWN_AFTER_MS);
  }

  /** Polls immediately for a refused channel, after ten seconds for a missing one, and not at all when all are subscribed. */
  function weigh(): void {
    const { state, channels, isPolling } = view.read();
    const hearings = new Set(channels.values());
    if (state !== 'connected' || hearings.has('asked')) waitUntilDown();
    if (hearings.has('refused')) show({ isPolling: true });
    else if (state === 'connected' && !hearings.has('asked')) {
      stop();
      if (isPolling) show({ isPolling: false });
    }
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    read: view.read,
    observe: view.subscribe,
    changeState(state) {
      if (state === 'connected') {
        stop();
        show({ state, lastHeardAt: Date.now(), isPolling: false });
        weigh();
        return;
      }
      waitUntilDown();
      const before = view.read();
      const shown = state === 'connecting' && before.isPolling ? 'unavailable' : state;
      if (shown === before.state) return;
      // The library subscribes to everything again after it reconnects.
      const channels = new Map([...before.channels.keys()].map((name) => [name, 'asked'] as const));
      show({ state: shown, channels });
    },
    changeChannel(name, hearing) {
      const channels = new Map(view.read().channels);
      if (hearing) channels.set(name, hearing);
      else channels.delete(name);
      show({ channels });
      if (view.read().state === 'connected') weigh();
    },
    hear: () => show({ lastHeardAt: Date.now() }),
    start: waitUntilDown,
    stop,
  };
}

/** The state of a page that depends on one channel: it is not live before that channel is subscribed. */
export function channelState({ state, channels, isPolling }: ConnectionView, name: string): ChannelState {
  const hearing = channels.get(name);
  if (state !== 'connected' || hearing === 'heard') return state;
  return hearing === 'refused' || isPolling ? 'unsubscribed' : 'connecting';
}
