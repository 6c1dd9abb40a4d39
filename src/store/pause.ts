import { m } from '#messages';
import type { Store } from '#store/contract.ts';

/** Why a shop is paused, in the reader's language: the text of people, or else the cause of its own pause. */
export function pauseReason({ pause_reason, pause_cause }: Pick<Store, 'pause_reason' | 'pause_cause'>): string | null {
  return pause_reason || (pause_cause && m.store_pause_no_board());
}

/** The end of a pause: `until` as given, or so many minutes from now; null if neither is in the future. */
export function pauseUntil(
  pause: { minutes?: number | undefined; until?: string | undefined },
  now: Date,
): Date | null {
  if (pause.until !== undefined) {
    const until = new Date(pause.until);
    return until > now ? until : null;
  }
  return pause.minutes === undefined ? null : new Date(now.getTime() + pause.minutes * 60_000);
}

/** A longer break is a closure, which customers see in advance. */
export const longestPauseDays = 14;

export function isTooLong(until: Date, now: Date): boolean {
  return until.getTime() - now.getTime() > longestPauseDays * 24 * 3_600_000;
}
