import type { PrintCopy, PrintStatus } from '#ordering/order.ts';

/**
 * The copies that one print call makes. "Both" arrives as printType `kitchen` with `both`, so that a reader of the
 * contract who knows printType only still gets the kitchen copy; a `both` beside `customer` means both as well.
 */
export function copiesFor(printType: PrintCopy, both = false): PrintCopy[] {
  return both ? ['kitchen', 'customer'] : [printType];
}

/**
 * Where a copy in the print ledger may go next.
 * `sent` is written before the first byte leaves, so a copy still `claimed` is surely not on paper and may be queued
 * again. No answer after `sent` is `unknown`, never `failed`: the paper may lie on the counter.
 */
export const printMoves: Record<PrintStatus, readonly PrintStatus[]> = {
  queued: ['claimed', 'expired'],
  claimed: ['sent', 'queued', 'failed', 'expired'],
  sent: ['printed', 'failed', 'unknown'],
  unknown: ['printed', 'failed', 'queued', 'expired'],
  failed: ['queued', 'expired'],
  printed: [],
  expired: [],
};

/** The same status again is no move: whoever repeats a call finds nothing to do. */
export function canMovePrint(from: PrintStatus, to: PrintStatus): boolean {
  return printMoves[from].includes(to);
}

/** Nothing more will happen to it; printing again is a new copy. */
export function isPrintOver(status: PrintStatus): boolean {
  return printMoves[status].length === 0;
}

/** A try that starts from here must say POSSIBLE DUPLICATE, because an earlier one may have come out. */
export function mayBeOnPaper(status: PrintStatus): boolean {
  return status === 'sent' || status === 'unknown' || status === 'printed';
}
