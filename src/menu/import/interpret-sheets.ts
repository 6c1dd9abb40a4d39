import { m } from '#messages';
import { draftOfSheets } from '#menu/import/draft-of-sheet.ts';
import { type MenuDraft, noDraftAnswers, draftToTable } from '#menu/import/draft.ts';
import { countMenuSheets, guessSheetMatch, type SheetMatch } from '#menu/import/match-columns.ts';
import { foldNameCase } from '#menu/import/read-cell.ts';
import { readPrices } from '#menu/import/read-amounts.ts';
import {
  type FileSheet,
  type FileTable,
  maxRows,
  readTable,
  sheetNames,
  UnreadableFileError,
} from '#menu/import/table.ts';
import { parseMoney } from '#platform/parse-money.ts';

export interface InterpretedSheets {
  table: FileTable;
  /** The match of a foreign file's columns; null for a file that Hatch exported, and for a draft without sheets. */
  match: SheetMatch | null;
  draft: MenuDraft | null;
  /** Whether a person must check the match, for example because a heading is foreign or several sheets have dishes. */
  asksForMatch: boolean;
}

const noRows: FileTable = { rows: [], unknown: [], leftOut: [], known: { item: new Set(), option: new Set() } };

export function draftToInterpretedSheets(draft: MenuDraft | null): InterpretedSheets {
  return { table: noRows, match: null, draft, asksForMatch: false };
}

export function interpretSheets(
  sheets: readonly FileSheet[],
  hidden: readonly string[],
  currency: string,
): InterpretedSheets {
  const own = tryOwnTable(sheets, hidden);
  if (own && isOwnFile(own, sheets, currency)) return { table: own, match: null, draft: null, asksForMatch: false };
  const lines = sheets.reduce(
    (sum, { cells }) => sum + cells.filter((line) => line.some((text) => text.trim() !== '')).length,
    0,
  );
  // A dish may have a row for each size, so four times as many rows as dishes are allowed.
  if (lines > maxRows * 4) throw new UnreadableFileError(m.menu_import_too_many({ most: maxRows }));
  const match = guessSheetMatch(sheets);
  if (lines < 2) throw new UnreadableFileError(m.menu_import_no_rows());
  const asksForMatch = own === null || own.unknown.length > 0 || countMenuSheets(sheets) > 1;
  try {
    const draft = draftOfSheets(sheets, match, currency);
    return { table: tableOfSheets(draft, sheets, hidden, currency), match, draft, asksForMatch };
  } catch (error) {
    if (!(error instanceof UnreadableFileError) || lines > maxRows) throw error;
    return { table: noRows, match, draft: null, asksForMatch: true };
  }
}

function tableOfSheets(
  draft: MenuDraft,
  sheets: readonly FileSheet[],
  hidden: readonly string[],
  currency: string,
): FileTable {
  return { ...draftToTable(draft, noDraftAnswers, currency), leftOut: sheetsWithoutDishes(draft, sheets, hidden) };
}

export function sheetsWithoutDishes(
  draft: MenuDraft,
  sheets: readonly FileSheet[],
  hidden: readonly string[],
): string[] {
  const read = new Set([...draft.dishes, ...(draft.modifiers ?? [])].map(({ sheet }) => sheet));
  return [...hidden, ...sheets.flatMap(({ name }) => (name === '' || read.has(name) ? [] : name))];
}

function tryOwnTable(sheets: readonly FileSheet[], hidden: readonly string[]): FileTable | null {
  try {
    return readTable(sheets, hidden);
  } catch (error) {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  }
}

function isOwnFile({ rows, unknown, known }: FileTable, sheets: readonly FileSheet[], currency: string): boolean {
  const hasOptions = rows.some(({ kind }) => kind === 'option');
  if (hasOptions || (known.item.has('id') && unknown.length === 0)) return true;
  if (!sheets.some(({ name }) => isItemsSheet(name)) && countMenuSheets(sheets) > 1) return false;
  if (hasTwins(rows)) return false;
  if (unknown.length > 0 || (!known.item.has('category') && known.item.has('price') && hasSections(rows))) return false;
  const isForeignPrice = (text = '') =>
    text !== '' && parseMoney(text, currency) === null && readPrices(text, currency).price !== null;
  return (
    sheets.length > 0 &&
    !rows.some(
      ({ cells }) => isForeignPrice(cells['price']) || readPrices(cells['price'] ?? '', currency).sizes.length > 0,
    )
  );
}

function isItemsSheet(name: string): boolean {
  return name.trim().toLowerCase() === sheetNames.item.toLowerCase();
}

/** Whether rows without an id share a name and a category, so that a person must choose. */
function hasTwins(rows: FileTable['rows']): boolean {
  const keys = rows.flatMap(({ cells: { id, name = '', category = '' } }) =>
    id || name === '' ? [] : JSON.stringify([foldNameCase(name), foldNameCase(category)]),
  );
  return new Set(keys).size < keys.length;
}

/** Whether only some rows have a price. The others may then be titles of sections. */
function hasSections(rows: FileTable['rows']): boolean {
  return rows.some(({ cells }) => !cells['price']) && rows.some(({ cells }) => cells['price']);
}
