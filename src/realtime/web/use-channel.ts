import { createContext, use, useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { channelState, type ChannelState, type ConnectionView, POLL_EVERY_MS } from '#realtime/web/connection-watch.ts';
import type { Handlers, Realtime, SubscribeOptions } from '#realtime/web/realtime-client.ts';
import type { Member } from '#realtime/web/subscriptions.ts';

/** The page's client; null where there is none (rendering on the server), and then the hooks do nothing. */
export const RealtimeContext = createContext<Realtime | null>(null);

/**
 * Listens to a channel while the component is shown; null listens to nothing. The handlers of the latest rendering are
 * used, so they need not be memoised. `onCaughtUp` must refetch the page's data.
 */
export function useChannel<Events>(
  channel: string | null,
  handlers: Handlers<Events>,
  { onCaughtUp }: Pick<SubscribeOptions, 'onCaughtUp'> = {},
): void {
  const realtime = use(RealtimeContext);
  const takeEvent = useEffectEvent((event: string, data: unknown) => {
    // Event names and payloads are those of our own server.
    (handlers as Record<string, ((data: unknown) => void) | undefined>)[event]?.(data);
  });
  const catchUp = useEffectEvent(() => onCaughtUp?.());
  useEffect(() => {
    if (!realtime || channel === null) return;
    return realtime.listen(channel, {
      onEvent: (event, data) => takeEvent(event, data),
      onCaughtUp: () => catchUp(),
    });
  }, [realtime, channel]);
}

/** Returns a function that sends to the other members of a channel that the page listens to. */
export function useSendEvent(channel: string): (event: `client-${string}`, data: unknown) => void {
  const realtime = use(RealtimeContext);
  return useCallback((event, data) => realtime?.tell(channel, event, data), [realtime, channel]);
}

/** Joins a presence channel while the component is shown. Null until the server has said who is there. */
export function useMembers(channel: string | null): Member[] | null {
  const realtime = use(RealtimeContext);
  const [members, setMembers] = useState<Member[] | null>(null);
  useEffect(() => {
    if (!realtime || channel === null) return;
    const stop = realtime.listen(channel, { onEvent: () => undefined, onMembers: setMembers });
    return () => {
      stop();
      setMembers(null);
    };
  }, [realtime, channel]);
  return members;
}

/**
 * State, time of the last message and polling; renders again at each message, so only a component that shows it should
 * use it.
 */
export function useConnection(): ConnectionView {
  const connection = use(RealtimeContext)?.connection;
  return useSyncExternalStore(connection?.observe ?? observeNothing, connection?.read ?? readNothing, readNothing);
}

/** Reads when the last message arrived (milliseconds since 1970), for parts that need not render at each message. */
export function useLastMessageAt(): () => number | null {
  const connection = use(RealtimeContext)?.connection;
  return useCallback(() => connection?.read().lastHeardAt ?? null, [connection]);
}

/** Whether the page receives the channel it depends on; `connected` only then. */
export function useChannelState(channel: string): ChannelState {
  const connection = use(RealtimeContext)?.connection;
  return useSyncExternalStore(
    connection?.observe ?? observeNothing,
    () => channelState(connection?.read() ?? NOTHING, channel),
    () => 'initialized',
  );
}

/** Milliseconds between two polls while a channel of the page is not received, otherwise false: TanStack Query's `refetchInterval`. */
export function usePollingInterval(): number | false {
  const connection = use(RealtimeContext)?.connection;
  const isPolling = useSyncExternalStore(
    connection?.observe ?? observeNothing,
    () => connection?.read().isPolling ?? false,
    () => false,
  );
  return isPolling ? POLL_EVERY_MS : false;
}

const NOTHING: ConnectionView = { state: 'initialized', lastHeardAt: null, channels: new Map(), isPolling: false };
const readNothing = () => NOTHING;
const observeNothing = () => () => undefined;
