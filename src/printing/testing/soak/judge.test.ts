import { expect, test } from 'vitest';
import { judge } from '#printing/testing/soak/judge.ts';

const job = (number: string, isEnded = true, status = 'printed', isShown = false) => ({
  number,
  lines: [{ status, isEnded }],
  isShown,
});
const paper = (text: string, isWhole = true) => ({ text, isWhole });

test('one paper, or one more that is marked, is right', () => {
  const papers = [paper('#1'), paper('#2'), paper('POSSIBLE DUPLICATE #2'), paper('#12')];
  expect(judge([job('#1'), job('#2'), job('#12')], papers)).toEqual({
    lost: [],
    shown: [],
    unmarkedTwice: [],
    open: [],
    marked: 1,
  });
});

test('no paper, half a paper, two without a mark, and an open line are found', () => {
  const papers = [paper('#2', false), paper('#3'), paper('#3'), paper('#4', false), paper('#4'), paper('#5')];
  const jobs = [job('#1'), job('#2'), job('#3'), job('#4'), job('#5', false)];
  const verdict = { lost: ['#1', '#2'], shown: [], unmarkedTwice: ['#3', '#4'], open: ['#5'], marked: 0 };
  expect(judge(jobs, papers)).toEqual(verdict);
});

test('a job without a whole paper is not lost only if the ledger does not know, and the board shows it', () => {
  const jobs = [job('#1', true, 'unknown', true), job('#2', true, 'unknown'), job('#3', true, 'printed', true)];
  expect(judge(jobs, [paper('#1', false)])).toMatchObject({ lost: ['#2', '#3'], shown: ['#1'] });
});
