import type { Option } from '#menu/menu-shapes.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { Store } from '#store/contract.ts';
import { deliveryExtraMinutes } from '#store/delivery-zones.ts';
import { type LeadTime, leadTimeOf } from '#store/slot-rules.ts';
import { MINUTE } from '#platform/zone-clock.ts';

export type PreparationSettings = Pick<Store, 'prep_minutes' | 'busy_extra_minutes' | 'delivery_zones'>;

/** The fields of an order that decide how long it takes. An order's row or an order of the API fits. */
export interface LeadTimeOrder extends Pick<GuestOrder, 'fulfilment_type' | 'prep_minutes'> {
  /** Missing for readers who may not see the address; for them the zone with the shortest drive counts. */
  address?: Pick<DeliveryAddress, 'postcode'> | null;
}
type Time = Date | string;
type Scheduled = LeadTimeOrder & { requested_for: Time | null; promised_at: Time | null };

/** The longest preparation time of these dishes, in minutes; 0 if no dish has a preparation time of its own. */
export function maxPrepMinutes(dishes: Iterable<Pick<Option, 'prep_minutes'>>): number {
  let longest = 0;
  for (const dish of dishes) longest = Math.max(longest, dish.prep_minutes ?? 0);
  return longest;
}

/**
 * The time that an order takes: its preparation, plus the drive if it is a delivery. The preparation takes the shop's
 * minutes, or the slowest dish's minutes if these are more.
 */
export function orderLeadTime(store: PreparationSettings, order: LeadTimeOrder): LeadTime {
  return leadTimeOf(store, order.fulfilment_type, {
    itemsPrepMinutes: order.prep_minutes,
    zoneExtraMinutes: deliveryExtraMinutes(store.delivery_zones, order.address?.postcode ?? ''),
  });
}

/**
 * Returns the promised time of an order accepted at `now`. An unscheduled order is promised in `minutes`, by default
 * its lead time with the busy minutes. A scheduled order is promised for its slot, or for `minutes` from now if that is
 * later.
 */
export function promisedTimeFor(
  store: PreparationSettings,
  order: LeadTimeOrder & { requested_for: Time | null },
  now: Date,
  minutes?: number,
): Date {
  if (order.requested_for !== null) {
    return new Date(Math.max(new Date(order.requested_for).getTime(), now.getTime() + (minutes ?? 0) * MINUTE));
  }
  const length = minutes === undefined ? orderLeadTime(store, order).fromNow : minutes * MINUTE;
  return new Date(now.getTime() + length);
}

/** When an order must leave the kitchen: the promised time, minus the drive for a delivery; null without a promise. */
export function kitchenDepartureTime(
  store: Pick<PreparationSettings, 'delivery_zones'>,
  { promised_at: promised, fulfilment_type: fulfilment, address }: Pick<Scheduled, 'promised_at'> & LeadTimeOrder,
): Date | null {
  if (promised === null) return null;
  const way = fulfilment === 'delivery' ? deliveryExtraMinutes(store.delivery_zones, address?.postcode ?? '') : 0;
  return new Date(new Date(promised).getTime() - way * MINUTE);
}

/**
 * When the kitchen starts a scheduled order and prints its receipt: the promised time minus preparation and drive. Busy
 * minutes do not count. Null for an unscheduled order.
 */
export function cookingStartTime(store: PreparationSettings, order: Scheduled): Date | null {
  if (order.requested_for === null) return null;
  const promised = new Date(order.promised_at ?? order.requested_for);
  return new Date(promised.getTime() - orderLeadTime(store, order).fromOpening);
}
