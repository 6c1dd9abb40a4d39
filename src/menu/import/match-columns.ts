import {
  averageCellLength,
  countDistinctCells,
  countFilledCells,
  type FileSheet,
  isFilledCell,
  areEqualCellsAdjacent,
  isModifierSheet,
  type ItemColumnKey,
  exportedColumnMeaning,
  shareOfCells,
} from '#menu/import/table.ts';
import { hasAnAmount, isPriceCell } from '#menu/import/read-amounts.ts';
import { isSentence } from '#menu/import/text-patterns.ts';

/**
 * The meaning of a sheet's column: a dish's field, a size's name, a price, or a key that joins the rows of one dish.
 * `sizePrice`: the price of the size that the heading names.
 */
export type ColumnMeaning = ItemColumnKey | 'size' | 'sizePrice' | 'joins' | 'ignored';

/** How the columns of a workbook's sheets are read; indexes from 0. */
export interface SheetMatch {
  /** The indexes of the sheets to read. A sheet with headings other than `heads` is read by its own headings. */
  sheets: number[];
  /** The index of the row of headings; -1 if there is none. */
  headAt: number;
  /** The index of the first row below the headings. */
  from: number;
  heads: string[];
  meanings: ColumnMeaning[];
  /** The matches that a person changed for sheets with other headings. */
  others?: Pick<SheetMatch, 'heads' | 'meanings'>[];
}

/** The meanings that a person can choose for a column, the likeliest first. */
export const columnMeanings = [
  'name',
  'category',
  'price',
  'size',
  'sizePrice',
  'description',
  'contains',
  'mayContain',
  'allergensStated',
  'dietary',
  'vatRate',
  'kitchenName',
  'spiceLevel',
  'minAge',
  'prepMinutes',
  'maxPerOrder',
  'station',
  'visible',
  'soldOut',
  'joins',
  'ignored',
] as const satisfies readonly ColumnMeaning[];

const repeatable: ReadonlySet<ColumnMeaning> = new Set(['size', 'sizePrice', 'joins', 'visible', 'ignored']);

/** Folds a heading to lower-case words of letters and digits without accents. */
export function foldHeading(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}£€$"]+/gu, ' ')
    .trim();
}

/** Patterns of headings in menus and exports, in several European languages. The first match wins. */
const headingPatterns: readonly (readonly [ColumnMeaning, RegExp])[] = [
  ['soldOut', /^in stock$/],
  ['visible', /^(?:visibility in catalog|square online item visibility)$/],
  [
    'ignored',
    /\b(?:net|old|previous|former|ex(?:cl)?(?:uding)? vat|cost|compare|sale price|stock|quantity|qty|barcode|gtin|weight|gewicht|image|images|photo|vendor|tags?|seo|tax(?:es)?|track|sold by|gift|inventory|shipping|position|visibility|per unit|token|url(?! handle)|alcohol|kcal|calories|date|attribute \d (?:name|visible|global)|option ?\d name|option name|option set|google|margin|supplier|reorder|modifiers?|dine in|eat in|price type|price unit)\b/,
  ],
  ['joins', /^(?:(?:product )?handle|parent|parent sku|url handle)$/],
  [
    'size',
    /^(?:variation(?: name)?|variant(?: name)?|variant title|sizes?|size name|portion|portions|option ?\d value|option value \d|variant option|attribute \d value s|rozmiar|grosse|taille|tamano|formato|misura)$/,
  ],
  [
    'visible',
    /^(?:published|hidden|archived|available|on sale|status|enabled|active|available for sale.*|show(?:n)? online)$/,
  ],
  ['mayContain', /\b(?:may contain|traces)\b/],
  ['contains', /\b(?:allergens?|contains|alergeny|allergene|allergenes|alergenos|allergeni)\b/],
  ['dietary', /^(?:diet|diets|dietary|dietary info|suitable for)$/],
  [
    'description',
    /\b(?:descriptions?|desc|details|ingredients|about|opis|skladniki|beschreibung|zutaten|descripcion|descrizione|body html|notes?)\b/,
  ],
  [
    'category',
    /\b(?:categor(?:y|ies)|section|course|menu group|group|department|type of dish|menu section|heading|kategoria|kategorie|rubrik|rubryka|categoria|categorie|seccion|dzial)\b/,
  ],
  [
    'price',
    /^(?:(?:our |default |regular |variant |selling |sell |retail |base |menu |item |full |collection |takeaway |take away |new |current |gross )?prices?(?: (?:£|€|\$|gbp|eur|pln|usd|in £|in gbp|in pounds|inc vat|incl vat|including vat|each|from))*|£|€|gbp|amount|charge|how much|cena|cena zl|preis|prix|precio|prezzo)$/,
  ],
  [
    'name',
    /\b(?:item|dish|product|menu item|meal|food|plate|drink|what|pozycja|nazwa|danie|potrawa|produkt|gericht|speise|plat|nom|nombre|plato|nome|piatto|name|title)\b/,
  ],
];

