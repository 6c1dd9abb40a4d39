import { receiptSizes } from '#database/column-values.ts';
import { z } from 'zod';

export const ReceiptSize = z.enum(receiptSizes);
export type ReceiptSize = z.infer<typeof ReceiptSize>;

export const receiptFields = {
  receipt_header: z.string().max(500),
  receipt_footer: z.string().max(500),
  receipt_kitchen_size: ReceiptSize,
  receipt_customer_size: ReceiptSize,
  receipt_shows_logo: z.boolean(),
  /** Whether customers' receipts show a QR code with directions to the customer. */
  receipt_shows_map_code: z.boolean(),
  /** Whether customers' receipts show a QR code with the link to the order's page. */
  receipt_shows_order_code: z.boolean(),
};
