import { intlLocale } from '#platform/language.ts';

/**
 * Splits `amount` over `weights` in proportion, in whole minor units, by the largest remainder, so that the parts
 * always sum to `amount`. None of them is negative, or above its weight while `amount` is not above their sum.
 * All-zero weights put everything on the first part. Amount and weights are integers from 0.
 */
export function apportion(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return weights.map((_, index) => (index === 0 ? amount : 0));
  const parts: number[] = [];
  const byRemainder: { index: number; remainder: number }[] = [];
  let left = amount;
  for (const [index, weight] of weights.entries()) {
    const { quotient, remainder } = multiplyDivide(amount, weight, total);
    parts.push(quotient);
    byRemainder.push({ index, remainder });
    left -= quotient;
  }
  byRemainder.sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

/** The VAT contained in a gross amount (minor units) at `rate` basis points, rounded half up. UK prices include VAT. */
export function vatWithin(gross: number, rate: number): number {
  return shareOf(gross, rate, 10_000 + rate);
}

/** `amount * part / whole`, rounded half up and exact for any safe integers from 0, e.g. a percentage. */
export function shareOf(amount: number, part: number, whole: number): number {
  const { quotient, remainder } = multiplyDivide(amount, part, whole);
  return remainder * 2 >= whole ? quotient + 1 : quotient;
}

const formatters = new Map<string, { format: Intl.NumberFormat; unit: number }>();

/** `1840, 'GBP'` → `£18.40`, or `18,40 £` in Polish. The amount is in minor units. */
export function formatMoney(amount: number, currency: string, locale = intlLocale()): string {
  const key = `${locale} ${currency}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
    formatter = { format, unit: 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2) };
    formatters.set(key, formatter);
  }
  return formatter.format.format(amount / formatter.unit);
}

function multiplyDivide(a: number, b: number, divisor: number): { quotient: number; remainder: number } {
  const product = a * b;
  if (Number.isSafeInteger(product)) {
    const remainder = product % divisor;
    return { quotient: (product - remainder) / divisor, remainder };
  }
  const exact = BigInt(a) * BigInt(b);
  return { quotient: Number(exact / BigInt(divisor)), remainder: Number(exact % BigInt(divisor)) };
}
