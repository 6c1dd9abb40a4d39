import { createExternalStore } from '#platform/web/external-store.ts';
import type { ConnectionState } from '#realtime/web/pusher.ts';

/** After this time without a connection or an active subscription, the pages poll (ms). */
const DOWN_AFTER_MS = 10_000;
export const POLL_EVERY_MS = 15_000;

/**
 * The state of a channel's subscription. `asked`: requested by the page, also again after a lost connection. `heard`:
 * active. `refused`: refused by the server.
 */
export type SubscriptionState = 'asked' | 'heard' | 'refused';
/**
 * The state of a page that depends on one channel. `unsubscribed`: connected, but the channel's subscription is not
 * active.
 */
export type ChannelState = ConnectionState | 'unsubscribed';

/** A snapshot of the connection's state; each change makes a new object. */
export interface ConnectionView {
  state: ConnectionState;
  /** The time of the last message in epoch ms; null: none yet. A message arrives at least every 35 s. */
  lastHeardAt: number | null;
  channels: ReadonlyMap<string, SubscriptionState>;
  /** Whether the pages poll, because the connection or a channel was missing for 10 s, or a channel was refused. */
  isPolling: boolean;
}

export interface ObservableConnection {
  read(): ConnectionView;
  /** Calls the listener at each change; returns the stop function. */
  observe(listener: () => void): () => void;
}

export interface ConnectionWatch extends ObservableConnection {
  changeState(state: ConnectionState): void;
  /** Records the state of a channel's subscription; null: the channel has no listener any more. */
  changeChannel(name: string, hearing: SubscriptionState | null): void;
  hear(): void;
  /** Starts the ten seconds before polling; called when the page needs a connection. */
  start(): void;
  stop(): void;
}

export function createConnectionWatch(): ConnectionWatch {
  const view = createExternalStore<ConnectionView>(() => ({
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
      // The library may still report "connecting", because each reconnection restarts the ten seconds after which the
      // library reports "unavailable".
      const { state } = view.read();
      show({ isPolling: true, state: state === 'connecting' ? 'unavailable' : state });
    }, DOWN_AFTER_MS);
  }

  /**
   * Decides whether the pages poll: at once if a channel is refused, and after ten seconds without the connection or an
   * active channel.
   */
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
      // The library resubscribes to all channels after it reconnects.
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

/** The state of a page with one channel; `connected` only while the subscription is active. */
export function channelStateIn({ state, channels, isPolling }: ConnectionView, name: string): ChannelState {
  const hearing = channels.get(name);
  if (state !== 'connected' || hearing === 'heard') return state;
  return hearing === 'refused' || isPolling ? 'unsubscribed' : 'connecting';
}
