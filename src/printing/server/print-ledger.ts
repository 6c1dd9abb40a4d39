import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { PrintsTable, Tx } from '#database/schema.ts';
import type { PrintCopy } from '#ordering/print.ts';
import { isInKitchen } from '#ordering/order-status.ts';
import type { OrderPrints } from '#ordering/server/services.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { PrintingServices } from '#printing/server/services.ts';

export type PrintRow = Selectable<PrintsTable>;

/** The queue that prints rows of the ledger. */
export const printQueue = 'kitchen.print';

export interface PrintJob {
  print_id: string;
  /** The row's due time when the job was sent: if it has changed, another job prints it. Older jobs have none. */
  due_at?: string;
}

export interface PrintRequest {
  /** `id` is null for a basket that is not an order. */
  order: Pick<OrderRow, 'store_id'> & { id: string | null };
  copies: readonly PrintCopy[];
  now: Date;
  /** A scheduled order's kitchen copy is printed when its cooking starts. */
  kitchenDueAt?: Date | null;
  /** The receiptline source if it is known already: a basket has no order to make it from. */
  sources?: Partial<Record<PrintCopy, string>>;
}

/** The prints of orders. None if the shop has no printer. */
export function createOrderPrints(services: Pick<PrintingServices, 'jobs' | 'printers'>): OrderPrints {
  return {
    async accepted(tx, request) {
      if (await services.printers.of(request.order.store_id)) {
        await requestPrints(tx, services, { ...request, copies: ['kitchen', 'customer'] });
      }
    },
    changed: (tx, request) => printAgain(tx, services, request),
    async forget(tx, orderIds) {
      await tx.updateTable('prints').set({ source: null }).where('order_id', 'in', orderIds).execute();
    },
    move: (tx, orderId, now, kitchenDueAt) => moveKitchenPrints(tx, services, orderId, now, kitchenDueAt),
  };
}

/**
 * Writes requested copies into the ledger and queues their printing, in the caller's transaction. Without
 * a printer they are marked as failed, with the reason: nothing is going to be printed.
 */
export async function requestPrints(
  tx: Tx,
  services: Pick<PrintingServices, 'jobs' | 'printers'>,
  request: PrintRequest,
): Promise<PrintRow[]> {
  const { order, copies, now } = request;
  const hasPrinter = (await services.printers.of(order.store_id)) !== null;
  const rows = await tx
    .insertInto('prints')
    .values(
      copies.map((copy) => ({
        id: randomUUIDv7(),
        store_id: order.store_id,
        order_id: order.id,
        copy,
        status: hasPrinter ? ('queued' as const) : ('failed' as const),
        error: hasPrinter ? null : m.printing_no_printer(),
        due_at: copy === 'kitchen' && request.kitchenDueAt && request.kitchenDueAt > now ? request.kitchenDueAt : now,
        source: request.sources?.[copy] ?? null,
        created_at: now,
      })),
    )
    .returningAll()
    .execute();
  if (hasPrinter) for (const row of rows) await sendPrint(tx, services.jobs, row, now);
  return rows;
}

/** A waiting copy prints the changed order anyway; the kitchen needs no other one of an order that is packed. */
async function printAgain(
  tx: Tx,
  services: Pick<PrintingServices, 'jobs' | 'printers'>,
  { order, now }: { order: OrderRow; now: Date },
): Promise<void> {
  if (!(await services.printers.of(order.store_id))) return;
  const made = await tx
    .selectFrom('prints')
    .select('copy')
    .distinct()
    .where('order_id', '=', order.id)
    .where('status', 'in', ['claimed', 'sent', 'printed', 'unknown'])
    .execute();
  const copies = made.map(({ copy }) => copy).filter((copy) => copy === 'customer' || isInKitchen(order.status));
  if (copies.length > 0) await requestPrints(tx, services, { order, copies, now });
}

/** Moves an order's waiting kitchen copies to another time, in the caller's transaction. */
async function moveKitchenPrints(
  tx: Tx,
  { jobs }: Pick<PrintingServices, 'jobs'>,
  orderId: string,
  now: Date,
  dueAt: Date | null,
): Promise<void> {
  if (dueAt === null) return;
  const rows = await tx
    .updateTable('prints')
    .set({ due_at: dueAt > now ? dueAt : now })
    .where('order_id', '=', orderId)
    .where('copy', '=', 'kitchen')
    .where('status', '=', 'queued')
    .where('due_at', '>', now)
    .returningAll()
    .execute();
  for (const row of rows) await sendPrint(tx, jobs, row, now);
}

async function sendPrint(tx: Tx, jobs: Jobs, { id, due_at: dueAt }: PrintRow, now: Date): Promise<void> {
  const job: PrintJob = { print_id: id, due_at: dueAt.toISOString() };
  await jobs.send(tx, printQueue, job, dueAt > now ? { startAfter: dueAt } : {});
}
