import { z } from 'zod';
import { FulfilmentType, storeName } from '#store/contract.ts';
import { ReceiptSize } from '#store/receipt-look.ts';
import { Id, Many, One } from '#platform/http/shapes.ts';
import { printerCalls } from '#printing/contract-printers.ts';
import { Printer } from '#printing/printer.ts';
import { Basket } from '#ordering/basket.ts';
import { Print, PrintCopy } from '#ordering/print.ts';

/** A print with a picture of its paper. */
export const PrintPreview = Print.extend({
  /** The paper as an SVG document; null until it was made. */
  svg: z.string().nullable(),
  text: z.string().nullable(),
});
export type PrintPreview = z.infer<typeof PrintPreview>;

/** A receipt as it would come out of a printer now. */
export const Receipt = z.object({
  copy: PrintCopy,
  /** An SVG document. */
  svg: z.string(),
  text: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;

const YesOrNo = z.enum(['true', 'false']);

/** Settings that are not saved yet; missing ones are the store's. An empty VAT number means none. */
const ReceiptPreviewQuery = z.object({
  copy: PrintCopy.default('customer'),
  /** Of the sample; a delivery has everything that can be on a receipt. */
  fulfilment_type: FulfilmentType.default('delivery'),
  receipt_header: z.string().max(500).optional(),
  receipt_footer: z.string().max(500).optional(),
  vat_number: z.string().max(30).optional(),
  receipt_kitchen_size: ReceiptSize.optional(),
  receipt_customer_size: ReceiptSize.optional(),
  receipt_shows_logo: YesOrNo.optional(),
  receipt_shows_map_code: YesOrNo.optional(),
  receipt_shows_order_code: YesOrNo.optional(),
});
export type ReceiptPreviewQuery = z.infer<typeof ReceiptPreviewQuery>;

/** The staff's view of a store's printing. */
export const Printing = z.object({
  /** Whether accepting an order prints its receipts. */
  has_printer: z.boolean(),
  printers: z.array(Printer),
  /** Copies of open orders that did not come out, may not have come out, or wait for a printer that does not print. */
  unread: z.array(Print),
});
export type Printing = z.infer<typeof Printing>;

export const printing = {
  ...printerCalls,
  'POST /v1/orders/{id}/print-receipt': {
    access: 'store_admin',
    summary:
      'Print a copy. `both` with printType kitchen prints the customer receipt too. Without a printer each copy is `failed`, drawn, and says so.',
    body: z.object({
      printType: PrintCopy,
      both: z.boolean().default(false),
      /** By default the printers that print this copy of the order. */
      printer_id: Id.optional(),
    }),
    response: Many(Print),
    errors: ['idempotency_conflict'],
  },
  'POST /v1/orders/print-temp-order': {
    access: 'store_admin',
    summary: 'Print an unsaved basket, marked NOT AN ORDER. Without a printer each copy is `failed`, as above.',
    body: Basket.extend({ printType: PrintCopy.default('kitchen'), both: z.boolean().default(false) }),
    response: Many(Print),
  },
  'GET /v1/stores/{id}/receipt-preview': {
    idOrName: storeName,
    access: 'admin',
    summary: 'What a receipt looks like with these words, with a few dishes of the menu. Nothing is saved or printed.',
    query: ReceiptPreviewQuery,
    response: One(z.object({ svg: z.string(), text: z.string() })),
  },
  'GET /v1/stores/{id}/printing': {
    idOrName: storeName,
    access: 'store_admin',
    summary: 'The printers of the store, and the copies that somebody should look at.',
    response: One(Printing),
  },
  'GET /v1/orders/{id}/receipts': {
    access: 'store_admin',
    summary: "What an order's kitchen and customer receipts look like now. Nothing is printed.",
    response: Many(Receipt),
  },
  'GET /v1/prints/{id}': {
    access: 'store_admin',
    summary: 'One copy in the ledger, with its paper.',
    response: One(PrintPreview),
  },
  'GET /v1/orders/{id}/prints': {
    access: 'store_admin',
    summary: "An order's copies, with their paper.",
    response: Many(PrintPreview),
  },
} as const;
