import type { PrintFault } from '#ordering/print.ts';
import type { PrinterCoverState, PaperState } from '#printing/printer.ts';

/** The protocol state of one connection, in the printer's command language. */
export interface PrinterDialogue {
  /** Parses bytes from the printer, in chunks of any size. */
  hear(bytes: Uint8Array): void;
  /** Status requests, sent one at a time. The printer answers them even while it prints. */
  questions: readonly Uint8Array[];
  /** Tells the dialogue that the status request with this index is sent next. */
  asks(index: number): void;
  readonly answers: number;
  readonly condition: ReportedCondition;
  /**
   * The last fault since the job began; null: no fault. A resolved fault stays, because part of the job may be lost.
   */
  readonly trouble: ReportedCondition | null;
  /** The bytes to send before a job. */
  opening: Uint8Array;
  /** The bytes to send after a job: a command whose answer confirms that everything before it is printed. */
  fence: Uint8Array;
  closing: Uint8Array;
  /** Called before a job is sent; confirmations that arrived earlier are ignored. */
  begin(): void;
  written(): void;
  /** Whether the answer to the job's fence is pending. */
  readonly isAwaited: boolean;
  /**
   * Returns the next request that confirms the job, and counts the request as sent; null if none is needed. `isLate`:
   * the printer answers status requests but not the fence.
   */
  next(isLate: boolean): Uint8Array | null;
  /** Whether bytes arrived that this printer would never send. No confirmation is trusted then. */
  readonly isDoubtful: boolean;
  /** Whether the printer has printed everything before the fence. */
  readonly isPrinted: boolean;
  /** Whether the confirmation is final, so that no later byte can make it doubtful. */
  readonly isCertain: boolean;
}

export interface ReportedCondition {
  /** The printer's fault; null: it can print. */
  fault: PrintFault | null;
  detail: string | null;
  paper: PaperState;
  cover: PrinterCoverState;
}

export const unknownCondition: ReportedCondition = { fault: null, detail: null, paper: 'unknown', cover: 'unknown' };

export interface PrinterSignals {
  isCoverOpen: boolean;
  isPaperOut: boolean;
  isPaperLow: boolean;
  cutter: boolean;
  overheated: boolean;
  /** A mechanical fault, or a fault that needs a repair. */
  broken: boolean;
  /** The printer cannot print, whatever the reason. */
  isOffline: boolean;
}

/**
 * The condition that the signals indicate. The fault to solve first wins: while the cover is open, the paper sensor is
 * meaningless.
 */
export function conditionFromSignals(signs: PrinterSignals): ReportedCondition {
  return {
    fault: faultOf(signs),
    detail: null,
    paper: signs.isPaperOut ? 'out' : signs.isPaperLow ? 'low' : 'ok',
    cover: signs.isCoverOpen ? 'open' : 'closed',
  };
}

function faultOf(signs: PrinterSignals): PrintFault | null {
  if (signs.isCoverOpen) return 'cover_open';
  if (signs.isPaperOut) return 'paper_out';
  if (signs.cutter) return 'cutter';
  if (signs.overheated) return 'overheated';
  return signs.broken || signs.isOffline ? 'other' : null;
}
