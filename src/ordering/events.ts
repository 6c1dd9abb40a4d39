import { orderChannelName, storeOrdersChannelName } from '#ordering/channels.ts';
import type { RealtimeEvent } from '#realtime/events.ts';

/**
 * The event of a changed order for its guest. It has only the guest's view, because anyone who knows the order's id may
 * listen.
 */
export function guestOrderUpdatedEvent<GuestOrder extends { id: string }>(order: GuestOrder): RealtimeEvent {
  return { channel: orderChannelName(order.id), event: 'order.updated', data: { order } };
}

/**
 * The event of a placed order for its store's boards. `sequence` increases by one per store, so that a board notices
 * missing events.
 */
export function orderPlacedEvent<Order extends { store_id: string }>(order: Order, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannelName(order.store_id), event: 'order.placed', data: { order, sequence } };
}

export function orderUpdatedEvent<Order extends { store_id: string }>(order: Order, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannelName(order.store_id), event: 'order.updated', data: { order, sequence } };
}
