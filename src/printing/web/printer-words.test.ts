import { expect, test } from 'vitest';
import type { Printer } from '#printing/printer.ts';
import { samplePrint } from '#printing/testing/sample-print.ts';
import { printTitleWords, printerStateBadge } from '#printing/web/printer-words.ts';

test.each([
  ['network', 'epson-tm-m30', 'Ready'],
  ['network', 'other', 'Connected, does not report its paper'],
  ['system', 'epson-tm-m30', 'Connected, does not report its paper'],
  ['star_cloudprnt', 'star-mc-print', 'Ready'],
])('a printer by %s of the model %s that answers is: %s', (kind, profile, words) => {
  const status = { state: 'ready', paper: 'unknown', cover: 'unknown', fault: null };
  // Only these fields matter here.
  expect(printerStateBadge({ kind, profile, width_mm: 80, status } as Printer).words).toBe(words);
});

test('the ledger says that a print is marked when its paper is, and not when the next one will be', () => {
  const lost = samplePrint({ status: 'unknown', unsure: 1 });
  expect(printTitleWords(lost)).not.toContain('POSSIBLE DUPLICATE');
  expect(printTitleWords({ ...lost, unsure: 2, is_marked: true })).toContain('POSSIBLE DUPLICATE');
});

test('the ledger names slips', () => {
  expect(printTitleWords(samplePrint({ purpose: 'cancellation' }))).toBe('Slip: cancelled');
  expect(printTitleWords(samplePrint({ purpose: 'promise', unsure: 1, is_marked: true }))).toMatch(
    /^Slip: new time, marked/,
  );
});
