import type { PrintCopy, PrintFault, PrintPurpose } from '#ordering/print.ts';
import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import type { PrinterCoverState, PaperState, PrinterKind } from '#printing/printer.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';

export interface PrintJob {
  id: string;
  leaseId: string;
  printer: PrinterRow;
  purpose: PrintPurpose;
  copy: PrintCopy;
  orderId: string | null;
  /** The receiptline source; null for a test page or a drawer pulse. */
  source: string | null;
  opensDrawer: boolean;
  soundsBuzzer: boolean;
  /** The end of the job's lease; sending the job extends it. */
  leaseUntil: Date;
  /** When sending began; null: not yet. */
  sentAt: Date | null;
}

export interface EncodedJob extends PrintJob {
  bytes: Buffer;
  mediaType: string;
  /** Characters that print as a box, because no font has them. */
  missing: string[];
}

export interface Transport {
  /**
   * Sends one job, which the caller has marked as sent; never throws. After an abort of `signal` it writes nothing
   * more, and returns the outcome within 5 s.
   */
  send(job: EncodedJob, signal: AbortSignal): Promise<PrintJobOutcome>;
  /** Requests the printer's status without printing; never throws. */
  probe?(printer: PrinterRow, signal: AbortSignal): Promise<PrinterReport>;
}

export type Transports = Partial<Record<PrinterKind, Transport>>;

export type JobAttempt = Pick<PrintJob, 'id' | 'leaseId'>;

/** The leases of jobs for devices, polling printers and server instances. A printer has at most one leased job. */
export interface PrintLeases {
  /**
   * Whether a job may wait for the printer or be in progress. The cached answer may wrongly be true, but is never
   * wrongly false.
   */
  mayHave(printerId: string): boolean;
  /**
   * Leases the printer's next job for 20 s to `by`: the printer itself, a device, or an instance. If `by` already has a
   * leased job that is not sent yet, renews its lease. Null: no job waits, or another leased job is in progress.
   */
  lease(printerId: string, by: string): Promise<PrintJob | null>;
  /** The printer's job in progress, claimed or sent; null: none. */
  held(printerId: string): Promise<PrintJob | null>;
  /**
   * Records that the job's first byte is about to be sent. Must be called before that byte, and may be called again.
   * False: the lease has ended, and nothing may be sent.
   */
  begin(job: JobAttempt): Promise<boolean>;
  /** Postpones the time by which the outcome of the job must be reported, because the printer is still printing. */
  extend(job: JobAttempt & Pick<PrintJob, 'printer'>): Promise<void>;
  /** Finds the printer's job whose last attempt has this id; null: none. */
  find(printerId: string, leaseId: string): Promise<JobAttempt | null>;
  /** Records an attempt's outcome. A repeated report, or one about an older attempt, changes nothing. */
  result(job: JobAttempt, outcome: PrintJobOutcome): Promise<void>;
}

/** A status report about a printer; missing fields stay unchanged. */
export interface PrinterReport {
  paper?: PaperState;
  cover?: PrinterCoverState;
  /** The reported fault; null: the printer can print. */
  fault?: PrintFault | null;
  detail?: string | null;
  pollSeconds?: number;
}

export interface CachedPrinters {
  find(id: string): PrinterRow | null;
  /** Records contact with the printer. A changed status is written at once, contact times in a batch every 10 s. */
  heard(id: string, report?: PrinterReport): void;
  /**
   * Records that the printer polled for a job, to measure its poll interval. `isIdle`: no job waits for the printer.
   */
  polled(id: string, isIdle: boolean): void;
}
