import { m } from '#messages';
import { minorDigits } from '#platform/money.ts';
import { parseMoney } from '#platform/parse-money.ts';

/** An amount in a text, in minor units; null for a word or misprint in place of a price. */
export interface FoundAmount {
  start: number;
  end: number;
  amount: number | null;
  hasSymbol: boolean;
  isDoubtful?: boolean;
  doubtReason?: string;
}

/** Signs before and after amounts. Most currencies have several signs, and several currencies share `kr` and `$`. */
const codes = 'GBP|EUR|PLN|USD|CAD|AUD|NZD|CHF|SEK|NOK|DKK|CZK|HUF|BGN|AED|INR|JPY';
const currencySign = `(?:[£€$₹¥₺₴₽]|zł|\\b(?:${codes}|Fr\\.|kr\\.?)(?!\\p{L}))`;
const signAfter = `(?:[£€₹¥₺₴₽]|zł|Kč|лв|\\b(?:${codes}|kr|lei|SFr)\\b|(?<=\\d{3}\\s?)Ft\\b)`;
const noUnitAhead =
  '(?!\\s*(?:ml|cl|dl|l|ltr|litres?|kg|g|oz|cm|mm|%|am|pm|kcal|cal|hrs?|mins?|km|miles?)\\b)(?!\\s*%)';
const amountPattern = new RegExp(
  [
    `${currencySign}\\s*(?<sign>\\d{1,4}(?:[.,·:]\\d{1,2}(?!\\d)|\\s?[.,·:]\\s?\\d{2}(?!\\d|\\s*for\\b))?)(?![.,]?\\d)`,
    `(?<odd>${currencySign}\\s*\\d+(?:[.,]+\\d+)+|(?<![\\p{L}\\d.,:£/])\\d{1,3}(?:[.,]\\d{1,2}[.,]\\d|[.,]{2}\\d{1,2})(?![\\d.,:/]))`,
    `(?<![\\p{L}\\d.,:£/])(?<after>\\d{1,4}(?:[.,·]\\d{1,2})?) ?${signAfter}(?! *\\d)`,
    `(?:(?<![\\d.,:])|(?<=\\.{3}))(?<plain>\\d{1,4}[.,·]\\d{2})(?![\\d:]|[.,]\\d)${noUnitAhead}`,
    `(?<![\\p{L}\\d.,])(?<pence>\\d{2,3})\\s?p\\b`,
  ].join('|'),
  'giu',
);

/** Words that replace a price at the end of a text or column, such as `POA`. */
const priceWords =
  /(?<=^|[\s.…(:–—-])(?:p\.?o\.?a\.?|t\.?b\.?[ac]\.?|(?:at )?(?:market|seasonal|daily) price|price (?:up)?on (?:application|request|enquiry)|[£€$](?!\s*\d)\s*(?:\?+|x+|[-–_.]+)?)(?=\s*(?:$|[\t)]))/giu;

/** Finds amounts with a currency's sign, in pence or with two decimals, and words that replace a price. */
export function findAmounts(text: string, currency: string): FoundAmount[] {
  const factor = 10 ** minorDigits(currency);
  const written = [...text.matchAll(amountPattern)].map(({ 0: found, index, groups = {} }): FoundAmount => {
    const { sign, after, plain, pence, odd } = groups;
    const place = { start: index, end: index + found.length };
    if (odd !== undefined) return { ...place, amount: null, hasSymbol: true, isDoubtful: true };
    const digits = (sign ?? after ?? plain ?? '0').replaceAll(/\s/g, '').replace(/[,·:]/, '.');
    const amount = pence === undefined ? Math.round(Number(digits) * factor) : Number(pence);
    const isForeign = namesOnlyForeignCurrency(found, currency);
    const doubt = isForeign && { isDoubtful: true, doubtReason: m.menu_import_doubt_currency({ text: found.trim() }) };
    return { ...place, amount, hasSymbol: plain === undefined, ...doubt };
  });
  const words = [...text.matchAll(priceWords)].flatMap(({ 0: found, index }): FoundAmount[] => {
    const [start, end] = [index, index + found.length];
    const isWritten = written.some((one) => one.start < end && start < one.end);
    return isWritten ? [] : [{ start, end, amount: null, hasSymbol: true, isDoubtful: true }];
  });
  const found = joinRanges(
    text,
    [...written, ...words].toSorted((a, b) => a.start - b.start),
  );
  return withoutMultibuys(text, found);
}

