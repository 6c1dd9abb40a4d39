import type { PrintCopy } from '#ordering/print.ts';

/**
 * The copies of one print call. "Both" arrives as printType `kitchen` with `both`, so that a client that
 * knows only printType still gets the kitchen copy; `both` with `customer` means both as well.
 */
export function copiesFor(printType: PrintCopy, both = false): PrintCopy[] {
  return both ? ['kitchen', 'customer'] : [printType];
}
