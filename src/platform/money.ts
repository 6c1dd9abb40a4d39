import { intlLocale } from '#platform/language.ts';

/**
 * Splits `amount` over `weights` in whole minor units by the largest remainder; the shares sum to `amount`. If `amount`
 * is at most the weights' sum, no share exceeds its weight. If all weights are 0, the first share gets everything. All
 * arguments are integers from 0.
 */
export function apportion(amount: number, weights: readonly number[]): number[] {
  return apportionAmong(amount, weights, (weight) => weight).map(({ part }) => part);
}

/** Splits `amount` over weighted items like `apportion`; returns each item with its share, in the given order. */
export function apportionAmong<T>(
  amount: number,
  among: readonly T[],
  weightOf: (one: T) => number,
): { one: T; part: number }[] {
  const total = among.reduce((sum, one) => sum + weightOf(one), 0);
  if (total === 0) return among.map((one, place) => ({ one, part: place === 0 ? amount : 0 }));
  const shares = among.map((one, place) => {
    const { quotient, remainder } = multiplyDivide(amount, weightOf(one), total);
    return { one, place, part: quotient, remainder };
  });
  const left = shares.reduce((rest, { part }) => rest - part, amount);
  const byRemainder = shares.toSorted((a, b) => b.remainder - a.remainder || a.place - b.place);
  for (const share of byRemainder.slice(0, left)) share.part += 1;
  return shares.map(({ one, part }) => ({ one, part }));
}

export type Sums<Key> = Map<Key, number>;

export function sumAt<Key>(sums: ReadonlyMap<Key, number>, key: Key): number {
  return sums.get(key) ?? 0;
}

export function addToSum<Key>(sums: Sums<Key>, key: Key, amount: number): void {
  sums.set(key, sumAt(sums, key) + amount);
}

/** The VAT in a gross amount (minor units) at `rate` basis points, rounded half up. */
export function vatInGross(gross: number, rate: number): number {
  return proportionalShare(gross, rate, 10_000 + rate);
}

/** Computes `amount * part / whole`, rounded half up, e.g. a percentage. Exact for all safe integers from 0. */
export function proportionalShare(amount: number, part: number, whole: number): number {
  const { quotient, remainder } = multiplyDivide(amount, part, whole);
  return remainder * 2 >= whole ? quotient + 1 : quotient;
}

const noDecimals = new Set(
  (
    'AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG RWF SLL SOS SYP UGX VND VUV ' +
    'XAF XOF XPF YER'
  ).split(' '),
);
const threeDecimals = new Set('BHD JOD KWD LYD OMR TND'.split(' '));

/**
 * A currency's decimals: one unit is `10 ** minorDigits(currency)` minor units. `Intl` is not used, because browsers
 * disagree: only some give a forint two decimals. An update of Node could also change the meaning of stored prices.
 */
export function minorDigits(currency: string): 0 | 2 | 3 {
  if (noDecimals.has(currency)) return 0;
  return threeDecimals.has(currency) ? 3 : 2;
}

const formatters = new Map<string, Intl.NumberFormat>();

/** Formats an amount of minor units: `1840, 'GBP'` becomes `£18.40`, or `18,40 £` in Polish. */
export function formatMoney(amount: number, currency: string, locale = intlLocale()): string {
  const key = `${locale} ${currency}`;
  const digits = minorDigits(currency);
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formatters.set(key, formatter);
  }
  return formatter.format(amount / 10 ** digits);
}

/** Formats an amount of minor units for machines, with a decimal point: `1840, 'GBP'` becomes `18.40`. */
export function formatDecimalAmount(amount: number, currency: string): string {
  const digits = minorDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
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