const multibuyLead =
  /(?:\b(?:any |buy )?(?:\d{1,2}|two|three|four|five|six|ten|a dozen)\s*(?:pieces |pcs )?for(?: only)?|\b\d{1,2}\s*\/)\s*$/i;

/** Leaves out the price of several pieces, and marks the price of one piece as doubtful: `80p or 3 for £2`. */
function withoutMultibuys(text: string, found: readonly FoundAmount[]): FoundAmount[] {
  const leads = found.map(({ start }, at) => text.slice(found[at - 1]?.end ?? 0, start));
  const several = new Set(found.filter((_, at) => multibuyLead.test(leads[at] ?? '')));
  const [first] = several;
  if (!first) return [...found];
  const at = found.indexOf(first);
  const offer = multibuyLead.exec(leads[at] ?? '')?.[0] ?? '';
  const doubtReason = m.menu_import_doubt_multibuy({ text: (offer + text.slice(first.start, first.end)).trim() });
  const single = found.filter((one) => !several.has(one));
  const kept = single.length > 0 ? single : found;
  return kept.map((one) => {
    const next = found[found.indexOf(one) + 1];
    const end = single.length > 0 && next && several.has(next) ? next.end : one.end;
    return { ...one, end, isDoubtful: true, doubtReason };
  });
}

/** Joins the two ends of a range into one doubtful amount: `£5.00 - £7.00`. */
function joinRanges(text: string, found: readonly FoundAmount[]): FoundAmount[] {
  const joined: FoundAmount[] = [];
  for (const one of found) {
    const last = joined.at(-1);
    const isRange = last && /^\s*(?:[-–—]|to)\s*$/i.test(text.slice(last.end, one.start));
    if (isRange && (one.amount ?? 0) > (last.amount ?? 0))
      joined[joined.length - 1] = { ...last, end: one.end, isDoubtful: true };
    else joined.push(one);
  }
  return joined;
}

export interface ParsedPrices {
  price: number | null;
  sizes: { name: string; price: number | null }[];
  isDoubtful: boolean;
  doubtReason?: string | undefined;
}

/** Words beside a price that leave its meaning unchanged. */
const priceFillers = /\b(?:each|ea|only|per portion|inc(?:l(?:uding)?)?\.?(?: vat)?|price)\b|[().,:;\-–—_/|…\s]/gi;

/** The currencies of each sign. A `$` may also mean a currency that this list lacks. */
const currencySigns: readonly (readonly [sign: RegExp, codes: string])[] = [
  [/£|\dp\b/i, 'GBP GIP FKP SHP EGP LBP'],
  [/€/, 'EUR'],
  [/zł/i, 'PLN'],
  [/\$/, 'USD CAD AUD NZD SGD HKD MXN'],
  [/\bkr\b/i, 'SEK NOK DKK ISK'],
  [/\bS?Fr\b/i, 'CHF'],
  [/Kč/i, 'CZK'],
  [/\bFt\b/i, 'HUF'],
  [/\blei\b/i, 'RON MDL'],
  [/лв/i, 'BGN'],
  [/₹/, 'INR'],
  [/¥/, 'JPY CNY'],
  [/₺/, 'TRY'],
  [/₴/, 'UAH'],
  [/₽/, 'RUB'],
  ...codes.split('|').map((code) => [new RegExp(String.raw`\b${code}(?!\p{L})`, 'iu'), code] as const),
];

/** Whether the text names other currencies, but not the shop's. */
export function namesOnlyForeignCurrency(text: string, currency: string): boolean {
  const named = currencySigns.filter(([sign]) => sign.test(text)).flatMap(([, known]) => known.split(' '));
  const isKnown = currencySigns.some(([, known]) => known.split(' ').includes(currency));
  return named.length > 0 && !named.includes(currency) && !(named.includes('USD') && !isKnown);
}

/** Whether a line without an amount names the currency of all prices: `All prices in euro`. */
export function statesForeignPrices(text: string, currency: string): boolean {
  const isAboutPrices = /\b(?:prices?|preise?|prix|ceny|cena|precios?|prezzi|priser?)\b/i.test(text);
  const named = text.replaceAll(/\beuros?\b/gi, '€').replaceAll(/\b(?:pounds?|sterling)\b/gi, '£');
  return (
    isAboutPrices &&
    text.length < 160 &&
    namesOnlyForeignCurrency(named, currency) &&
    findAmounts(text, currency).length === 0
  );
}

/** Whether a minus precedes the amount, or a space splits it, as in `8 50`. */
function isOddNumber(text: string): boolean {
  return /^\s*[-–−]\s*\D{0,3}\d/.test(text) || /\d\s+\d/.test(text);
}

