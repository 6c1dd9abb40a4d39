import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plantedBugs } from './planted-bugs.ts';

test('each planted bug fits its file exactly once, and a test file is named that should find it', () => {
  const misfits = plantedBugs.filter(({ test: finder, file, from, to, also = [] }) =>
    [{ file, from, to }, ...also].some(
      (one) => one.from === one.to || readFileSync(one.file, 'utf8').split(one.from).length !== 2,
    )
      ? true
      : !existsSync(finder),
  );
  expect(misfits.map(({ bug }) => bug)).toEqual([]);
});

test('planted-bugs.md has a row for each', () => {
  const text = readFileSync('scripts/soak/planted-bugs.md', 'utf8');
  expect(plantedBugs.map(({ bug }) => bug).filter((bug) => !text.includes(`| ${bug}`))).toEqual([]);
  expect(text).toContain(`All ${plantedBugs.length} were planted and found`);
});
