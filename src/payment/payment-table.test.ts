import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyProviderState, type OrderFacts, type PaymentFacts, type ProviderState } from '#payment/payment-state.ts';

const states: ProviderState[] = ['open', 'authorised', 'declined', 'abandoned', 'captured', 'voided', 'refunded'];
const money = { amount: 1250, currency: 'GBP' };
const order = (status: OrderFacts['status'], payment_status: OrderFacts['payment_status']): OrderFacts => ({
  status,
  payment_status,
  payment_method: 'card',
});
const accepted = order('accepted', 'authorised');
const expired = order('expired', 'unpaid');
const payment = (change: Partial<PaymentFacts>): PaymentFacts => ({
  status: 'pending',
  owed: null,
  failure: null,
  isLatest: true,
  ...money,
  ...change,
});

/** The rows of the table in docs/payments.md. */
const rows: Record<string, [PaymentFacts, OrderFacts]> = {
  'pending, its order waits': [payment({}), order('pending_payment', 'unpaid')],
  'pending, its order has ended': [payment({}), expired],
  'pending, its order was accepted, and its first card refused': [payment({}), order('accepted', 'failed')],
  'pending, owes release': [payment({ owed: 'release' }), expired],
  authorised: [payment({ status: 'authorised' }), accepted],
  'authorised, owes capture': [payment({ status: 'authorised', owed: 'capture' }), accepted],
  'authorised, owes release': [payment({ status: 'authorised', owed: 'release' }), expired],
  captured: [payment({ status: 'captured' }), accepted],
  'captured, owes release': [payment({ status: 'captured', owed: 'release' }), expired],
  voided: [payment({ status: 'voided' }), expired],
  refunded: [payment({ status: 'refunded' }), expired],
  failed: [payment({ status: 'failed', failure: 'declined' }), expired],
  'failed, capture given up, owes release': [
    payment({ status: 'failed', failure: 'capture_failed', owed: 'release' }),
    order('accepted', 'failed'),
  ],
};

/** Describes the step of `applyProviderState` in the words of the table. */
function wordsOf(before: PaymentFacts, its: OrderFacts, state: ProviderState): string {
  const step = applyProviderState(before, its, { state, ...money });
  if (step.status === before.status && step.owed === before.owed) return '–';
  return [step.status, ...(step.isPlacing ? ['order placed'] : []), ...(step.owed ? [`owes ${step.owed}`] : [])].join(
    ', ',
  );
}

test('the table of states and events in the docs is what the code does', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/payments.md'), 'utf8');
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const lines = text.slice(text.indexOf("| the shop's state |")).split('\n');
  const written = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  expect(cellsOf(written[0] ?? '').slice(1)).toEqual(states.map((state) => `\`${state}\``));
  expect(Object.fromEntries(written.slice(2).map((line) => [cellsOf(line)[0], cellsOf(line).slice(1)]))).toEqual(
    Object.fromEntries(
      Object.entries(rows).map(([name, [before, its]]) => [name, states.map((state) => wordsOf(before, its, state))]),
    ),
  );
});
