import { printCopyKinds, printFaults, printPurposes, printStatuses } from '#database/column-values.ts';
import { z } from 'zod';
import { Id, Instant } from '#platform/http/shapes.ts';

export const PrintStatus = z.enum(printStatuses);
export type PrintStatus = z.infer<typeof PrintStatus>;
export const PrintCopy = z.enum(printCopyKinds);
export type PrintCopy = z.infer<typeof PrintCopy>;

export const PrintPurpose = z.enum(printPurposes);
export type PrintPurpose = z.infer<typeof PrintPurpose>;

export const PrintFault = z.enum(printFaults);
export type PrintFault = z.infer<typeof PrintFault>;

/** A row of the print ledger: one paper for one printer. */
export const Print = z.object({
  id: Id,
  store_id: Id,
  /** The order's id; null for the print of a draft or a test page. */
  order_id: Id.nullable(),
  purpose: PrintPurpose,
  copy: PrintCopy,
  /** The print's state. A print that is `sent` and has an `ended_at` went to a printer that does not report results. */
  status: PrintStatus,
  /** The printer's id; null if there was no printer. */
  printer_id: Id.nullable(),
  /** The printer's name; null if there was no printer. */
  printer: z.string().nullable(),
  /** The number of this paper among its copies, from 1. A printer may be set to print a receipt several times. */
  nth: z.int(),
  /** Whether a person requested this print again; its paper says COPY. */
  is_reprint: z.boolean(),
  /**
   * The number of papers that the printer may have printed without confirming them. If it is above 0, the next paper
   * says POSSIBLE DUPLICATE.
   */
  unsure: z.int(),
  /** Whether the last unconfirmed paper says POSSIBLE DUPLICATE. */
  is_marked: z.boolean(),
  /** The print at another printer that this print replaces. */
  moved_from_id: Id.nullable(),
  /** The print at another printer that replaces this print. */
  moved_to_id: Id.nullable(),
  attempts: z.int(),
  /** The earliest time to print. A scheduled order's kitchen receipt is not due until its cooking starts. */
  due_at: Instant,
  /** The time of the last scheduled retry, which may be in the past; null if no retry was ever scheduled. */
  retry_at: Instant.nullable(),
  /** The time after which the print is given up; null if it never is. */
  expires_at: Instant.nullable(),
  created_at: Instant,
  claimed_at: Instant.nullable(),
  sent_at: Instant.nullable(),
  printed_at: Instant.nullable(),
  /** The time when the print ended; null while work is left. */
  ended_at: Instant.nullable(),
  fault: PrintFault.nullable(),
  /** The fault's text, as the printer or the network reported it. */
  fault_detail: z.string().nullable(),
  /** The fault as a sentence that an earlier release stored; null: clients derive the sentence from `fault`. */
  error: z.string().nullable(),
  /** When a person confirmed on the board that they had read the receipt, and the person's name. */
  read_at: Instant.nullable(),
  read_by: z.string().nullable(),
});
export type Print = z.infer<typeof Print>;
