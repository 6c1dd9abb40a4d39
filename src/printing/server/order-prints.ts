import { sql } from 'kysely';
import { foldedLikePattern } from '#database/text-search.ts';
import type { Db, Tx } from '#database/schema.ts';
import { isTestOrder } from '#ordering/next-status.ts';
import { isCalledOff, isInKitchen } from '#ordering/order-status.ts';
import type { RemovedLine } from '#ordering/order.ts';
import type { PrintCopy, PrintPurpose } from '#ordering/print.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { OrderPrintEffects } from '#ordering/server/services.ts';
import {
  requestedCopies,
  copiesOnAccept,
  findDrawerPrinter,
  removedLinesForPrinter,
  type RequestedCopy,
} from '#printing/copies.ts';
import { printExpiry, findPrintTransition } from '#printing/print-rules.ts';
import { isEqualToTheMinute } from '#printing/receipt/text.ts';
import { announcePrintJobsChanged } from '#printing/server/print-events.ts';
import { type PrinterRow, readStorePrinters } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { type PrintRow, applyPrintEvent } from '#printing/server/apply-print-event.ts';
import { randomUUIDv7 } from 'node:crypto';

type Services = Pick<PrintingServices, 'outbox'> & { printers: Pick<PrintingServices['printers'], 'isPrinting'> };

/**
 * Creates the functions that print receipts and slips, and open the drawer, when orders change. In a store without
 * printers they print nothing.
 */
export function createOrderPrintEffects(services: Services): OrderPrintEffects {
  return {
    async accepted(tx, { order, now, kitchenDueAt }) {
      if (!services.printers.isPrinting(order.store_id)) return;
      const wanted = copiesOnAccept(order, await readStorePrinters(tx, order.store_id));
      await requestPrints(tx, { ...requestOf(order), trigger: 'acceptance', now, kitchenDueAt }, wanted);
    },
    changed: printAgain,
    async cashRecorded(tx, { order, now }) {
      if (!services.printers.isPrinting(order.store_id)) return;
      const printerId = findDrawerPrinter(order, await readStorePrinters(tx, order.store_id));
      if (printerId === null) return;
      const request = { ...requestOf(order), purpose: 'drawer' as const, trigger: 'cash', now };
      await requestPrints(tx, request, [{ copy: 'customer', printerId, nth: 1 }]);
    },
    async promised(tx, { order, now, kitchenDueAt }) {
      await moveKitchenPrints(tx, order.id, now, kitchenDueAt);
      if (services.printers.isPrinting(order.store_id)) await printSlips(tx, order, 'promise', now);
    },
    async ended(tx, { order, now }) {
      if (!services.printers.isPrinting(order.store_id)) return;
      await expireWaiting(tx, services, order, now);
      if (isCalledOff(order.status) && !isTestOrder(order)) await printSlips(tx, order, 'cancellation', now);
    },
    async forget(tx, orderIds) {
      await tx.updateTable('prints').set({ source: null }).where('order_id', 'in', orderIds).execute();
    },
    forgetDrafts,
  };
}

/**
 * Erases people's names from drafts, which are prints of unsaved baskets. Erases the stored content (`source`) of every
 * ended draft, and deletes each unended draft whose content has one of the names.
 */
async function forgetDrafts(tx: Tx, names: readonly string[]): Promise<void> {
  const patterns = names.map(foldedLikePattern);
  const drafts = sql<boolean>`order_id is null and purpose = 'draft' and source is not null`;
  await tx.updateTable('prints').set({ source: null }).where(drafts).where('ended_at', 'is not', null).execute();
  await tx
    .deleteFrom('prints')
    .where(drafts)
    .where(sql<boolean>`fold_text(source) like any(${patterns}::text[])`)
    .execute();
}

function requestOf({ id, store_id: storeId }: OrderRow) {
  return { storeId, orderId: id, purpose: 'receipt' as const };
}

/**
 * Reprints receipts that may have been read before dishes were removed from the order. A print that still waits is
 * drawn with the change anyway. Kitchen receipts are not reprinted for packed orders. A printer reprints a kitchen
 * receipt only if a removed dish belongs to its stations.
 */
