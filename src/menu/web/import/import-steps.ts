import { dateWords } from '#platform/date-words.ts';
import { v7 as newId } from 'uuid';
import { m } from '#messages';
import type { MenuParts } from '#menu/fields.ts';
import type { MenuDraftRow, MenuImport } from '#menu/contract.ts';
import { operationToCall } from '#menu/operations/operation-calls.ts';
import { invertOperations } from '#menu/operations/invert-operations.ts';
import { fetchMenuParts } from '#menu/web/editor/session/edit-queue.ts';
import { noDraftAnswers, draftToTable } from '#menu/import/draft.ts';
import type { SheetMatch } from '#menu/import/match-columns.ts';
import { type ImportPlan, planWithCategory } from '#menu/import/plan-import.ts';
import {
  type ImportAnswers,
  hashFile,
  listDrafts,
  loadDraft,
  mergeAnswers,
  findRememberedMatch,
  saveDraft,
  rereadWithMatch,
} from '#menu/web/import/import-drafts.ts';
import type { PlannedRow } from '#menu/import/plan-draft.ts';
import { type MenuSource, readMenuFile, refuseLargeFile } from '#menu/web/import/read-file.ts';
import { fetchMenuPage, readMenuPhoto } from '#menu/web/import/other-sources.ts';
import type { FileReading, FileReadings } from '#menu/web/import/read-sheets.ts';
import { UnreadableFileError } from '#menu/import/table.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { api, ApiError } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { shorten } from '#platform/graphemes.ts';
import { useEffect, useRef, useState } from 'react';

/** The source of a menu. A refusal is shown beside its source. */
export type SourceKind = 'file' | 'draft' | 'page' | 'photo';

export interface SourceChoiceState {
  /** The source that is being read; null if none is. */
  reading: SourceKind | null;
  refusal: { source: SourceKind; words: string } | null;
}

type Stage =
  | ({ kind: 'choose' } & SourceChoiceState)
  | { kind: 'match'; fileName: string; reading: FileReading; match: SheetMatch }
  | {
      kind: 'preview';
      fileName: string;
      readings: FileReadings;
      categories: string[];
      plan: ImportPlan;
      answers: ImportAnswers;
      isStarting: boolean;
      notice: string | null;
    }
  | { kind: 'work'; work: MenuImport; counts: OutcomeCounts; answers: ImportAnswers };

export type OutcomeCounts = Record<PlannedRow['outcome'], number>;

const noAnswers: ImportAnswers = {
  hidesMissing: false,
  statesAllergens: false,
  meant: {},
  reading: null,
  category: '',
  draft: noDraftAnswers,
};
const start: Stage = { kind: 'choose', reading: null, refusal: null };

interface Opened {
  fileName: string;
  fileHash: string;
  readings: FileReadings;
  parts: MenuParts;
  /** The import's id. It is chosen before the import starts, so that a retry repeats the same import. */
  importId: string;
  /** Whether a person chose the match of the columns, now or for an earlier file. */
  isMatchChosen: boolean;
  /** The `updated_at` of the stored draft, as far as this tab knows; null before the draft is stored. */
  savedAt: string | null;
  isKept: boolean;
}

interface ImportWork {
  store: Store;
  opened: { current: Opened | null };
  setStage: (stage: Stage) => void;
}

type Preview = Extract<Stage, { kind: 'preview' }>;

