import { storeOrdersChannel } from '#ordering/channels.ts';
import type { RealtimeEvent } from '#realtime/events.ts';

/** The event of a changed print. It is numbered in the same sequence as the events of the store's orders. */
export function printUpdatedEvent<Print>(storeId: string, print: Print, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannel(storeId), event: 'print.updated', data: { print, sequence } };
}

/**
 * The event of a changed printer. It is numbered in the same sequence as the events of the store's orders. `printer` is
 * `{id, deleted: true}` for a removed printer.
 */
export function printerUpdatedEvent<Printer>(storeId: string, printer: Printer, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannel(storeId), event: 'printer.updated', data: { printer, sequence } };
}
