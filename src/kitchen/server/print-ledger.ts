import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { PrintsTable, Tx } from '#database/schema.ts';
import type { PrintCopy } from '#ordering/order.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { Jobs } from '#platform/server/jobs.ts';

export type PrintRow = Selectable<PrintsTable>;

/** The queue that turns ledger rows into paper. */
export const printQueue = 'kitchen.print';

export interface PrintRequest {
  /** `id` is null for a basket that is no order. */
  order: Pick<OrderRow, 'store_id'> & { id: string | null };
  copies: readonly PrintCopy[];
  now: Date;
  /** A scheduled order's kitchen copy comes out when its cooking starts. */
  kitchenDueAt?: Date;
  /** The receiptline source where it is known already: a basket has no order to make it from. */
  sources?: Partial<Record<PrintCopy, string>>;
}

/** Writes the copies into the ledger and owes their printing, in the caller's transaction. */
export async function queuePrints(tx: Tx, jobs: Jobs, request: PrintRequest): Promise<PrintRow[]> {
  const { order, copies, now } = request;
  const rows = await tx
    .insertInto('prints')
    .values(
      copies.map((copy) => ({
        id: randomUUIDv7(),
        store_id: order.store_id,
        order_id: order.id,
        copy,
        status: 'queued' as const,
        due_at: copy === 'kitchen' && request.kitchenDueAt && request.kitchenDueAt > now ? request.kitchenDueAt : now,
        source: request.sources?.[copy] ?? null,
        created_at: now,
      })),
    )
    .returningAll()
    .execute();
  for (const row of rows) {
    await jobs.send(tx, printQueue, { print_id: row.id }, row.due_at > now ? { startAfter: row.due_at } : {});
  }
  return rows;
}
