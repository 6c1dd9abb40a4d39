import { m } from '#messages';
import { addDoubt, type DraftDish, draftOf, markConflictingDuplicates, type MenuDraft } from '#menu/import/draft.ts';
import {
  countMenuSheets,
  foldHeading,
  adaptMatchToSubheading,
  adaptMatchToTable,
  type ColumnMeaning,
  meaningOfHeading,
  type SheetMatch,
  splitSideBySideTables,
} from '#menu/import/match-columns.ts';
import { categoriesByDish, modifierNamesOf, modifierSetsOf } from '#menu/import/foreign-sheets.ts';
import { findPriceOutliers, isPriceCell, readPrices } from '#menu/import/read-amounts.ts';
import { foldName } from '#menu/import/read-cell.ts';
import { type FileSheet, truncateCell } from '#menu/import/table.ts';
import { isNonMenuLine, isUpperCase, isSentence } from '#menu/import/text-patterns.ts';
import {
  deepestCategory,
  distinctSizes,
  foreignCurrencyIn,
  isDefaultSizeName,
  sizeNamesOfOptions,
  nameWithSize,
  findOccasionSizeNames,
  type PriceQualifiers,
  priceQualifiersOf,
  priceTextOf,
  cleanCellText,
  type SizePart,
  sizeInHeading,
  sizePartsOf,
  setSaleStateCell,
} from '#menu/import/foreign-cells.ts';
import { minorDigits } from '#platform/money.ts';

interface SheetRow {
  sheet: string;
  number: number;
  texts: string[];
  /** The texts in matched columns, which are shown beside a doubt. An export's dozens of other columns are left out. */
  matchedTexts: string[];
  name: string;
  category: string;
  price: string;
  size: string;
  /**
   * The word `Regular`, `Normal` or `Standard` in a size cell; empty if there is none. Programs also write such a word
   * for a dish's only size. It therefore names a size only if the dish has several.
   */
  plainSize: string;
  sizeParts: SizePart[];
  sizePrices: [name: string, text: string][];
  joins: string[];
  modifiers: string[];
  cells: Partial<Record<string, string>>;
  /** The title of the section below; set for a row of headings only. */
  title?: string;
  priceNotes: PriceQualifiers;
}

/** The rows of one dish, with one row for each size. `lines` has all of them, `first` included. */
interface DishRows {
  first: SheetRow;
  lines: SheetRow[];
  category: string;
  joins: Set<string>;
}

/** Reads the dishes of the matched sheets. Throws UnreadableFileError if there are no dishes, or too many. */
export function draftOfSheets(sheets: readonly FileSheet[], match: SheetMatch, currency: string): MenuDraft {
  const namesCategories = countMenuSheets(sheets) > 1 || match.sheets.length > 1;
  const found = match.sheets.flatMap((at) => {
    const sheet = sheets[at];
    return splitSideBySideTables(sheet?.cells ?? []).flatMap((cells) =>
      sheet ? dishesOf({ ...sheet, cells }, adaptMatchToTable(cells, match), currency, namesCategories) : [],
    );
  });
  const dishes = found.filter(({ isNotFood }) => !isNotFood).map(({ dish }) => dish);
  const listed = categoriesByDish(sheets.filter((_, at) => !match.sheets.includes(at)));
  for (const dish of dishes) dish.category ||= listed.get(foldName(dish.name)) ?? '';
  const prices = dishes.flatMap(({ price, sizes }) => [price, ...sizes.map((size) => size.price)]);
  const outliers = new Set([...findPriceOutliers(prices)].map((at) => prices[at]));
  for (const dish of dishes)
    if ([dish.price, ...dish.sizes.map(({ price }) => price)].some((price) => price !== null && outliers.has(price)))
      addDoubt(dish);
  markConflictingDuplicates(dishes);
  const notFood = found.flatMap(({ isNotFood, dish }) => (isNotFood ? dish.name : []));
  const modifiers = modifierSetsOf(dishes, sheets, currency);
  return { ...draftOf(dishes), ...(notFood.length > 0 && { notFood }), ...(modifiers.length > 0 && { modifiers }) };
}

