import { m } from '#messages';
import type { BasketProblem } from '#ordering/basket.ts';
import { formatMoney } from '#platform/money.ts';

/** The tip that is always allowed, in minor units, because a small basket may get a generous tip. */
const alwaysAllowed = 1_000;
/** The API's maximum of a tip, in minor units. */
const most = 100_000;

/**
 * Why a tip is refused; null if it is not. The limit is the price of the food: a larger tip is probably a typo. Minor
 * units.
 */
export function findTipProblem(tip: number, subtotal: number, currency: string): BasketProblem | null {
  const limit = Math.min(most, Math.max(alwaysAllowed, subtotal));
  if (tip <= limit) return null;
  const message = m.ordering_tip_too_large({ amount: formatMoney(limit, currency) });
  return { code: 'tip_too_large', message, path: 'tip' };
}
