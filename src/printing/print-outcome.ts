import type { PrintFault } from '#ordering/print.ts';

export type PrintJobOutcome =
  /** The printer confirmed that the job is on paper. */
  | { kind: 'printed' }
  /** The whole job was sent to a printer without confirmations. */
  | { kind: 'sent' }
  /** The job is certainly not on paper. */
  | ({ kind: 'refused' } & PrintTrouble)
  /** The job may be on paper. */
  | ({ kind: 'unknown' } & PrintTrouble);

export type ReportedOutcome = Exclude<PrintJobOutcome, { kind: 'sent' }>;

export interface PrintTrouble {
  fault: PrintFault;
  /** The printer's or network's own text. */
  detail?: string;
  /** Set if only this job failed, so that the printer may get the next one. */
  isOfJob?: true;
  /**
   * Set if the trouble may pass, as when the printer serves another sender. It counts as a fault only after several
   * attempts.
   */
  mayPass?: true;
}
