import type { ConnectionState, PusherChannel, PusherClient } from '#realtime/web/pusher.ts';

type Callback = (data: never) => void;

/** The part of the library that the pages use, controlled by tests. */
export interface FakePusher extends PusherClient {
  /** Names of the channels that are subscribed to now. */
  readonly channels: Map<string, FakeChannel>;
  readonly calls: string[];
  changeState(state: ConnectionState): void;
}

export interface FakeChannel extends PusherChannel {
  emit(event: string, data?: unknown): void;
  drop(): void;
}

export function createFakePusher(): FakePusher {
  const bindings: [string, Callback][] = [];
  const connection = {
    state: 'initialized' as ConnectionState,
    socket_id: '1.1',
    bind: (event: string, callback: Callback) => bindings.push([event, callback]),
  };
  const emit = (event: string, data: unknown): void => {
    for (const [name, callback] of bindings) if (name === event) callback(data as never);
  };
  const fake: FakePusher = {
    connection,
    channels: new Map(),
    calls: [],
    changeState(state) {
      const previous = connection.state;
      connection.state = state;
      if (state !== 'connected') for (const channel of fake.channels.values()) channel.drop();
      emit('state_change', { previous, current: state });
    },
    subscribe(name) {
      const channel = fake.channels.get(name) ?? createFakeChannel();
      fake.channels.set(name, channel);
      return channel;
    },
    unsubscribe: (name) => void fake.channels.delete(name),
    connect() {
      fake.calls.push('connect');
      fake.changeState('connecting');
    },
    disconnect() {
      fake.calls.push('disconnect');
      fake.changeState('disconnected');
    },
  };
  return fake;
}

function createFakeChannel(): FakeChannel {
  const callbacks = new Set<(event: string, data: unknown) => void>();
  const channel = {
    subscribed: false,
    trigger: () => true,
    drop: () => void (channel.subscribed = false),
    bind_global: (callback: (event: string, data: unknown) => void) => callbacks.add(callback),
    unbind_global: (callback: (event: string, data: unknown) => void) => callbacks.delete(callback),
    emit(event: string, data: unknown = {}) {
      if (event === 'pusher:subscription_succeeded') channel.subscribed = true;
      for (const callback of callbacks) callback(event, data);
    },
  };
  return channel;
}
