import { presentPrint } from '#ordering/server/present-order.ts';
import { printUpdated } from '#printing/events.ts';
import { storeOrdersChannel } from '#ordering/channels.ts';
import type { OutboxEntry } from '#realtime/server/outbox.ts';
import type { EventMaker } from '#realtime/server/build-events.ts';

/** Announces that a print changed. */
export function printEntry(storeId: string, subjectId: string): OutboxEntry {
  const countedOn = storeOrdersChannel(storeId);
  return { topic: 'print', event: 'print.updated', storeId, subjectId, countedOn };
}

/** The state of a receipt's printing, for the store's boards. */
export const printEvents: EventMaker = async (tx, entries) => {
  const ids = entries.map(({ subjectId }) => subjectId);
  const rows = await tx.selectFrom('prints').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, presentPrint(row)]));
  return entries.map(({ storeId, subjectId, sequence }) => {
    const print = byId.get(subjectId);
    return print ? [printUpdated(storeId, print, sequence ?? 0)] : [];
  });
};
