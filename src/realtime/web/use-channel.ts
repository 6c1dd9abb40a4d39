import { createContext, use, useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import {
  channelStateIn,
  type ChannelState,
  type ConnectionView,
  POLL_EVERY_MS,
} from '#realtime/web/connection-watch.ts';
import type { ChannelHandlers, RealtimeClient, SubscribeOptions } from '#realtime/web/realtime-client.ts';
import type { PresentMember } from '#realtime/web/subscriptions.ts';

/** The page's client; null on the server, where the hooks do nothing. */
export const RealtimeContext = createContext<RealtimeClient | null>(null);

/**
 * Listens to a channel while mounted; null: no channel. Handlers need no memoisation. `onCaughtUp` must refetch the
 * page's data.
 */
export function useChannel<Events>(
  channel: string | null,
  handlers: ChannelHandlers<Events>,
  { onCaughtUp }: Pick<SubscribeOptions, 'onCaughtUp'> = {},
): void {
  const realtime = use(RealtimeContext);
  const takeEvent = useEffectEvent((event: string, data: unknown) => {
    // The cast is safe, because event names and payloads are our own server's.
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

export function useSendEvent(channel: string): (event: `client-${string}`, data: unknown) => void {
  const realtime = use(RealtimeContext);
  return useCallback((event, data) => realtime?.tell(channel, event, data), [realtime, channel]);
}

/** Joins a presence channel while mounted. Returns null before the server's response, and without a channel. */
export function usePresentMembers(channel: string | null): PresentMember[] | null {
  const realtime = use(RealtimeContext);
  const [members, setMembers] = useState<PresentMember[] | null>(null);
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
 * The connection's state, its last message, and whether pages poll. The component re-renders at each message, so only
 * components that show these values use this hook.
 */
export function useConnectionView(): ConnectionView {
  const connection = use(RealtimeContext)?.connection;
  return useSyncExternalStore(connection?.observe ?? observeNothing, connection?.read ?? readNothing, readNothing);
}

/** Reads the time of the last message (epoch ms) without re-rendering. */
export function useLastMessageAt(): () => number | null {
  const connection = use(RealtimeContext)?.connection;
  return useCallback(() => connection?.read().lastHeardAt ?? null, [connection]);
}

/** The state of a channel that the page depends on; `connected` only while its subscription is active. */
export function useChannelState(channel: string): ChannelState {
  const connection = use(RealtimeContext)?.connection;
  return useSyncExternalStore(
    connection?.observe ?? observeNothing,
    () => channelStateIn(connection?.read() ?? NOTHING, channel),
    () => 'initialized',
  );
}

/** The polling interval while a channel is missing (ms); otherwise false, for `refetchInterval`. */
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
