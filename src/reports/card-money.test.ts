import { expect, test } from 'vitest';
import { cardMoneyOf, type CardEntry } from '#reports/card-money.ts';

const entry = (change: Partial<CardEntry>): CardEntry => ({
  kind: 'charge',
  amount: 1250,
  fee: 39,
  net: 1211,
  currency: 'GBP',
  payout_id: 'po_1',
  payout_status: 'paid',
  arrives_on: '2026-11-25',
  ...change,
});

test('without an entry nothing is known', () => {
  expect(cardMoneyOf([])).toBeNull();
});

test('a charge has its fee, and the payout that it is in', () => {
  expect(cardMoneyOf([entry({})])).toEqual({
    fee: 39,
    disputed: 0,
    net: 1211,
    currency: 'GBP',
    payout_id: 'po_1',
    payout_date: '2026-11-25',
  });
});

test('a dispute takes the amount and its own fee; won, the amount comes back', () => {
  const lost = entry({ kind: 'dispute', amount: -1250, fee: 2000, net: -3250, payout_id: null, payout_status: null });
  expect(cardMoneyOf([lost, entry({})])).toMatchObject({ fee: 2039, disputed: 1250, net: -2039, payout_id: 'po_1' });
  const won = entry({ kind: 'dispute_won', amount: 1250, fee: 0, net: 1250 });
  expect(cardMoneyOf([entry({}), lost, won])).toMatchObject({ fee: 2039, disputed: 0, net: -789 });
});

test('what is in another currency is not added up', () => {
  const euro = entry({ kind: 'refund', amount: -100, fee: 0, net: -100, currency: 'EUR' });
  expect(cardMoneyOf([euro, entry({})])).toMatchObject({ net: 1211, currency: 'GBP' });
});

test.each([
  ['pending', '2026-11-25'],
  ['in_transit', '2026-11-25'],
  ['failed', null],
  ['cancelled', null],
] as const)('the day of a payout that is %s is %s', (payout_status, day) => {
  expect(cardMoneyOf([entry({ payout_status })])?.payout_date).toBe(day);
});
