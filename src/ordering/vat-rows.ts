import type { ChargedFee } from '#ordering/fee-words.ts';
import type { VatRow } from '#ordering/order.ts';
import { addToSum, apportionAmong, type Sums, vatInGross } from '#platform/money.ts';

/** The amounts at each VAT rate, in minor units. */
export type GrossByRate = Sums<number>;
export type GrossOfRate = readonly [rate: number, amount: number];

/**
 * Returns the VAT of an order at each rate. `ofLines`: the amounts of the lines by rate. Rates without an amount are
 * left out.
 */
export function vatRowsOf(ofLines: GrossByRate, fees: readonly Pick<ChargedFee, 'amount' | 'vat_rate'>[]): VatRow[] {
  const lines = sortByVatRate(ofLines);
  const gross: GrossByRate = new Map(lines);
  for (const { amount, vat_rate } of fees) {
    if (vat_rate !== null) addToSum(gross, vat_rate, amount);
    else for (const { one, part } of apportionAmong(amount, lines, ([, taken]) => taken)) addToSum(gross, one[0], part);
  }
  const rows: VatRow[] = [];
  for (const [rate, amount] of sortByVatRate(gross)) {
    if (amount === 0) continue;
    const vat = vatInGross(amount, rate);
    rows.push({ rate, net: amount - vat, vat });
  }
  return rows;
}

/** Sorts amounts by their VAT rate, highest first, so that rounding does not depend on the order of the lines. */
export function sortByVatRate(gross: GrossByRate): GrossOfRate[] {
  return [...gross].sort(([a], [b]) => b - a);
}
