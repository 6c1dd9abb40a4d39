import { describe, expect, test } from 'vitest';
import type { ProviderRefund } from '#payment/payment-state.ts';
import { matchProviderRefunds, refundKey } from '#payment/refund-steps.ts';
import type { RefundKind } from '#payment/refund.ts';

const ours = (id: string, kind: RefundKind, amount: number, provider_refund: string | null = null) => ({
  id,
  kind,
  amount,
  provider_refund,
});
const theirs = (
  id: string,
  amount: number,
  key: string | null = null,
  status: ProviderRefund['status'] = 'succeeded',
) => ({
  id,
  amount,
  key,
  status,
});
const pairs = (...args: Parameters<typeof matchProviderRefunds>) => Object.fromEntries(matchProviderRefunds(...args));

describe('which refund at the provider is ours', () => {
  test('follows from the key of our call, whatever the amounts are', () => {
    const found = [
      theirs('re_1', 300, refundKey({ id: 'b', attempts: 1 })),
      theirs('re_2', 300, refundKey({ id: 'a', attempts: 1 })),
    ];
    expect(pairs([ours('a', 'asked', 300), ours('b', 'line_removed', 300)], found)).toEqual({ a: 're_2', b: 're_1' });
  });

  test('is the last attempt, not one that failed', () => {
    const found = [
      theirs('re_1', 300, refundKey({ id: 'a', attempts: 1 }), 'failed'),
      theirs('re_2', 300, refundKey({ id: 'a', attempts: 2 })),
    ];
    expect(pairs([ours('a', 'asked', 300)], found)).toEqual({ a: 're_2' });
  });

  test('follows from the amount where it was made by the end of the order, or there; each is taken once', () => {
    const found = [theirs('re_1', 300), theirs('re_2', 500, 'order:1:payment:2:refund:1'), theirs('re_3', 300)];
    expect(
      pairs([ours('a', 'at_provider', 300), ours('b', 'order_ended', 500), ours('c', 'at_provider', 300)], found),
    ).toEqual({ a: 're_1', b: 're_2', c: 're_3' });
  });

  test('stays open where nothing fits, and is not said again', () => {
    const found = [
      theirs('re_1', 300),
      theirs('re_2', 200, refundKey({ id: 'other', attempts: 1 })),
      theirs('re_3', 250),
    ];
    const known = ours('a', 'asked', 300, 're_1');
    expect(
      pairs([known, ours('b', 'at_provider', 300), ours('c', 'at_provider', 200), ours('d', 'asked', 250)], found),
    ).toEqual({});
  });
});
