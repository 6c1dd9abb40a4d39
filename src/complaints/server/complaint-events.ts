import type { ComplaintRow } from '#complaints/server/complaint-mail.ts';
import type { Tx } from '#database/schema.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { announceOrder } from '#ordering/server/change-orders.ts';
import type { ComplaintServices } from '#complaints/server/services.ts';
import type { EventMaker } from '#realtime/server/outbox.ts';

declare module '#realtime/server/outbox.ts' {
  interface OutboxTopics {
    complaint: true;
  }
}

/**
 * Tells the boards of a complaint's store and the order's page that the complaint is new or answered. The event of the
 * order's page does not mention the complaint, because anyone who knows the order's id may listen.
 */
export async function announceComplaint(
  tx: Tx,
  { outbox }: Pick<ComplaintServices, 'outbox'>,
  { id, store_id: storeId, order_id: orderId }: Pick<ComplaintRow, 'id' | 'store_id' | 'order_id'>,
): Promise<void> {
  if (storeId === null) return;
  if (orderId !== null) await announceOrder(tx, outbox, { id: orderId, store_id: storeId }, 'order.updated');
  const countedOn = storeOrdersChannelName(storeId);
  await outbox.add(tx, { topic: 'complaint', event: 'complaint.updated', scopeId: storeId, subjectId: id, countedOn });
}

/** Makes an event without the complaint's texts; the boards fetch them. */
export const makeComplaintEvents: EventMaker = async (_tx, entries) =>
  entries.map(({ scopeId, subjectId: id, event, sequence }) => [
    { channel: storeOrdersChannelName(scopeId), event, data: { complaint: { id }, sequence: sequence ?? 0 } },
  ]);
