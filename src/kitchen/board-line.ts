import type { ChannelState } from '#realtime/web/connection-watch.ts';

/**
 * How far a board can be believed. `joining`: it is connecting and has not been silent for long. `late`: the server, which is
 * asked every five seconds, has not been heard for longer than that. `dead`: what the board shows may be old.
 */
export type Line = 'joining' | 'live' | 'late' | 'dead';

/** Seconds without a word from the server. */
const lateAfter = 8;
const deadAfter = 15;

/** `silence`: whole seconds since the server was last heard; null: never yet. */
export function lineOf(state: ChannelState, silence: number | null): Line {
  if (state !== 'connected' && state !== 'connecting' && state !== 'initialized') return 'dead';
  if (silence === null) return 'joining';
  if (silence >= deadAfter) return 'dead';
  if (silence >= lateAfter) return 'late';
  return state === 'connected' ? 'live' : 'joining';
}
