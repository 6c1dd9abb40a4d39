import { printCopies, printFaults, printPurposes, printStatuses } from '#database/column-values.ts';
import { z } from 'zod';
import { Id, Instant } from '#platform/http/shapes.ts';

export const PrintStatus = z.enum(printStatuses);
export type PrintStatus = z.infer<typeof PrintStatus>;
export const PrintCopy = z.enum(printCopies);
export type PrintCopy = z.infer<typeof PrintCopy>;

export const PrintPurpose = z.enum(printPurposes);
export type PrintPurpose = z.infer<typeof PrintPurpose>;

export const PrintFault = z.enum(printFaults);
export type PrintFault = z.infer<typeof PrintFault>;

/** A line of the print ledger: one copy for one printer. */
export const Print = z.object({
  id: Id,
  store_id: Id,
  /** null for a draft and a test page. */
  order_id: Id.nullable(),
  purpose: PrintPurpose,
  copy: PrintCopy,
  /** `sent` with an `ended_at`: everything was sent to a printer that does not say whether it printed. */
  status: PrintStatus,
  /** The printer and its name; null: there was none. */
  printer_id: Id.nullable(),
  printer: z.string().nullable(),
  /** From 1, where the printer prints several of a copy. */
  nth: z.int(),
  /** Printed again because somebody asked: its paper says COPY. */
  is_reprint: z.boolean(),
  /** How many papers of it may have been printed without the printer's word: if any, the next one says POSSIBLE DUPLICATE. */
  unsure: z.int(),
  /** Its last paper that may have come out says POSSIBLE DUPLICATE. */
  is_marked: z.boolean(),
  /** The line of the printer whose work this one does, and of the one that does this one's work. */
  moved_from_id: Id.nullable(),
  moved_to_id: Id.nullable(),
  /** How many times it was taken to be printed. */
  attempts: z.int(),
  /** The earliest time to print: a scheduled order's kitchen receipt waits until its cooking starts. */
  due_at: Instant,
  /** When it is retried, or was last. */
  retry_at: Instant.nullable(),
  /** It is not printed after this time. */
  expires_at: Instant.nullable(),
  created_at: Instant,
  claimed_at: Instant.nullable(),
  sent_at: Instant.nullable(),
  printed_at: Instant.nullable(),
  /** When its last status was reached; null while something is still to be done about it. */
  ended_at: Instant.nullable(),
  fault: PrintFault.nullable(),
  /** The words of the printer or the network. */
  fault_detail: z.string().nullable(),
  /** The fault as a sentence, of a print of an earlier release; null: the reader makes the words of `fault`. */
  error: z.string().nullable(),
  /** When staff said that they had read it on the board, and who. */
  read_at: Instant.nullable(),
  read_by: z.string().nullable(),
});
export type Print = z.infer<typeof Print>;
