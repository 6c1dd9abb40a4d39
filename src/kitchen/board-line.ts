import type { ChannelState } from '#realtime/web/connection-watch.ts';

/**
 * How reliable a board is. `joining`: it is connecting and was not silent for long. `late`: the server's last message,
 * with a ping every five seconds, is older than that. `dead`: the board may be out of date.
 */
export type Line = 'joining' | 'live' | 'late' | 'dead';

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
