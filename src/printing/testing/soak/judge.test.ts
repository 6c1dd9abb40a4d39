import { expect, test } from 'vitest';
import { accountOf, judge, type SoakJob } from '#printing/testing/soak/judge.ts';

const job = (number: string, isEnded = true, status = 'printed', isShown = false): SoakJob => ({
  number,
  lines: [{ status, isEnded, words: 'star 0, tried once' }],
  isShown,
});
const at = new Date('2026-05-02T18:00:00Z');
const paper = (text: string, isWhole = true) => ({ text, isWhole, at, printer: 'star 0' });

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

test.each(['unknown', 'failed', 'expired'])(
  'without a whole paper, one that is %s is lost unless the board shows it',
  (status) => {
    const jobs = [job('#1', true, status, true), job('#2', true, status)];
    expect(judge(jobs, [paper('#1', false)])).toMatchObject({ lost: ['#2'], shown: ['#1'] });
  },
);

test.each(['printed', 'sent'])(
  'without a whole paper, one that the ledger calls %s is lost, whatever the board shows',
  (status) => {
    expect(judge([job('#1', true, status, true)], [paper('#1', false)])).toMatchObject({ lost: ['#1'], shown: [] });
  },
);

test('what counts is the last line: an earlier one was moved to another printer', () => {
  const moved = { status: 'failed', isEnded: true, words: '' };
  const jobs = [{ ...job('#1', true, 'printed', true), lines: [moved, { ...moved, status: 'printed' }] }];
  expect(judge(jobs, [])).toMatchObject({ lost: ['#1'], shown: [] });
});

test('a job without any line is lost', () => {
  expect(judge([{ number: '#1', lines: [], isShown: true }], [])).toMatchObject({ lost: ['#1'] });
});

test('the account of a job has its lines, the board and its papers, and no others', () => {
  const papers = [paper('#1', false), paper('#2'), paper('POSSIBLE DUPLICATE #1')];
  expect(accountOf(['#1'], [job('#1', false, 'sent'), job('#2')], papers)).toEqual([
    '#1, not shown on the board',
    '  ledger  sent (open) star 0, tried once',
    '  paper   cut off star 0 2026-05-02T18:00:00.000Z',
    '  paper   whole, marked star 0 2026-05-02T18:00:00.000Z',
  ]);
});
