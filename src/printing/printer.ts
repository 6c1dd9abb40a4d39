import { printerCoverStates, paperStates, printerKinds } from '#database/column-values.ts';
import { z } from 'zod';
import { Id, Instant } from '#platform/http/shapes.ts';
import { OrderChannel } from '#ordering/order.ts';
import { PrintCopy, PrintFault } from '#ordering/print.ts';
import { FulfilmentType } from '#store/contract.ts';

export const PrinterKind = z.enum(printerKinds);
export type PrinterKind = z.infer<typeof PrinterKind>;

export const PaperState = z.enum(paperStates);
export type PaperState = z.infer<typeof PaperState>;
export const PrinterCoverState = z.enum(printerCoverStates);
export type PrinterCoverState = z.infer<typeof PrinterCoverState>;

export const PrinterStatus = z.object({
  /**
   * `new`: the printer never made contact. `offline`: it is silent or cannot be reached. `fault`: it has any other
   * fault.
   */
  state: z.enum(['new', 'ready', 'fault', 'offline']),
  paper: PaperState,
  cover: PrinterCoverState,
  fault: PrintFault.nullable(),
  /**
   * A sentence about the fault and its remedy, or about paper that is nearly out; null if there is nothing to report.
   */
  words: z.string().nullable(),
  /** When the fault began; null: no fault. */
  since: Instant.nullable(),
  /** When the printer last made contact, stored up to 10 s late; null: never. */
  last_seen_at: Instant.nullable(),
});
export type PrinterStatus = z.infer<typeof PrinterStatus>;

export const Printer = z.object({
  id: Id,
  store_id: Id,
  name: z.string(),
  kind: PrinterKind,
  /** `host:port`, or the print queue's name for `system`; empty for a printer that polls. */
  address: z.string(),
  /** Whether the owner agreed that the server connects to a private network address. */
  allows_private_address: z.boolean(),
  profile: z.string(),
  width_mm: z.union([z.literal(58), z.literal(80)]),
  /** The receipts that the printer prints automatically. If empty, it prints only on request and as a backup. */
  receipts: z.array(PrintCopy),
  /** The stations whose dishes the printer's kitchen receipts show; empty means all stations. */
  stations: z.array(z.string()),
  /** The fulfilment types whose orders the printer prints; empty means all types. */
  fulfilment_types: z.array(FulfilmentType),
  channels: z.array(OrderChannel),
  /** How many papers the printer prints of each receipt. */
  copies: z.int(),
  backup_printer_id: Id.nullable(),
  opens_drawer: z.boolean(),
  sounds_buzzer: z.boolean(),
  prints_promises: z.boolean(),
  status: PrinterStatus,
  /** The address that the printer polls; null if it does not poll. */
  poll_url: z.string().nullable(),
  /** The user name with which the printer polls; null if it does not poll. */
  username: z.string().nullable(),
  /** Seconds between polls, as reported or measured; null if unknown, or if it does not poll. */
  poll_seconds: z.int().nullable(),
  created_at: Instant,
});
export type Printer = z.infer<typeof Printer>;

/**
 * A printer with its new poll secret, which no later response contains. `secret` is null if the printer does not poll.
 */
export const PrinterWithSecret = Printer.extend({ secret: z.string().nullable() });
export type PrinterWithSecret = z.infer<typeof PrinterWithSecret>;