async function openSource(work: ImportWork, source: SourceKind, find: () => Promise<MenuSource>): Promise<void> {
  const { store, opened, setStage } = work;
  setStage({ kind: 'choose', reading: source, refusal: null });
  try {
    const [{ name, bytes, read }, parts, drafts] = await Promise.all([
      find(),
      fetchMenuParts(store.id),
      // Drafts only help to recognise a known file, so the import works without them.
      listDrafts(store.id).catch(() => []),
    ]);
    const fileHash = hashFile(bytes);
    const known = drafts.find(({ file_hash: hash }) => hash === fileHash);
    if (known?.is_open) return await reopenDraft(work, known, source);
    const readings = await read(bytes);
    const remembered = findRememberedMatch(readings[0], drafts);
    const importId = newId();
    const isMatchChosen = remembered !== null;
    opened.current = {
      fileName: name,
      fileHash,
      readings,
      parts,
      importId,
      isMatchChosen,
      savedAt: null,
      isKept: false,
    };
    const notice = known?.imported_at
      ? m.menu_import_again({ date: dateWords(known.imported_at, store.timezone) })
      : null;
    if (remembered) applyMatch(work, remembered);
    if (readings[0].match && readings[0].asksForMatch && !remembered) showMatch(work);
    else preview(work, noAnswers, notice);
  } catch (error) {
    const words = error instanceof UnreadableFileError ? error.message : refusalWords(error);
    setStage({ kind: 'choose', reading: null, refusal: { source, words } });
  }
}

async function sourceOfFile(file: File, currency: string): Promise<MenuSource> {
  refuseLargeFile(file);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, bytes, read: (own) => readMenuFile(own, file.name, currency) };
}

/** Opens a stored draft, which may come from another device. */
async function reopenDraft(
  work: ImportWork,
  { id, file_name: fileName, file_hash: fileHash, columns, updated_at: savedAt }: MenuDraftRow,
  source: SourceKind,
): Promise<void> {
  const { store, opened, setStage } = work;
  const refuse = (words: string) => setStage({ kind: 'choose', reading: null, refusal: { source, words } });
  setStage({ kind: 'choose', reading: source, refusal: null });
  try {
    const [stored, parts] = await Promise.all([loadDraft(id, store.currency), fetchMenuParts(store.id)]);
    if (!stored) return refuse(m.menu_import_draft_gone());
    const importId = stored.importId ?? newId();
    const isMatchChosen = columns !== null;
    const readings: FileReadings = [stored.reading];
    opened.current = { fileName, fileHash, readings, parts, importId, isMatchChosen, savedAt, isKept: true };
    const { match, draft, asksForMatch } = stored.reading;
    if (match && (!draft || (asksForMatch && !isMatchChosen))) showMatch(work);
    else preview(work, { ...stored.answers, reading: null });
  } catch (error) {
    refuse(refusalWords(error));
  }
}

/** Reads the opened file again by another match of its columns, in each of its encodings. */
function applyMatch({ store, opened }: ImportWork, match: SheetMatch): void {
  const now = opened.current;
  if (!now) return;
  const [first, ...others] = now.readings.map((reading) => rereadWithMatch(reading, match, store.currency));
  if (first) opened.current = { ...now, readings: [first, ...others] };
}

function showMatch({ opened, setStage }: ImportWork): void {
  const now = opened.current;
  const [reading] = now?.readings ?? [];
  if (now && reading?.match) setStage({ kind: 'match', fileName: now.fileName, reading, match: reading.match });
}

function preview(work: ImportWork, answers: ImportAnswers, notice: string | null = null): void {
  const now = work.opened.current;
  if (!now) return;
  const plan = planFor(work.store, now, answers);
  const { fileName, readings } = now;
  const categories = [...new Set(now.parts.categories.map(({ name }) => name))];
  work.setStage({ kind: 'preview', fileName, readings, categories, plan, answers, isStarting: false, notice });
}

/**
 * Starts the previewed import. If the menu has changed so that the outcome would differ, it shows a new preview
 * instead.
 */
