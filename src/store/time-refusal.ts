import type { RefusalOfTime, RefusalUntil } from '#database/column-values.ts';
import { m } from '#messages';

/** Why an order is not possible at a time. `time` and `earliest`: HH:mm by the shop's clock. */
export type TimeRefusal =
  | { kind: RefusalOfTime }
  | { kind: RefusalUntil; time: string }
  | { kind: 'too_soon'; time: string; earliest: string };

export function timeRefusalWords(refusal: TimeRefusal): string {
  switch (refusal.kind) {
    case 'past':
      return m.store_slot_past();
    case 'not_accepting':
      return m.store_refused_not_accepting();
    case 'unavailable':
      return m.store_slot_unavailable();
    case 'fully_booked':
      return m.store_refused_full();
    case 'last_orders':
      return m.store_refused_last_orders();
    case 'closed':
      return m.store_refused_closed();
    case 'paused':
      return m.store_refused_paused({ time: refusal.time });
    case 'slot_full':
      return m.store_slot_full({ time: refusal.time });
    case 'closed_until':
      return m.store_refused_closed_until({ time: refusal.time });
    case 'too_soon':
      return m.store_slot_too_soon({ time: refusal.time, earliest: refusal.earliest });
  }
}
