import { clockOffset, useShopTime, useShopValue } from '#platform/web/clock.ts';
import { storeOrdersChannel } from '#ordering/channels.ts';
import { type ChannelState, POLL_EVERY_MS } from '#realtime/web/connection-watch.ts';
import { useChannelState, useConnection, useLastMessageAt } from '#realtime/web/use-channel.ts';

/** How current the board is; renders again only when that changes. */
export function useBoardConnection(storeId: string): Line {
  const state = useChannelState(storeOrdersChannel(storeId));
  const lastHeard = useLastMessageAt();
  return useShopValue((now) => lineOf(state, secondsSilent(lastHeard(), now)));
}

/** Since when nothing of the shop reaches the board, as epoch ms; null while something does. `fetchedAt`: the device's. */
export function useLostSince(storeId: string, fetchedAt: number): number | null {
  const state = useChannelState(storeOrdersChannel(storeId));
  const lastHeard = useLastMessageAt();
  return useShopValue((now) => {
    const heardAt = lastHeard();
    // A list that was fetched before the last message was no answer to a poll.
    const polledUntil = fetchedAt > (heardAt ?? 0) || state === 'unsubscribed' ? fetchedAt + POLL_EVERY_MS : 0;
    const since = lostSince({ state, heardAt, polledUntil }, now - clockOffset());
    return since === null ? null : since + clockOffset();
  });
}

/** Whole seconds since the server last sent anything, updated every second; null before the first time. */
export function useSecondsSilent(): number | null {
  const { lastHeardAt } = useConnection();
  return secondsSilent(lastHeardAt, useShopTime(1));
}

/** The connection's times are by the device's clock. */
function secondsSilent(lastHeardAt: number | null, now: number): number | null {
  return lastHeardAt === null ? null : Math.max(0, Math.round((now - clockOffset() - lastHeardAt) / 1000));
}

/**
 * How reliable a board is. `joining`: it is connecting and was not silent for long. `late`: the server's last message,
 * with a ping every five seconds, is older than that. `dead`: the board may be out of date.
 */
type Line = 'joining' | 'live' | 'late' | 'dead';

/** Seconds without a message from the server. */
const lateAfter = 8;
const deadAfter = 15;

/** `silence`: whole seconds since the server's last message; null: none yet. */
export function lineOf(state: ChannelState, silence: number | null): Line {
  if (state !== 'connected' && state !== 'connecting' && state !== 'initialized') return 'dead';
  if (silence === null) return 'joining';
  if (silence >= deadAfter) return 'dead';
  if (silence >= lateAfter) return 'late';
  return state === 'connected' ? 'live' : 'joining';
}

/** Milliseconds without a word from the shop after which the board sounds. */
const soundsAfter = 20_000;

/**
 * Since when a board sounds because nothing of the shop reaches it; null while it is live, or only slow. All are epoch ms:
 * `heardAt` of the last message, null before the first; `polledUntil` when the answer to the next poll is due.
 */
export function lostSince(
  { state, heardAt, polledUntil }: { state: ChannelState; heardAt: number | null; polledUntil: number },
  now: number,
): number | null {
  const silence = heardAt === null ? null : (now - heardAt) / 1000;
  if (lineOf(state, silence) !== 'dead') return null;
  // Without its channel a board hears pings, and no orders.
  const word = state === 'unsubscribed' ? 0 : (heardAt ?? 0);
  const since = Math.max(word, polledUntil) + soundsAfter;
  return now >= since ? since : null;
}
