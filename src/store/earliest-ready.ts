import type { FulfilmentType } from '#store/contract.ts';
import { pauseEnd, sessionAtOrAfter } from '#store/opening-hours.ts';
import {
  isFull,
  isOffered,
  leadOf,
  preorderEnd,
  readySoon,
  type SlotNeed,
  slotStarts,
  type SlotStore,
} from '#store/slot-rules.ts';

export interface Earliest {
  /** ISO 8601 in UTC. */
  at: string;
  /** Whether it is made immediately; otherwise the first slot is later. */
  isSoon: boolean;
}

/**
 * When an order placed at `now` could be ready (collection) or delivered: as soon as possible while the shop
 * takes orders, otherwise in the first free slot. null if there is none.
 */
export function findEarliest(
  store: SlotStore,
  fulfilment: FulfilmentType,
  now: Date,
  need: SlotNeed = {},
): Earliest | null {
  if (!store.is_accepting_orders || !isOffered(store, fulfilment)) return null;
  const at = now.getTime();
  const soon = readySoon(store, sessionAtOrAfter(store, at), at, fulfilment, need);
  if (typeof soon === 'number') return { at: new Date(soon).toISOString(), isSoon: true };
  const from = pauseEnd(store, at);
  for (const start of slotStarts(store, from, preorderEnd(store, now), at, leadOf(store, fulfilment, need))) {
    if (!isFull(store, start, need)) return { at: new Date(start).toISOString(), isSoon: false };
  }
  return null;
}
