import type { StaffStore } from '#store/contract.ts';
import { type OpeningStore, openStateAt, sessionAtOrAfter } from '#store/opening-hours.ts';

/** Milliseconds for which a board counts as on after its last contact. */
export const boardContactMaxAgeMs = 30_000;
/**
 * Milliseconds without a board after which the owner is alerted: long enough to reload the page, move the tablet or
 * restart the server.
 */
export const boardGraceMs = 2 * 60_000;

export interface BoardWatch {
  seen_at: Date | null;
  lost_at: Date | null;
  paused_until: Date | null;
}

export type BoardVerdict =
  | { kind: 'calm' }
  /**
   * The owner must be alerted that no board has been on since `since`. `pauseUntil`: the end of the store's pause;
   * null: the store does not pause.
   */
  | { kind: 'lost'; since: Date; pauseUntil: Date | null }
  /**
   * A board is on again, so the owner must be alerted. `resumes`: whether the watch made the current pause, which then
   * ends.
   */
  | { kind: 'back'; resumes: boolean }
  /** The shop closed before any board came back: nobody is alerted. */
  | { kind: 'over' };

/**
 * Judges a store's boards at `now` by their last contact. A board's absence counts only from `watchingSince`, the start
 * of this instance. During a pause by a person no board is required, and that pause is never changed.
 */
export function boardVerdictAt(
  store: OpeningStore & Pick<StaffStore, 'pause_when_unattended'>,
  watch: BoardWatch,
  watchingSince: Date,
  now: Date,
): BoardVerdict {
  const isAttended = watch.seen_at !== null && now.getTime() - watch.seen_at.getTime() < boardContactMaxAgeMs;
  if (watch.lost_at) {
    if (isAttended) return { kind: 'back', resumes: isOwnPause(store, watch, now) };
    return openStateAt({ ...store, paused_until: null }, now).is_open ? { kind: 'calm' } : { kind: 'over' };
  }
  const state = openStateAt(store, now);
  if (isAttended || !state.is_open) return { kind: 'calm' };
  const since = Math.max(
    watch.seen_at?.getTime() ?? 0,
    watchingSince.getTime(),
    sessionAtOrAfter(store, now.getTime())?.from ?? 0,
    store.paused_until === null ? 0 : Date.parse(store.paused_until),
  );
  if (now.getTime() - since < boardGraceMs) return { kind: 'calm' };
  const closes = state.closes_at === null ? now.getTime() + endlessPause : Date.parse(state.closes_at);
  return { kind: 'lost', since: new Date(since), pauseUntil: store.pause_when_unattended ? new Date(closes) : null };
}

/** The milliseconds for which the watch pauses a shop that never closes. */
const endlessPause = 24 * 3_600_000;

/** Whether the watch made the current pause, and nobody has changed the pause since. */
function isOwnPause(store: Pick<StaffStore, 'paused_until'>, watch: BoardWatch, now: Date): boolean {
  if (store.paused_until === null || watch.paused_until === null || watch.paused_until <= now) return false;
  return Date.parse(store.paused_until) === watch.paused_until.getTime();
}
