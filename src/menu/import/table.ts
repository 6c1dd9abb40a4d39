import { m } from '#messages';
import { shorten } from '#platform/graphemes.ts';

export interface FileRow {
  kind: RowKind;
  /** The sheet's name; empty for a CSV. */
  sheet: string;
  /** The row's number in the spreadsheet, from 1. */
  number: number;
  cells: Partial<Record<string, string>>;
  /** Why the row is unreadable, such as unmatched quotation marks. */
  fault?: string;
  doubts?: readonly { key: string; words: string }[];
  /** The text of the type column, if it names neither a dish nor an option. */
  unknownType?: string;
}

export interface FileTable {
  rows: FileRow[];
  unknown: string[];
  leftOut: string[];
  /** The keys of the file's columns. A field without a column never changes. */
  known: Record<RowKind, ReadonlySet<string>>;
}

/** Thrown for an unreadable file, with a message for the person who chose it. */
export class UnreadableFileError extends Error {}

export const maxRows = 5000;
/** The maximum number of characters in a cell, which suffices for a long list of categories. */
const maxCell = 8000;

export interface FileSheet {
  name: string;
  cells: readonly (readonly string[])[];
  /** The indexes of rows with unmatched quotation marks. */
  faults?: readonly number[];
}

export function truncateCell(text: string): string {
  return text.slice(0, maxCell).trim();
}

/** Finds the headings and rows of an exported file. Throws UnreadableFileError if there are none. */
export function readTable(sheets: readonly FileSheet[], hidden: readonly string[] = []): FileTable {
  const known = { item: new Set<string>(), option: new Set<string>() };
  const table: FileTable = { rows: [], unknown: [], known, leftOut: [...hidden] };
  const filled = sheets.filter(
    ({ name, cells }) =>
      foldHeader(name) !== foldHeader(sheetNames.help) && cells.some((line) => line.some((text) => text.trim() !== '')),
  );
  // A sheet without a menu, such as notes, is skipped if another sheet has a menu.
  const extra = filled.length > 1 ? filled.filter((sheet) => !isMenuSheet(sheet)) : [];
  const read = extra.length < filled.length ? filled.filter((sheet) => !extra.includes(sheet)) : filled;
  for (const sheet of read) readSheet(table, sheet);
  if (table.rows.length === 0) throw new UnreadableFileError(m.menu_import_no_rows());
  if (table.rows.length > maxRows) throw new UnreadableFileError(m.menu_import_too_many({ most: maxRows }));
  table.leftOut.push(...filled.filter((sheet) => !read.includes(sheet)).map(({ name }) => name));
  return table;
}

/** Whether the sheet has a column of names, and either another known column or the name of an exported sheet. */
function isMenuSheet({ name, cells }: FileSheet): boolean {
  const heads = cells.find((line) => line.some((text) => text.trim() !== '')) ?? [];
  const keys = new Set(
    (['item', 'option'] as const).flatMap((kind) => heads.flatMap((head) => findColumn(head, kind)?.key ?? [])),
  );
  const isOurs = [sheetNames.item, sheetNames.option].some((own) => foldHeader(own) === foldHeader(name));
  return keys.has('name') && (isOurs || keys.size > 1);
}

function readSheet(table: FileTable, { name: sheet, cells: lines, faults }: FileSheet): void {
  const top = lines.findIndex((line) => line.some((text) => text.trim() !== ''));
  const heads = lines[top]?.map((text) => text.trim());
  if (!heads) return;
  const typeAt = heads.findIndex((head) => foldHeader(head) === foldHeader(typeHeader));
  const kindOfSheet: RowKind = foldHeader(sheet).startsWith('option') ? 'option' : 'item';
  const kinds: RowKind[] = typeAt >= 0 ? ['item', 'option'] : [kindOfSheet];
  const keys = Object.fromEntries(kinds.map((kind) => [kind, heads.map((head) => columnKey(head, kind))]));
  if (kinds.every((kind) => !keys[kind]?.includes('name'))) {
    // The message is shortened, because the first row may be a whole page of text.
    const found = shorten(heads.filter((head) => head !== '').join(', '), 200);
    const words = { sheet: sheet || m.menu_import_file(), found, heads: columnsHint(kinds) };
    throw new UnreadableFileError(m.menu_import_no_name(words));
  }
  recordColumns(table, heads, { kinds, keys, typeAt });
  for (const [index, line] of lines.entries()) {
    if (index <= top || line.every((text) => text.trim() === '')) continue;
    const type = typeAt >= 0 ? (line[typeAt] ?? '').trim() : kindOfSheet;
    table.rows.push({
      ...readLine(line, type, keys),
      sheet,
      number: index + 1,
      ...(faults?.includes(index) && { fault: m.menu_import_quotes() }),
    });
  }
}

