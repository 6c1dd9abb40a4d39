import type { PrintFault } from '#ordering/print.ts';

/** The outcome of a job that was sent, or was to be. */
export type Outcome =
  /** The printer says that it is on paper. */
  | { kind: 'printed' }
  /** All of it was sent to a printer that never says more. */
  | { kind: 'sent' }
  /** It is certainly not on paper. */
  | ({ kind: 'refused' } & Trouble)
  /** It may be on paper. */
  | ({ kind: 'unknown' } & Trouble);

/** The outcome that a printer itself reports. */
export type Answered = Exclude<Outcome, { kind: 'sent' }>;

export interface Trouble {
  fault: PrintFault;
  /** The words of the printer or the network. */
  detail?: string;
  /** The trouble was with this job only, so the printer may have the next one. */
  isOfJob?: true;
  /** It may serve another sender just now: it is in trouble only if that stays so. */
  mayPass?: true;
}