/** Matches sheet names that are no category, such as `Menu` or `Sheet1`. */
const plainSheetName =
  /^(?:items?|products?|(?:my |our |full )?menu|food|export|inventory|(?:sheet|tabelle|arkusz|feuil|hoja|foglio) ?\d*)$/i;

interface FoundDish {
  dish: DraftDish;
  isNotFood: boolean;
}

function dishesOf(sheet: FileSheet, match: SheetMatch, currency: string, isOneOfMany: boolean): FoundDish[] {
  const lines = readLines(sheet, match);
  const inPence = areInPence(lines);
  const foreign = foreignCurrencyIn(sheet.cells, match, currency);
  const reason = foreign === undefined ? [] : [m.menu_import_doubt_currency({ text: foreign })];
  const section = isOneOfMany && !plainSheetName.test(sheet.name.trim()) ? sheet.name : '';
  return joinRows(lines, match, section).map((rows) => foundDishOf(rows, currency, inPence, reason));
}

/** Joins the rows of each dish. The sheet's category applies until a row names another category. */
function joinRows(lines: readonly SheetRow[], match: SheetMatch, sheetCategory: string): DishRows[] {
  const carries = hasMergedCategories(lines);
  const joined: DishRows[] = [];
  let section = sheetCategory;
  let category = '';
  const titles = titlesOf(lines, section !== '', match);
  for (const [at, line] of lines.entries()) {
    const title = titles.get(line);
    if (title !== undefined && isSectionNote(title, titles.get(lines[at - 1] ?? line))) continue;
    if (title !== undefined) {
      section = title;
      category = '';
      continue;
    }
    if (line.category !== '') category = line.category;
    const own = line.category || (carries ? category : '') || section;
    const dish = findDishOfRow(joined, line);
    if (dish) {
      dish.lines.push(line);
      for (const key of line.joins) dish.joins.add(key);
    } else if (line.name !== '' || line.price !== '')
      joined.push({ first: line, lines: [line], category: own, joins: new Set(line.joins) });
  }
  return joined;
}

function foundDishOf(rows: DishRows, currency: string, inPence: boolean, reasons: readonly string[]): FoundDish {
  const { dish, reasons: own } = dishOf(rows, currency, inPence);
  for (const reason of [...reasons, ...own, ...priceDoubtsOf(dish, rows.lines)]) addDoubt(dish, reason);
  const modifiers = [...new Set(rows.lines.flatMap((line) => line.modifiers))];
  if (modifiers.length > 0) dish.modifiers = modifiers;
  return { dish, isNotFood: rows.lines.some(({ priceNotes }) => priceNotes.isNotFood) };
}

function readLines({ name: sheet, cells, faults = [] }: FileSheet, match: SheetMatch): SheetRow[] {
  let below = match;
  const lines: SheetRow[] = [];
  for (const [at, texts] of cells.entries()) {
    if (at < match.from || texts.every((text) => text.trim() === '') || faults.includes(at)) continue;
    const next = adaptMatchToSubheading(texts, below);
    const line = readLine(sheet, at, texts, next ?? below);
    const isNamed = next !== null && meaningOfHeading(line.name) === undefined;
    // A row of headings between the dishes may begin a section. The dishes above the row then form a section as well,
    // whose title is in the table's first headings.
    if (isNamed && below === match && lines.length > 0) lines.unshift({ ...line, title: titleOfHeads(match) });
    if (next === null) lines.push(line);
    else if (isNamed) lines.push({ ...line, title: line.name });
    below = next ?? below;
  }
  return lines.filter((line) => line.title !== '' && !isLongNote(line));
}

function titleOfHeads({ heads, meanings }: SheetMatch): string {
  const head = heads[meanings.indexOf('name')] ?? '';
  return meaningOfHeading(head) === undefined ? head : '';
}

