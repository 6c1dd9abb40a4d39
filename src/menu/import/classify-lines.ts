import { type FoundAmount, findAmounts } from '#menu/import/read-amounts.ts';
import {
  isNonMenuLine,
  isButtonLabel,
  isUpperCase,
  nameBesidePrice,
  splitSizeHeadings,
  withoutLetterSpaces,
} from '#menu/import/text-patterns.ts';
import { minorDigits } from '#platform/money.ts';

export interface TextLine {
  text: string;
  /** The size and boldness of the line's letters: 0 for usual text, more for headings. */
  weight: number;
  /** The page number from 1. */
  page: number;
  role?: 'heading' | 'name' | 'description';
  /** Whether the line is a table row whose last cell is empty. */
  hasEmptyEnd?: boolean;
  /** Whether a table's headings say that the line ends in a price. */
  isPriceLast?: boolean;
}

/** A line with its kind: names with prices, prices alone, headings of sizes, or other text. */
export interface ClassifiedLine {
  line: TextLine;
  at: number;
  kind: 'priced' | 'prices' | 'sizes' | 'text';
  found: FoundAmount[];
  /** The text before the first amount; the whole text if it has no amount. */
  name: string;
}

export function classifyLines(lines: readonly TextLine[], currency: string): ClassifiedLine[] {
  const habits = detectPriceHabits(lines);
  const parts = lines.flatMap((line, at) => classifyLine(line, at, currency, habits));
  return parts.map((part, at) => {
    const isBetween = parts[at - 1]?.kind === 'text' && parts[at + 1]?.kind !== 'prices';
    const isQuestion = /[?.!]$/.test(parts[at - 1]?.name ?? '');
    // Instead of a price, the line below a name may say `ask us`. If the next line is a price, `ask us` is only a
    // badge.
    const found = part.kind === 'text' && isBetween && !isQuestion ? wordsForPrice(part.name) : [];
    return found[0]?.start === 0 ? { ...part, kind: 'prices', found, name: '' } : part;
  });
}

/** Habits of the whole menu that explain a line without a usual price. */
interface PriceHabits {
  /** Whether short numbers after dots or a gap are prices: `Chips ..... 3`. */
  usesShortPrices: boolean;
  /** Whether a number alone on a line is a price, as in centred menus: `21`. */
  usesBarePrices: boolean;
  /** Whether a few lines end in dots or an empty cell instead of a price. */
  omitsSomePrices: boolean;
}

function detectPriceHabits(lines: readonly TextLine[]): PriceHabits {
  const count = (pattern: RegExp) => lines.filter(({ text }) => pattern.test(text)).length;
  const [short, usual] = [count(shortPricePattern), count(/[.,]\d{2}\s*$/)];
  const bare = count(barePricePattern);
  const lacking = lines.filter(omitsPrice).length;
  return {
    usesShortPrices: short >= 4 && short * 2 > usual,
    usesBarePrices: bare >= 3 && bare > usual,
    omitsSomePrices: lacking * 2 < short + usual,
  };
}
const furtherPrices = String.raw`(?:\s*[/|]\s*\d{1,3}(?:[.,]\d{1,2})?){0,3}`;
const barePricePattern = new RegExp(String.raw`^\s*\d{1,3}(?:[.,]\d)?${furtherPrices}(?:\s?pp)?\s*$`);
const shortPrices = String.raw`\d{1,2}(?:[.,]\d)?${furtherPrices}\s*$`;
const shortPricePattern = new RegExp(String.raw`^(?=.*\p{L}).*(?:\.{2,}|…|\t| {2,}|[-–—])\s*${shortPrices}`, 'u');

function omitsPrice({ text, weight, hasEmptyEnd }: TextLine): boolean {
  return /\p{L}.*(?:\.{4,}|…)\s*$/u.test(text) || (hasEmptyEnd === true && weight <= 0 && !isUpperCase(text));
}

