import { m } from '#messages';
import type { Problem } from '#ordering/basket.ts';
import { formatMoney } from '#platform/money.ts';

/** A small basket may have a generous tip. Minor units, as the other. */
const alwaysAllowed = 1_000;
/** The contract's own limit. */
const most = 100_000;

/**
 * Why a tip is refused; null when it is not. The limit is the price of the food: a larger tip is probably a typing
 * error. Minor units.
 */
export function checkTip(tip: number, subtotal: number, currency: string): Problem | null {
  const limit = Math.min(most, Math.max(alwaysAllowed, subtotal));
  if (tip <= limit) return null;
  const message = m.ordering_tip_too_large({ amount: formatMoney(limit, currency) });
  return { code: 'tip_too_large', message, path: 'tip' };
}
