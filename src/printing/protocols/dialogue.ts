import type { PrintFault } from '#ordering/print.ts';
import type { CoverState, PaperState } from '#printing/printer.ts';

/** The conversation on one connection, in a printer's own language. */
export interface Dialogue {
  /** Takes in the printer's bytes, in any pieces. */
  hear(bytes: Uint8Array): void;
  /** Questions about its state, each answered before the next one is asked. The printer answers them while it prints. */
  questions: readonly Uint8Array[];
  /** The question of this index is about to be asked. */
  asks(index: number): void;
  /** How many answers have been heard. */
  readonly answers: number;
  readonly condition: Condition;
  /** The last trouble since the job began, also one that has passed: a part of the job may be gone with it. null: none. */
  readonly trouble: Condition | null;
  /**
   * The bytes before a job, and the fence after it: the fence makes the printer say that it has printed everything
   * before.
   */
  opening: Uint8Array;
  fence: Uint8Array;
  closing: Uint8Array;
  /** A job with its fence is about to be sent, or was wholly sent: an answer to the fence before that is none. */
  begin(): void;
  written(): void;
  /** The printer owes an answer about the job. */
  readonly isAwaited: boolean;
  /**
   * The next question before its word about the job counts; it counts as asked. null: none. `isLate`: it answers
   * questions about its state and not the fence.
   */
  next(isLate: boolean): Uint8Array | null;
  /** The bytes fit no conversation with a printer, so none of its words about the job is believed. */
  readonly isDoubtful: boolean;
  /** The printer has printed everything before the fence. */
  readonly isPrinted: boolean;
  /** That is so whatever is heard after it. */
  readonly isCertain: boolean;
}

/** A printer's own report of its state, in any protocol. */
export interface Condition {
  /** null: it can print. */
  fault: PrintFault | null;
  /** The details that the words for the fault leave out. */
  detail: string | null;
  paper: PaperState;
  cover: CoverState;
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

/** The first thing that a person has to do comes first: under an open cover the paper sensor says nothing. */
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