const sizeWord =
  /\b(?:small|medium|large|regular|reg|xl|xxl|s|m|l|half|full|family|kids?|child|mini|maxi|single|double|pint|half pint|bottle|glass|carafe|slice|whole|portion|standard|big|starter|main|mala|duza|srednia|klein|gross|mittel)\b|\d+ ?(?:"|in|inch|inches|cm|ml|cl|oz|pcs?|pieces?)(?=\s|$)/;

export function meaningOfHeading(head: string): ColumnMeaning | undefined {
  const folded = foldHeading(head);
  if (folded === '') return undefined;
  const own = exportedColumnMeaning(head);
  if (own) return own;
  const known = headingPatterns.find(([, pattern]) => pattern.test(folded))?.[0];
  if (known && known !== 'name') return known;
  if (sizeWord.test(folded) || /^price \S|\S price$/.test(folded)) {
    // `Price [Main Street]` is a shop's price, `Price (large)` is a size's price.
    return /^price\s*\[/i.test(head.trim()) ? 'price' : 'sizePrice';
  }
  return known;
}

/** Returns the index of the row of headings among the first forty rows; -1 if there is none. */
function findHeadingRow(cells: FileSheet['cells']): number {
  let best = { at: -1, score: 1 };
  for (const [at, line] of cells.slice(0, 40).entries()) {
    const filled = line.filter(isFilledCell);
    const found = filled.flatMap((text) => meaningOfHeading(text) ?? []);
    const isHead = found.includes('name') || found.some((one) => one === 'price' || one === 'sizePrice');
    const hasPrices = filled.some((text) => hasAnAmount(text) || /^\D{0,2}\d+[.,]\d{2}\D{0,2}$/.test(text.trim()));
    const isPlain = filled.length > 1 && filled.every((text) => text.length < 60 && !/\d{3}/.test(text));
    const score = isHead && !hasPrices ? found.length + (isPlain ? 1 : 0) : 0;
    if (score > best.score) best = { at, score };
  }
  return best.at;
}

const oldSheetName = /\b(?:old|archived?|backup|copy)\b/i;

/** Guesses the meanings of a sheet's columns, and finds the other sheets with equal headings or with dishes. */
export function guessSheetMatch(sheets: readonly FileSheet[], chosen = fullestSheet(sheets)): SheetMatch {
  const [cells = []] = splitSideBySideTables(sheets[chosen]?.cells ?? []);
  const head = findHeadings(cells);
  const shape = fingerprintWithoutPrices(head.heads);
  const alike = sheets.flatMap((sheet, at) => {
    if (at !== chosen && (oldSheetName.test(sheet.name) || isModifierSheet(sheet))) return [];
    const { headAt, heads } = findHeadings(splitSideBySideTables(sheet.cells)[0] ?? []);
    const isAlike = headAt >= 0 && fingerprintWithoutPrices(heads) === shape;
    return at === chosen || (head.headAt >= 0 && (isAlike || hasDishes(sheet))) ? at : [];
  });
  return { sheets: alike, ...head, meanings: guessMeanings(head.heads, cells.slice(head.from)) };
}

function findHeadings(cells: FileSheet['cells']): Pick<SheetMatch, 'headAt' | 'from' | 'heads'> {
  const headAt = findHeadingRow(cells);
  const second = headAt >= 0 ? secondHeadings(cells, headAt) : null;
  const width = Math.max(0, ...cells.slice(0, 200).map((line) => line.length));
  const heads = Array.from({ length: width }, (_, at) => (second?.[at] ?? cells[headAt]?.[at] ?? '').trim());
  return { headAt, from: headAt + (second ? 2 : 1), heads };
}

/** Adapts a match to a table whose headings may differ from the matched sheet's headings. */
export function adaptMatchToTable(cells: FileSheet['cells'], match: SheetMatch): SheetMatch {
  if (match.headAt < 0) return match;
  const head = findHeadings(cells);
  if (head.headAt < 0 || headingsFingerprint(head) === headingsFingerprint(match)) return { ...match, from: head.from };
  const changed = match.others?.find((other) => headingsFingerprint(other) === headingsFingerprint(head));
  return {
    ...match,
    ...head,
    meanings: changed?.meanings ?? meaningsOf(match, head.heads, guessMeanings(head.heads, cells.slice(head.from))),
  };
}

/** Adapts a match to a row of headings between the dishes; null for other rows. */
export function adaptMatchToSubheading(line: readonly string[], match: SheetMatch): SheetMatch | null {
  const name = match.meanings.indexOf('name');
  const isOther = (at: number) => at !== name && match.meanings[at] !== 'size';
  const others = line.flatMap((text, at) => (isOther(at) && isFilledCell(text) ? text : []));
  // A cell such as `14 adult 8 child` holds prices and is no heading.
  const isWordedPrice = (text: string) => /^\d+ (?!(?:in|inch|cm|ml|cl|oz|p|piece)(?:e?s)?\b).*\d/i.test(text.trim());
  const found = others.map((text) => (hasAnAmount(text) || isWordedPrice(text) ? undefined : meaningOfHeading(text)));
  const isHead = found.every(Boolean) && found.some((one) => one === 'price' || one === 'sizePrice');
  if (match.headAt < 0 || !isHead) return null;
  const heads = match.heads.map((_, at) => (line[at] ?? '').trim());
  const meanings = meaningsOf(
    match,
    heads,
    heads.map((text) => meaningOfHeading(text) ?? 'ignored'),
  );
  if (name >= 0) meanings[name] = 'name';
  const sizes = meanings.filter((one) => one === 'sizePrice').length;
  if (sizes === 1 && !meanings.includes('price')) meanings[meanings.indexOf('sizePrice')] = 'price';
  return { ...match, heads, meanings };
}

function meaningsOf(match: SheetMatch, heads: readonly string[], guess: readonly ColumnMeaning[]): ColumnMeaning[] {
  return heads.map((head, at) => {
    const known = head === '' ? -1 : match.heads.findIndex((one) => foldHeading(one) === foldHeading(head));
    return match.meanings[known] ?? guess[at] ?? 'ignored';
  });
}

/** Splits a sheet whose tables with equal headings stand side by side; otherwise returns the whole sheet. */
export function splitSideBySideTables(cells: FileSheet['cells']): FileSheet['cells'][] {
  const head = cells[findHeadingRow(cells)] ?? [];
  const first = head.findIndex(isFilledCell);
  const starts = head.flatMap((text, at) =>
    at >= first && foldHeading(text) === foldHeading(head[first] ?? '') ? at : [],
  );
  const [start = 0, next] = starts;
  if (first < 0 || next === undefined || next - start < 2) return [cells];
  const shapes = starts.map((at, index) => headingsFingerprint({ heads: head.slice(at, starts[index + 1]) }));
  if (new Set(shapes).size > 1) return [cells];
  return starts.map((at, index) => cells.map((line) => line.slice(index === 0 ? 0 : at, starts[index + 1])));
}

/**
 * Returns a fingerprint of the headings without the price headings, because the sheets of one menu may have different
 * sizes.
 */
export function fingerprintWithoutPrices(heads: readonly string[]): string {
  const others = heads.filter((head) => !['price', 'sizePrice'].includes(meaningOfHeading(head) ?? ''));
  return headingsFingerprint({ heads: others });
}

export function hasHeadingsOf({ cells }: FileSheet, match: SheetMatch): boolean {
  return headingsFingerprint(findHeadings(splitSideBySideTables(cells)[0] ?? [])) === headingsFingerprint(match);
}

/** Returns the folded headings as a fingerprint, by which another file of the same program is recognised. */
export function headingsFingerprint({ heads }: Pick<SheetMatch, 'heads'>): string {
  return heads.map(foldHeading).join('|').replace(/\|+$/, '').slice(0, 2000);
}

export function countMenuSheets(sheets: readonly FileSheet[]): number {
  return sheets.filter(hasDishes).length;
}

function hasDishes({ cells }: FileSheet): boolean {
  const { headAt, heads, from } = findHeadings(splitSideBySideTables(cells)[0] ?? []);
  const found = new Set(heads.map(meaningOfHeading));
  const isPriced = found.has('price') || found.has('sizePrice');
  return headAt >= 0 && found.has('name') && isPriced && cells.slice(from).some((line) => line.some(isPriceCell));
}

/** Returns one match for each group of chosen sheets with equal headings. */
export function splitMatchByHeadings(sheets: readonly FileSheet[], match: SheetMatch): SheetMatch[] {
  const matches = match.sheets.map((at) => {
    const [cells = []] = splitSideBySideTables(sheets[at]?.cells ?? []);
    return { ...adaptMatchToTable(cells, match), sheets: [at] };
  });
  return [...Map.groupBy(matches, headingsFingerprint).values()].flatMap(([first, ...more]) =>
    first ? { ...first, sheets: [first, ...more].flatMap((one) => one.sheets) } : [],
  );
}

/** Puts the changed match of a group of sheets into the match of all sheets. */
export function mergeGroupMatch(match: SheetMatch, { heads, meanings: changed }: SheetMatch): SheetMatch {
  const shape = headingsFingerprint({ heads });
  if (shape === headingsFingerprint(match)) return { ...match, meanings: changed };
  const others = match.others?.filter((one) => headingsFingerprint(one) !== shape) ?? [];
  return { ...match, others: [...others, { heads, meanings: changed }] };
}

function fullestSheet(sheets: readonly FileSheet[]): number {
  const counts = sheets.map(({ cells }) => cells.slice(0, 2000).filter((line) => line.some(isPriceCell)).length);
  return Math.max(0, counts.indexOf(Math.max(...counts)));
}

/** Reads a second row of headings, such as the sizes below a merged `Price`; null if there is none. */
function secondHeadings(cells: FileSheet['cells'], at: number): string[] | null {
  const [top = [], sub = []] = [cells[at], cells[at + 1]];
  const filled = sub.filter(isFilledCell);
  const isSub =
    filled.length >= 2 &&
    !sub.some(isPriceCell) &&
    sub.every(
      (text, column) =>
        !isFilledCell(text) || sizeWord.test(foldHeading(text)) || (top[column] ?? '').trim() === text.trim(),
    );
  return isSub
    ? Array.from(
        { length: Math.max(top.length, sub.length) },
        (_, column) => (isFilledCell(sub[column]) ? sub[column] : top[column]) ?? '',
      )
    : null;
}

function guessMeanings(heads: readonly string[], lines: FileSheet['cells']): ColumnMeaning[] {
  const isShopify =
    heads.some((head) => foldHeading(head).endsWith('handle')) && heads.some((head) => foldHeading(head) === 'type');
  const hasParent = heads.some((head) => foldHeading(head) === 'parent');
  const shares = heads.map((_, at) => shareOfCells(lines, at, isPriceCell));
  const found = heads.map((head, at): ColumnMeaning | undefined => {
    const folded = foldHeading(head);
    if (isShopify && folded === 'type') return 'category';
    if (isShopify && folded === 'product category') return 'ignored';
    if (folded === 'id' || folded === 'sku') return hasParent ? 'joins' : 'ignored';
    return meaningByCells(meaningOfHeading(head), head, { isOfPrices: (shares[at] ?? 0) >= 0.5, lines, at });
  });
  guessByCells(found, heads, lines, shares);
  const sizePrices = found.filter((one) => one === 'sizePrice').length;
  if (sizePrices === 1 && !found.includes('price')) found[found.indexOf('sizePrice')] = 'price';
  return keepFullestColumns(found, lines);
}

/** Drops the meaning of a column's heading if the column's cells contradict it. */
function meaningByCells(
  meaning: ColumnMeaning | undefined,
  head: string,
  { isOfPrices, lines, at }: { isOfPrices: boolean; lines: FileSheet['cells']; at: number },
): ColumnMeaning | undefined {
  if ((meaning === 'sizePrice' && !isOfPrices) || (meaning === 'name' && isOfPrices)) return undefined;
  // The column is ignored if it has amounts of tax instead of rates: its heading is like `VAT 20%`, or it has many
  // distinct values.
  return meaning === 'vatRate' && (/\d/.test(head) || countDistinctCells(lines, at) > 5) ? 'ignored' : meaning;
}

function guessPriceColumns(
  found: (ColumnMeaning | undefined)[],
  heads: readonly string[],
  { priced, isMoney }: { priced: readonly number[]; isMoney: (at: number) => boolean },
): void {
  if (found.includes('price')) return;
  if (found.includes('sizePrice')) {
    // If one column holds the prices of a size, each further column of prices is for another size.
    for (const at of priced) if (heads[at] !== '' && isMoney(at)) found[at] = 'sizePrice';
    return;
  }
  // Without a recognised price column, a column whose heading has `cost` is taken as the price column.
  const known =
    priced.length > 0 ? priced : heads.flatMap((head, at) => (/\bcost\b/.test(foldHeading(head)) ? at : []));
  const money = known.filter(isMoney);
  for (const at of money.length > 0 ? money : known.slice(-1)) found[at] = money.length > 1 ? 'sizePrice' : 'price';
}

/**
 * Guesses the columns of names, prices, categories and descriptions from their cells, if headings are missing or
 * unknown.
 */
function guessByCells(
  found: (ColumnMeaning | undefined)[],
  heads: readonly string[],
  lines: FileSheet['cells'],
  shares: readonly number[],
): void {
  const columns = heads.map((_, at) => at).filter((at) => found[at] === undefined);
  guessPriceColumns(found, heads, {
    priced: columns.filter((at) => (shares[at] ?? 0) > 0.6),
    isMoney: (at) => shareOfCells(lines, at, (text) => /[.,£€]|\dp$/.test(text)) > 0.4,
  });
  const texts = columns.filter(
    (at) => found[at] === undefined && (shares[at] ?? 0) < 0.3 && countFilledCells(lines, at) > 0,
  );
  if (found.includes('name')) return;
  const length = (at: number) => averageCellLength(lines, at);
  const short = texts.filter((at) => length(at) < 45);
  const name =
    short.toSorted((a, b) => countDistinctCells(lines, b) - countDistinctCells(lines, a) || a - b)[0] ?? texts[0];
  if (name === undefined) return;
  found[name] = 'name';
  const category = short.find(
    (at) =>
      at !== name &&
      shareOfCells(lines, at, isSentence) < 0.3 &&
      countDistinctCells(lines, at) <= countDistinctCells(lines, name) / 2 &&
      areEqualCellsAdjacent(lines, at),
  );
  if (!found.includes('category') && category !== undefined) found[category] = 'category';
  const description = texts.find((at) => at !== name && at !== category && length(at) > 15);
  if (!found.includes('description') && description !== undefined) found[description] = 'description';
}

/** If several columns have a meaning that only one may have, the column with the most filled cells keeps it. */
function keepFullestColumns(found: readonly (ColumnMeaning | undefined)[], lines: FileSheet['cells']): ColumnMeaning[] {
  return found.map((meaning, at) => {
    if (meaning === undefined || repeatable.has(meaning)) return meaning ?? 'ignored';
    const rivals = found.flatMap((one, other) => (one === meaning ? other : []));
    const best = rivals.toSorted((a, b) => countFilledCells(lines, b) - countFilledCells(lines, a) || a - b)[0];
    return best === at ? meaning : 'ignored';
  });
}

/** Sets a column's meaning. If only one column may have this meaning, the column that had it before is ignored. */
export function setColumnMeaning(match: SheetMatch, column: number, meaning: ColumnMeaning): SheetMatch {
  const changed = match.meanings.map((one, at) => {
    if (at === column) return meaning;
    return one === meaning && !repeatable.has(meaning) ? 'ignored' : one;
  });
  return { ...match, meanings: changed };
}
