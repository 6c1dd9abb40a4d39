import type { PrintFault } from '#ordering/print.ts';

export type PrintJobOutcome =
  /** The printer confirmed that the job is on paper. */
  | { kind: 'printed' }
  /** The whole job was sent to a printer that confirms nothing. */
  | { kind: 'sent' }
  | ({ kind: 'refused' } & PrintFaultDetails)
  /** The job may be on paper. */
  | ({ kind: 'unknown' } & PrintFaultDetails);

export type ReportedOutcome = Exclude<PrintJobOutcome, { kind: 'sent' }>;

export interface PrintFaultDetails {
  fault: PrintFault;
  detail?: string;
  /** Set if only this job failed, so that no fault of the printer is recorded. */
  isOfJob?: true;
  /**
   * Set for trouble that may pass, such as a printer that is busy with another sender. The printer gets a fault only
   * after several such attempts.
   */
  mayPass?: true;
}
