import { z } from 'zod';
import { FulfilmentType, storePathName } from '#store/contract.ts';
import { ReceiptSize } from '#store/receipt-look.ts';
import { Id, Instant, ListAnswer, SingleAnswer, PaginatedAnswer, PaginatedQuery } from '#platform/http/shapes.ts';
import { PrinterCoverState, PaperState, Printer, PrinterKind, PrinterWithSecret } from '#printing/printer.ts';
import { Basket } from '#ordering/basket.ts';
import { Print, PrintCopy, PrintFault, PrintPurpose } from '#ordering/print.ts';
import { bodySchemaWithConflictCheck } from '#platform/http/conflict-check.ts';
import { m } from '#messages';
import { OrderChannel } from '#ordering/order.ts';
import { isPollingKind } from '#printing/printer-rules.ts';

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
const Text = (max: number) =>
  z
    .string({ error: () => m.printing_text_needed() })
    .trim()
    .max(max, { error: () => m.printing_text_long({ max }) })
    .refine(isStorable, { error: () => m.printing_text_odd() });
const Name = (max: number) => Text(max).min(1, { error: () => m.printing_text_needed() });
const Copies = z
  .int({ error: () => m.printing_copies_range() })
  .min(1, { error: () => m.printing_copies_range() })
  .max(5, { error: () => m.printing_copies_range() });
const Each = <T extends z.ZodType>(one: T, max: number) => z.array(one).max(max).transform(unique);

const fields = {
  name: Name(60),
  kind: PrinterKind,
  address: Text(255),
  allows_private_address: z.boolean(),
  profile: Name(120),
  width_mm: z.union([z.literal(58), z.literal(80)]),
  receipts: Each(PrintCopy, 2),
  stations: Each(Name(40), 50),
  fulfilment_types: Each(FulfilmentType, 2),
  channels: Each(OrderChannel, 4),
  copies: Copies,
  backup_printer_id: Id.nullable(),
  opens_drawer: z.boolean(),
  sounds_buzzer: z.boolean(),
  prints_promises: z.boolean(),
};

/**
 * The fields of a printer that a PATCH may change. `kind` is missing, because a printer of another kind is added as a
 * new printer.
 */
const PrinterChange = z.object(fields).omit({ kind: true });

export const NewPrinter = z.object({
  ...fields,
  store_id: Id,
  address: fields.address.default(''),
  allows_private_address: fields.allows_private_address.default(false),
  receipts: fields.receipts.default(['kitchen']),
  stations: fields.stations.default([]),
  fulfilment_types: fields.fulfilment_types.default([]),
  channels: fields.channels.default([]),
  copies: fields.copies.default(1),
  backup_printer_id: fields.backup_printer_id.default(null),
  opens_drawer: fields.opens_drawer.default(false),
  sounds_buzzer: fields.sounds_buzzer.default(false),
  prints_promises: fields.prints_promises.default(false),
});
export type NewPrinter = z.infer<typeof NewPrinter>;

