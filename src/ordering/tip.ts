import { m } from '#messages';
import type { Problem } from '#ordering/basket.ts';
import { formatMoney } from '#platform/money.ts';

/** Nobody is kept from tipping a small basket well. Minor units, as the other. */
const alwaysAllowed = 1_000;
/** The contract's own limit. */
const most = 100_000;

/**
 * Why a tip is not taken; null when it is. As much as the food costs is the most: whoever types more has slipped, and
 * would pay it. Minor units.
 */
export function checkTip(tip: number, subtotal: number, currency: string): Problem | null {
  const limit = Math.min(most, Math.max(alwaysAllowed, subtotal));
  if (tip <= limit) return null;
  const message = m.ordering_tip_too_large({ amount: formatMoney(limit, currency) });
  return { code: 'tip_too_large', message, path: 'tip' };
}
