import type { ProviderRefund } from '#payment/payment-state.ts';
import type { RefundKind } from '#payment/refund.ts';

interface KnownRefund {
  id: string;
  kind: RefundKind;
  amount: number;
  provider_refund: string | null;
}

/** The key of a refund's calls at the provider: each attempt by hand has its own. */
export const refundKey = ({ id, attempts }: { id: string; attempts: number }): string => `refund:${id}:${attempts}`;

/**
 * Which refund at the provider each of our refunds is, by our id; those that are known already are left out. Our calls
 * name the refund in their key; one that was only found there is paired by its amount.
 */
export function pairRefunds(ours: readonly KnownRefund[], theirs: readonly ProviderRefund[]): Map<string, string> {
  const pairs = new Map<string, string>();
  const taken = new Set(ours.map((refund) => refund.provider_refund));
  const unnamed = ours.filter((refund) => refund.provider_refund === null);
  const pair = ({ id }: KnownRefund, found: ProviderRefund | undefined) => {
    if (!found) return;
    pairs.set(id, found.id);
    taken.add(found.id);
  };
  const free = () => theirs.filter(({ id, status }) => !taken.has(id) && status !== 'failed');
  for (const refund of unnamed)
    pair(
      refund,
      free().findLast(({ key }) => key?.startsWith(`refund:${refund.id}:`)),
    );
  for (const refund of unnamed) {
    if (pairs.has(refund.id) || (refund.kind !== 'order_ended' && refund.kind !== 'at_provider')) continue;
    pair(
      refund,
      free().find(({ key, amount }) => !key?.startsWith('refund:') && amount === refund.amount),
    );
  }
  return pairs;
}
