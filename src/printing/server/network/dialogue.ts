import type { PrintFault } from '#ordering/print.ts';
import type { CoverState, PaperState } from '#printing/printer.ts';

/** What is asked and heard on one connection, in a printer's own language. */
export interface Dialogue {
  /** Takes in what the printer says, in any pieces. */
  hear(bytes: Uint8Array): void;
  /** Questions about its state, each answered before the next one is asked. The printer answers them while it prints. */
  questions: readonly Uint8Array[];
  /** The next answer is to the question of this index. */
  asks(index: number): void;
  /** How many answers have been heard. */
  readonly answers: number;
  readonly condition: Condition;
  /** What comes before a job, and what after it: the last makes the printer say that it has printed everything before. */
  opening: Uint8Array;
  fence: Uint8Array;
  closing: Uint8Array;
  /** A job with its fence is about to be sent. */
  begin(): void;
  /** The printer has reached the fence. */
  readonly isPrinted: boolean;
}

export interface Condition {
  fault: PrintFault | null;
  /** What the words for the fault leave out. */
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

/** What somebody has to do first comes first: under an open cover the paper sensor says nothing. */
export function conditionOf(signs: Signs): Condition {
  const fault = faultOf(signs);
  return {
    fault,
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
