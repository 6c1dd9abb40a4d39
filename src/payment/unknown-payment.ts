import type { DisputeStatus, ProviderState } from '#database/column-values.ts';
import { hasBankTakenMoneyBack } from '#payment/bank-rules.ts';

/* Rules on payments without an order. Pages import this file, so it must not import schemas. */

interface Money {
  state: ProviderState;
  dispute_status: DisputeStatus | null;
}

/**
 * The call that returns the money of a payment without an order: a refund of the charge, or the release of a hold or of
 * a page that can still be paid. null: nothing can or must be returned.
 */
export function chooseMoneyReturnCall({ state, dispute_status: dispute }: Money): 'refund' | 'release' | null {
  if (dispute !== null && hasBankTakenMoneyBack(dispute)) return null;
  if (state === 'captured') return 'refund';
  return state === 'authorised' || state === 'open' ? 'release' : null;
}

/** Whether the payment has a hold or a charge, was refunded, or can still be paid. Only such payments are listed. */
export const mayInvolveMoney = (state: ProviderState): boolean =>
  state === 'open' || state === 'authorised' || state === 'captured' || state === 'refunded';
