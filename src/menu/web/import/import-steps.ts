import { v7 as newId } from 'uuid';
import { m } from '#messages';
import type { MenuParts } from '#menu/fields.ts';
import type { MenuImport } from '#menu/contract.ts';
import { operationToCall } from '#menu/operations/operation-calls.ts';
import { undoOperations } from '#menu/operations/undo-operations.ts';
import { fetchMenuParts } from '#menu/web/editor/session/edit-queue.ts';
import { type ImportPlan, planImport } from '#menu/import/plan-import.ts';
import type { PlannedRow, PlanOptions } from '#menu/import/plan-draft.ts';
import { readMenuFile } from '#menu/web/import/read-file.ts';
import type { FileReadings } from '#menu/web/import/read-sheets.ts';
import { UnreadableFileError } from '#menu/import/table.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { api, ApiError } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { shorten } from '#platform/graphemes.ts';
import { useEffect, useRef, useState } from 'react';

type Stage =
  | { kind: 'choose'; isReading: boolean; refusal: string | null }
  | {
      kind: 'preview';
      fileName: string;
      readings: FileReadings;
      plan: ImportPlan;
      answers: ImportAnswers;
      isStarting: boolean;
      notice: string | null;
    }
  | { kind: 'work'; work: MenuImport; counts: OutcomeCounts; answers: ImportAnswers };

export interface ImportAnswers extends Required<Pick<PlanOptions, 'hidesMissing' | 'statesAllergens' | 'meant'>> {
  /** The index of the right reading of the file; null if the person has not said. */
  reading: number | null;
}

export type OutcomeCounts = Record<PlannedRow['outcome'], number>;

const noAnswers: ImportAnswers = { hidesMissing: false, statesAllergens: false, meant: {}, reading: null };
const start: Stage = { kind: 'choose', isReading: false, refusal: null };

/** The opened file, and the menu to compare it with. */
interface Opened {
  fileName: string;
  readings: FileReadings;
  parts: MenuParts;
  /** The import's id, made when the file is opened, so that sending it again repeats the same import. */
  id: string;
}

interface ImportWork {
  store: Store;
  opened: { current: Opened | null };
  setStage: (stage: Stage) => void;
}

type Preview = Extract<Stage, { kind: 'preview' }>;

async function openFile(work: ImportWork, file: File): Promise<void> {
  const { store, opened, setStage } = work;
  setStage({ kind: 'choose', isReading: true, refusal: null });
  try {
    const [readings, parts] = await Promise.all([readMenuFile(file), fetchMenuParts(store.id)]);
    opened.current = { fileName: file.name, readings, parts, id: newId() };
    preview(work, noAnswers);
  } catch (error) {
    const refusal = error instanceof UnreadableFileError ? error.message : refusalWords(error);
    setStage({ kind: 'choose', isReading: false, refusal });
  }
}

function preview(work: ImportWork, answers: ImportAnswers, notice: string | null = null): void {
  const now = work.opened.current;
  if (!now) return;
  const plan = planFor(work.store, now, answers);
  const { fileName, readings } = now;
  work.setStage({ kind: 'preview', fileName, readings, plan, answers, isStarting: false, notice });
}

/**
 * Asks the server to make the previewed changes. If the menu has changed since, so that they would differ, the new
 * changes are previewed first.
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
      // Prices that changed elsewhere do not stop the import; but its changes must be the previewed ones.
      if (outcomesOf(planFor(store, opened.current, stage.answers)) !== outcomesOf(stage.plan)) {
        preview(work, stage.answers, m.menu_import_menu_changed());
        return;
      }
    }
    const { plan, answers } = stage;
    setStage({ kind: 'work', work: await sendPlan(work, now, parts, stage), counts: countOutcomes(plan), answers });
  } catch (error) {
    setStage({ ...stage, isStarting: false, notice: refusalWords(error) });
  }
}

async function sendPlan({ store }: ImportWork, now: Opened, parts: MenuParts, { plan }: Preview): Promise<MenuImport> {
  const { data } = await api('POST /v1/menu-imports', {
    id: now.id,
    store_id: store.id,
    file_name: shorten(now.fileName, 200),
    changes: plan.operations.map(operationToCall),
    undo: undoOperations(parts, plan.operations).map(operationToCall),
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

/** Compares the same file again with the current menu. The answers about the file itself stay. */
async function lookAgain(work: ImportWork, { answers }: Extract<Stage, { kind: 'work' }>): Promise<void> {
  const { store, opened, setStage } = work;
  const now = opened.current;
  if (!now) return setStage(start);
  try {
    opened.current = { ...now, id: newId(), parts: await fetchMenuParts(store.id) };
    preview(work, { ...noAnswers, meant: answers.meant, reading: answers.reading });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
  }
}

function planFor({ currency }: Store, { readings, parts }: Opened, answers: ImportAnswers): ImportPlan {
  const { table } = readings[answers.reading ?? 0] ?? readings[0];
  return planImport(table, parts, { currency, ...answers, newId });
}

function countOutcomes({ rows }: ImportPlan): OutcomeCounts {
  const counts: OutcomeCounts = { new: 0, changed: 0, same: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

function outcomesOf({ rows }: ImportPlan): string {
  return JSON.stringify(rows.map(({ outcome, differences, problems }) => [outcome, differences, problems.length]));
}

/** Milliseconds between two requests for the state of a running import. */
const lookEvery = 700;

/** The steps of an import: choose a file, preview, confirm, import, undo. */
export function useMenuImport(store: Store) {
  const [stage, setStage] = useState<Stage>(start);
  const opened: ImportWork['opened'] = useRef(null);
  const work: ImportWork = { store, opened, setStage };
  useProgress(stage, setStage);
  return {
    stage,
    open: (file: File) => openFile(work, file),
    confirm: () => startImport(work, stage),
    undo: () => undoImport(work, stage),
    say: (answers: ImportAnswers) => preview(work, answers),
    lookAgain: () => void (stage.kind === 'work' && lookAgain(work, stage)),
    back: () => {
      opened.current = null;
      setStage(start);
    },
  };
}

/** Requests the state of a running import until it has ended. A lost connection does not end the import. */
function useProgress(stage: Stage, setStage: (stage: Stage) => void): void {
  const running = stage.kind === 'work' && /waiting|undoing/.test(stage.work.state) ? stage.work.id : null;
  const shown = useRef(stage);
  useEffect(() => {
    shown.current = stage;
  });
  useEffect(() => {
    if (running === null) return undefined;
    const ended = new AbortController();
    const look = async (): Promise<void> => {
      try {
        const { data } = await api('GET /v1/menu-imports/{id}', { id: running }, { signal: ended.signal });
        if (shown.current.kind === 'work') setStage({ ...shown.current, work: data });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) setStage(start);
      }
    };
    const timer = setInterval(() => void look(), lookEvery);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [running, setStage]);
}
