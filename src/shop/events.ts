import type { RealtimeEvent } from '#realtime/events.ts';
import { STORES_CHANNEL } from '#store/channels.ts';

/** The page replaces its store with this one. */
export function storeUpdated<Store>(store: Store): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: 'store.updated', data: { store } };
}

/** The deleted store's last state, without orders, for pages that still show it. */
export function storeDeleted<Store>(store: Store): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: 'store.updated', data: { store, is_deleted: true } };
}

/** `version`: the menu's; pages with an older one fetch it. */
export function menuUpdated(storeId: string, version: number | string): RealtimeEvent {
  return { channel: STORES_CHANNEL, event: 'menu.updated', data: { store_id: storeId, version } };
}