async function startImport(work: ImportWork, stage: Stage): Promise<void> {
  const { store, opened, setStage } = work;
  const now = opened.current;
  if (stage.kind !== 'preview' || !now) return;
  setStage({ ...stage, isStarting: true });
  try {
    const parts = await fetchMenuParts(store.id);
    if (parts.version !== now.parts.version) {
      opened.current = { ...now, parts };
      // Menu changes that do not alter the previewed outcome are ignored.
      if (outcomeFingerprint(planFor(store, opened.current, stage.answers)) !== outcomeFingerprint(stage.plan)) {
        opened.current.importId = newId();
        preview(work, stage.answers, m.menu_import_menu_changed());
        return;
      }
    }
    const { plan, answers } = stage;
    setStage({ kind: 'work', work: await sendPlan(work, now, parts, stage), counts: countOutcomes(plan), answers });
    await storeDraft(work, answers, true);
  } catch (error) {
    setStage({ ...stage, isStarting: false, notice: refusalWords(error) });
  }
}

async function sendPlan({ store }: ImportWork, now: Opened, parts: MenuParts, { plan }: Preview): Promise<MenuImport> {
  const { data } = await api('POST /v1/menu-imports', {
    id: now.importId,
    store_id: store.id,
    file_name: shorten(now.fileName, 200),
    changes: plan.operations.map(operationToCall),
    undo: invertOperations(parts, plan.operations).map(operationToCall),
  });
  return data;
}

async function undoImport({ setStage }: ImportWork, stage: Stage): Promise<void> {
  if (stage.kind !== 'work') return;
  try {
    setStage({ ...stage, work: (await api('POST /v1/menu-imports/{id}/undo', { id: stage.work.id })).data });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
  }
}

/** Previews the file again against the current menu, with the answers about its rows and its encoding. */
async function previewAgain(work: ImportWork, { answers }: Extract<Stage, { kind: 'work' }>): Promise<void> {
  const { store, opened, setStage } = work;
  const now = opened.current;
  if (!now) return setStage(start);
  try {
    opened.current = { ...now, importId: newId(), parts: await fetchMenuParts(store.id) };
    preview(work, { ...noAnswers, meant: answers.meant, reading: answers.reading });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
  }
}

function planFor({ currency }: Store, { readings, parts }: Opened, answers: ImportAnswers): ImportPlan {
  const { table, draft } = readings[answers.reading ?? 0] ?? readings[0];
  const read = draft ? { ...draftToTable(draft, answers.draft, currency), leftOut: table.leftOut } : table;
  return planWithCategory(read, answers.category, parts, { currency, ...answers, newId });
}

