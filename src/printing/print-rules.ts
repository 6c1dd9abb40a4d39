import type { PrintCopy, PrintStatus } from '#ordering/order.ts';

/**
 * The copies of one print call. "Both" arrives as printType `kitchen` with `both`, so that a client that
 * knows only printType still gets the kitchen copy; `both` with `customer` means both as well.
 */
export function copiesFor(printType: PrintCopy, both = false): PrintCopy[] {
  return both ? ['kitchen', 'customer'] : [printType];
}

/**
 * The possible next states of a copy in the print ledger.
 * `sent` is written before the first byte is sent, so a copy still `claimed` is certainly not on paper and may be queued
 * again. No answer after `sent` is `unknown`, never `failed`: the paper may have been printed.
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

/** The same status again is no change: a repeated call does nothing. */
export function canMovePrint(from: PrintStatus, to: PrintStatus): boolean {
  return printMoves[from].includes(to);
}

/** Final; printing again is a new copy. */
export function isPrintOver(status: PrintStatus): boolean {
  return printMoves[status].length === 0;
}

/** A try that starts from here must print POSSIBLE DUPLICATE, because an earlier one may have been printed. */
export function mayBeOnPaper(status: PrintStatus): boolean {
  return status === 'sent' || status === 'unknown' || status === 'printed';
}
