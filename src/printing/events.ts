import { storeOrdersChannel } from '#ordering/channels.ts';
import type { RealtimeEvent } from '#realtime/events.ts';

/** Numbered together with the events of the store's orders. */
export function printUpdated<Print>(storeId: string, print: Print, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannel(storeId), event: 'print.updated', data: { print, sequence } };
}

/** The same of a printer, or of one that was removed: `{id, deleted: true}`. */
export function printerUpdated<Printer>(storeId: string, printer: Printer, sequence: number): RealtimeEvent {
  return { channel: storeOrdersChannel(storeId), event: 'printer.updated', data: { printer, sequence } };
}
