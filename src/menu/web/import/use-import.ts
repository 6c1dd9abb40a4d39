import { useEffect, useRef, useState } from 'react';
import { v7 as newId } from 'uuid';
import { m } from '#messages';
import type { MenuParts } from '#menu/endpoints-editing.ts';
import type { MenuImport } from '#menu/endpoints-imports.ts';
import { fetchParts } from '#menu/web/editor/send-edit.ts';
import { undoOf } from '#menu/web/editor/undo-changes.ts';
import { type ImportPlan, planImport } from '#menu/web/import/plan-import.ts';
import type { PlannedRow } from '#menu/web/import/planned-row.ts';
import { readMenuFile } from '#menu/web/import/read-file.ts';
import { FileRefused, type FileTable } from '#menu/web/import/table.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { api, ApiError } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

/** How often a running import is looked at, in milliseconds. */
const lookEvery = 700;

export type Stage =
  | { kind: 'choose'; isReading: boolean; refusal: string | null }
  | {
      kind: 'preview';
      fileName: string;
      plan: ImportPlan;
      hidesMissing: boolean;
      isStarting: boolean;
      notice: string | null;
    }
  | { kind: 'work'; work: MenuImport; counts: OutcomeCounts };

/** How many rows of the file became what. */
export type OutcomeCounts = Record<PlannedRow['outcome'], number>;

const start: Stage = { kind: 'choose', isReading: false, refusal: null };

interface Opened {
  fileName: string;
  table: FileTable;
  parts: MenuParts;
  /** Made when it is first sent, so that sending it again is the same import. */
  id: string;
}

/** A spreadsheet on its way into the menu: read, looked at, confirmed, made, taken back. */
export function useImport(store: Store) {
  const [stage, setStage] = useState<Stage>(start);
  const opened = useRef<Opened | null>(null);

  const preview = (hidesMissing: boolean, notice: string | null = null): void => {
    const now = opened.current;
    if (!now) return;
    const plan = planImport(now.table, now.parts, { currency: store.currency, hidesMissing, newId });
    setStage({ kind: 'preview', fileName: now.fileName, plan, hidesMissing, isStarting: false, notice });
  };

  const open = async (file: File): Promise<void> => {
    setStage({ kind: 'choose', isReading: true, refusal: null });
    try {
      const [table, parts] = await Promise.all([readMenuFile(file), fetchParts(store.id)]);
      opened.current = { fileName: file.name, table, parts, id: newId() };
      preview(false);
    } catch (error) {
      const refusal = error instanceof FileRefused ? error.message : refusalWords(error);
      setStage({ kind: 'choose', isReading: false, refusal });
    }
  };

  const confirm = async (): Promise<void> => {
    const now = opened.current;
    if (stage.kind !== 'preview' || !now) return;
    setStage({ ...stage, isStarting: true });
    try {
      const parts = await fetchParts(store.id);
      if (parts.version !== now.parts.version) {
        opened.current = { ...now, parts };
        const again = planImport(now.table, parts, {
          currency: store.currency,
          hidesMissing: stage.hidesMissing,
          newId,
        });
        // Another price elsewhere is no reason to stop; what was looked at must still be what happens.
        if (outcomesOf(again) !== outcomesOf(stage.plan)) {
          preview(stage.hidesMissing, m.menu_import_menu_changed());
          return;
        }
      }
      const { data } = await api('POST /v1/menu-imports', {
        id: now.id,
        store_id: store.id,
        file_name: now.fileName.slice(0, 200),
        changes: stage.plan.changes,
        undo: undoOf(parts, stage.plan.changes),
      });
      setStage({ kind: 'work', work: data, counts: countOutcomes(stage.plan) });
    } catch (error) {
      setStage({ ...stage, isStarting: false, notice: refusalWords(error) });
    }
  };

  const undo = async (): Promise<void> => {
    if (stage.kind !== 'work') return;
    try {
      setStage({ ...stage, work: (await api('POST /v1/menu-imports/{id}/undo', { id: stage.work.id })).data });
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
    }
  };

  const lookAgain = async (): Promise<void> => {
    const now = opened.current;
    if (!now) return setStage(start);
    try {
      opened.current = { ...now, id: newId(), parts: await fetchParts(store.id) };
      preview(false);
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
    }
  };

  useProgress(stage, setStage);
  return {
    stage,
    open,
    confirm,
    undo,
    hideMissing: (hides: boolean) => preview(hides),
    lookAgain: () => void lookAgain(),
    back: () => {
      opened.current = null;
      setStage(start);
    },
  };
}

/** Looks at a running import until it ended. A lost connection does not end it: it is looked at again. */
function useProgress(stage: Stage, setStage: (stage: Stage) => void): void {
  const running = stage.kind === 'work' && /waiting|undoing/.test(stage.work.state) ? stage.work.id : null;
  const counts = stage.kind === 'work' ? stage.counts : null;
  useEffect(() => {
    if (running === null || counts === null) return undefined;
    const ended = new AbortController();
    const look = async (): Promise<void> => {
      try {
        const { data } = await api('GET /v1/menu-imports/{id}', { id: running }, { signal: ended.signal });
        setStage({ kind: 'work', work: data, counts });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) setStage(start);
      }
    };
    const timer = setInterval(() => void look(), lookEvery);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [running, counts, setStage]);
}

function countOutcomes({ rows }: ImportPlan): OutcomeCounts {
  const counts: OutcomeCounts = { new: 0, changed: 0, same: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

function outcomesOf({ rows }: ImportPlan): string {
  return JSON.stringify(rows.map(({ outcome, differences, problems }) => [outcome, differences, problems.length]));
}
