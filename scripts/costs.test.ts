import { expect, test } from 'vitest';
import { findExcessiveCosts, type FileCost } from './costs.ts';

const limits = { ratio: 50, reason: '', expensive: { 'e2e/long.spec.ts': 'the whole way' } };
const cost = (file: string, processor: number | null): FileCost => ({ file, seconds: 1, processor });
const usual = [cost('e2e/a.spec.ts', 18), cost('e2e/b.spec.ts', 19), cost('e2e/c.spec.ts', 20)];
const run = { total: 500, build: 10, costs: usual };

test('a run within its limits has no excess', () => {
  expect(findExcessiveCosts(run, limits)).toEqual([]);
});

test('a run that takes more page builds than its limit is refused', () => {
  expect(findExcessiveCosts({ ...run, total: 501 }, limits)).toEqual(['The run took 50.1 page builds, more than 50.']);
});

test('a file above three times the median of its kind is refused unless it is listed', () => {
  const costs = [...usual, cost('e2e/slow.spec.ts', 58), cost('e2e/long.spec.ts', 90)];
  expect(findExcessiveCosts({ ...run, costs }, limits)).toEqual([]);
  const slower = [...usual, cost('e2e/slow.spec.ts', 61), cost('e2e/long.spec.ts', 90)];
  expect(findExcessiveCosts({ ...run, costs: slower }, limits)).toEqual([
    'e2e/slow.spec.ts took 61 s of processor, more than 60 s.',
  ]);
});

test('kinds are compared with themselves, and files that take seconds with none', () => {
  const cheap = ['a', 'b', 'c'].map((name) => cost(`src/${name}.test.ts`, 0.2));
  const costs = [...usual, ...cheap, cost('src/d.test.ts', 29)];
  expect(findExcessiveCosts({ ...run, costs }, limits)).toEqual([]);
  expect(findExcessiveCosts({ ...run, costs: [...costs, cost('src/e.test.ts', 31)] }, limits)).toHaveLength(1);
});

test('a file that was not measured is not compared', () => {
  expect(findExcessiveCosts({ ...run, costs: [...usual, cost('e2e/d.spec.ts', null)] }, limits)).toEqual([]);
});
