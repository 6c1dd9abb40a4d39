import type { PrintFault } from '#ordering/print.ts';
import type { CoverState, PaperState } from '#printing/printer.ts';

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
