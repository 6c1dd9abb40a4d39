import { useEffect, useRef, useState } from 'react';
import {
  type ImportAnswers,
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

/** The interval between two requests for the state of a running import, in milliseconds. */
const lookEvery = 700;

/** The steps of an import: choose a file, preview, confirm, import, undo. */
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