function readLine(
  line: readonly string[],
  type: string,
  keys: Columns['keys'],
): Pick<FileRow, 'kind' | 'cells' | 'unknownType'> {
  const known = kindOf(type);
  const kind = known ?? 'item';
  const cells: FileRow['cells'] = {};
  for (const [at, key] of (keys[kind] ?? []).entries()) if (key) cells[key] = truncateCell(line[at] ?? '');
  return { kind, cells, ...(known === null && { unknownType: type }) };
}

interface Columns {
  kinds: readonly RowKind[];
  keys: Partial<Record<RowKind, ReturnType<typeof columnKey>[]>>;
  typeAt: number;
}

function columnKey(head: string, kind: RowKind) {
  return findColumn(head, kind)?.key;
}

function recordColumns(table: FileTable, heads: readonly string[], { kinds, keys, typeAt }: Columns): void {
  for (const kind of kinds) refuseRepeatedColumn(keys[kind] ?? [], heads);
  table.unknown.push(
    ...heads.filter((head, at) => head !== '' && at !== typeAt && kinds.every((kind) => !keys[kind]?.[at])),
  );
  for (const kind of kinds) {
    table.known[kind] = new Set([...table.known[kind], ...(keys[kind] ?? []).flatMap((key) => key ?? [])]);
  }
}

/** The kind of row that the type column names: a dish if empty; null for an unknown word. */
function kindOf(text: string): RowKind | null {
  const word = foldHeader(text);
  if (/^options?$/.test(word)) return 'option';
  return /^(items?|dish(es)?)?$/.test(word) ? 'item' : null;
}

function refuseRepeatedColumn(keys: readonly (string | undefined)[], heads: readonly string[]): void {
  const twice = keys.findIndex((key, at) => key !== undefined && keys.indexOf(key) < at);
  if (twice >= 0) throw new UnreadableFileError(m.menu_import_head_twice({ head: heads[twice] ?? '' }));
}

function columnsHint(kinds: readonly RowKind[]): string {
  const heads = kinds.flatMap((kind) => columnsOfRowKind(kind).map(({ header }) => header));
  return [...new Set(heads)].join(', ');
}

export type RowKind = 'item' | 'option';

export interface Column {
  key: string;
  header: string;
  aliases?: readonly string[];
  of: readonly RowKind[];
}

const both = ['item', 'option'] as const;

export const priceHeader = 'Price';

/** The file's columns, in the order in which an export writes them. */
export const fileColumns = [
  { key: 'id', header: 'ID', of: both },
  { key: 'category', header: 'Category', aliases: ['categories', 'section'], of: ['item'] },
  { key: 'group', header: 'Set of choices', aliases: ['optiongroup', 'group'], of: ['option'] },
  { key: 'name', header: 'Name', aliases: ['item', 'dish', 'option', 'title'], of: both },
  { key: 'price', header: priceHeader, of: both },
  { key: 'description', header: 'Description', of: ['item'] },
  { key: 'kitchenName', header: 'Kitchen name', of: ['item'] },
  { key: 'groups', header: 'Choices', aliases: ['optiongroups', 'groups', 'options'], of: ['item'] },
  { key: 'pricing', header: 'Price is', aliases: ['pricing'], of: ['option'] },
  { key: 'minSelect', header: 'Choose at least', aliases: ['min'], of: ['option'] },
  { key: 'maxSelect', header: 'Choose at most', aliases: ['max'], of: ['option'] },
  { key: 'freeSelect', header: 'Free choices', aliases: ['free'], of: ['option'] },
  { key: 'maxPerOption', header: 'At most of one', of: ['option'] },
  { key: 'isDefault', header: 'Chosen already', aliases: ['default'], of: ['option'] },
  { key: 'dealDish', header: 'Dish of a deal', of: ['option'] },
  { key: 'dealAnswers', header: 'How the dish is made', of: ['option'] },
  { key: 'vatRate', header: 'VAT %', aliases: ['vat', 'vatrate', 'tax'], of: both },
  { key: 'contains', header: 'Contains', aliases: ['allergens'], of: both },
  { key: 'mayContain', header: 'May contain', of: both },
  { key: 'allergensStated', header: 'All 14 stated', aliases: ['allergensstated'], of: both },
  { key: 'dietary', header: 'Diet', aliases: ['dietary'], of: ['item'] },
  { key: 'spiceLevel', header: 'Spice', aliases: ['spicelevel'], of: ['item'] },
  { key: 'minAge', header: 'Minimum age', aliases: ['minage'], of: ['item'] },
  { key: 'prepMinutes', header: 'Preparation minutes', aliases: ['prepminutes'], of: ['item'] },
  { key: 'maxPerOrder', header: 'At most per order', aliases: ['maxperorder'], of: ['item'] },
  { key: 'station', header: 'Station', of: ['item'] },
  { key: 'visible', header: 'Visible', aliases: ['active'], of: ['item'] },
  { key: 'soldOut', header: 'Sold out', of: both },
] as const satisfies readonly Column[];

