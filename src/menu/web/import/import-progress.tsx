import { Alert, Button, Progress } from '@mantine/core';
import { Link } from 'wouter';
import { m } from '#messages';
import type { MenuImport } from '#menu/contract-imports.ts';
import type { OutcomeCounts } from '#menu/web/import/import-steps.ts';
import classes from '#menu/web/import/import.module.css';
import { confirm } from '#ui/web/office/confirm.tsx';

interface ProgressProps {
  work: MenuImport;
  counts: OutcomeCounts;
  onUndo: () => void;
  onBack: () => void;
  onAgain: () => void;
}

/** The progress of an import, and its result. */
export function ImportProgress({ work, counts, onUndo, onBack, onAgain }: ProgressProps) {
  const { state, done, total, error, file_name: name } = work;
  const isRunning = state === 'waiting' || state === 'undoing';
  const part = total === 0 ? 100 : Math.round((done / total) * 100);
  const undo = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.menu_import_undo_title(),
      body: m.menu_import_undo_words(),
      action: m.menu_import_undo(),
      isDangerous: true,
    });
    if (isSure) onUndo();
  };
  return (
    <section className={classes.preview} aria-label={m.menu_import_title()}>
      <h2 className={classes.file}>{name}</h2>
      {isRunning ? (
        <>
          <Progress.Root size="lg">
            <Progress.Section value={part} aria-label={m.menu_import_progress()} />
          </Progress.Root>
          <output>{m.menu_import_running({ done, total })}</output>
        </>
      ) : (
        <output className={classes.summary}>
          {state === 'done' && m.menu_import_done()}
          {state === 'undone' && m.menu_import_undone()}
          {state === 'failed' && m.menu_import_failed()}
        </output>
      )}
      {state === 'done' && (
        <p>{m.menu_import_done_counts({ added: counts.new, changed: counts.changed, refused: counts.refused })}</p>
      )}
      {error && !isRunning && (
        <Alert color="bad" role="alert">
          {state === 'done' ? m.menu_import_undo_refused({ words: error }) : error}
        </Alert>
      )}
      {!isRunning && (
        <div className={classes.buttons}>
          {state === 'failed' && <Button onClick={onAgain}>{m.menu_import_look_again()}</Button>}
          {state === 'done' && (
            <>
              <Button component={Link} href="/admin/menuEditor">
                {m.menu_import_to_editor()}
              </Button>
              <Button variant="default" onClick={() => void undo()}>
                {m.menu_import_undo()}
              </Button>
            </>
          )}
          <Button variant="default" onClick={onBack}>
            {m.menu_import_other_file()}
          </Button>
        </div>
      )}
    </section>
  );
}
