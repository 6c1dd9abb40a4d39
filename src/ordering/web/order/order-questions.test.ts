import { expect, test } from 'vitest';
import { nextQuestion } from '#ordering/web/order/order-questions.tsx';

const none = { status: 'placed', isKeeping: false, rate: false, notify: false, keep: false, install: false } as const;

test.each([
  [{}, null],
  [{ install: true }, 'install'],
  [{ install: true, keep: true }, 'install'],
  [{ keep: true }, 'keep'],
  [{ install: true, keep: true, notify: true }, 'notify'],
  [{ install: true, keep: true, rate: true }, 'rate'],
  [{ install: true, keep: true, rate: true, isKeeping: true }, 'keep'],
  [{ isKeeping: true, rate: true }, 'rate'],
  [{ install: true, status: 'pending_payment' }, null],
  [{ install: true, rate: true, status: 'rejected' }, null],
  [{ install: true, status: 'cancelled' }, null],
  [{ install: true, status: 'collected' }, 'install'],
] as const)('of %j the page asks %s', (open, question) => {
  expect(nextQuestion({ ...none, ...open })).toBe(question);
});
