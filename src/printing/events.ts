import { storeOrdersChannelName } from '#ordering/channels.ts';
import type { RealtimeEvent } from '#realtime/events.ts';

/** Builds the event of a changed print. Its sequence number continues the sequence of the store's order events. */
export function printUpdatedEvent<Print>(storeId: string, print: Print, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannelName(storeId), event: 'print.updated', data: { print, sequence } };
}

/** Builds the event of a changed printer; `printer` is `{id, deleted: true}` after a removal. */
export function printerUpdatedEvent<Printer>(storeId: string, printer: Printer, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannelName(storeId), event: 'printer.updated', data: { printer, sequence } };
}
