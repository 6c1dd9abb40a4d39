import type { PrintCopy, PrintFault, PrintPurpose } from '#ordering/print.ts';
import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import type { PrinterCoverState, PaperState, PrinterKind } from '#printing/printer.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';

export interface PrintJob {
  id: string;
  /** The id of this attempt; a retry has another one. */
  leaseId: string;
  printer: PrinterRow;
  purpose: PrintPurpose;
  copy: PrintCopy;
  orderId: string | null;
  /** The receiptline source; null for a test page and for a drawer's pulse. */
  source: string | null;
  opensDrawer: boolean;
  soundsBuzzer: boolean;
  /** The end of its lease; sending the job extends it. */
  leaseUntil: Date;
  /** When sending began; null before. */
  sentAt: Date | null;
}

export interface EncodedJob extends PrintJob {
  bytes: Buffer;
  mediaType: string;
  /** Characters that are boxes on the paper, because no font has them. */
  missing: string[];
}

export interface Transport {
  /**
   * Sends one job, which the caller has marked as sent; never throws. After an abort of `signal` it writes nothing
   * more, and returns the outcome within 5 s.
   */
  send(job: EncodedJob, signal: AbortSignal): Promise<PrintJobOutcome>;
  /** Asks for the printer's state without printing; never throws. */
  probe?(printer: PrinterRow, signal: AbortSignal): Promise<PrinterReport>;
}

export type Transports = Partial<Record<PrinterKind, Transport>>;

/** Identifies a job and one attempt at it. */
export type JobAttempt = Pick<PrintJob, 'id' | 'leaseId'>;

/** The leases of jobs for devices and polling printers. A printer has at most one job at a time. */
export interface PrintLeases {
  /** Whether a job may wait for the printer or be in progress, from the cache. */
  mayHave(printerId: string): boolean;
  /**
   * Leases the printer's next job to `by` for 20 s, or returns the job that `by` has. Null without a job, or if another
   * holder has it. `by`: the printer itself, a device, or an instance.
   */
  lease(printerId: string, by: string): Promise<PrintJob | null>;
  /** The printer's job in progress, claimed or sent; null if there is none. */
  held(printerId: string): Promise<PrintJob | null>;
  /**
   * Records that the job's first byte is about to be sent. Must be called before that byte, and may be called again.
   * False: the lease has ended, and nothing may be sent.
   */
  begin(job: JobAttempt): Promise<boolean>;
  /** Postpones the deadline for the outcome's report, because the holder still works on the job. */
  extend(job: JobAttempt & Pick<PrintJob, 'printer'>): Promise<void>;
  /** The printer's job whose last attempt has this id; null if there is none. */
  find(printerId: string, leaseId: string): Promise<JobAttempt | null>;
  /** Ends an attempt. Repeated or late reports of older ones change nothing. */
  result(job: JobAttempt, outcome: PrintJobOutcome): Promise<void>;
}

/** A printer's report about itself; missing fields are not changed. */
export interface PrinterReport {
  paper?: PaperState;
  cover?: PrinterCoverState;
  /** The fault that was reported; null: the printer can print. */
  fault?: PrintFault | null;
  detail?: string | null;
  /** Seconds between the printer's polls. */
  pollSeconds?: number;
}

/** The printers in this instance's cache. */
export interface CachedPrinters {
  find(id: string): PrinterRow | null;
  /**
   * Records contact with the printer. Changes are written to the database at once, times of contact together every 10
   * s.
   */
  heard(id: string, report?: PrinterReport): void;
  /**
   * Records that the printer polled for a job, to measure its interval. `isIdle`: it got no job, because none waits.
   */
  polled(id: string, isIdle: boolean): void;
}
