import type { RemovedRefund, RemovedRefundState } from '#ordering/order.ts';

/** A refund for dishes that were taken off an order, as the payments' tables have it. */
export interface RefundOfRemoved {
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
  is_by_hand: boolean;
  /** Why it is not made; null: it was made, or is being made. */
  problem: string | null;
}

/**
 * What became of the money for removed dishes: the sum of each state, in minor units. `due`: what had to go back in all. Money
 * of a failed refund may go back by a later one, so that only what `due` leaves is not made.
 */
export function removedRefunds(refunds: readonly RefundOfRemoved[], due: number): RemovedRefund[] {
  const sums = new Map<RemovedRefundState, number>();
  let open = due;
  for (const refund of refunds.toSorted((a, b) => Number(hasFailed(a)) - Number(hasFailed(b)))) {
    const amount = hasFailed(refund) ? Math.min(refund.amount, Math.max(open, 0)) : refund.amount;
    open -= amount;
    const state = stateOf(refund);
    if (amount > 0) sums.set(state, (sums.get(state) ?? 0) + amount);
  }
  return [...sums].map(([state, amount]) => ({ state, amount }));
}

function hasFailed({ status }: RefundOfRemoved): boolean {
  return status === 'failed';
}

function stateOf({ status, is_by_hand, problem }: RefundOfRemoved): RemovedRefundState {
  if (status === 'succeeded') return is_by_hand ? 'by_hand' : 'made';
  if (status === 'pending') return problem === 'disputed' ? 'waits' : 'on_its_way';
  return problem === 'disputed' ? 'by_bank' : 'not_made';
}
