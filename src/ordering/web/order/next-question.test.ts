import { expect, test } from 'vitest';
import { nextQuestion } from '#ordering/web/order/next-question.ts';

const none = { isKeeping: false, rate: false, notify: false, keep: false, install: false };

test.each([
  [{}, null],
  [{ install: true }, 'install'],
  [{ install: true, keep: true }, 'keep'],
  [{ install: true, keep: true, notify: true }, 'notify'],
  [{ install: true, keep: true, rate: true }, 'rate'],
  [{ install: true, keep: true, rate: true, isKeeping: true }, 'keep'],
  [{ isKeeping: true, rate: true }, 'rate'],
] as const)('of %j the page asks %s', (open, question) => {
  expect(nextQuestion({ ...none, ...open })).toBe(question);
});
