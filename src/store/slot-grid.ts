import type { Store } from '#store/contract.ts';
import { DAY, dayOf, MINUTE, wallTimeAt } from '#platform/zone-clock.ts';

export type Grid = Pick<Store, 'timezone' | 'slot_minutes'>;

/** Whether a slot starts at the instant (epoch milliseconds): at a whole multiple of `slot_minutes` after the shop's midnight. */
export function isOnGrid(store: Grid, instant: number): boolean {
  return sinceGrid(store, instant) === 0;
}

/** The start of the slot that the instant lies in. */
export function gridBefore(store: Grid, instant: number): number {
  const start = instant - sinceGrid(store, instant);
  if (isOnGrid(store, start)) return start;
  // The clocks changed in between, and `slot_minutes` does not divide by how much.
  return lookMinutewise(store, Math.floor(instant / MINUTE) * MINUTE, -MINUTE);
}

/** The first start of a slot at or after the instant. */
export function gridFrom(store: Grid, instant: number): number {
  const since = sinceGrid(store, instant);
  if (since === 0) return instant;
  const wall = wallTimeAt(store.timezone, instant);
  const next = Math.min(store.slot_minutes * MINUTE - since, (dayOf(wall) + 1) * DAY - wall);
  // Across a clock change the grid moves with the clock.
  if (wallTimeAt(store.timezone, instant + next) === wall + next) return instant + next;
  return lookMinutewise(store, Math.ceil(instant / MINUTE) * MINUTE, MINUTE);
}

/** Milliseconds since the last multiple of `slot_minutes` after the shop's midnight. */
function sinceGrid(store: Grid, instant: number): number {
  const wall = wallTimeAt(store.timezone, instant);
  return (wall - dayOf(wall) * DAY) % (store.slot_minutes * MINUTE);
}

function lookMinutewise(store: Grid, from: number, step: number): number {
  let instant = from;
  while (!isOnGrid(store, instant)) instant += step;
  return instant;
}
