import { describe, expect, it } from 'vitest';
import { copiesFor } from '#printing/copies.ts';

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
