import { clockOffsetMs, useShopTime, useShopTimeValue } from '#platform/web/clock.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { type ChannelState, POLL_EVERY_MS } from '#realtime/web/connection-watch.ts';
import { useChannelState, useConnectionView, useLastMessageAt } from '#realtime/web/use-channel.ts';

/** The state of the board's connection. The hook renders its component again only when that state changes. */
export function useBoardConnection(storeId: string): Line {
  const state = useChannelState(storeOrdersChannelName(storeId));
  const lastHeard = useLastMessageAt();
  return useShopTimeValue((now) => connectionQuality(state, secondsSilent(lastHeard(), now)));
}

/**
 * Since when the board sounds because it receives no news (epoch ms by the shop's clock); null: it does not.
 * `fetchedAt`: when the orders were fetched, by the device's clock.
 */
export function useConnectionLostSince(storeId: string, fetchedAt: number): number | null {
  const state = useChannelState(storeOrdersChannelName(storeId));
  const lastHeard = useLastMessageAt();
  return useShopTimeValue((now) => {
    const heardAt = lastHeard();
    // Only a list that was fetched after the last message, or while unsubscribed, is the result of a poll.
    const polledUntil = fetchedAt > (heardAt ?? 0) || state === 'unsubscribed' ? fetchedAt + POLL_EVERY_MS : 0;
    const since = connectionLostSince({ state, heardAt, polledUntil }, now - clockOffsetMs());
    return since === null ? null : since + clockOffsetMs();
  });
}

/** Whole seconds since the last message, updated each second; null before the first. */
export function useSecondsSinceMessage(): number | null {
  const { lastHeardAt } = useConnectionView();
  return secondsSilent(lastHeardAt, useShopTime(1));
}

/** Whole seconds since the last message. `lastHeardAt` is by the device's clock, `now` by the shop's. */
function secondsSilent(lastHeardAt: number | null, now: number): number | null {
  return lastHeardAt === null ? null : Math.max(0, Math.round((now - clockOffsetMs() - lastHeardAt) / 1000));
}

/**
 * A board's connection. `joining`: the board is connecting and is not yet `late`, or it has received no message yet.
 * `late`: no message came for `lateAfter` seconds, although the server pings every five seconds. `dead`: the board may
 * be stale, because no message came for `deadAfter` seconds, or the connection or subscription failed.
 */
type Line = 'joining' | 'live' | 'late' | 'dead';

/** Seconds without a message from the server after which the connection is `late`, and `dead`. */
const lateAfter = 8;
const deadAfter = 15;

/**
 * The quality of a board's connection. `silence`: whole seconds since the server's last message; null before the first.
 */
export function connectionQuality(state: ChannelState, silence: number | null): Line {
  if (state !== 'connected' && state !== 'connecting' && state !== 'initialized') return 'dead';
  if (silence === null) return 'joining';
  if (silence >= deadAfter) return 'dead';
  if (silence >= lateAfter) return 'late';
  return state === 'connected' ? 'live' : 'joining';
}

/** Milliseconds without a message until the board sounds. */
const soundsAfter = 20_000;

/**
 * The time from which a board sounds because its connection is lost; null: the connection is not `dead`, or not for
 * long enough. Times in epoch ms. `heardAt`: when the last message came; null before the first. `polledUntil`: when the
 * next poll is due.
 */
export function connectionLostSince(
  { state, heardAt, polledUntil }: { state: ChannelState; heardAt: number | null; polledUntil: number },
  now: number,
): number | null {
  const silence = heardAt === null ? null : (now - heardAt) / 1000;
  if (connectionQuality(state, silence) !== 'dead') return null;
  // Pings do not count while the board is not subscribed to its channel, because the board then receives no orders.
  const word = state === 'unsubscribed' ? 0 : (heardAt ?? 0);
  const since = Math.max(word, polledUntil) + soundsAfter;
  return now >= since ? since : null;
}
