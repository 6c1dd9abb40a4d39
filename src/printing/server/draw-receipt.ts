import type { Db } from '#database/schema.ts';
import { elsewhereOf, linesFor, removedFor } from '#printing/copies.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { reasonOf } from '#ordering/history-words.ts';
import type { PrintCopy } from '#ordering/print.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import type { ReceiptOptions, ReceiptOrder } from '#printing/receipt/order.ts';
import { type CalledOff, cancellationSlip, promiseSlip } from '#printing/receipt/slips.ts';
import { printersOf, type PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';

type Services = Pick<PrintingServices, 'config' | 'menus' | 'orderParts'>;

export interface DrawnReceipt {
  source: string;
  promisedAt: Date | null;
}

/** The receiptline source of an order's copy as it is now; null when the order has gone. */
export async function drawReceipt(
  db: Db,
  services: Services,
  /** `printer`: the kitchen receipt has the dishes of its stations only. */
  { orderId, copy, printer }: { orderId: string; copy: PrintCopy; printer?: PrinterRow },
  drawn: ReceiptOptions,
): Promise<DrawnReceipt | null> {
  const loaded = await load(db, services, orderId, drawn.printedAt);
  if (!loaded) return null;
  const { order, store, promisedAt } = loaded;
  const { APP_URL: appUrl, publicUrl } = services.config;
  // A link to this machine is of no use to a customer.
  const options = { ...drawn, ...(appUrl !== undefined && { orderUrl: `${publicUrl}/orders/${orderId}` }) };
  if (copy === 'customer') return { source: customerReceipt(order, store, options), promisedAt };
  const shown = printer ? await partFor(db, printer, order) : order;
  return { source: kitchenReceipt(shown, store, options), promisedAt };
}

/** The same of a slip about an order whose receipts are out. */
export async function drawSlip(
  db: Db,
  services: Services,
  { orderId, purpose, printer }: { orderId: string; purpose: 'cancellation' | 'promise'; printer: PrinterRow },
  drawn: ReceiptOptions,
): Promise<DrawnReceipt | null> {
  const loaded = await load(db, services, orderId, drawn.printedAt);
  if (!loaded) return null;
  const { order, store, promisedAt } = loaded;
  if (purpose === 'promise') return { source: promiseSlip(order, store, drawn), promisedAt };
  const part = await partFor(db, printer, order);
  // A printer that took over has the paper of another one's stations.
  const shown = part.lines.length > 0 ? part : order;
  return { source: cancellationSlip(shown, store, drawn, calledOffIn(order, drawn.printedAt)), promisedAt };
}

async function load(db: Db, services: Services, orderId: string, now: Date) {
  const [found] = await loadOrders(db, services.orderParts, [orderId]);
  const shop = found && (await services.menus.store(db, found.row.store_id));
  if (!shop) return null;
  const order = presentOrder(found, 'system', now, { withSession: false, readerId: null });
  return { order, store: shop.store, promisedAt: found.row.promised_at };
}

/** The part of an order on a printer's kitchen receipts. */
async function partFor(db: Db, printer: PrinterRow, order: Order): Promise<ReceiptOrder> {
  const printers = await printersOf(db, printer.store_id);
  const lines = linesFor(printer, printers, order);
  const removed = removedFor(printer, printers, order, order.removed);
  return { ...order, lines, removed, elsewhere: elsewhereOf(order.lines, lines) };
}

function calledOffIn({ history }: Order, now: Date): CalledOff {
  const step = history.findLast(({ from, to }) => isCalledOff(to) && from !== to);
  return { from: step?.from ?? null, at: step?.at ?? now, reason: step ? reasonOf(step) : null };
}
