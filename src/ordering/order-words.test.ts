import { expect, test } from 'vitest';
import type { HistoryEntry } from '#ordering/order.ts';
import { cancellationIn } from '#ordering/order-words.ts';

const at = '2026-11-21T18:00:00.000Z';
const cancelled: HistoryEntry = { from: 'accepted', to: 'cancelled', actor: 'Olive', reason: 'No more rice', at };

test('money that goes back later does not change who cancelled an order, and why', () => {
  const refund: HistoryEntry = {
    from: 'cancelled',
    to: 'cancelled',
    actor: 'Pat',
    reason: 'Refund of £8.00: Cancelled',
    note: { kind: 'refund', amount: 800, currency: 'GBP', reason: 'Cancelled' },
    at,
  };
  expect(cancellationIn([cancelled, refund])).toMatchObject({ actor: 'Olive', reason: 'No more rice' });
});

test('an order that nobody cancelled has no reason', () => {
  expect(cancellationIn([])).toEqual({ actor: 'system', reason: null });
});
