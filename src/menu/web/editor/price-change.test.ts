import { expect, test } from 'vitest';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { makeChangeOperation, indexParts } from '#menu/operations/menu-operation.ts';
import { asPrice, sampleParts } from '#menu/testing/sample-parts.ts';
import { scheduledPricesByTime, parsePriceChangeTime } from '#menu/web/editor/price-change.tsx';
import { planBulkPrices } from '#menu/web/editor/tree/bulk-price-dialog.tsx';

const zone = 'Europe/London';
const now = new Date('2026-03-01T12:00:00Z');

test.each([
  ['2026-03-28T06:00', '2026-03-28T06:00:00.000Z', false],
  ['2026-07-01T06:00', '2026-07-01T05:00:00.000Z', false],
  // The clocks go from 01:00 to 02:00.
  ['2026-03-29T01:30', '2026-03-29T01:00:00.000Z', true],
  // The clocks go from 02:00 to 01:00.
  ['2026-10-25T01:30', '2026-10-25T00:30:00.000Z', true],
])('%s by the shop’s clock is %s', (text, at, hasNote) => {
  const read = parsePriceChangeTime(zone, text, now);
  expect('at' in read && [read.at, read.note !== null]).toEqual([at, hasNote]);
});

test.each(['', '2026-02-30T10:00', '2026-03-01T12:00'])('“%s” is refused in words', (text) => {
  expect(parsePriceChangeTime(zone, text, now)).toEqual({ problem: expect.stringMatching(/\.$/) });
});

test('later prices of dishes and sizes are planned together, and taken back by their time', () => {
  const parts = applyOperations(sampleParts(), [
    makeChangeOperation('group', 'size', asPrice),
    makeChangeOperation('option', 'small', { price: 800 }),
    makeChangeOperation('group', 'size', { options: [{ id: 'large', price_override: 1100 }] }),
  ]);
  const rule = { by: 'percent', amount: 1000, rounding: 'none' } as const;
  const at = '2026-12-04T06:00:00.000Z';
  const plan = planBulkPrices(indexParts(parts), parts.items, rule, { withOptions: false, at });
  expect(plan.changes.map(({ name, price }) => [name, price])).toEqual([
    ['Soup', 495],
    ['Loose', 110],
    ['Pizza · Size: Small', 880],
  ]);
  expect(plan.kept).toBe(1);
  const later = applyOperations(parts, plan.operations);
  expect(later.items.map(({ price }) => price)).toEqual(parts.items.map(({ price }) => price));
  const [time, ...others] = scheduledPricesByTime(later, indexParts(later));
  expect([time?.at, time?.names, others]).toEqual([at, ['Soup', 'Loose', 'Pizza · Size: Small'], []]);
  const taken = applyOperations(later, time?.takeBack ?? []);
  expect(scheduledPricesByTime(taken, indexParts(taken))).toEqual([]);
});
