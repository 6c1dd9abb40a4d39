import type { PausedWay, TimeRefusalKind, TemporaryRefusalKind } from '#database/column-values.ts';
import { m } from '#messages';

/**
 * Why an order is not possible at a time. `time` and `earliest` are HH:mm by the shop's clock. `way` is the paused
 * fulfilment type; it is missing if the whole shop is paused.
 */
export type TimeRefusal =
  | { kind: TimeRefusalKind }
  | { kind: TemporaryRefusalKind; time: string; way?: PausedWay | undefined }
  | { kind: 'too_soon'; time: string; earliest: string };

export function timeRefusalWords(refusal: TimeRefusal): string {
  return words[refusal.kind]({
    time: '',
    earliest: '',
    ...refusal,
    way: ('way' in refusal && refusal.way) || 'all',
  });
}

const words: Record<TimeRefusal['kind'], (told: { time: string; earliest: string; way: PausedWay | 'all' }) => string> =
  {
    past: m.store_slot_past,
    not_accepting: m.store_refused_not_accepting,
    unavailable: m.store_slot_unavailable,
    fully_booked: m.store_refused_full,
    last_orders: m.store_refused_last_orders,
    closed: m.store_refused_closed,
    paused: m.store_refused_paused,
    slot_full: m.store_slot_full,
    closed_until: m.store_refused_closed_until,
    too_soon: m.store_slot_too_soon,
  };
