import type { MovementKind } from '#database/column-values.ts';
import { capturedAmountOf, type ProviderPayment, refundedAmountOf } from '#payment/payment-state.ts';

/** Money that moved at a provider, in minor units. */
export interface Movement {
  kind: MovementKind;
  amount: number;
  object: string | null;
}

/**
 * The movements of a payment that are not among the `known` ones. Sums at the provider only grow, so a late or repeated
 * answer adds no movement. Parameter `object`: the provider's id of the authorised payment.
 */
export function newMovements(known: readonly Movement[], seen: ProviderPayment, object: string | null): Movement[] {
  const sum = (kind: MovementKind) => sumOfKind(known, kind);
  const captured = Math.max(capturedAmountOf(seen), sum('captured'));
  const held = seen.state === 'authorised' ? Math.max(seen.amount, sum('held')) : sum('held');
  const isHoldOver = seen.state !== 'authorised' && seen.state !== 'open';
  const grown: [MovementKind, number][] = [
    ['held', held],
    ['captured', captured],
    // A capture releases the rest of the hold.
    ['released', isHoldOver ? Math.max(held - captured, 0) : 0],
    ...(seen.refundList ? [] : [['refunded', refundedAmountOf(seen)] as [MovementKind, number]]),
  ];
  return [
    ...grown.flatMap(([kind, total]) => (total > sum(kind) ? [{ kind, amount: total - sum(kind), object }] : [])),
    ...refundMovements(known, seen),
  ];
}

/**
 * The new movements of listed refunds. Each refund is one movement; if it failed, the return of its money is a second
 * one.
 */
function refundMovements(known: readonly Movement[], { refundList = [] }: ProviderPayment): Movement[] {
  const isKnown = (kind: MovementKind, id: string) => known.some((one) => one.kind === kind && one.object === id);
  return refundList.flatMap(({ id, amount, status }) => {
    const kinds: MovementKind[] = status === 'failed' ? ['refunded', 'refund_failed'] : ['refunded'];
    return kinds.flatMap((kind) => (isKnown(kind, id) ? [] : [{ kind, amount, object: id }]));
  });
}

export function findFailedRefundIds(movements: readonly Movement[]): ReadonlySet<string> {
  return new Set(movements.flatMap(({ kind, object }) => (kind === 'refund_failed' ? (object ?? []) : [])));
}

/** The refunded sum in minor units, without refunds whose money returned to the shop. */
export function netRefundedAmount(movements: readonly Pick<Movement, 'kind' | 'amount'>[]): number {
  return sumOfKind(movements, 'refunded') - sumOfKind(movements, 'refund_failed');
}

/** The sums of these movements, in minor units: charged and not refunded (`kept`), and held (`held`). */
export function balanceOfMovements(movements: readonly Pick<Movement, 'kind' | 'amount'>[]): {
  kept: number;
  held: number;
} {
  const captured = sumOfKind(movements, 'captured');
  const held = sumOfKind(movements, 'held');
  return {
    kept: captured - netRefundedAmount(movements),
    held: held - Math.min(held, captured) - sumOfKind(movements, 'released'),
  };
}

function sumOfKind(movements: readonly Pick<Movement, 'kind' | 'amount'>[], kind: MovementKind): number {
  return movements.reduce((all, one) => all + (one.kind === kind ? one.amount : 0), 0);
}
