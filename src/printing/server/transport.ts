import type { PrintCopy, PrintFault, PrintPurpose } from '#ordering/print.ts';
import type { Outcome } from '#printing/outcome.ts';
import type { CoverState, PaperState, PrinterKind } from '#printing/printer.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';

/** A job for one printer, as the one that prints it gets it. */
export interface PrintJob {
  id: string;
  /** Of this attempt: a retried print has another one. */
  leaseId: string;
  printer: PrinterRow;
  purpose: PrintPurpose;
  copy: PrintCopy;
  orderId: string | null;
  /** Receiptline; null for a test page and for a drawer's pulse. */
  source: string | null;
  opensDrawer: boolean;
  soundsBuzzer: boolean;
  /** Until when it belongs to its holder, unless the holder sends it. */
  leaseUntil: Date;
  /** null: not yet. */
  sentAt: Date | null;
}

export interface EncodedJob extends PrintJob {
  bytes: Buffer;
  mediaType: string;
  /** Characters that are boxes on the paper, because no font has them. */
  missing: string[];
}

/** How the server sends jobs to printers that it connects to itself. */
export interface Transport {
  /**
   * Sends one job; never throws. The job is marked as sent before it is called. After `signal` nothing more may be
   * written, and the outcome is due within 5 s.
   */
  send(job: EncodedJob, signal: AbortSignal): Promise<Outcome>;
  /** Asks the printer how it is, and prints nothing; never throws. */
  probe?(printer: PrinterRow, signal: AbortSignal): Promise<PrinterReport>;
}

export type Transports = Partial<Record<PrinterKind, Transport>>;

/** The name of a job and of one attempt at it. */
export type JobName = Pick<PrintJob, 'id' | 'leaseId'>;

/** How printers that poll, and devices, get their jobs. A printer has at most one job at a time. */
export interface PrintLeases {
  /** Whether a job may wait for the printer, or be in its hands; answered without the database. */
  mayHave(printerId: string): boolean;
  /**
   * Gives the printer's next job to `by` for 20 s, or the one that `by` has already. null: none, or another has it.
   * `by` names the holder: the printer itself, or a device.
   */
  lease(printerId: string, by: string): Promise<PrintJob | null>;
  /** The job that is in the printer's hands, claimed or sent; null: none. */
  held(printerId: string): Promise<PrintJob | null>;
  /**
   * To be called before the first byte is sent; again when all of it is sent again for the same attempt. false: the job
   * does not belong to the attempt any more, and nothing may be sent.
   */
  begin(job: JobName): Promise<boolean>;
  /** The holder still works on it: the time in which the word about it is due begins again. */
  extend(job: JobName & Pick<PrintJob, 'printer'>): Promise<void>;
  /** The job of this printer whose last attempt has this id; null: none. */
  find(printerId: string, leaseId: string): Promise<JobName | null>;
  /** Ends an attempt. A repeated or late word about an older attempt changes nothing. */
  result(job: JobName, outcome: Outcome): Promise<void>;
}

/** A printer's report about itself; a missing field is as before. */
export interface PrinterReport {
  paper?: PaperState;
  cover?: CoverState;
  /** null: it can print. */
  fault?: PrintFault | null;
  detail?: string | null;
  /** Seconds between its polls. */
  pollSeconds?: number;
}

/** The printers as this instance knows them, without asking the database. */
export interface CachedPrinters {
  find(id: string): PrinterRow | null;
  /**
   * The printer was heard just now. The database is written when its report says something new; that it was seen is
   * written for all printers together every 10 s.
   */
  heard(id: string, report?: PrinterReport): void;
  /** It asked for a job: how often it does so is learned. `isIdle`: it got none and has none. */
  polled(id: string, isIdle: boolean): void;
}
