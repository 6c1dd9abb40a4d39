import type { Db, Tx } from '#database/schema.ts';
import { printerUpdatedEvent, printUpdatedEvent } from '#printing/events.ts';
import { presentPrinter } from '#printing/server/printer-views.ts';
import { readPrints } from '#printing/server/print-views.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import type { EventMaker, OutboxEntry } from '#realtime/server/outbox.ts';
import { announceSettingsChange } from '#database/listen.ts';

declare module '#realtime/server/outbox.ts' {
  interface OutboxTopics {
    print: true;
    printer: true;
  }
}

export function printOutboxEntry(scopeId: string, subjectId: string): OutboxEntry {
  const countedOn = storeOrdersChannelName(scopeId);
  return { topic: 'print', event: 'print.updated', scopeId, subjectId, countedOn };
}

export function printerOutboxEntry(scopeId: string, subjectId: string): OutboxEntry {
  const countedOn = storeOrdersChannelName(scopeId);
  return { topic: 'printer', event: 'printer.updated', scopeId, subjectId, countedOn };
}

export const makePrintEvents: EventMaker = async (tx, entries) => {
  const prints = await readPrints(tx, [...new Set(entries.map(({ subjectId }) => subjectId))]);
  const byId = new Map(prints.map((print) => [print.id, print]));
  return entries.map(({ scopeId, subjectId, sequence }) => {
    const print = byId.get(subjectId);
    return print ? [printUpdatedEvent(scopeId, print, sequence ?? 0)] : [];
  });
};

export function printerEventMaker(config: { publicUrl: string }): EventMaker {
  return async (tx: Db, entries) => {
    const ids = entries.map(({ subjectId }) => subjectId);
    const rows = await tx.selectFrom('printers').selectAll().where('id', 'in', ids).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return entries.map(({ scopeId, subjectId: id, sequence }) => {
      const row = byId.get(id);
      const printer = row && row.deleted_at === null ? presentPrinter(row, config) : { id, deleted: true };
      return [printerUpdatedEvent(scopeId, printer, sequence ?? 0)];
    });
  };
}

export const printersChannel = 'hatch_printers';
export const printJobsChannel = 'hatch_print_jobs';

export const announcePrintersChanged = (tx: Tx) => announceSettingsChange(tx, printersChannel);

export const announcePrintJobsChanged = (tx: Tx, printerId: string) =>
  announceSettingsChange(tx, printJobsChannel, printerId);
