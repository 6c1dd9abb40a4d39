import { z } from 'zod';
import { Guarded } from '#platform/http/guarded-change.ts';
import { Id, Instant, One, Page, PageQuery } from '#platform/http/shapes.ts';
import { Print, PrintCopy, PrintFault, PrintPurpose } from '#ordering/print.ts';
import { NewPrinter, PrinterChange } from '#printing/printer-fields.ts';
import { CoverState, PaperState, Printer, PrinterWithSecret } from '#printing/printer.ts';

/** A job that was given to a device, with everything that its printer is to be sent. */
export const DeviceJob = z.object({
  /** The print's id in the ledger. */
  id: Id,
  /** Names this attempt in its result. */
  lease_id: Id,
  /** Until when it belongs to the device; afterwards another may get it, unless `sent` was reported. */
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

/** A line of the ledger with the number of its order; null if it has none. */
export const LedgerPrint = Print.extend({ order_number: z.string().nullable() });
export type LedgerPrint = z.infer<typeof LedgerPrint>;

/** Tells pages and apps apart that share a sign-in: each has jobs of its own. */
const DeviceName = Id.optional();

/** The outcome of a job. `sent`: its first byte is about to be sent. `failed`: it is certainly not on paper. */
const ReportedStatus = z.enum(['sent', 'printed', 'failed', 'unknown']);

export const printerCalls = {
  'GET /v1/printers': {
    access: 'admin',
    summary: 'List the printers, oldest first.',
    query: PageQuery.extend({ store_id: Id.optional() }),
    response: Page(Printer),
  },
  'POST /v1/printers': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Add a printer. The secret of one that polls is in this answer only.',
    body: NewPrinter,
    response: One(PrinterWithSecret),
    status: 201,
  },
  'PATCH /v1/printers/{id}': {
    access: 'admin',
    freshSignInFor: 'another address: receipts name customers',
    summary: 'Change a printer. What waits for it is printed as it is set up then.',
    body: Guarded(PrinterChange.partial()),
    response: One(Printer),
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
      /** The printers whose backup it was, and becomes again. */
      backup_of: z.array(Id).max(50).default([]),
    }),
    response: One(Printer),
    errors: ['conflict'],
  },
  'POST /v1/printers/{id}/report': {
    access: 'store_admin',
    summary: 'Say what a board found out about a `browser` printer: what is wrong with it, and its paper and cover.',
    body: z.object({
      /** null: it can print. */
      fault: PrintFault.nullable(),
      /** The words of the printer or the browser. */
      detail: z.string().max(300).optional(),
      paper: PaperState.optional(),
      cover: CoverState.optional(),
    }),
    response: null,
    errors: ['conflict'],
    ownTransaction: true,
  },
  'POST /v1/printers/{id}/test': {
    access: 'admin',
    summary: 'Print the test page. It is tried once, for two minutes.',
    response: One(Print),
  },
  'POST /v1/printers/{id}/rotate-secret': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Give a printer that polls a new secret. The old one stops working; the new one is in this answer only.',
    response: One(PrinterWithSecret),
    errors: ['conflict'],
  },
  'GET /v1/prints': {
    access: 'admin',
    summary: 'List the print ledger, newest first.',
    query: PageQuery.extend({ store_id: Id.optional(), printer_id: Id.optional() }),
    response: Page(LedgerPrint),
  },
  'POST /v1/prints/claim': {
    access: 'store_admin',
    summary:
      'Take the next job of a `browser` printer, for 20 s. Report `sent` before its first byte is sent: a job that was not is given to another device afterwards. 204: nothing waits.',
    body: z.object({
      /** By default the stores of the caller. */
      store_id: Id.optional(),
      /** The printers that the device can reach; by default all. */
      printer_ids: z.array(Id).max(50).optional(),
      device: DeviceName,
    }),
    response: One(DeviceJob),
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
      /** The words of the printer or the browser. */
      detail: z.string().max(300).optional(),
      lease_id: Id.optional(),
      device: DeviceName,
    }),
    response: One(Print),
    errors: ['conflict'],
    ownTransaction: true,
  },
  'POST /v1/prints/{id}/read': {
    access: 'store_admin',
    summary: 'Staff have read the ticket on the board: it is not printed any more, and alarms nobody.',
    response: One(Print),
  },
} as const;
