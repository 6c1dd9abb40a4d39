import { shareOf } from '#platform/money.ts';

export const roundings = ['none', 'five', 'ten', 'ninety_nine'] as const;
export type Rounding = (typeof roundings)[number];

/** How the prices change. `amount` is minor units, or for `percent` basis points of the price; it may be negative. */
export interface PriceRule {
  by: 'percent' | 'amount';
  amount: number;
  rounding: Rounding;
}

/** £10,000, the API's maximum for one price. */
const HIGHEST = 1_000_000;

/**
 * The new price in minor units, never below 0. Rounds to the nearest 5p or 10p, a half upwards; `ninety_nine` rounds
 * to the nearest price that ends in .99. A free dish stays free: percentages and rounding do not give it a price.
 */
export function newPrice(price: number, { by, amount, rounding }: PriceRule): number {
  if (price === 0) return 0;
  const change = by === 'amount' ? amount : Math.sign(amount) * shareOf(price, Math.abs(amount), 10_000);
  return Math.min(HIGHEST, round(Math.max(0, price + change), rounding));
}

function round(price: number, rounding: Rounding): number {
  if (rounding === 'five') return Math.floor((price + 2.5) / 5) * 5;
  if (rounding === 'ten') return Math.floor((price + 5) / 10) * 10;
  if (rounding === 'ninety_nine') return price === 0 ? 0 : Math.max(99, Math.floor((price + 51) / 100) * 100 - 1);
  return price;
}
