import type { MenuDraftRow } from '#menu/contract.ts';
import { draftOfSheets } from '#menu/import/draft-of-sheet.ts';
import { headingsFingerprint, type ColumnMeaning, type SheetMatch } from '#menu/import/match-columns.ts';
import { sheetsWithoutDishes, draftToInterpretedSheets, interpretSheets } from '#menu/import/interpret-sheets.ts';
import { UnreadableFileError } from '#menu/import/table.ts';
import type { DraftAnswers } from '#menu/import/draft.ts';
import type { PlanSettings } from '#menu/import/plan-draft.ts';
import type { FileReading } from '#menu/web/import/read-sheets.ts';
import { api } from '#platform/web/api.ts';
import { shorten } from '#platform/graphemes.ts';

export interface ImportAnswers extends Required<Pick<PlanSettings, 'hidesMissing' | 'statesAllergens' | 'meant'>> {
  /** Which of the file's plausible decodings the person chose (index in `readings`); null before the choice. */
  reading: number | null;
  /** The category for new dishes that have none; empty before the choice. */
  category: string;
  draft: DraftAnswers;
}

/** A draft as the server stores it: the cells of the file, or the dishes of a page. */
interface StoredContent extends Pick<FileReading, 'encoding' | 'samples' | 'sheets' | 'hidden' | 'match' | 'draft'> {
  answers: ImportAnswers;
  importId?: string;
}

/** The most characters of a stored draft, as in the contract. */
const maxStoredLength = 4_000_000;

export interface DraftToSave {
  storeId: string;
  fileName: string;
  fileHash: string;
  reading: FileReading;
  answers: ImportAnswers;
  /** The id of the draft's import. Two tabs with one draft share this id, so the draft is imported only once. */
  importId: string;
  isImported: boolean;
  /** Whether a person chose the match, so that it is remembered for later files. */
  isMatchChosen: boolean;
}

/**
 * Stores a draft for a week, and returns its row. If the draft is too long, it is stored without its content, and
 * cannot be resumed.
 */
export async function saveDraft({
  storeId,
  fileName,
  fileHash,
  reading,
  answers,
  importId,
  isImported,
  isMatchChosen,
}: DraftToSave): Promise<MenuDraftRow> {
  const { encoding, samples, sheets, hidden, match, draft } = reading;
  const content: StoredContent = {
    encoding,
    samples,
    sheets,
    hidden,
    match,
    draft: sheets.length > 0 ? null : draft,
    answers,
    importId,
  };
  const text = JSON.stringify(content);
  const { data } = await api('POST /v1/menu-drafts', {
    store_id: storeId,
    file_name: shorten(fileName, 200),
    file_hash: fileHash,
    ...(isMatchChosen && match ? rememberedMatchColumns(match) : { header_shape: null, columns: null }),
    content: text.length > maxStoredLength ? null : text,
    is_imported: isImported,
  });
  return data;
}

/** Discards a draft, unless another window has changed it. Returns the function that restores the draft. */
export async function discardDraft({ id, updated_at }: MenuDraftRow): Promise<() => Promise<void>> {
  const { data } = await api('GET /v1/menu-drafts/{id}', { id });
  await api('DELETE /v1/menu-drafts/{id}', { id, updated_at });
  const { store_id, file_name, file_hash, header_shape, columns, content } = data;
  return async () => {
    const now = (await api('GET /v1/menu-drafts/{id}', { id })).data;
    // Another window may have saved newer answers meanwhile, so an open draft is not restored.
    if (now.is_open) return;
    await api('POST /v1/menu-drafts', { store_id, file_name, file_hash, header_shape, columns, content });
  };
}

/**
 * Adds the answers that another tab has stored to this tab's answers. If both tabs answered a question, the stored
 * answer wins.
 */
export function mergeAnswers(own: ImportAnswers, stored: ImportAnswers): ImportAnswers {
  const edited = new Set([...Object.keys(own.draft.edits), ...Object.keys(stored.draft.edits)]);
  const edits = [...edited].map((key) => [key, { ...own.draft.edits[key], ...stored.draft.edits[key] }] as const);
  return {
    ...stored,
    category: stored.category || own.category,
    meant: { ...own.meant, ...stored.meant },
    draft: {
      confirmed: [...new Set([...stored.draft.confirmed, ...own.draft.confirmed])],
      edits: Object.fromEntries(edits),
    },
  };
}

export async function listDrafts(storeId: string): Promise<MenuDraftRow[]> {
  return (await api('GET /v1/menu-drafts', { store_id: storeId, per_page: 100 })).data;
}

interface StoredDraft {
  reading: FileReading;
  answers: ImportAnswers;
  /** Absent in a draft that an earlier release stored. */
  importId?: string | undefined;
}

/** Loads a stored draft; null if it is no longer stored. */
export async function loadDraft(id: string, currency: string): Promise<StoredDraft | null> {
  const { content } = (await api('GET /v1/menu-drafts/{id}', { id })).data;
  if (content === null) return null;
  // The cast is right: only `saveDraft` writes this text.
  const { answers, importId, ...stored } = JSON.parse(content) as StoredContent;
  if (stored.sheets.length === 0)
    return { answers, importId, reading: { ...stored, ...draftToInterpretedSheets(stored.draft) } };
  const opened = interpretSheets(stored.sheets, stored.hidden, currency);
  const reading = { ...stored, ...opened };
  return { answers, importId, reading: stored.match ? rereadWithMatch(reading, stored.match, currency) : reading };
}

/** Reads the sheets by another match; `draft` is null if the match finds no dish. */
export function rereadWithMatch(reading: FileReading, match: SheetMatch, currency: string): FileReading {
  try {
    const draft = draftOfSheets(reading.sheets, match, currency);
    const leftOut = sheetsWithoutDishes(draft, reading.sheets, reading.hidden);
    return { ...reading, match, draft, table: { ...reading.table, leftOut } };
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { ...reading, match, draft: null };
  }
}

/**
 * The remembered match of a file's columns: a list of meanings. If a person also changed the match of sheets with
 * different headings, it is an object with the meanings and these other matches.
 */
type StoredColumns = ColumnMeaning[] | Pick<SheetMatch, 'meanings' | 'others'>;

export function rememberedMatchColumns(match: SheetMatch): { header_shape: string; columns: string } {
  const { meanings, others = [] } = match;
  const stored: StoredColumns = others.length === 0 ? meanings : { meanings, others };
  return { header_shape: headingsFingerprint(match), columns: JSON.stringify(stored) };
}

/** Finds the match that a person chose for an earlier file with equal headings; null if there is none. */
export function findRememberedMatch(
  { match }: FileReading,
  rows: readonly Pick<MenuDraftRow, 'header_shape' | 'columns'>[],
): SheetMatch | null {
  if (!match) return null;
  const shape = headingsFingerprint(match);
  const columns = rows.find((row) => row.header_shape === shape && row.columns !== null)?.columns;
  if (!columns || shape === '') return null;
  // The cast is right: only `saveDraft` writes this text.
  const stored = JSON.parse(columns) as StoredColumns;
  const known = Array.isArray(stored) ? { meanings: stored } : stored;
  return known.meanings.length === match.meanings.length ? { ...match, ...known } : null;
}

/**
 * Hashes a file to recognise it again. Web Crypto's hashes exist only in secure contexts, and an attack on this hash
 * gains nothing.
 */
export function hashFile(bytes: Uint8Array): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 2654435761);
    two = Math.imul(two ^ byte, 1597334677);
  }
  return [one, two, bytes.length].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}
