import { expect, test } from 'vitest';
import { closureDays, problemsOfClosures } from '#store/closure-rules.ts';

const closure = (from: string, to: string) => ({ from, to, reason: '' });

test('closures that follow each other are in order, in any order of the list', () => {
  const list = [closure('2026-12-27', '2027-01-02'), closure('2026-12-24', '2026-12-26')];
  expect(problemsOfClosures(list)).toEqual([]);
});

test('a closure that ends before it begins is named by its last day', () => {
  expect(problemsOfClosures([closure('2026-12-26', '2026-12-24')])).toMatchObject([{ index: 0, field: 'to' }]);
});

test.each([
  ['2026-12-26', '2026-12-28'],
  ['2026-12-20', '2026-12-24'],
  ['2026-12-25', '2026-12-25'],
  ['2026-12-01', '2026-12-31'],
])('%s to %s overlaps with 24 to 26 December, and says with what', (from, to) => {
  const [problem] = problemsOfClosures([closure('2026-12-24', '2026-12-26'), closure(from, to)]);
  expect(problem).toMatchObject({ index: 1, field: 'from' });
  expect(problem?.message).toContain('24 December 2026 to 26 December 2026');
});

test('a backward closure is not also said to overlap', () => {
  const list = [closure('2026-12-24', '2026-12-26'), closure('2026-12-26', '2026-12-25')];
  expect(problemsOfClosures(list)).toHaveLength(1);
});

test('a single day is said once', () => {
  expect(closureDays(closure('2026-12-25', '2026-12-25'))).toBe('25 December 2026');
});
