import { m } from '#messages';
import { findTipProblem } from '#ordering/tip.ts';
import type { CheckoutDraft } from '#ordering/web/checkout/checkout-draft.ts';
import { formatMoney } from '#platform/money.ts';
import { parseMoneyField } from '#platform/parse-money.ts';

/** The tips offered with one tap, in minor units. 0 is the choice of no tip. */
export const tipPresets = [0, 100, 200, 300] as const;

export interface TipChoice {
  /** The preset tip in minor units; null if the customer types an amount. */
  preset: number | null;
  text: string;
}

export function initialTip({ tip_choice: choice, tip: text = '' }: CheckoutDraft): TipChoice {
  if (choice === 'other') return { preset: null, text };
  return { preset: tipPresets.find((preset) => String(preset) === choice) ?? 0, text };
}

/** Returns the tip to pay, in minor units. While the typed tip is invalid, `amount` is 0, and `problem` says why. */
export function readTip(
  { preset, text }: TipChoice,
  subtotal: number,
  currency: string,
): { amount: number; problem: string | null } {
  if (preset !== null) return { amount: preset, problem: null };
  const read = parseMoneyField(text, { currency, empty: 0 });
  if (!read) return { amount: 0, problem: m.ordering_tip_wrong({ example: formatMoney(250, currency) }) };
  const { amount } = read;
  const refusal = findTipProblem(amount, subtotal, currency);
  return refusal ? { amount: 0, problem: refusal.message } : { amount, problem: null };
}
