import type { PrintFault } from '#ordering/print.ts';

export type Outcome =
  /** The printer confirmed that the job is on paper. */
  | { kind: 'printed' }
  /** The whole job was sent to a printer without confirmations. */
  | { kind: 'sent' }
  /** The job is certainly not on paper. */
  | ({ kind: 'refused' } & Trouble)
  /** The job may be on paper. */
  | ({ kind: 'unknown' } & Trouble);

export type Answered = Exclude<Outcome, { kind: 'sent' }>;

export interface Trouble {
  fault: PrintFault;
  /** The printer's or network's own text. */
  detail?: string;
  /** Only this job failed; the printer may get the next one. */
  isOfJob?: true;
  /**
   * The trouble may pass, as when the printer serves another sender. It counts as a fault only if several attempts meet
   * it.
   */
  mayPass?: true;
}