function readLine(sheet: string, at: number, texts: readonly string[], { heads, meanings }: SheetMatch): SheetRow {
  const of = (meaning: ColumnMeaning) =>
    meanings.flatMap((one, column) => (one === meaning ? truncateCell(texts[column] ?? '') || [] : []));
  const sizeParts = sizePartsOf(
    texts,
    heads,
    meanings.flatMap((one, column) => (one === 'size' ? column : [])),
  );
  const sizes = sizeParts.map(({ value }) => value);
  const line: SheetRow = {
    sheet,
    number: at + 1,
    texts: filledTexts(texts),
    matchedTexts: filledTexts(texts.filter((_, column) => !unmatched.has(meanings[column] ?? 'ignored'))),
    name: cleanCellText(of('name')[0] ?? ''),
    category: categoryOf(of('category')[0] ?? '', meanings.includes('joins')),
    price: truncateCell(priceTextOf(texts, heads, meanings.indexOf('price'))),
    size: [...new Set(sizes.filter((text) => !isDefaultSizeName(text)))].join(', '),
    plainSize: sizes.find((text) => /^(?:regular|normal|standard)$/i.test(text.trim())) ?? '',
    sizeParts,
    sizePrices: meanings.flatMap((one, column): [string, string][] => {
      const text = (texts[column] ?? '').trim();
      return one === 'sizePrice' && text !== '' && text !== '-' ? [[sizeInHeading(heads[column] ?? ''), text]] : [];
    }),
    joins: meanings.flatMap((one, column) =>
      one === 'joins' ? joinKeysOf(heads[column] ?? '', texts[column] ?? '') : [],
    ),
    modifiers: modifierNamesOf(texts, heads),
    cells: {},
    priceNotes: priceQualifiersOf(texts, heads),
  };
  line.matchedTexts.push(...filledTexts([line.priceNotes.salePrice, line.priceNotes.openPriceType]));
  for (const [column, meaning] of meanings.entries())
    storeCell(line, meaning, heads[column] ?? '', texts[column] ?? '');
  return line;
}

const unmatched: ReadonlySet<ColumnMeaning> = new Set(['joins', 'ignored']);

function filledTexts(texts: readonly string[]): string[] {
  return texts.map(cleanCellText).filter((text) => text !== '');
}

const structural: ReadonlySet<ColumnMeaning> = new Set([
  'name',
  'category',
  'price',
  'size',
  'sizePrice',
  'joins',
  'ignored',
]);

function storeCell(line: SheetRow, meaning: ColumnMeaning, head: string, text: string): void {
  const cell = truncateCell(cleanCellText(text));
  if (structural.has(meaning) || cell === '') return;
  if (meaning === 'visible' || meaning === 'soldOut') setSaleStateCell(line.cells, meaning, head, cell);
  else line.cells[meaning] = cell;
}

function joinKeysOf(head: string, text: string): string[] {
  const key = text.trim();
  if (key === '') return [];
  return [foldHeading(head) === 'id' ? `id:${key}` : key];
}

function categoryOf(cell: string, isOfProgram: boolean): string {
  return isOfProgram ? deepestCategory(cell) : cleanCellText(cell);
}

/** Returns the section title in a row with a single text; null for other rows. */
function sectionTitleOf(line: SheetRow): string | null {
  if (line.title !== undefined) return line.title;
  const [only = '', second] = line.texts;
  if (second !== undefined || isPriceCell(only) || only.length > 60 || line.price !== '' || line.joins.length > 0)
    return null;
  if (line.size !== '' || line.sizePrices.length > 0) return null;
  return only.replace(/:$/, '').trim();
}

/** Whether a row is only a long text, such as the terms of delivery. An unpriced dish has a shorter name. */
function isLongNote({ texts: [text = '', second] }: SheetRow): boolean {
  return second === undefined && text.length > 60;
}

