import { useEffect, useRef, useState } from 'react';
import {
  type ImportWork,
  lookAgain,
  openFile,
  preview,
  type Stage,
  start,
  startImport,
  undoImport,
} from '#menu/web/import/import-steps.ts';
import { api, ApiError } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';

/** How often a running import is looked at, in milliseconds. */
const lookEvery = 700;

/** A spreadsheet on its way into the menu: read, looked at, confirmed, made, taken back. */
export function useImport(store: Store) {
  const [stage, setStage] = useState<Stage>(start);
  const opened: ImportWork['opened'] = useRef(null);
  const work: ImportWork = { store, opened, setStage };
  useProgress(stage, setStage);
  return {
    stage,
    open: (file: File) => openFile(work, file),
    confirm: () => startImport(work, stage),
    undo: () => undoImport(work, stage),
    hideMissing: (hides: boolean) => preview(work, hides),
    lookAgain: () => void lookAgain(work),
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