function countOutcomes({ rows }: ImportPlan): OutcomeCounts {
  const counts: OutcomeCounts = { new: 0, changed: 0, same: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

function outcomeFingerprint({ rows }: ImportPlan): string {
  return JSON.stringify(rows.map(({ outcome, differences, problems }) => [outcome, differences, problems.length]));
}

/** Stores the draft once its encoding is known. A failure is ignored, because the import goes on without a draft. */
async function storeDraft({ store, opened }: ImportWork, answers: ImportAnswers, isImported: boolean): Promise<void> {
  const now = opened.current;
  const reading = now?.readings[answers.reading ?? 0];
  if (!now || !reading || (now.readings.length > 1 && answers.reading === null)) return;
  const saved = await saveDraft({ ...now, storeId: store.id, reading, answers, isImported }).catch(() => null);
  if (saved === null || opened.current?.fileHash !== now.fileHash) return;
  opened.current.savedAt = saved.updated_at;
  opened.current.isKept = saved.is_open;
}

function notifyDiscarded({ isKept }: Opened, row: MenuDraftRow | undefined): void {
  const isDiscarded = isKept && row !== undefined && row.imported_at === null;
  if (isDiscarded) notify({ text: m.menu_import_draft_discarded_elsewhere(), stays: true });
}

/** Saves the draft. If another tab has changed the draft, it merges that tab's answers first. */
async function syncDraft(work: ImportWork, stage: Stage, isCurrent: () => boolean): Promise<void> {
  const { store, opened } = work;
  const now = opened.current;
  if (!now || (stage.kind !== 'preview' && stage.kind !== 'match')) return;
  const answers = stage.kind === 'preview' ? stage.answers : noAnswers;
  const drafts = await listDrafts(store.id).catch(() => []);
  const row = drafts.find(({ file_hash: hash }) => hash === now.fileHash);
  if (!isCurrent()) return;
  if (!row?.is_open) notifyDiscarded(now, row);
  if (!row?.is_open || row.updated_at === now.savedAt) return storeDraft(work, answers, false);
  if (stage.kind === 'match') return;
  const stored = await loadDraft(row.id, store.currency).catch(() => null);
  if (!stored || !isCurrent() || opened.current !== now) return;
  opened.current = { ...now, readings: [stored.reading], savedAt: row.updated_at, isKept: true };
  const merged = { ...mergeAnswers(answers, stored.answers), reading: null };
  preview(work, merged, m.menu_import_other_tab());
}

/** Milliseconds from the last answer until the draft is stored. */
const saveDelay = 1_000;

function useDraftSaving(work: ImportWork, stage: Stage): void {
  const save = useRef(() => Promise.resolve());
  const saving = useRef(Promise.resolve());
  const shown = useRef(stage);
  useEffect(() => {
    shown.current = stage;
    // Saves run one after another, because each save sends the `updated_at` that the previous save returned.
    save.current = () =>
      (saving.current = saving.current.then(() => syncDraft(work, stage, () => shown.current === stage)));
  });
  useEffect(() => {
    if (stage.kind !== 'preview' && stage.kind !== 'match') return undefined;
    if (stage.kind === 'preview' && stage.isStarting) return undefined;
    const timer = setTimeout(() => void save.current(), saveDelay);
    return () => clearTimeout(timer);
  }, [stage]);
}

/** Milliseconds between requests for a running import's state. */
const pollInterval = 700;

export function useMenuImport(store: Store) {
  const [stage, setStage] = useState<Stage>(start);
  const opened: ImportWork['opened'] = useRef(null);
  const work: ImportWork = { store, opened, setStage };
  useProgress(stage, setStage);
  useDraftSaving(work, stage);
  return {
    stage,
    open: (file: File) => openSource(work, 'file', () => sourceOfFile(file, store.currency)),
    openPage: (url: string) => openSource(work, 'page', () => fetchMenuPage(url, store.currency)),
    openPhoto: (file: File) => openSource(work, 'photo', () => readMenuPhoto(file, store.currency)),
    reopen: (draft: MenuDraftRow) => reopenDraft(work, draft, 'draft'),
    match: (match: SheetMatch) => {
      applyMatch(work, match);
      if (opened.current) opened.current.isMatchChosen = false;
      showMatch(work);
    },
    matchAgain: () => showMatch(work),
    matched: () => {
      if (opened.current) opened.current.isMatchChosen = true;
      preview(work, noAnswers);
    },
    confirm: () => startImport(work, stage),
    undo: () => undoImport(work, stage),
    say: (answers: ImportAnswers) => preview(work, answers),
    previewAgain: () => void (stage.kind === 'work' && previewAgain(work, stage)),
    back: () => {
      opened.current = null;
      setStage(start);
    },
  };
}

/** Polls a running import until it ends. A lost connection is retried, because the import continues on the server. */
function useProgress(stage: Stage, setStage: (stage: Stage) => void): void {
  const running = stage.kind === 'work' && /waiting|undoing/.test(stage.work.state) ? stage.work.id : null;
  const shown = useRef(stage);
  useEffect(() => {
    shown.current = stage;
  });
  useEffect(() => {
    if (running === null) return undefined;
    const ended = new AbortController();
    const poll = async (): Promise<void> => {
      try {
        const { data } = await api('GET /v1/menu-imports/{id}', { id: running }, { signal: ended.signal });
        if (shown.current.kind === 'work') setStage({ ...shown.current, work: data });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) setStage(start);
      }
    };
    const timer = setInterval(() => void poll(), pollInterval);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [running, setStage]);
}