export type ItemColumnKey = Exclude<
  Extract<(typeof fileColumns)[number], { of: readonly ['item'] | typeof both }>['key'],
  'id' | 'groups'
>;

/**
 * Returns the field that Hatch exports under this heading. Ids, choices and `Tax` are left out, because other programs
 * use these headings differently.
 */
export function exportedColumnMeaning(header: string): ItemColumnKey | undefined {
  const key = findColumn(header, 'item')?.key;
  if (key === 'id' || key === 'groups' || header.trim().toLowerCase() === 'tax') return undefined;
  // The cast is right: the column is one of `fileColumns` for dishes.
  return key as ItemColumnKey | undefined;
}

export const typeHeader = 'Type';
export const sheetNames = { item: 'Items', option: 'Options', help: 'Help' } as const;

export function columnsOfRowKind(kind: RowKind): Column[] {
  const all: readonly Column[] = fileColumns;
  return all.filter((column) => column.of.includes(kind));
}

/** Folds a heading, so that `VAT %` and `vat` are equal. */
function foldHeader(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** The column that a heading names in rows of this kind; undefined for an unknown heading. */
function findColumn(header: string, kind: RowKind): Column | undefined {
  const wanted = foldHeader(header);
  if (wanted === '') return undefined;
  return columnsOfRowKind(kind).find(
    ({ header: own, aliases = [] }) => foldHeader(own) === wanted || aliases.some((alias) => alias === wanted),
  );
}

export function isFilledCell(text: string | undefined): boolean {
  return (text ?? '').trim() !== '';
}

export function countFilledCells(lines: FileSheet['cells'], at: number): number {
  return lines.filter((line) => isFilledCell(line[at])).length;
}

export function countDistinctCells(lines: FileSheet['cells'], at: number): number {
  return new Set(lines.flatMap((line) => (isFilledCell(line[at]) ? (line[at] ?? '').trim() : []))).size;
}

/** Whether equal cells of the column are mostly adjacent, as in a column of categories. */
export function areEqualCellsAdjacent(lines: FileSheet['cells'], at: number): boolean {
  const filled = lines.flatMap((line) => (isFilledCell(line[at]) ? (line[at] ?? '').trim() : []));
  return filled.filter((text, index) => text !== filled[index - 1]).length <= countDistinctCells(lines, at) * 1.5;
}

export function shareOfCells(lines: FileSheet['cells'], at: number, is: (text: string) => boolean): number {
  const filled = lines.flatMap((line) => (isFilledCell(line[at]) ? (line[at] ?? '') : []));
  return filled.length === 0 ? 0 : filled.filter(is).length / filled.length;
}

export function averageCellLength(lines: FileSheet['cells'], at: number): number {
  const lengths = lines.flatMap((line) => (isFilledCell(line[at]) ? (line[at] ?? '').length : []));
  return lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length);
}

export function isModifierSheet({ name, cells }: FileSheet): boolean {
  return /modifier/i.test(name) || (cells[0] ?? []).some((head) => /^modifier (?:group|set) name/i.test(head.trim()));
}
