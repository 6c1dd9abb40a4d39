import { type FoundAmount, findAmounts } from '#menu/import/read-amounts.ts';
import {
  isBesideMenu,
  isButton,
  isCapitals,
  nameBesidePrice,
  sizeHeads,
  withoutLetterSpaces,
} from '#menu/import/text-words.ts';
import { minorDigits } from '#platform/money.ts';

/** A line of a page, PDF or picture, in the order of reading. */
export interface TextLine {
  text: string;
  /** The size and boldness of its letters: 0 for usual text, more for headings. */
  weight: number;
  /** The page number from 1. */
  page: number;
  /** The role that the page's markup gives the line. */
  role?: 'heading' | 'name' | 'description';
  /** Whether the last cell of its table row is empty. */
  hasEmptyEnd?: boolean;
  /** Whether a table's headings say that the line ends in its price. */
  isPriceLast?: boolean;
}

/** A line, and whether it holds a name with prices, only prices, headings of sizes, or other text. */
export interface ClassifiedLine {
  line: TextLine;
  at: number;
  kind: 'priced' | 'prices' | 'sizes' | 'text';
  found: FoundAmount[];
  /** The text before the first amount, or the whole text. */
  name: string;
}

export function classifyLines(lines: readonly TextLine[], currency: string): ClassifiedLine[] {
  const habits = detectPriceHabits(lines);
  return lines.flatMap((line, at) => classifyLine(line, at, currency, habits));
}

/** Habits of the whole menu that explain a line without a usual price. */
interface PriceHabits {
  /** Whether short numbers after dots or a gap are prices: `Chips ..... 3`. */
  usesShortPrices: boolean;
  /** Whether a few lines end in dots or an empty cell where the others have a price. */
  omitsSomePrices: boolean;
}

function detectPriceHabits(lines: readonly TextLine[]): PriceHabits {
  const count = (pattern: RegExp) => lines.filter(({ text }) => pattern.test(text)).length;
  const [short, usual] = [count(shortPricePattern), count(/[.,]\d{2}\s*$/)];
  const lacking = lines.filter(omitsPrice).length;
  return { usesShortPrices: short >= 4 && short * 2 > usual, omitsSomePrices: lacking * 2 < short + usual };
}
const shortPricePattern = /^(?=.*\p{L}).*(?:\.{2,}|…|\t| {2,}|[-–—])\s*\d{1,2}(?:[.,]\d)?\s*$/u;

function omitsPrice({ text, weight, hasEmptyEnd }: TextLine): boolean {
  return /\p{L}.*(?:\.{4,}|…)\s*$/u.test(text) || (hasEmptyEnd === true && weight <= 0 && !isCapitals(text));
}

function classifyLine(line: TextLine, at: number, currency: string, habits: PriceHabits): ClassifiedLine[] {
  const text = withoutLetterSpaces(line.text)
    .replaceAll(/[^\S\t]+/g, ' ')
    .trim();
  if (text === '' || !/[\p{L}\d]/u.test(text)) return [];
  const found = findAmounts(text, currency);
  if (found.length === 0) found.push(...shortAmounts(line, text, currency, habits));
  if (isBesideMenu(text, found)) return [];
  if (found.length === 0)
    return isButton(text) ? [] : [{ line, at, kind: sizeHeads(text) ? 'sizes' : 'text', found, name: text }];
  const name = nameBesidePrice(text, found);
  if (isButton(name)) return [];
  return [{ line, at, kind: name === '' ? 'prices' : 'priced', found, name }];
}

/** Finds the price that only the menu's habits explain: `3`, `7.5`, or an empty cell. */
function shortAmounts(line: TextLine, text: string, currency: string, habits: PriceHabits): FoundAmount[] {
  const end = text.length;
  if ((habits.usesShortPrices || line.isPriceLast) && shortPricePattern.test(line.text)) {
    const start = text.search(/\d{1,2}(?:[.,]\d)?$/);
    const amount = Math.round(Number(text.slice(start).replace(',', '.')) * 10 ** minorDigits(currency));
    return [{ start, end, amount, hasSymbol: true }];
  }
  if (!habits.omitsSomePrices || !omitsPrice(line)) return [];
  return [{ start: end, end, amount: null, hasSymbol: true, isDoubtful: true }];
}
