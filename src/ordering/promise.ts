import type { DeliveryAddress } from '#store/delivery-address.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { Store } from '#store/contract.ts';
import { extraMinutesTo } from '#store/delivery-zones.ts';
import { type Lead, leadOf } from '#store/slot-rules.ts';
import { MINUTE } from '#platform/zone-clock.ts';

/** What of a store says how long its orders take. */
export type PromisingStore = Pick<Store, 'prep_minutes' | 'busy_extra_minutes' | 'delivery_zones'>;

/** What of an order says how long it takes; as a row or as it is sent. */
export interface TimedOrder extends Pick<GuestOrder, 'fulfilment_type' | 'prep_minutes'> {
  /** Left out for whoever may not see it: then the way is the shortest that there is. */
  address?: Pick<DeliveryAddress, 'postcode'> | null;
}
type Time = Date | string;
type Scheduled = TimedOrder & { requested_for: Time | null; promised_at: Time | null };

/** How long an order takes: the longer of the shop's minutes and its slowest dish's, and the way to its door. */
export function leadOfOrder(store: PromisingStore, order: TimedOrder): Lead {
  return leadOf(store, order.fulfilment_type, {
    itemsPrepMinutes: order.prep_minutes,
    zoneExtraMinutes: extraMinutesTo(store.delivery_zones, order.address?.postcode ?? ''),
  });
}

/**
 * What the customer is promised when the shop says so at `now`. As soon as possible: in `minutes`, by default what the
 * order takes with the rush of the moment. Scheduled: its slot, or later if `minutes` or the clock say so.
 */
export function promiseFor(
  store: PromisingStore,
  order: TimedOrder & { requested_for: Time | null },
  now: Date,
  minutes?: number,
): Date {
  if (order.requested_for !== null) {
    return new Date(Math.max(new Date(order.requested_for).getTime(), now.getTime() + (minutes ?? 0) * MINUTE));
  }
  const length = minutes === undefined ? leadOfOrder(store, order).fromNow : minutes * MINUTE;
  return new Date(now.getTime() + length);
}

/**
 * When the kitchen begins with a scheduled order, and its copy prints: what was promised, less the cooking and the way; a
 * rush of now does not count. null for one as soon as possible.
 */
export function cookingStartsAt(store: PromisingStore, order: Scheduled): Date | null {
  if (order.requested_for === null) return null;
  const promised = new Date(order.promised_at ?? order.requested_for);
  return new Date(promised.getTime() - leadOfOrder(store, order).fromOpening);
}
