import type { ImportedDishSize } from '#menu/import/draft.ts';
import { foldHeading, type SheetMatch } from '#menu/import/match-columns.ts';
import { namesOnlyForeignCurrency, cleanSizeName, statesForeignPrices } from '#menu/import/read-amounts.ts';
import { foldName } from '#menu/import/read-cell.ts';
import type { FileSheet } from '#menu/import/table.ts';
import { htmlToText } from '#platform/markup.ts';

/** The cells that say how a product's price is meant, in a file from a till or web shop. */
export interface PriceQualifiers {
  salePrice: string;
  /** The type of a price that is not fixed, such as `Per unit`. */
  openPriceType: string;
  isNotFood: boolean;
}

export function priceQualifiersOf(texts: readonly string[], heads: readonly string[]): PriceQualifiers {
  const below = (pattern: RegExp) =>
    heads.flatMap((head, at) => (pattern.test(foldHeading(head)) ? (texts[at] ?? '').trim() || [] : []))[0] ?? '';
  const type = below(/^price type$/);
  return {
    salePrice: below(/^(?:online )?sale price$/),
    openPriceType: /^(?:fixed)?$/i.test(type) ? '' : type,
    isNotFood: /^(?:yes|y|true|1)$/i.test(below(/^(?:gift card|non revenue item)$/)),
  };
}

/**
 * Stores whether a product is hidden or sold out. If one column hides a dish and another publishes it, the dish is
 * hidden.
 */
export function setSaleStateCell(
  cells: Partial<Record<string, string>>,
  meaning: 'visible' | 'soldOut',
  head: string,
  cell: string,
): void {
  if (meaning === 'visible') {
    const shown = visibleCell(head, cell);
    if (shown !== '' && cells['visible'] !== 'no') cells['visible'] = shown;
  } else if (foldHeading(head) !== 'in stock') cells['soldOut'] = cell;
  else if (/^(?:0|no|n|false|outofstock)$/i.test(cell)) cells['soldOut'] = 'yes';
}

/** Translates a program's word for visible or hidden dishes to `yes` or `no`; empty for an unknown word. */
function visibleCell(head: string, cell: string): string {
  const word = cell.toLowerCase();
  const isNegated = /hidden|archived/.test(foldHeading(head));
  if (/^(?:yes|y|true|1|active|published|visible|enabled|x|✓)$/.test(word)) return isNegated ? 'no' : 'yes';
  return /^(?:no|n|false|0|-1|draft|archived|hidden|inactive|unavailable|disabled)$/.test(word)
    ? isNegated
      ? 'yes'
      : 'no'
    : '';
}

export function sizeInHeading(head: string): string {
  const named = head.replaceAll(/\b(?:price|cena|preis|prix|gbp|eur|inc\.? vat)\b|[£€$:]|zł/gi, ' ');
  return cleanSizeName(named) || head.trim();
}

/** Returns the text of a price, which some lists split between two columns, `£` and `p`. */
export function priceTextOf(texts: readonly string[], heads: readonly string[], column: number): string {
  const [whole = '', minor = ''] = [texts[column], texts[column + 1]].map((text) => (text ?? '').trim());
  const isSplit = /^(?:p|pence|pennies|c|ct|cents?|gr|grosze)$/.test(foldHeading(heads[column + 1] ?? ''));
  return isSplit && /^\D{0,2}\d{1,4}$/.test(whole) && /^\d{1,2}$/.test(minor)
    ? `${whole}.${minor.padStart(2, '0')}`
    : whole;
}

/** The heading, or the line beside the dishes, that names another currency than the shop's. */
export function foreignCurrencyIn(
  cells: FileSheet['cells'],
  { heads, meanings }: SheetMatch,
  currency: string,
): string | undefined {
  const head = heads.find(
    (text, at) => /^(?:p|sizeP)rice$/.test(meanings[at] ?? '') && namesOnlyForeignCurrency(text, currency),
  );
  if (head !== undefined) return head;
  const notes = cells.flatMap((line) => {
    const [text, second] = line.filter((cell) => cell.trim() !== '');
    return text === undefined || second !== undefined ? [] : text;
  });
  return notes.find((text) => statesForeignPrices(text, currency));
}

const occasions =
  /^(?:lunch(?:time)?|dinner|evening|deliver(?:y|ed)|collect(?:ion|ed)?|eat(?:ing)? in|take ?away|online|members?|staff|weekends?|weekdays?|(?:mon|tue|wed|thu|fri|sat|sun)[a-z ]*|students?|seniors?|happy hour|bank holidays?|(?:from|until|since|before|after) .+|per (?:kg|kilo|lb|100 ?g|person|head))$/i;

/**
 * Returns the names that mean an occasion and no size, such as lunch, delivery or staff. Customers must not choose
 * between the prices for such occasions.
 */
export function findOccasionSizeNames(sizes: readonly ImportedDishSize[]): string[] {
  return sizes.flatMap(({ name }) => (occasions.test(name) ? name : []));
}

/** Removes HTML, and line breaks that a web shop writes as a backslash and an n. */
export function cleanCellText(text: string): string {
  return htmlToText(text.replaceAll(/(?:\\r)?\\n/g, ' ')).trim();
}

/** Matches a comma between two categories. A web shop escapes the commas within a category's name. */
const categorySeparator = /(?<!\\),/;
const collection = /^(?:offers?|specials?|featured|popular|new|best ?sellers?|deals?|sale|home ?page|all|menu)$/i;

