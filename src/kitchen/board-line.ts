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
