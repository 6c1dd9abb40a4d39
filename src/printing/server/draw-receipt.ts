import type { Db } from '#database/schema.ts';
import { linesFor } from '#printing/copies.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import type { ReceiptOptions } from '#printing/receipt/order.ts';
import { printersOf, type PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrintCopy } from '#ordering/print.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';

/** The receiptline source of an order's copy as it is now; null when the order has gone. */
export async function drawReceipt(
  db: Db,
  services: Pick<PrintingServices, 'config' | 'menus' | 'orderParts'>,
  /** `printer`: the kitchen receipt has the dishes of its stations only. */
  { orderId, copy, printer }: { orderId: string; copy: PrintCopy; printer?: PrinterRow },
  drawn: ReceiptOptions,
): Promise<{ source: string; promisedAt: Date | null } | null> {
  const [order] = await loadOrders(db, services.orderParts, [orderId]);
  const shop = order && (await services.menus.store(db, order.row.store_id));
  if (!shop) return null;
  const whole = presentOrder(order, 'system', drawn.printedAt, { withSession: false, readerId: null });
  const { APP_URL: appUrl, publicUrl } = services.config;
  // A link to this machine is of no use to a customer.
  const options = { ...drawn, ...(appUrl !== undefined && { orderUrl: `${publicUrl}/orders/${orderId}` }) };
  const promisedAt = order.row.promised_at;
  if (copy === 'customer') return { source: customerReceipt(whole, shop.store, options), promisedAt };
  const lines = printer ? linesFor(printer, await printersOf(db, printer.store_id), whole) : whole.lines;
  return { source: kitchenReceipt({ ...whole, lines }, shop.store, options), promisedAt };
}
