import type { PrintFault } from '#ordering/print.ts';
import type { PrinterCoverState, PaperState } from '#printing/printer.ts';

/** The conversation on one connection, in a printer's language. */
export interface PrinterDialogue {
  /** Reads the printer's bytes, however they are divided into chunks. */
  hear(bytes: Uint8Array): void;
  /**
   * Status questions, each sent after the answer to the previous one. The printer answers them even while it prints.
   */
  questions: readonly Uint8Array[];
  /** Tells the dialogue that the question with this index is sent next. */
  asks(index: number): void;
  readonly answers: number;
  readonly condition: ReportedCondition;
  /**
   * The last fault since the job began, even if it was resolved, because a part of the job may be lost. null: there was
   * no fault.
   */
  readonly trouble: ReportedCondition | null;
  /**
   * The bytes to send before a job (`opening`), after it (`fence`), and at the conversation's end. A fence is a command
   * whose answer confirms that everything before it is printed.
   */
  opening: Uint8Array;
  fence: Uint8Array;
  closing: Uint8Array;
  /** Called when a job begins, and when its fence was written. Earlier answers to a fence do not count. */
  begin(): void;
  written(): void;
  /** Whether the answer to the job's fence is pending. */
  readonly isAwaited: boolean;
  /**
   * The next question that the job's confirmation needs, which then counts as sent; null if it needs none. `isLate`:
   * the printer answers status questions but not the fence.
   */
  next(isLate: boolean): Uint8Array | null;
  /** Whether received bytes cannot come from a printer, so that no confirmation is trusted. */
  readonly isDoubtful: boolean;
  /** Whether the printer has printed everything before the fence. */
  readonly isPrinted: boolean;
  /** Whether no later byte can make the confirmation doubtful. */
  readonly isCertain: boolean;
}

export interface ReportedCondition {
  /** The printer's fault; null: it can print. */
  fault: PrintFault | null;
  /** The printer's own text about the fault; null if it sent none. */
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
  /** A mechanical fault, or one that needs a repair. */
  broken: boolean;
  /** The printer cannot print, whatever the reason. */
  isOffline: boolean;
}

/**
 * The condition that the signals indicate. Its fault is the one to solve first: while the cover is open, the paper
 * sensor is meaningless.
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
