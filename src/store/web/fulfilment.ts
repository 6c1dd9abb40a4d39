import type { HeldBasket } from '#ordering/web/basket-store.ts';
import type { DeliveryZone, FulfilmentType, Store } from '#store/contract.ts';
import { findZone } from '#store/delivery-zones.ts';
import { earliestReady } from '#store/earliest-ready.ts';

/** What the shop offers, in the order in which it is shown. */
export function offeredFulfilments(store: Store): FulfilmentType[] {
  const offered: FulfilmentType[] = [];
  if (store.delivery_enabled && store.delivery_zones.length > 0) offered.push('delivery');
  if (store.collection_enabled) offered.push('collection');
  return offered;
}

/** What the customer chose, while the shop offers it; otherwise the first that it does. */
export function chosenFulfilment(
  store: Store,
  { fulfilment_type }: Pick<HeldBasket, 'fulfilment_type'>,
): FulfilmentType {
  const offered = offeredFulfilments(store);
  if (fulfilment_type && offered.includes(fulfilment_type)) return fulfilment_type;
  return offered[0] ?? 'collection';
}

/** The soonest it could be ready or at the door, ISO 8601; before the postcode is known, at the nearest door. */
export function soonestReady(store: Store, fulfilment: FulfilmentType, postcode: string, now: Date): string | null {
  const zone = findZone(store.delivery_zones, postcode);
  if (fulfilment === 'delivery' && store.delivery_zones.length === 0) return null;
  const zoneExtraMinutes = zone?.extra_minutes ?? nearestMinutes(store.delivery_zones);
  return earliestReady(store, fulfilment, now, fulfilment === 'delivery' ? { zoneExtraMinutes } : {});
}

/** Whether an order can be placed at all, for now or for later. */
export function takesOrders(store: Store, now: Date): boolean {
  return offeredFulfilments(store).some((type) => soonestReady(store, type, '', now) !== null);
}

function nearestMinutes(zones: readonly DeliveryZone[]): number {
  return zones.length === 0 ? 0 : Math.min(...zones.map((zone) => zone.extra_minutes));
}
