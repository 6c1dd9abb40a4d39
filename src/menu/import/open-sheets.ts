import { m } from '#messages';
import { draftOfSheets } from '#menu/import/draft-of-sheet.ts';
import { type MenuDraft, noDraftAnswers, tableOfDraft } from '#menu/import/draft.ts';
import { guessMatch, type SheetMatch } from '#menu/import/match-columns.ts';
import { readPrices } from '#menu/import/read-amounts.ts';
import { type FileSheet, type FileTable, maxRows, readTable, UnreadableFileError } from '#menu/import/table.ts';
import { parseMoney } from '#platform/parse-money.ts';

export interface OpenedSheets {
  table: FileTable;
  /** How the columns of a foreign file are read; null for a file as this program writes it. */
  match: SheetMatch | null;
  draft: MenuDraft | null;
  /** Whether a person should look at the match, because a heading is not one of this program's. */
  asksForMatch: boolean;
}

const noRows: FileTable = { rows: [], unknown: [], leftOut: [], known: { item: new Set(), option: new Set() } };

/** The same for a menu that came from no sheet. */
export function openDraft(draft: MenuDraft | null): OpenedSheets {
  return { table: noRows, match: null, draft, asksForMatch: false };
}

/** Reads the sheets of a file: one of this program's as it is, a foreign one by a guess of its columns. */
export function openSheets(sheets: readonly FileSheet[], hidden: readonly string[], currency: string): OpenedSheets {
  const own = tryTable(sheets, hidden);
  if (own && isOwn(own, sheets, currency)) return { table: own, match: null, draft: null, asksForMatch: false };
  const lines = sheets.reduce(
    (sum, { cells }) => sum + cells.filter((line) => line.some((text) => text.trim() !== '')).length,
    0,
  );
  // A dish has at most a few lines, one for each size.
  if (lines > maxRows * 4) throw new UnreadableFileError(m.menu_import_too_many({ most: maxRows }));
  const match = guessMatch(sheets);
  if (lines < 2) throw new UnreadableFileError(m.menu_import_no_rows());
  const asksForMatch = own === null || own.unknown.length > 0;
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
  const read = new Set(draft.dishes.map(({ sheet }) => sheet));
  const leftOut = sheets.flatMap(({ name }) => (name === '' || read.has(name) ? [] : name));
  return { ...tableOfDraft(draft, noDraftAnswers, currency), leftOut: [...hidden, ...leftOut] };
}

function tryTable(sheets: readonly FileSheet[], hidden: readonly string[]): FileTable | null {
  try {
    return readTable(sheets, hidden);
  } catch (error) {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  }
}

/** Whether a file is one that this program writes, or that its example explains. */
function isOwn({ rows, unknown, known }: FileTable, sheets: readonly FileSheet[], currency: string): boolean {
  const hasOptions = rows.some(({ kind }) => kind === 'option');
  if (hasOptions || (known.item.has('id') && unknown.length === 0)) return true;
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

/** Whether rows without a price are the titles of the rows below them. */
function hasSections(rows: FileTable['rows']): boolean {
  return rows.some(({ cells }) => !cells['price']) && rows.some(({ cells }) => cells['price']);
}
