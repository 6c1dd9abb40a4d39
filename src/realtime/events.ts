import { EVENTS, orderChannel, STORES_CHANNEL, storeOrdersChannel } from '#realtime/channels.ts';

/** A message for everyone who listens on a channel. */
export interface RealtimeEvent {
  channel: string;
  event: string;
  data: unknown;
}

/** The page replaces its store with this one. */
export function storeUpdated<Store>(store: Store): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: EVENTS.storeUpdated, data: { store } };
}

/** The store as it was when deleted, taking no orders, for the pages that still show it. */
export function storeDeleted<Store>(store: Store): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: EVENTS.storeUpdated, data: { store, is_deleted: true } };
}

/** `version` is the menu's new version: a page that shows an older one fetches it. */
export function menuUpdated(storeId: string, version: number | string): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: EVENTS.menuUpdated, data: { store_id: storeId, version } };
}

/** Takes the guest's view only, because anyone who knows the order's id may listen. */
export function orderUpdatedForGuest<GuestOrder extends { id: string }>(order: GuestOrder): RealtimeEvent {
  return { channel: orderChannel(order.id), event: EVENTS.orderUpdated, data: { order } };
}

/** `sequence` increases by one per store, so that a board notices missing events. */
export function orderPlaced<Order extends { store_id: string }>(order: Order, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannel(order.store_id), event: EVENTS.orderPlaced, data: { order, sequence } };
}

export function orderUpdated<Order extends { store_id: string }>(order: Order, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannel(order.store_id), event: EVENTS.orderUpdated, data: { order, sequence } };
}

export function printUpdated<Print>(storeId: string, print: Print, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannel(storeId), event: EVENTS.printUpdated, data: { print, sequence } };
}
