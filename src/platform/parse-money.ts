import { formatMoney, minorDigits } from '#platform/money.ts';

/**
 * Parses a form field's amount in minor units. Returns `empty` for an empty field, and null for an unreadable amount
 * (`parseMoney`).
 */
export function parseMoneyField<const Empty extends number | null | undefined>(
  text: string,
  { currency, empty }: { currency: string; empty: Empty },
): { amount: number | Empty } | null {
  if (text.trim() === '') return { amount: empty };
  const amount = parseMoney(text, currency);
  return amount === null ? null : { amount };
}

/**
 * Parses a typed amount in minor units; null if it is not an amount. Accepts `£1.50`, `1.5`, `1,50`, `£1,250.00`,
 * `150p`, `150 p` and `1.5000`. Refuses a minus sign, and more decimals than the currency has. In an amount with four
 * or more decimals, zeros at the end are ignored.
 */
export function parseMoney(text: string, currency: string): number | null {
  const typed = text.trim().replaceAll(/\s/g, '');
  const decimals = minorDigits(currency);
  const pence = /^(\d{1,9})p$/i.exec(typed);
  if (pence) return Number(pence[1]);
  const symbol = formatMoney(0, currency).replaceAll(/[\d.,\s]/g, '');
  const bare = typed
    .replace(symbol, '')
    .replace(/^[a-z]{3}|[a-z]{3}$/i, (code) => (code.toUpperCase() === currency ? '' : code));
  const parts = /^(\d{1,3}(?:,\d{3})+|\d{1,9})?(?:[.,](\d*))?$/.exec(bare);
  if (!parts || !/\d/.test(bare)) return null;
  const [, whole = '0', typedFraction = ''] = parts;
  // Three decimals keep their zeros, because the point in 7.500 may separate thousands. A currency with two decimals
  // therefore refuses 7.500.
  const fraction = typedFraction.length > 3 ? typedFraction.replace(/0+$/, '') : typedFraction;
  if (fraction.length > decimals) return null;
  return Number(whole.replaceAll(',', '')) * 10 ** decimals + Number(fraction.padEnd(decimals, '0') || 0);
}
