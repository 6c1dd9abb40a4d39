import { m } from '#messages';
import type { BasketProblem } from '#ordering/basket.ts';
import { formatMoney } from '#platform/money.ts';

/**
 * A tip of up to this amount (minor units) is accepted for any basket, because a small basket may get a generous tip.
 */
const alwaysAllowed = 1_000;
/** The API's maximum of a tip, in minor units. */
const most = 100_000;

/**
 * Returns why a tip is refused; null if it is accepted. A tip above the food's price (`subtotal`) is probably a typo,
 * unless it is at most `alwaysAllowed`.
 */
export function findTipProblem(tip: number, subtotal: number, currency: string): BasketProblem | null {
  const limit = Math.min(most, Math.max(alwaysAllowed, subtotal));
  if (tip <= limit) return null;
  const message = m.ordering_tip_too_large({ amount: formatMoney(limit, currency) });
  return { code: 'tip_too_large', message, path: 'tip' };
}
