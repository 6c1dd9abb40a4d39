import type { PrintFault } from '#ordering/print.ts';

/** The outcome of a job. */
export type Outcome =
  /** The printer confirms that it is on paper. */
  | { kind: 'printed' }
  /** All of it was sent to a printer without confirmations. */
  | { kind: 'sent' }
  /** It is certainly not on paper. */
  | ({ kind: 'refused' } & Trouble)
  /** It may be on paper. */
  | ({ kind: 'unknown' } & Trouble);

export type Answered = Exclude<Outcome, { kind: 'sent' }>;

export interface Trouble {
  fault: PrintFault;
  /** The printer's or network's own text. */
  detail?: string;
  /** Only this job failed; the printer may get the next one. */
  isOfJob?: true;
  /** It may be serving another sender: only a lasting one is a fault. */
  mayPass?: true;
}
