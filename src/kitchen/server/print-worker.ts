import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { customerReceipt, kitchenReceipt } from '#kitchen/receipt.ts';
import { canMovePrint, isPrintOver, mayBeOnPaper } from '#kitchen/print-rules.ts';
import { type PrintJob, printQueue, type PrintRow } from '#kitchen/server/print-ledger.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import type { PrintCopy } from '#ordering/order.ts';
import type { Services } from '#services.ts';

/** Takes the ledger's copies to paper: on the screen, as an 80 mm printer would print them. */
export async function startPrinting(services: Services): Promise<void> {
  await services.jobs.work<PrintJob>(printQueue, async (job) => {
    await inTransaction(services.db, (tx) => printCopy(tx, services, job));
    services.outbox.wake();
  });
}

/** Prints one copy. One that was printed, or whose order has gone, is left alone: a repeated job does no harm. */
async function printCopy(tx: Tx, services: Services, { print_id: id, due_at: dueAt }: PrintJob): Promise<void> {
  const print = await tx.selectFrom('prints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!print || isPrintOver(print.status)) return;
  if (dueAt !== undefined && dueAt !== print.due_at.toISOString()) return;
  const now = services.now();
  const order = print.order_id ? (await loadOrders(tx, [print.order_id]))[0] : null;
  const isDead = order && (order.row.status === 'cancelled' || order.row.status === 'rejected');
  if (isDead && print.copy === 'kitchen' && canMovePrint(print.status, 'expired')) {
    // Nobody is to cook what was called off while it waited for its time.
    await settle(tx, services, print, { status: 'expired' as const });
    return;
  }
  // What was made for an earlier try lacks the warning that it may have come out.
  const isStale = print.order_id !== null && mayBeOnPaper(print.status);
  const source = (isStale ? null : print.source) ?? (await makeSource(tx, services, print, now));
  await settle(tx, services, print, { status: 'printed' as const, source, printed_at: now });
}

async function settle(tx: Tx, services: Services, print: PrintRow, change: Partial<PrintRow>): Promise<void> {
  await tx.updateTable('prints').set(change).where('id', '=', print.id).execute();
  await services.outbox.add(tx, {
    topic: 'print',
    event: 'print.updated',
    storeId: print.store_id,
    subjectId: print.id,
  });
}

async function makeSource(tx: Tx, services: Services, print: PrintRow, now: Date): Promise<string> {
  const shop = await services.menus.store(tx, print.store_id);
  const [order] = print.order_id ? await loadOrders(tx, [print.order_id]) : [];
  if (!shop || !order) throw new Error(`print ${print.id} has no order to print`);
  const copyNumber = await countCopies(tx, order.row.id, print.copy, print.id);
  const whole = presentOrder(order, 'system', now, { withSession: false });
  const receipt = print.copy === 'kitchen' ? kitchenReceipt : customerReceipt;
  return receipt(whole, shop.store, { printedAt: now, copyNumber, duplicate: mayBeOnPaper(print.status) });
}

/** Which print of this copy it is, from 1: two papers of one order must be told apart. */
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
