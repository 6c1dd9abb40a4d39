import { sql } from 'kysely';
import { containing } from '#database/patterns.ts';
import type { Db, Tx } from '#database/schema.ts';
import { isInKitchen } from '#ordering/order-status.ts';
import type { PrintCopy } from '#ordering/print.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { OrderPrints } from '#ordering/server/services.ts';
import { askedCopies, automaticCopies, drawerPrinter, type WantedCopy } from '#printing/copies.ts';
import { expiryOf, movePrint } from '#printing/print-rules.ts';
import { announceJobs } from '#printing/server/announce.ts';
import { printersOf } from '#printing/server/printer-views.ts';
import { requestPrints } from '#printing/server/request-prints.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { type PrintRow, settle } from '#printing/server/settle.ts';

type Services = Pick<PrintingServices, 'outbox'> & { printers: Pick<PrintingServices['printers'], 'isPrinting'> };

/** The prints of orders' steps. None in a shop without a printer. */
export function createOrderPrints(services: Services): OrderPrints {
  return {
    async accepted(tx, { order, now, kitchenDueAt }) {
      if (!services.printers.isPrinting(order.store_id)) return;
      const wanted = automaticCopies(order, await printersOf(tx, order.store_id));
      await requestPrints(tx, { ...requestOf(order), trigger: 'acceptance', now, kitchenDueAt }, wanted);
    },
    changed: (tx, { order, now }) => printAgain(tx, order, now),
    async cashRecorded(tx, { order, now }) {
      if (!services.printers.isPrinting(order.store_id)) return;
      const printerId = drawerPrinter(order, await printersOf(tx, order.store_id));
      if (printerId === null) return;
      const request = { ...requestOf(order), purpose: 'drawer' as const, trigger: 'cash', now };
      await requestPrints(tx, request, [{ copy: 'customer', printerId, nth: 1 }]);
    },
    move: moveKitchenPrints,
    async ended(tx, { order, now }) {
      if (services.printers.isPrinting(order.store_id)) await expireKitchenPrints(tx, services, order.id, now);
    },
    async forget(tx, orderIds) {
      await tx.updateTable('prints').set({ source: null }).where('order_id', 'in', orderIds).execute();
    },
    forgetDrafts,
  };
}

/** Of a draft only its paper says whose it was. */
async function forgetDrafts(tx: Tx, names: readonly string[]): Promise<void> {
  const patterns = names.map(containing);
  const drafts = sql<boolean>`order_id is null and purpose = 'draft' and source is not null`;
  await tx.updateTable('prints').set({ source: null }).where(drafts).where('ended_at', 'is not', null).execute();
  await tx
    .deleteFrom('prints')
    .where(drafts)
    .where(sql<boolean>`source ilike any(${patterns}::text[])`)
    .execute();
}

function requestOf({ id, store_id: storeId }: OrderRow) {
  return { storeId, orderId: id, purpose: 'receipt' as const };
}

/**
 * Prints copies again where they were printed before the order changed: a waiting copy prints the changed order anyway, and
 * the kitchen needs no other one of an order that is packed.
 */
async function printAgain(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  const made = (await printsOf(tx, order.id)).filter(
    ({ copy, purpose }) => purpose === 'receipt' && (copy === 'customer' || isInKitchen(order.status)),
  );
  const roots = made.filter((print) => print.moved_from_id === null && isPerhapsSeen(print, made));
  if (roots.length === 0) return;
  const printers = await printersOf(tx, order.store_id);
  const wanted = new Map<string, WantedCopy>();
  for (const { copy, printer_id: printerId } of roots) {
    const stays = printers.some(({ id }) => id === printerId);
    const places = stays && printerId ? [{ copy, printerId, nth: 1 }] : askedCopies(order, [copy], printers);
    for (const place of places) wanted.set(`${place.copy} ${place.printerId}`, place);
  }
  await requestPrints(tx, { ...requestOf(order), trigger: `changed ${order.version}`, now }, [...wanted.values()]);
}

/** Whether somebody may have its paper, or read it on the board; also the paper of the printer that took it over. */
export function isPerhapsSeen(print: PrintRow, all: readonly PrintRow[]): boolean {
  if (print.unsure > 0 || print.read_at !== null || onPaper.has(print.status)) return true;
  const heir = all.find(({ moved_from_id }) => moved_from_id === print.id);
  return heir !== undefined && isPerhapsSeen(heir, all);
}

const onPaper: ReadonlySet<PrintRow['status']> = new Set(['claimed', 'sent', 'printed', 'unknown']);

/** Every print of an order, oldest first. */
export function printsOf(tx: Db, orderId: string): Promise<PrintRow[]> {
  return tx.selectFrom('prints').selectAll().where('order_id', '=', orderId).orderBy('id').execute();
}

/** Moves an order's waiting kitchen receipts to another time, in the caller's transaction. */
async function moveKitchenPrints(tx: Tx, orderId: string, now: Date, kitchenDueAt: Date | null): Promise<void> {
  if (kitchenDueAt === null) return;
  const dueAt = kitchenDueAt > now ? kitchenDueAt : now;
  const rows = await tx
    .updateTable('prints')
    .set({ due_at: dueAt, expires_at: expiryOf('receipt', dueAt) })
    .where('order_id', '=', orderId)
    .where('purpose', '=', 'receipt')
    .where('copy', '=', 'kitchen' satisfies PrintCopy)
    .where('status', '=', 'queued')
    .where('due_at', '>', now)
    .returning('printer_id')
    .execute();
  for (const id of new Set(rows.map((row) => row.printer_id))) if (id !== null) await announceJobs(tx, id);
}

/** A copy that is being printed stays; if it has to be tried again, it is not. */
async function expireKitchenPrints(tx: Tx, services: Services, orderId: string, now: Date): Promise<void> {
  const open = await tx
    .selectFrom('prints')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('purpose', '=', 'receipt')
    .where('copy', '=', 'kitchen')
    .where('ended_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const print of open) {
    if (movePrint(print, 'expire')) await settle(tx, services, print, 'expire', now, { expires_at: now });
    else await tx.updateTable('prints').set({ expires_at: now }).where('id', '=', print.id).execute();
  }
}