async function printAgain(
  tx: Tx,
  { order, now, removed }: { order: OrderRow; now: Date; removed: readonly RemovedLine[] },
): Promise<void> {
  const made = (await readPrintsOfOrder(tx, order.id)).filter(
    (print) => print.purpose === 'receipt' && isOfUse(print, order),
  );
  const roots = made.filter((print) => print.moved_from_id === null && mayPrintHaveBeenRead(print, made));
  if (roots.length === 0) return;
  const printers = await readStorePrinters(tx, order.store_id);
  const hadSome = (printerId: string) =>
    printers.some(
      (printer) => printer.id === printerId && removedLinesForPrinter(printer, printers, order, removed).length > 0,
    );
  const wanted = new Map<string, RequestedCopy>();
  for (const { copy, printer_id: printerId } of roots) {
    for (const place of placesOf(order, copy, printerId, printers)) {
      // If the earlier printer was removed, its replacement always prints, even if the replacement's stations lost no
      // dish.
      const isNews = copy === 'customer' || place.printerId !== printerId || hadSome(place.printerId);
      if (isNews) wanted.set(`${copy} ${place.printerId}`, place);
    }
  }
  await requestPrints(tx, { ...requestOf(order), trigger: `changed ${order.version}`, now }, [...wanted.values()]);
}

/** Whether a print is still needed: the kitchen needs no receipt of a packed order. */
function isOfUse({ copy }: Pick<PrintRow, 'copy'>, { status }: Pick<OrderRow, 'status'>): boolean {
  return copy === 'customer' || isInKitchen(status);
}

/**
 * The printers that print a receipt again: the printer of the earlier print or, if that printer was removed, the
 * printers of `requestedCopies`.
 */
function placesOf(order: OrderRow, copy: PrintCopy, printerId: string | null, printers: readonly PrinterRow[]) {
  const isThere = printers.some(({ id }) => id === printerId);
  return isThere && printerId ? [{ copy, printerId, nth: 1 }] : requestedCopies(order, [copy], printers);
}

/**
 * Prints a slip on each printer that may have printed a receipt of the order, even if it was only a backup. A printer
 * with a waiting slip of this kind gets no second slip, because the waiting slip is drawn from the changed order. A
 * slip about a new time is printed only if the last paper shows another time. For such a slip, the receipt's original
 * printer must also have `prints_promises` set.
 */
async function printSlips(tx: Tx, order: OrderRow, purpose: 'cancellation' | 'promise', now: Date): Promise<void> {
  const made = await readPrintsOfOrder(tx, order.id);
  const papers = made.filter((print) => print.purpose === 'receipt' && isPerhapsOut(print));
  if (papers.length === 0) return;
  const printers = await readStorePrinters(tx, order.store_id);
  const wants = new Set(printers.filter((printer) => printer.prints_promises).map(({ id }) => id));
  const isWanted = (paper: PrintRow) =>
    purpose === 'cancellation' || (isOfUse(paper, order) && wants.has(originalPrintOf(paper, made).printer_id ?? ''));
  const places = papers
    .filter(isWanted)
    .flatMap(({ copy, printer_id: printerId }) => placesOf(order, copy, printerId, printers))
    .map(({ printerId }) => printerId)
    .filter((id) => !made.some((print) => print.printer_id === id && print.purpose === purpose && isWaiting(print)))
    .filter((id) => purpose === 'cancellation' || !saysPromise(findLastPaperWithPromise(made, id), order));
  const trigger = purpose === 'cancellation' ? purpose : `promised ${order.version}`;
  const wanted = [...new Set(places)].map((printerId) => ({ copy: 'kitchen' as const, printerId, nth: 1 }));
  await requestPrints(tx, { ...requestOf(order), purpose, trigger, now }, wanted);
}

/** The original of a moved print; an unmoved print is its own original. */
export function originalPrintOf(print: PrintRow, all: readonly PrintRow[]): PrintRow {
  const from = all.find(({ id }) => id === print.moved_from_id);
  return from ? originalPrintOf(from, all) : print;
}

/** The newest paper with a promised time (a receipt, or a slip about a new time) that a printer may have printed. */
export function findLastPaperWithPromise(prints: readonly PrintRow[], printerId: string | null): PrintRow | undefined {
  return prints
    .filter((print) => print.printer_id === printerId && saysTime.has(print.purpose) && isPerhapsOut(print))
    .filter(({ drawn_at: at }) => at !== null)
    .toSorted((a, b) => Number(a.drawn_at) - Number(b.drawn_at))
    .at(-1);
}

const saysTime: ReadonlySet<PrintRow['purpose']> = new Set(['receipt', 'promise']);

function saysPromise(paper: PrintRow | undefined, { promised_at: promised }: OrderRow): boolean {
  return paper?.promised_at != null && promised !== null && isEqualToTheMinute(paper.promised_at, promised);
}

