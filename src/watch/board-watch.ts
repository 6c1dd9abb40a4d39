import type { Store } from '#store/contract.ts';
import { openStateAt, type OpeningStore } from '#store/opening-hours.ts';
import { sessionAtOrAfter } from '#store/sessions.ts';

/** A board counts as switched on for so long (milliseconds) after it was last seen. */
export const boardFresh = 30_000;
/** So long may a shop be without a board: a reload, a moved tablet, a restart of the server. */
export const boardGrace = 2 * 60_000;

/** What is known of a store's boards; as in the database. */
export interface BoardWatch {
  seen_at: Date | null;
  lost_at: Date | null;
  paused_until: Date | null;
}

export type BoardVerdict =
  | { kind: 'calm' }
  /** The owner is to hear that nobody has been at a board since `since`; with `pauseUntil` the store pauses until then. */
  | { kind: 'lost'; since: Date; pauseUntil: Date | null }
  /** A board is on again: the owner is to hear it, and a pause of the watch's own ends. */
  | { kind: 'back'; resumes: boolean }
  /** The shop closed before anybody came: nothing to tell. */
  | { kind: 'over' };

/**
 * What follows at `now` from who was seen at the store's boards. `watchingSince` is when this instance began to look: what
 * happened before it nobody saw. A pause made by a person is neither begun nor ended here, and keeps an outage from beginning.
 */
export function judgeBoards(
  store: OpeningStore & Pick<Store, 'pause_when_unattended'>,
  watch: BoardWatch,
  watchingSince: Date,
  now: Date,
): BoardVerdict {
  const isAttended = watch.seen_at !== null && now.getTime() - watch.seen_at.getTime() < boardFresh;
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
  if (now.getTime() - since < boardGrace) return { kind: 'calm' };
  const closes = state.closes_at === null ? now.getTime() + endlessPause : Date.parse(state.closes_at);
  return { kind: 'lost', since: new Date(since), pauseUntil: store.pause_when_unattended ? new Date(closes) : null };
}

/** For a shop that never closes. */
const endlessPause = 24 * 3_600_000;

/** Whether the pause that is on is the one the watch made: a person who changed it since has taken it over. */
function isOwnPause(store: Pick<Store, 'paused_until'>, watch: BoardWatch, now: Date): boolean {
  if (store.paused_until === null || watch.paused_until === null || watch.paused_until <= now) return false;
  return Date.parse(store.paused_until) === watch.paused_until.getTime();
}
