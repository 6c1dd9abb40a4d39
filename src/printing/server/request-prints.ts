import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from '#database/schema.ts';
import type { PrintCopy, PrintPurpose } from '#ordering/print.ts';
import type { WantedCopy } from '#printing/copies.ts';
import { expiryOf } from '#printing/print-rules.ts';
import { announceJobs } from '#printing/server/print-events.ts';
import type { PrintRow } from '#printing/server/settle.ts';

export interface PrintRequest {
  /** `orderId` is null for a print without an order. */
  storeId: string;
  orderId: string | null;
  purpose: PrintPurpose;
  /** The event that asks for it: the same trigger of an order prints a copy once on each printer. */
  trigger: string;
  now: Date;
  /** A scheduled order's kitchen receipt is printed when its cooking starts. */
  kitchenDueAt?: Date | null;
  /** The receiptline source if it is known already: a basket has no order to make it from. */
  sources?: Partial<Record<PrintCopy, string>>;
}

/** Writes copies into the ledger, in the caller's transaction; the printers get them once it is committed. Returns the new ones. */
export async function requestPrints(
  tx: Tx,
  request: PrintRequest,
  wanted: readonly (WantedCopy & { isReprint?: boolean })[],
): Promise<PrintRow[]> {
  if (wanted.length === 0) return [];
  const { now, kitchenDueAt, purpose } = request;
  const rows = await tx
    .insertInto('prints')
    .values(
      wanted.map(({ copy, printerId, nth, isReprint = false }) => {
        const dueAt = copy === 'kitchen' && kitchenDueAt && kitchenDueAt > now ? kitchenDueAt : now;
        return {
          id: randomUUIDv7(),
          store_id: request.storeId,
          order_id: request.orderId,
          printer_id: printerId,
          purpose,
          copy,
          nth,
          trigger: request.trigger,
          is_reprint: isReprint,
          status: 'queued' as const,
          due_at: dueAt,
          expires_at: expiryOf(purpose, dueAt),
          source: request.sources?.[copy] ?? null,
          created_at: now,
        };
      }),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
  for (const printerId of new Set(rows.map((row) => row.printer_id))) if (printerId) await announceJobs(tx, printerId);
  return rows;
}

/** Records copies that nothing can print, because the shop has no printer: they are drawn, and can be looked at. */
export async function recordUnprinted(
  tx: Tx,
  request: PrintRequest,
  copies: readonly PrintCopy[],
): Promise<PrintRow[]> {
  return tx
    .insertInto('prints')
    .values(
      copies.map((copy) => ({
        id: randomUUIDv7(),
        store_id: request.storeId,
        order_id: request.orderId,
        purpose: request.purpose,
        copy,
        trigger: request.trigger,
        status: 'failed' as const,
        fault: 'no_printer' as const,
        due_at: request.now,
        ended_at: request.now,
        source: request.sources?.[copy] ?? null,
        created_at: request.now,
      })),
    )
    .returningAll()
    .execute();
}
