import { describe, expect, it } from 'vitest';
import { canMovePrint, copiesFor, isPrintOver, mayBeOnPaper, printMoves } from '#printing/print-rules.ts';
import { PrintStatus } from '#ordering/order.ts';

describe('which copies a print call makes', () => {
  it.each([
    ['kitchen', undefined, ['kitchen']],
    ['kitchen', false, ['kitchen']],
    ['customer', undefined, ['customer']],
    ['kitchen', true, ['kitchen', 'customer']],
    ['customer', true, ['kitchen', 'customer']],
  ] as const)('printType %s with both %s makes %j', (printType, both, copies) => {
    expect(copiesFor(printType, both)).toEqual(copies);
  });
});

describe('the print ledger', () => {
  const legal = PrintStatus.options.flatMap((from) =>
    PrintStatus.options.filter((to) => canMovePrint(from, to)).map((to) => `${from} → ${to}`),
  );

  it('knows these moves and no others', () => {
    expect(legal).toEqual([
      'queued → claimed',
      'queued → expired',
      'claimed → queued',
      'claimed → sent',
      'claimed → failed',
      'claimed → expired',
      'sent → printed',
      'sent → failed',
      'sent → unknown',
      'failed → queued',
      'failed → expired',
      'unknown → queued',
      'unknown → printed',
      'unknown → failed',
      'unknown → expired',
    ]);
  });

  it('never goes back to the queue from sent without passing unknown or failed', () => {
    expect(canMovePrint('sent', 'queued')).toBe(false);
    expect(canMovePrint('sent', 'expired')).toBe(false);
  });

  it.each(PrintStatus.options)('brings a copy that is %s to an end', (start) => {
    const reached = new Set<PrintStatus>([start]);
    for (const status of reached) printMoves[status].forEach((next) => reached.add(next));
    expect([...reached].some(isPrintOver)).toBe(true);
  });

  it('ends at printed and at expired', () => {
    expect(PrintStatus.options.filter(isPrintOver)).toEqual(['printed', 'expired']);
  });

  it('marks a retry as a possible duplicate only when the first try may have come out', () => {
    expect(PrintStatus.options.filter(mayBeOnPaper)).toEqual(['sent', 'printed', 'unknown']);
  });
});