/** Reads a cell of prices: `£7.50`, `7,50`, `750p`, `from £7.50`, `S 7.50 / L 9.50`. An ambiguous cell is doubtful. */
export function readPrices(cell: string, currency: string): ParsedPrices {
  const text = cell.trim();
  const read = readAmounts(text, currency);
  if (!namesOnlyForeignCurrency(text, currency)) return read;
  return { ...read, isDoubtful: true, doubtReason: m.menu_import_doubt_currency({ text }) };
}

function readAmounts(text: string, currency: string): ParsedPrices {
  const strict = text === '' ? null : parseMoney(text, currency);
  if (strict !== null) return { price: strict, sizes: [], isDoubtful: strict === 0 || isOddNumber(text) };
  const found = findAmounts(text, currency);
  const [first] = found;
  if (!first) {
    const whole = [...text.matchAll(/(?<![\d.,])\d{1,3}(?![\d.,])/g)];
    const price = whole.length === 1 ? Number(whole[0]) * 10 ** minorDigits(currency) : null;
    return { price, sizes: [], isDoubtful: text !== '' };
  }
  const { doubtReason } = found.find((one) => one.doubtReason !== undefined) ?? {};
  if (found.length > 1) return { ...readNamedSizes(text, found), doubtReason };
  const rest = (text.slice(0, first.start) + text.slice(first.end)).replaceAll(priceFillers, '');
  const isDoubtful = first.isDoubtful === true || rest !== '' || first.amount === 0 || isOddNumber(text);
  return { price: first.amount, sizes: [], isDoubtful, doubtReason };
}

/**
 * Reads the sizes of a text with several amounts. A size's name is before its amount, or in brackets after the amount.
 */
export function readNamedSizes(text: string, found: readonly FoundAmount[]): ParsedPrices {
  const before = found.map(({ start }, at) => cleanSizeName(text.slice(found[at - 1]?.end ?? 0, start)));
  const after = found.map(({ end }, at) => cleanSizeName(text.slice(end, found[at + 1]?.start ?? text.length)));
  const named = [before, after].find((names) => names.every((name) => name !== '') && isDistinct(names));
  const names = named ?? found.map((_, at) => m.menu_import_size_number({ number: at + 1 }));
  const sizes = found.map(({ amount }, at) => ({ name: names[at] ?? '', price: amount }));
  return {
    price: null,
    sizes,
    isDoubtful: !named || sizes.some(({ price }) => !price) || found.some((one) => one.isDoubtful),
  };
}

/** Reads a row with a cell for each size, in which a dash means not sold; null for other rows. */
export function readSizeColumns(text: string, heads: readonly string[], found: readonly FoundAmount[]) {
  const cells = text.split('\t').slice(-Math.max(1, heads.length));
  const sold = cells.flatMap((cell, at) => (/^\s*[-–—]\s*$/.test(cell) ? [] : at));
  if (cells.length < 2 || cells.length !== heads.length || sold.length !== found.length) return null;
  if (found.length === heads.length || sold.some((at) => !/\d/.test(cells[at] ?? ''))) return null;
  return sold.map((at, index) => ({ name: heads[at] ?? '', price: found[index]?.amount ?? null }));
}

export function cleanSizeName(text: string): string {
  return text
    .replaceAll(/[£€$]|\.{2,}|[…|/;,:*•·()=]|(?:^|\s)[-–—]+(?=\s|$)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:and|or|&|from|to)\b\s*|\s*\b(?:and|or|&|from|to)$/gi, '')
    .trim();
}

function isDistinct(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

/**
 * Finds prices that differ so much from the others that a decimal point may be missing: `85` among `8.50`. Returns
 * their indexes, from 0.
 */
export function findPriceOutliers(prices: readonly (number | null)[]): Set<number> {
  const sorted = prices.filter((price) => price !== null && price > 0).toSorted((a, b) => Number(a) - Number(b));
  const median = sorted[Math.floor(sorted.length / 2)];
  if (!median || sorted.length < 5) return new Set();
  return new Set(
    prices.flatMap((price, at) =>
      price !== null && price > 0 && (price >= median * 8 || price * 15 <= median) ? at : [],
    ),
  );
}

export function hasAnAmount(text: string): boolean {
  return findAmounts(text.replaceAll(/[£€$](?!\s*\d)/g, ''), 'GBP').length > 0;
}

export function isPriceCell(text: string): boolean {
  return /^\s*\D{0,4}\d{1,4}([.,·]\d{1,4})?\s?\D{0,4}\s*$/.test(text) && readPrices(text, 'GBP').price !== null;
}
