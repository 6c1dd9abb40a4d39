import type { RealtimeEvent } from '#realtime/events.ts';
import { STORES_CHANNEL } from '#store/channels.ts';

export function storeUpdatedEvent<Store>(store: Store): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: 'store.updated', data: { store } };
}

/**
 * The event of a deleted store, for pages that still show it. `store`: the store as deleted; it accepts no orders.
 */
export function storeDeletedEvent<Store>(store: Store): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: 'store.updated', data: { store, is_deleted: true } };
}

/** The event that makes pages refetch a menu that is older than `version`. */
export function menuUpdatedEvent(storeId: string, version: number | string): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: 'menu.updated', data: { store_id: storeId, version } };
}