/**
 * Takes the last name of the deepest path, as web shops write categories: `Food, Food > Pizzas` is `Pizzas`. A path
 * that ends in a collection, such as `Offers`, is taken only if there is no other.
 */
export function deepestCategory(cell: string): string {
  const paths = cell
    .split(categorySeparator)
    .map((path) => path.split('>').flatMap((name) => htmlToText(name.replaceAll('\\,', ',')).trim() || []))
    .filter((path) => path.length > 0 && !/^uncategori[sz]ed$/i.test(path.at(-1) ?? ''));
  const rank = (path: readonly string[]) => (collection.test(path.at(-1) ?? '') ? 0 : path.length);
  return paths.toSorted((a, b) => rank(b) - rank(a))[0]?.at(-1) ?? '';
}

/** A cell with a part of a row's size: the value of one option, such as `Thin` of the option `Crust`. */
export interface SizePart {
  column: number;
  option: string;
  value: string;
}

/**
 * Reads the cells of sizes. The name of an option is in another column, found by its heading: `Option1 Name` for
 * `Option1 Value`.
 */
export function sizePartsOf(
  texts: readonly string[],
  heads: readonly string[],
  columns: readonly number[],
): SizePart[] {
  return columns.flatMap((column) => {
    const value = htmlToText(texts[column] ?? '').trim();
    const head = foldHeading(heads[column] ?? '');
    const named = new Set([head.replace(/ values?(?: s)?/, ' name'), head.replace('option', 'attribute')]);
    const at = heads.findIndex((one) => foldHeading(one) !== head && named.has(foldHeading(one)));
    return value === '' ? [] : { column, option: (texts[at] ?? '').trim(), value };
  });
}

const plainSize = /^(?:regular|default(?: title)?|normal|standard|one size|n\/a|-)$/i;

export function isDefaultSizeName(text: string): boolean {
  return plainSize.test(text.trim());
}

/** Nouns that are added to an option's value to make it clear: `thin` becomes `thin crust`. */
const neededNouns = /^(?:crust|base|bread|bun|dough|sauce|filling|topping|dressing|dip|cheese|milk|spread)s?$/i;

/**
 * Makes each row's size name, such as `Large, thin crust`, from the options whose values differ between the rows.
 * Returns null if there are fewer than two such options. `isSure` is false if one of these options has no name.
 */
export function sizeNamesOfOptions(
  rows: readonly (readonly SizePart[])[],
): { names: string[]; isSure: boolean } | null {
  const all = rows.flat();
  const columns = [...new Set(all.map(({ column }) => column))].filter((column) => {
    const values = new Set(all.flatMap((part) => (part.column === column ? foldName(part.value) : [])));
    return values.size > 1 || ![...values].every(isDefaultSizeName);
  });
  const joined = columns.filter((column) => !isJoinOfOthers(rows, column, columns));
  const differing = joined.filter((column) => new Set(rows.map((row) => valueAt(row, column))).size > 1);
  if (differing.length < 2) return null;
  const options = new Map(all.flatMap(({ column, option }) => (option === '' ? [] : [[column, option] as const])));
  const names = rows.map((row) =>
    differing
      .flatMap((column) => {
        const value = valueAt(row, column);
        return value === '' || /^default title$/i.test(value) ? [] : [[value, options.get(column) ?? ''] as const];
      })
      .map(([value, option], at) => (at === 0 ? value : lowerFirst(withNoun(value, option))))
      .join(', '),
  );
  return { names, isSure: differing.every((column) => options.has(column)) };
}

function valueAt(row: readonly SizePart[], column: number): string {
  return row.find((part) => part.column === column)?.value ?? '';
}

/** Whether a column repeats the other columns' values, as Square's variation names do: `Large, Thin`. */
function isJoinOfOthers(rows: readonly (readonly SizePart[])[], column: number, columns: readonly number[]): boolean {
  const others = columns.filter((one) => one !== column);
  return (
    others.length > 0 &&
    rows.every((row) => {
      const own = foldName(valueAt(row, column));
      const parts = others.flatMap((one) => foldName(valueAt(row, one)) || []);
      return (
        parts.length > 0 && own.length > 0 && parts.every((part) => own.includes(part)) && column < Math.min(...others)
      );
    })
  );
}

function withNoun(value: string, option: string): string {
  const isNeeded = neededNouns.test(option) && !foldName(value).includes(foldName(option.replace(/s$/, '')));
  return isNeeded ? `${value} ${option.toLowerCase().replace(/s$/, '')}` : value;
}

/** Lowers the first letter, except of abbreviations such as `BBQ`. */
function lowerFirst(text: string): string {
  return /^\p{Lu}(?:\p{Ll}|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

export function nameWithSize(name: string, size: string): string {
  return size === '' || foldName(name).endsWith(` ${foldName(size)}`) ? name : `${name} (${size})`;
}

export function distinctSizes(sizes: readonly ImportedDishSize[]): ImportedDishSize[] {
  const seen = new Map<string, number>();
  return sizes.map(({ name, price }) => {
    const times = (seen.get(foldName(name)) ?? 0) + 1;
    seen.set(foldName(name), times);
    return { name: times > 1 ? `${name} ${times}` : name, price };
  });
}
