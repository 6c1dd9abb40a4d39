import type { PrintFault } from '#ordering/print.ts';
import type { PrinterCoverState, PaperState } from '#printing/printer.ts';

/** The conversation on one connection, in a printer's language. */
export interface Dialogue {
  /** Reads the printer's bytes, in any pieces. */
  hear(bytes: Uint8Array): void;
  /** Status questions, each sent after the answer to the last. The printer answers while it prints. */
  questions: readonly Uint8Array[];
  /** The question with this index is sent next. */
  asks(index: number): void;
  readonly answers: number;
  readonly condition: Condition;
  /** The last fault since the job began, even a past one, which may have cost a part of the job; null without one. */
  readonly trouble: Condition | null;
  /** The bytes before a job. The fence follows it: its answer confirms that everything before is printed. */
  opening: Uint8Array;
  fence: Uint8Array;
  closing: Uint8Array;
  /** A job with its fence begins or ends: earlier answers to the fence do not count. */
  begin(): void;
  written(): void;
  /** The job's answer is outstanding. */
  readonly isAwaited: boolean;
  /**
   * The next question before the job's confirmation counts; it counts as sent. Null without one. `isLate`: the printer
   * answers status questions but not the fence.
   */
  next(isLate: boolean): Uint8Array | null;
  /** The bytes fit no printer, so no confirmation is believed. */
  readonly isDoubtful: boolean;
  /** The printer has printed everything before the fence. */
  readonly isPrinted: boolean;
  /** Whatever is received later. */
  readonly isCertain: boolean;
}

/** A printer's reported state, in any protocol. */
export interface Condition {
  /** null: it can print. */
  fault: PrintFault | null;
  /** Details beside the fault's text. */
  detail: string | null;
  paper: PaperState;
  cover: PrinterCoverState;
}

export const unknownCondition: Condition = { fault: null, detail: null, paper: 'unknown', cover: 'unknown' };

export interface Signs {
  isCoverOpen: boolean;
  isPaperOut: boolean;
  isPaperLow: boolean;
  cutter: boolean;
  overheated: boolean;
  /** A mechanical fault, or one that needs a repair. */
  broken: boolean;
  /** It cannot print, whatever the reason. */
  isOffline: boolean;
}

/** The first thing to mend comes first: with an open cover the paper sensor is meaningless. */
export function conditionOf(signs: Signs): Condition {
  return {
    fault: faultOf(signs),
    detail: null,
    paper: signs.isPaperOut ? 'out' : signs.isPaperLow ? 'low' : 'ok',
    cover: signs.isCoverOpen ? 'open' : 'closed',
  };
}

function faultOf(signs: Signs): PrintFault | null {
  if (signs.isCoverOpen) return 'cover_open';
  if (signs.isPaperOut) return 'paper_out';
  if (signs.cutter) return 'cutter';
  if (signs.overheated) return 'overheated';
  return signs.broken || signs.isOffline ? 'other' : null;
}