/** A host name, an IPv4 address, or an IPv6 address in brackets, with an optional port: `192.168.1.40:9100`. */
const hostAndPort = /^(?<host>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?$/i;
/** The name of a print queue. Its characters cannot be mistaken for an option or a path on a command line. */
const queueName = /^[a-z0-9][a-z0-9_.-]{0,126}$/i;

const usualPorts: Partial<Record<PrinterKind, number>> = { network: 9100, browser: 80 };

/**
 * Parses a typed address. Returns the address to store, or the problem as a sentence. Without a port it adds the
 * default port of the printer's kind. Each connection checks whether the server may connect to the address.
 */
export function parsePrinterAddress(kind: PrinterKind, typed: string): { address: string } | { problem: string } {
  if (isPollingKind(kind)) return typed === '' ? { address: '' } : { problem: m.printing_address_not_used() };
  if (typed === '') return { problem: kind === 'system' ? m.printing_queue_needed() : m.printing_address_needed() };
  if (kind === 'system') return queueName.test(typed) ? { address: typed } : { problem: m.printing_queue_wrong() };
  const { host, port } = hostAndPort.exec(typed)?.groups ?? {};
  const number = Number(port ?? usualPorts[kind]);
  if (host === undefined || number < 1 || number > 65_535) return { problem: m.printing_address_wrong() };
  return { address: `${host.toLowerCase()}:${number}` };
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

export const DeviceJob = z.object({
  id: Id,
  lease_id: Id,
  /** The end of the lease; afterwards another device may get the job, unless `sent` was reported. */
  lease_until: Instant,
  printer: Printer,
  order_id: Id.nullable(),
  purpose: PrintPurpose,
  copy: PrintCopy,
  media_type: z.string(),
  /** The bytes for the printer, in base64. */
  content: z.string(),
});
export type DeviceJob = z.infer<typeof DeviceJob>;

/** A print in the list of prints; `order_number` is null for a print without an order. */
export const LedgerPrint = Print.extend({ order_number: z.string().nullable() });
export type LedgerPrint = z.infer<typeof LedgerPrint>;

/** The id that a page or app makes for its device, so that two devices with the same sign-in hold separate leases. */
const DeviceName = Id.optional();

/**
 * The reported status of a job. `sent`: the first byte is about to be sent. `failed`: nothing is on paper. `unknown`:
 * the job may be on paper.
 */
const ReportedStatus = z.enum(['sent', 'printed', 'failed', 'unknown']);

export const printerEndpoints = {
  'GET /v1/printers': {
    access: 'admin',
    summary: 'List the printers, oldest first.',
    query: PaginatedQuery.extend({ store_id: Id.optional() }),
    response: PaginatedAnswer(Printer),
  },
  'POST /v1/printers': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Add a printer. The secret of one that polls is in this answer only.',
    body: NewPrinter,
    response: SingleAnswer(PrinterWithSecret),
    status: 201,
  },
  'PATCH /v1/printers/{id}': {
    access: 'admin',
    freshSignInFor: 'another address: receipts name customers',
    summary: 'Change a printer. What waits for it is printed as it is set up then.',
    body: bodySchemaWithConflictCheck(PrinterChange.partial()),
    response: SingleAnswer(Printer),
    errors: ['changed_meanwhile'],
  },
  'DELETE /v1/printers/{id}': {
    access: 'admin',
    summary: 'Remove a printer. What waits for it goes to its backup printer, or is marked as failed.',
    response: null,
  },
  'POST /v1/printers/{id}/restore': {
    access: 'admin',
    summary: 'Take back the removal of a printer. Its secret works again.',
    body: z.object({
      /** The ids of the printers that used the restored printer as their backup. */
      backup_of: z.array(Id).max(50).default([]),
    }),
    response: SingleAnswer(Printer),
    errors: ['conflict'],
  },
  'POST /v1/printers/{id}/report': {
    access: 'store_admin',
    summary: 'Say what a board found out about a `browser` printer: what is wrong with it, and its paper and cover.',
    body: z.object({
      /** The fault that the device found; null: the printer can print. */
      fault: PrintFault.nullable(),
      detail: z.string().max(300).optional(),
      paper: PaperState.optional(),
      cover: PrinterCoverState.optional(),
    }),
    response: null,
    errors: ['conflict'],
    ownTransaction: true,
  },
  'POST /v1/printers/{id}/test': {
    access: 'admin',
    summary: 'Print the test page. It is tried once, for two minutes.',
    response: SingleAnswer(Print),
  },
  'POST /v1/printers/{id}/rotate-secret': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Give a printer that polls a new secret. The old one stops working; the new one is in this answer only.',
    response: SingleAnswer(PrinterWithSecret),
    errors: ['conflict'],
  },
  'GET /v1/prints': {
    access: 'admin',
    summary: 'List the print ledger, newest first.',
    query: PaginatedQuery.extend({ store_id: Id.optional(), printer_id: Id.optional() }),
    response: PaginatedAnswer(LedgerPrint),
  },
  'POST /v1/prints/claim': {
    access: 'store_admin',
    summary:
      'Take the next job of a `browser` printer, for 20 s. Report `sent` before its first byte is sent: a job that was not is given to another device afterwards. 204: nothing waits.',
    body: z.object({
      /** The store whose jobs are claimed; by default all stores of the caller. */
      store_id: Id.optional(),
      /** The printers that the device can reach; by default all. */
      printer_ids: z.array(Id).max(50).optional(),
      device: DeviceName,
    }),
    response: SingleAnswer(DeviceJob),
    also: { status: 204, when: 'nothing waits' },
    ownTransaction: true,
  },
  'POST /v1/prints/{id}/result': {
    access: 'store_admin',
    summary:
      'Report what became of a claimed job: `sent`, then `printed`, `failed` or `unknown`. 409: the job has been taken back, and must not be sent.',
    body: z.object({
      status: ReportedStatus,
      fault: PrintFault.optional(),
      detail: z.string().max(300).optional(),
      lease_id: Id.optional(),
      device: DeviceName,
    }),
    response: SingleAnswer(Print),
    errors: ['conflict'],
    ownTransaction: true,
  },
  'POST /v1/prints/{id}/read': {
    access: 'store_admin',
    summary: 'Staff have read the ticket on the board: it is not printed any more, and alarms nobody.',
    response: SingleAnswer(Print),
  },
} as const;