/** Whether a print waits for an attempt, which draws the print from the current order. */
function isWaiting({ status, ended_at: endedAt }: PrintRow): boolean {
  return endedAt === null && status !== 'claimed' && status !== 'sent';
}

/**
 * Whether somebody may have read a print: on its paper, on the paper of the print to which it was moved, or on the
 * board.
 */
export function mayPrintHaveBeenRead(print: PrintRow, all: readonly PrintRow[]): boolean {
  if (print.read_at !== null || isPerhapsOut(print)) return true;
  const heir = all.find(({ moved_from_id }) => moved_from_id === print.id);
  return heir !== undefined && mayPrintHaveBeenRead(heir, all);
}

/**
 * Whether this print itself may be on paper. If another printer took the print over, the paper of that printer does not
 * count.
 */
function isPerhapsOut({ unsure, status }: PrintRow): boolean {
  return unsure > 0 || onPaper.has(status);
}

const onPaper: ReadonlySet<PrintRow['status']> = new Set(['claimed', 'sent', 'printed', 'unknown']);

export function readPrintsOfOrder(tx: Db, orderId: string): Promise<PrintRow[]> {
  return tx.selectFrom('prints').selectAll().where('order_id', '=', orderId).orderBy('id').execute();
}

/** Moves an order's waiting kitchen receipts to another due time, in the caller's transaction. */
async function moveKitchenPrints(tx: Tx, orderId: string, now: Date, kitchenDueAt: Date | null): Promise<void> {
  if (kitchenDueAt === null) return;
  const dueAt = kitchenDueAt > now ? kitchenDueAt : now;
  const rows = await tx
    .updateTable('prints')
    .set({ due_at: dueAt, expires_at: printExpiry('receipt', dueAt) })
    .where('order_id', '=', orderId)
    .where('purpose', '=', 'receipt')
    .where('copy', '=', 'kitchen' satisfies PrintCopy)
    .where('status', '=', 'queued')
    .where('due_at', '>', now)
    .returning('printer_id')
    .execute();
  for (const id of new Set(rows.map((row) => row.printer_id))) if (id !== null) await announcePrintJobsChanged(tx, id);
}

/**
 * Expires the waiting prints that nobody needs after the end of their order. Kitchen prints always expire. Customer
 * receipts expire if the order was called off, because they might wrongly say TO PAY. A print that a printer already
 * has is not withdrawn, but gets no retries.
 */
async function expireWaiting(tx: Tx, services: Services, order: OrderRow, now: Date): Promise<void> {
  const copies: PrintCopy[] = isCalledOff(order.status) ? ['kitchen', 'customer'] : ['kitchen'];
  const open = await tx
    .selectFrom('prints')
    .selectAll()
    .where('order_id', '=', order.id)
    .where('purpose', 'in', ['receipt', 'promise'])
    .where('copy', 'in', copies)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const print of open) {
    if (findPrintTransition(print, 'expire'))
      await applyPrintEvent(tx, services, print, 'expire', now, { expires_at: now });
    else await tx.updateTable('prints').set({ expires_at: now }).where('id', '=', print.id).execute();
  }
}

export interface PrintRequest {
  storeId: string;
  /** The order to which the prints belong; null: no order, as for a draft or a test page. */
  orderId: string | null;
  purpose: PrintPurpose;
  /** The key of the event that caused the prints. A repeated request with the same key prints nothing. */
  trigger: string;
  now: Date;
  /**
   * When the kitchen receipt of a scheduled order is printed: at the start of cooking. Missing, null or past: at once.
   */
  kitchenDueAt?: Date | null;
  /**
   * The receiptline sources of receipts that are already drawn: receipts of a basket, and receipts in a store without
   * printers.
   */
  sources?: Partial<Record<PrintCopy, string>>;
}

/**
 * Inserts prints into the ledger in the caller's transaction, and returns the inserted prints. Printers get them after
 * the commit.
 */
export async function requestPrints(
  tx: Tx,
  request: PrintRequest,
  wanted: readonly (RequestedCopy & { isReprint?: boolean })[],
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
          expires_at: printExpiry(purpose, dueAt),
          source: request.sources?.[copy] ?? null,
          created_at: now,
        };
      }),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
  for (const printerId of new Set(rows.map((row) => row.printer_id)))
    if (printerId) await announcePrintJobsChanged(tx, printerId);
  return rows;
}

/** Records receipts as failed in a store without printers. Staff then see them on the screen. */
export async function recordUnprintedReceipts(
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
