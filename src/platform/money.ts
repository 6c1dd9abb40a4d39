/**
 * Splits `amount` over `weights` in proportion, in whole minor units, by the largest remainder,
 * so that the parts always sum to `amount`. All-zero weights put everything on the first part.
 */
export function apportion(amount: number, weights: readonly number[]): number[] {
  if (weights.length === 0) return [];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return weights.map((_, index) => (index === 0 ? amount : 0));
  const exact = weights.map((weight) => (amount * weight) / total);
  const parts = exact.map(Math.floor);
  let left = amount - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder) {
    if (left <= 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}

/** The VAT contained in a gross amount (minor units) at `rate` basis points, rounded half up. UK prices include VAT. */
export function vatWithin(gross: number, rate: number): number {
  return Math.round((gross * rate) / (10_000 + rate));
}

const formatters = new Map<string, Intl.NumberFormat>();

/** `1840, 'GBP'` → `£18.40`. The amount is in minor units. */
export function formatMoney(amount: number, currency: string, locale = 'en-GB'): string {
  const key = `${locale} ${currency}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(locale, { style: 'currency', currency });
    formatters.set(key, formatter);
  }
  return formatter.format(amount / 10 ** (formatter.resolvedOptions().maximumFractionDigits ?? 2));
}
