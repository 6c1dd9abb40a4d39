import type { RefundStatus } from '#database/column-values.ts';
import type { MoneyBack, MoneyBackState, RemovedRefund, RemovedRefundState } from '#ordering/order.ts';

/** A refund of an order, made or due, from the payments' tables. */
export interface RefundOfOrder {
  /**
   * For dishes that were taken off; of the rest; of a payment that did not pay the order; or money that the payer's
   * bank took back by itself, which is told as a refund.
   */
  kind: 'removed' | 'total' | 'late' | 'bank';
  /** For a failed one: the part that is still due; all of it where the payer's bank gave it back. */
  amount: number;
  status: RefundStatus;
  is_by_hand: boolean;
  /** Why it is not made; null: it was made, or is being made. */
  problem: string | null;
}

/** The charge of an order, in minor units. */
export interface Charge {
  amount: number;
  /** The provider is still to be asked for all of it. */
  isReturned: boolean;
  /** The provider has refunded all of it. */
  isRefunded: boolean;
}

/**
 * The money for removed dishes: the sum of each state, in minor units. `due`: the sum that had to go back in all. Money
 * of a failed refund may go back by a later one, so only the rest of `due` is not made.
 */
export function removedRefunds(all: readonly RefundOfOrder[], due: number): RemovedRefund[] {
  const sums = new Sums<RemovedRefundState>(Infinity);
  const refunds = all.filter(({ kind }) => kind === 'removed');
  let open = due;
  for (const refund of refunds.toSorted((a, b) => Number(hasFailed(a)) - Number(hasFailed(b)))) {
    const amount = hasFailed(refund) ? Math.min(refund.amount, Math.max(open, 0)) : refund.amount;
    open -= amount;
    sums.add(stateOf(refund), amount);
  }
  return sums.rows();
}

/**
 * The money of an order that was called off: the sum of each state, in minor units; empty if nothing was charged. While
 * the bank has a part, the rest cannot be refunded; once that is lost, people give the rest back.
 */
export function moneyBack(all: readonly RefundOfOrder[], charge: Charge | null): MoneyBack[] {
  if (!charge) return [];
  const sums = new Sums<MoneyBackState>(charge.amount);
  const bank = all.filter(({ kind }) => kind === 'bank');
  const refunds = all.filter(({ kind }) => kind !== 'bank' && kind !== 'late');
  const made = refunds.filter(({ status }) => status === 'succeeded');
  for (const refund of [...made, ...bank]) sums.add(stateOf(refund), refund.amount);
  if (bank.length > 0) {
    sums.add(bank.some(({ status }) => status === 'pending') ? 'after_dispute' : 'not_made', sums.left);
    return sums.rows();
  }
  const sumOf = (wanted: string) =>
    refunds.filter(({ status }) => status === wanted).reduce((sum, { amount }) => sum + amount, 0);
  // The whole rest goes back at once, with earlier parts that could not.
  const notMade = charge.isReturned ? 0 : Math.max(0, Math.min(sumOf('failed'), sums.left - sumOf('pending')));
  const rest = sums.left - notMade;
  sums.add(charge.isRefunded && sumOf('pending') === 0 ? 'made' : 'on_its_way', rest);
  sums.add('not_made', notMade);
  return sums.rows();
}

/** Refunds of an order that was not called off, without removed dishes, that did not reach the payer. */
export function refundsNotMade(all: readonly RefundOfOrder[]): MoneyBack[] {
  const sums = new Sums<MoneyBackState>(Infinity);
  const refunds = all.filter(({ kind }) => kind === 'total' || kind === 'late');
  for (const refund of refunds) if (hasFailed(refund)) sums.add(stateOf(refund), refund.amount);
  return sums.rows();
}

/** Amounts by state, which together are at most `left` minor units. */
class Sums<State extends string> {
  readonly #sums = new Map<State, number>();
  left: number;

  constructor(most: number) {
    this.left = most;
  }

  add(state: State, wanted: number): void {
    const amount = Math.min(wanted, this.left);
    if (amount <= 0) return;
    this.left -= amount;
    this.#sums.set(state, (this.#sums.get(state) ?? 0) + amount);
  }

  rows(): { state: State; amount: number }[] {
    return [...this.#sums].map(([state, amount]) => ({ state, amount }));
  }
}

function hasFailed({ status }: RefundOfOrder): boolean {
  return status === 'failed';
}

function stateOf({ status, is_by_hand, problem }: RefundOfOrder): RemovedRefundState {
  if (status === 'succeeded') return is_by_hand ? 'by_hand' : 'made';
  if (status === 'pending') return problem === 'disputed' ? 'waits' : 'on_its_way';
  return problem === 'disputed' ? 'by_bank' : 'not_made';
}