export const PrintPreview = Print.extend({
  /** The paper as an SVG document. null: not drawn yet, erased, or the print is a test page or drawer pulse. */
  svg: z.string().nullable(),
  text: z.string().nullable(),
});
export type PrintPreview = z.infer<typeof PrintPreview>;

export const Receipt = z.object({
  copy: PrintCopy,
  svg: z.string(),
  text: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;

const YesOrNo = z.enum(['true', 'false']);

/**
 * The unsaved settings with which a receipt is previewed. A missing setting has the store's saved value. An empty VAT
 * number previews a receipt without one.
 */
const ReceiptPreviewQuery = z.object({
  copy: PrintCopy.default('customer'),
  /** The fulfilment type of the sample order. The default is a delivery, because its receipt has the most parts. */
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

export const Printing = z.object({
  has_printer: z.boolean(),
  printers: z.array(Printer),
  /**
   * The receipts of open orders that may be missing on paper: failed, expired, of unknown outcome, or waiting for a
   * printer with a fault.
   */
  unread: z.array(Print),
});
export type Printing = z.infer<typeof Printing>;

export const printingEndpoints = {
  ...printerEndpoints,
  'POST /v1/orders/{id}/print-receipt': {
    access: 'store_admin',
    summary:
      'Print a copy. `both` with printType kitchen prints the customer receipt too. Without a printer each copy is `failed`, drawn, and says so.',
    body: z.object({
      printType: PrintCopy,
      both: z.boolean().default(false),
      /** The printer to print on; by default the printers that `requestedCopies` chooses. */
      printer_id: Id.optional(),
    }),
    response: ListAnswer(Print),
    errors: ['idempotency_conflict'],
  },
  'POST /v1/orders/print-temp-order': {
    access: 'store_admin',
    summary: 'Print an unsaved basket, marked NOT AN ORDER. Without a printer each copy is `failed`, as above.',
    body: Basket.extend({ printType: PrintCopy.default('kitchen'), both: z.boolean().default(false) }),
    response: ListAnswer(Print),
  },
  'GET /v1/stores/{id}/receipt-preview': {
    idOrName: storePathName,
    access: 'admin',
    summary: 'What a receipt looks like with these words, with a few dishes of the menu. Nothing is saved or printed.',
    query: ReceiptPreviewQuery,
    response: SingleAnswer(z.object({ svg: z.string(), text: z.string() })),
  },
  'GET /v1/stores/{id}/printing': {
    idOrName: storePathName,
    access: 'store_admin',
    summary: 'The printers of the store, and the copies that somebody should look at.',
    response: SingleAnswer(Printing),
  },
  'GET /v1/orders/{id}/receipts': {
    access: 'store_admin',
    summary: "What an order's kitchen and customer receipts look like now. Nothing is printed.",
    response: ListAnswer(Receipt),
  },
  'GET /v1/prints/{id}': {
    access: 'store_admin',
    summary: 'One copy in the ledger, with its paper.',
    response: SingleAnswer(PrintPreview),
  },
  'GET /v1/orders/{id}/prints': {
    access: 'store_admin',
    summary: "An order's copies, with their paper.",
    response: ListAnswer(PrintPreview),
  },
} as const;