function classifyLine(line: TextLine, at: number, currency: string, habits: PriceHabits): ClassifiedLine[] {
  const text = withoutLetterSpaces(line.text)
    .replaceAll(/[^\S\t]+/g, ' ')
    .trim();
  if (text === '' || !/[\p{L}\d]/u.test(text)) return [];
  const found = likelierAmounts(text, findAmounts(text, currency));
  if (found.length === 0) found.push(...shortAmounts(line, text, currency, habits));
  if (found.length === 0) found.push(...wordsForPrice(text).filter(({ start }) => start > 0));
  if (isNonMenuLine(text, found)) return [];
  if (found.length === 0)
    return isButtonLabel(text)
      ? []
      : [{ line, at, kind: splitSizeHeadings(text) ? 'sizes' : 'text', found, name: text }];
  const name = nameBesidePrice(text, found);
  if (/[.;,(]\s*(?:add|upgrade|swap)\b[^.]*$/i.test(text.slice(0, found[0]?.start)))
    return [{ line: { ...line, role: 'description' }, at, kind: 'text', found: [], name: text }];
  if (isButtonLabel(name)) return [];
  return [{ line, at, kind: name === '' ? 'prices' : 'priced', found, name }];
}

/** Finds the prices that only the menu's habits explain: `3`, `7.5`, `8 / 10`, or an empty cell. */
function shortAmounts(line: TextLine, text: string, currency: string, habits: PriceHabits): FoundAmount[] {
  const end = text.length;
  const amountsFrom = (from: number, isDoubtful: boolean) =>
    [...text.slice(from).matchAll(/[\d.,]+/g)].map(({ 0: number, index }): FoundAmount => {
      const amount = Math.round(Number(number.replace(',', '.')) * 10 ** minorDigits(currency));
      const start = from + index;
      return { start, end: start + number.length, amount, hasSymbol: true, ...(isDoubtful && { isDoubtful }) };
    });
  if ((habits.usesShortPrices || line.isPriceLast) && shortPricePattern.test(line.text))
    return amountsFrom(text.search(new RegExp(shortPrices)), false);
  if (habits.usesBarePrices && barePricePattern.test(text)) return amountsFrom(0, true);
  if (!habits.omitsSomePrices || !omitsPrice(line)) return [];
  return [{ start: end, end, amount: null, hasSymbol: true, isDoubtful: true }];
}

/** Finds words at the end of a cell or line that stand for a price: `Soup ..... ask us`. */
function wordsForPrice(text: string): FoundAmount[] {
  const words =
    /(?<=^|\t|(?:\.{2}|[…:])\s?|\s[-–—]\s)(?:(?:please )?ask(?: us| (?:our )?staff| in (?:store|shop)| for (?:the )?price)?|(?:see|as per) (?:our |the )?(?:specials? ?)?(?:black)?board|sold out|out of stock|unavailable|not available|varies)$/i;
  const found = words.exec(text);
  if (!found) return [];
  return [{ start: found.index, end: text.length, amount: null, hasSymbol: true, isDoubtful: true }];
}

/** Leaves out the amounts of extras and former prices, and marks the other amounts as doubtful: `£5.99 was £6.99`. */
function likelierAmounts(text: string, found: FoundAmount[]): FoundAmount[] {
  const leads = found.map(({ start }, at) => text.slice(found[at - 1]?.end ?? 0, start));
  const [first, second] = found;
  const isNow = /\bwas\W*$/i.test(leads[0] ?? '') && /\bnow\b/i.test(leads[1] ?? '');
  if (first && second && isNow) return [{ ...second, start: text.search(/\bwas\W*[\d£€$]/i), isDoubtful: true }];
  const former = leads.findIndex((lead, at) => at > 0 && /\b(?:was|rrp|save)\b/i.test(lead));
  if (former > 0)
    return found.slice(0, former).map((one, at) => ({
      ...one,
      end: at === former - 1 ? text.length : one.end,
      isDoubtful: true,
    }));
  const extra = leads.findIndex(
    (lead, at) => at > 0 && /\b(?:add|supplement|upgrade|swap)\b|\+|\bextra (?!large)/i.test(lead),
  );
  return extra < 0 ? found : found.slice(0, extra).map((one) => ({ ...one, isDoubtful: true }));
}
