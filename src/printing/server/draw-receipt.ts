import type { Db } from '#database/schema.ts';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import type { ReceiptOptions } from '#printing/receipt/order.ts';
import type { PrintCopy } from '#ordering/print.ts';
import { loadOrders, presentOrder } from '#ordering/server/present-order.ts';
import type { PrintingServices } from '#printing/server/services.ts';

/** The receiptline source of an order's copy as it is now; null when the order has gone. */
export async function drawReceipt(
  db: Db,
  services: Pick<PrintingServices, 'menus' | 'orderParts'>,
  orderId: string,
  copy: PrintCopy,
  options: ReceiptOptions,
): Promise<string | null> {
  const [order] = await loadOrders(db, services.orderParts, [orderId]);
  const shop = order && (await services.menus.store(db, order.row.store_id));
  if (!shop) return null;
  const whole = presentOrder(order, 'system', options.printedAt, { withSession: false, readerId: null });
  const receipt = copy === 'kitchen' ? kitchenReceipt : customerReceipt;
  return receipt(whole, shop.store, options);
}
