import type { SubscriptionState } from '#realtime/web/connection-watch.ts';
import type { PusherChannel, PusherClient } from '#realtime/web/pusher.ts';

export interface PresentMember {
  id: string;
  info: unknown;
}

export interface ChannelListener {
  /** Called for each event. Events may repeat or be out of order, so handlers compare versions. */
  onEvent(event: string, data: unknown): void;
  /** Called at each subscription and after missed events, when the page's data may be stale and must be refetched. */
  onCaughtUp?(): void;
  /** Called at each change with everyone present; presence channels only. */
  onMembers?(members: PresentMember[]): void;
}

/** A page's channels. The listeners of a channel share its subscription. */
export interface ChannelSubscriptions {
  listen(name: string, listener: ChannelListener): () => void;
  /** Sends an event to the channel's other members; without a connection the event is dropped. */
  tell(name: string, event: string, data: unknown): void;
  /** Subscribes to the channels that were requested before the library was loaded. */
  use(pusher: PusherClient): void;
  stop(): void;
}

interface Entry {
  listeners: Set<ChannelListener>;
  channel: PusherChannel | null;
  lastSequence: number | null;
  members: PresentMember[];
  dispatch: (event: string, data: unknown) => void;
}

/**
 * `onStateChange`: called with the state of each channel's subscription; null once the channel has no listeners.
 * `hearEpoch`: called with an event's epoch. Only events of a restored shop have one; it changes at each restore.
 */
export function createSubscriptions(
  onStateChange: (name: string, hearing: SubscriptionState | null) => void,
  hearEpoch: (epoch: unknown) => void = () => {},
): ChannelSubscriptions {
  const entries = new Map<string, Entry>();
  let pusher: PusherClient | null = null;

  function open(name: string): Entry {
    const entry: Entry = {
      listeners: new Set(),
      channel: null,
      lastSequence: null,
      members: [],
      dispatch(event, data) {
        if (event === 'pusher:subscription_succeeded') onStateChange(name, 'heard');
        else if (event === 'pusher:subscription_error') onStateChange(name, 'refused');
        if (typeof data === 'object' && data !== null && 'epoch' in data) hearEpoch(data.epoch);
        dispatch(entry, event, data);
      },
    };
    entries.set(name, entry);
    onStateChange(name, 'asked');
    if (pusher) connect(pusher, name, entry);
    return entry;
  }

  function connect(library: PusherClient, name: string, entry: Entry): void {
    entry.channel = library.subscribe(name);
    entry.channel.bind_global(entry.dispatch);
  }

  function close(name: string, entry: Entry): void {
    entries.delete(name);
    entry.channel?.unbind_global(entry.dispatch);
    pusher?.unsubscribe(name);
    onStateChange(name, null);
  }

  return {
    listen(name, listener) {
      const entry = entries.get(name) ?? open(name);
      entry.listeners.add(listener);
      // A new listener must refetch, because its data may be older than its first event.
      if (entry.channel?.subscribed) {
        queueMicrotask(() => {
          if (!entry.listeners.has(listener)) return;
          listener.onCaughtUp?.();
          listener.onMembers?.(entry.members);
        });
      }
      return () => {
        if (entry.listeners.delete(listener) && entry.listeners.size === 0) close(name, entry);
      };
    },
    tell(name, event, data) {
      const channel = entries.get(name)?.channel;
      if (channel?.subscribed) channel.trigger(event, data);
    },
    use(library) {
      pusher = library;
      for (const [name, entry] of entries) connect(library, name, entry);
    },
    stop() {
      pusher = null;
      for (const entry of entries.values()) entry.channel = null;
    },
  };
}

function dispatch(entry: Entry, event: string, data: unknown): void {
  switch (event) {
    case 'pusher:subscription_succeeded':
      entry.lastSequence = null;
      entry.members = listMembers(data);
      for (const listener of entry.listeners) {
        listener.onCaughtUp?.();
        listener.onMembers?.(entry.members);
      }
      return;
    case 'pusher:member_added':
    case 'pusher:member_removed': {
      const changed = data as PresentMember;
      const others = entry.members.filter(({ id }) => id !== changed.id);
      entry.members = event === 'pusher:member_added' ? [...others, changed] : others;
      for (const listener of entry.listeners) listener.onMembers?.(entry.members);
      return;
    }
  }
  if (event.startsWith('pusher:')) return;
  const hasGap = countSequence(entry, data);
  for (const listener of entry.listeners) {
    listener.onEvent(event, data);
    if (hasGap) listener.onCaughtUp?.();
  }
}

/** Records an event's sequence number. Returns whether earlier numbers are missing. */
function countSequence(entry: Entry, data: unknown): boolean {
  const sequence = typeof data === 'object' && data !== null && 'sequence' in data ? data.sequence : null;
  if (typeof sequence !== 'number') return false;
  const last = entry.lastSequence;
  entry.lastSequence = Math.max(last ?? sequence, sequence);
  return last !== null && sequence > last + 1;
}

/**
 * The members in a subscription's data. The library passes its own collection on presence channels, and an empty object
 * on others.
 */
function listMembers(data: unknown): PresentMember[] {
  const members: PresentMember[] = [];
  const collection = data as { each?: (take: (member: PresentMember) => void) => void };
  collection.each?.((member) => members.push(member));
  return members;
}
