import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import { movePrint } from '#printing/print-rules.ts';
import { printEntry } from '#printing/server/print-events.ts';
import { drawReceipt } from '#printing/server/draw-receipt.ts';
import { type PrintJob, printQueue, type PrintRow } from '#printing/server/print-ledger.ts';
import type { Printer } from '#printing/server/printer.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import type { PrintCopy } from '#ordering/print.ts';
import type { PrintingServices } from '#printing/server/services.ts';

/** Sends the ledger's copies to the shops' printers. */
export async function startPrinting(
  services: Pick<PrintingServices, 'db' | 'jobs' | 'log' | 'menus' | 'now' | 'orderParts' | 'outbox' | 'printers'>,
): Promise<void> {
  await services.jobs.work<PrintJob>(printQueue, async (job) => {
    const begun = await makeChange(services, (tx, afterCommit) => {
      afterCommit(services.outbox.wake);
      return beginPrint(tx, services, job);
    });
    if (!begun) return;
    const result = await begun.printer.print(begun.source).then(
      () => ({ status: 'printed' as const, printed_at: services.now() }),
      (error: unknown) => ({ status: 'unknown' as const, error: wordsOf(error) }),
    );
    await makeChange(services, (tx, afterCommit) => {
      afterCommit(services.outbox.wake);
      return settle(tx, services, begun.print, result);
    });
  });
}

interface Begun {
  print: PrintRow;
  printer: Printer;
  source: string;
}

/**
 * Marks a copy as sent before the first byte is sent, and returns what to print; null if nothing. A copy that was
 * printed, or whose order is gone, is skipped: a repeated job does no harm.
 */
async function beginPrint(
  tx: Tx,
  services: Pick<PrintingServices, 'menus' | 'now' | 'orderParts' | 'outbox' | 'printers'>,
  { print_id: id, due_at: dueAt }: PrintJob,
): Promise<Begun | null> {
  const print = await tx.selectFrom('prints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!print || print.status === 'printed' || print.status === 'expired') return null;
  if (dueAt !== undefined && dueAt !== print.due_at.toISOString()) return null;
  if (print.copy === 'kitchen' && movePrint(print, 'expire') && (await isOrderOff(tx, print.order_id))) {
    // A cancelled order that waited for its time must not be cooked.
    await settle(tx, services, print, { status: 'expired' });
    return null;
  }
  const printer = await services.printers.of(print.store_id);
  if (!printer) {
    await settle(tx, services, print, { status: 'failed', error: m.printing_no_printer() });
    return null;
  }
  // The source of an earlier attempt lacks the warning about a duplicate.
  const isStale = print.order_id !== null && isPerhapsOnPaper(print);
  const source = (isStale ? null : print.source) ?? (await makeSource(tx, services, print));
  await settle(tx, services, print, { status: 'sent', error: null, source });
  return { print, printer, source };
}

async function isOrderOff(tx: Tx, orderId: string | null): Promise<boolean> {
  if (orderId === null) return false;
  const order = await findOrder(tx, orderId);
  return order !== undefined && isCalledOff(order.status);
}

async function settle(
  tx: Tx,
  services: Pick<PrintingServices, 'outbox'>,
  print: PrintRow,
  change: Partial<PrintRow>,
): Promise<void> {
  await tx.updateTable('prints').set(change).where('id', '=', print.id).execute();
  await services.outbox.add(tx, printEntry(print.store_id, print.id));
}

async function makeSource(
  tx: Tx,
  services: Pick<PrintingServices, 'menus' | 'now' | 'orderParts'>,
  print: PrintRow,
): Promise<string> {
  const { id, order_id: orderId, copy } = print;
  const source =
    orderId &&
    (await drawReceipt(tx, services, orderId, copy, {
      printedAt: services.now(),
      copyNumber: await countCopies(tx, orderId, copy, id),
      duplicate: isPerhapsOnPaper(print),
    }));
  if (!source) throw new Error(`print ${id} has no order to print`);
  return source;
}

/** The number of this print of the copy, from 1: two papers of one order must differ. */
async function countCopies(db: Db, orderId: string, copy: PrintCopy, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('prints')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('order_id', '=', orderId)
    .where('copy', '=', copy)
    .where('id', '<=', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isPerhapsOnPaper({ status }: PrintRow): boolean {
  return status === 'sent' || status === 'unknown';
}