/** Whether a row directly below a section's title is a note, such as `All served with rice`. */
function isSectionNote(text: string, above: string | undefined): boolean {
  return above !== undefined && above !== text && (text.length > 30 || isSentence(text));
}

/**
 * Finds the rows that are titles of sections. A row with only a name may instead be an unpriced dish, if such rows are
 * few, and a column or the sheet already names the categories.
 */
function titlesOf(lines: readonly SheetRow[], isNamed: boolean, { headAt }: SheetMatch): Map<SheetRow, string> {
  const titles = new Map(
    lines.flatMap((line): [SheetRow, string][] => {
      const title = sectionTitleOf(line);
      return title === null ? [] : [[line, title]];
    }),
  );
  const isCategorised = isNamed || lines.some((line) => line.category !== '' && !titles.has(line));
  if (!isCategorised || headAt < 0 || titles.size * (isNamed ? 2 : 4) >= lines.length) return titles;
  const isDish = ({ name, title }: SheetRow) =>
    name !== '' && title === undefined && !isUpperCase(name) && !isSentence(name) && !isNonMenuLine(name, []);
  return new Map([...titles].filter(([line]) => !isDish(line)));
}

/** Whether the empty category cells belong to merged cells. They do if no two successive filled cells are equal. */
function hasMergedCategories(lines: readonly SheetRow[]): boolean {
  const written = lines.flatMap(({ category }) => category || []);
  return written.length < lines.length && written.every((one, at) => one !== written[at - 1]);
}

function findDishOfRow(joined: readonly DishRows[], line: SheetRow): DishRows | undefined {
  const last = joined.at(-1);
  if (line.joins.length > 0) {
    const known = joined.findLast(({ joins }) => line.joins.some((key) => joins.has(key)));
    if (known || line.name === '') return known;
  }
  if (!last) return undefined;
  if (line.name === '') return line.size !== '' ? last : undefined;
  const isSame =
    foldName(line.name) === foldName(last.first.name) && (line.category === '' || line.category === last.category);
  return isSame && (line.size !== '' || line.plainSize !== '') ? last : undefined;
}

/** Whether the prices are in pence: there are at least three, and all are whole numbers of three to five digits. */
function areInPence(lines: readonly SheetRow[]): boolean {
  const prices = lines
    .flatMap(({ price, sizePrices }) => [price, ...sizePrices.map(([, text]) => text)])
    .filter(Boolean);
  return prices.length >= 3 && prices.every((text) => /^\d{3,5}$/.test(text));
}

function dishOf(
  { first, lines, category }: DishRows,
  currency: string,
  inPence: boolean,
): { dish: DraftDish; reasons: Iterable<string> } {
  const { name: dishName } = lines.find(({ name }) => name !== '') ?? first;
  const { sizes, hasRowPerSize, price: own, isDoubtful, reasons } = pricesOf(dishName, lines, currency, inPence);
  const [only] = sizes;
  // One size is no choice for a customer. A size from the dish's row becomes part of the name.
  const isPlain = sizes.length === 1 && (!hasRowPerSize || lines.length === 1);
  const several = sizes.length > 0 ? null : own;
  const price = isPlain && only ? only.price : several;
  const dish: DraftDish = {
    name: isPlain && hasRowPerSize ? nameWithSize(dishName, only?.name ?? '') : dishName,
    category,
    price,
    sizes: isPlain ? [] : distinctSizes(sizes),
    doubts: isDoubtful || (price === null && sizes.length === 0) ? ['price'] : [],
    // The first row's cells override the cells of the further sizes.
    cells: Object.assign({}, ...lines.toReversed().map(({ cells }) => cells)) as DraftDish['cells'],
    text: lines.map(({ matchedTexts }) => matchedTexts.join(' · ')).join(' / '),
    sheet: first.sheet,
    number: first.number,
  };
  return { dish, reasons };
}

function priceDoubtsOf({ sizes }: DraftDish, lines: readonly SheetRow[]): string[] {
  const unpriced = sizes.flatMap(({ name, price }) => (price === null ? name : []));
  const type = lines.find(({ priceNotes }) => priceNotes.openPriceType !== '')?.priceNotes.openPriceType;
  const sale = lines.find(({ priceNotes, price }) => priceNotes.salePrice !== '' && priceNotes.salePrice !== price);
  const shown = new Set(lines.flatMap(({ cells }) => cells.visible ?? []));
  const occasions = findOccasionSizeNames(sizes);
  return [
    unpriced.length > 0 && m.menu_import_doubt_sizes({ names: unpriced.join(', ') }),
    type !== undefined && m.menu_import_doubt_price_type({ text: type }),
    sale && m.menu_import_doubt_sale({ price: sale.priceNotes.salePrice }),
    shown.size > 1 && m.menu_import_doubt_visible(),
    occasions.length > 0 && m.menu_import_doubt_occasion({ names: occasions.join(', ') }),
  ].filter((one) => typeof one === 'string');
}

interface DishPrices {
  price: number | null;
  sizes: DraftDish['sizes'];
  hasRowPerSize: boolean;
  isDoubtful: boolean;
  reasons: Set<string>;
}

function pricesOf(name: string, lines: readonly SheetRow[], currency: string, inPence: boolean): DishPrices {
  let isDoubtful = inPence;
  const reasons = new Set<string>();
  const read = (text: string) => {
    const found = readPrices(text, currency);
    isDoubtful ||= found.isDoubtful;
    if (found.doubtReason !== undefined) reasons.add(found.doubtReason);
    const price = found.price !== null && inPence ? found.price / 10 ** minorDigits(currency) : found.price;
    return { ...found, price };
  };
  const columns = lines.flatMap(({ sizePrices }) =>
    sizePrices.map(([size, text]) => ({ name: size, price: read(text).price })),
  );
  const isPriced = lines.some(({ price }) => price !== '');
  const own = lines.flatMap((line) =>
    line.price === '' && !(isPriced && isUnpricedSize(line, lines))
      ? []
      : [{ line, size: line.size, plainSize: line.plainSize, found: read(line.price) }],
  );
  const [first] = own;
  const options = sizeNamesOfOptions(own.map(({ line }) => line.sizeParts));
  if (options) addOptionDoubt(reasons, options);
  const hasRowPerSize = own.length > 1 || own.some(({ size }) => size !== '');
  const named = own.map(({ size, plainSize, found }, at) => ({
    name: options?.names[at] || size || (own.length > 1 && plainSize) || `${name} ${at + 1}`,
    price: found.price,
  }));
  // A plain price beside prices of named sizes belongs to a size without a name.
  const isUnnamed = columns.length > 0 && typeof first?.found.price === 'number' && !hasRowPerSize;
  isDoubtful ||= reasons.size > 0 || isUnnamed;
  const sizes = [...(hasRowPerSize || isUnnamed ? named : (first?.found.sizes ?? [])), ...columns];
  return { price: first?.found.price ?? null, sizes, hasRowPerSize, isDoubtful, reasons };
}

/** Adds a doubt about size names made of two options, if an option is unnamed or two sizes would have the same name. */
function addOptionDoubt(reasons: Set<string>, { names, isSure }: { names: readonly string[]; isSure: boolean }): void {
  const isDistinct = new Set(names.map(foldName)).size === names.length;
  if (!isSure || !isDistinct) reasons.add(m.menu_import_doubt_options({ names: names.join(' · ') }));
}

/** Whether a row without a price is a size. The product's own row is none if it lists the sizes of the others. */
function isUnpricedSize(line: SheetRow, lines: readonly SheetRow[]): boolean {
  if (line.size === '' && line.plainSize === '') return false;
  const others = new Set(lines.filter((other) => other !== line).map(({ size }) => foldName(size)));
  const isParent = line === lines[0] && line.joins.length > 0;
  return !isParent || !line.size.split(',').some((part) => others.has(foldName(part.trim())));
}
