import { useRef, useState } from 'react';
import { m } from '#messages';
import { fetchMenuParts } from '#menu/web/editor/session/edit-queue.ts';
import { exampleMenuSheets, exportMenu } from '#menu/import/export-menu.ts';
import { ImportPreview } from '#menu/web/import/import-preview.tsx';
import classes from '#menu/web/import/import.module.css';
import { saveFile } from '#ui/web/save-file.ts';
import { type SourceChoiceState, type OutcomeCounts, useMenuImport } from '#menu/web/import/import-steps.ts';
import { Alert, Button, Loader, Progress } from '@mantine/core';
import { notify } from '#ui/web/notify.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { Store } from '#store/contract.ts';
import { Link, useSearch } from 'wouter';
import type { MenuImport } from '#menu/contract.ts';
import { OpenDraftList, OtherMenuSources, SourceRefusal } from '#menu/web/import/sources.tsx';
import { writeCsv, writeWorkbook } from '#menu/web/import/write-file.ts';
import { ColumnMatchPage } from '#menu/web/import/match-page.tsx';
import { confirm } from '#ui/web/office/dialogs.tsx';

export function MenuImportPage({ store }: { store: Store }) {
  const work = useMenuImport(store);
  const { stage } = work;
  return (
    <OfficePage title={m.office_page_import_menu()} hint={m.menu_import_hint()}>
      {stage.kind === 'choose' && (
        <>
          <ChooseFile state={stage} onFile={(file) => void work.open(file)} />
          <OpenDraftList store={store} state={stage} onDraft={(draft) => void work.reopen(draft)} />
          <OtherMenuSources
            state={stage}
            onPage={(url) => void work.openPage(url)}
            onPhoto={(file) => void work.openPhoto(file)}
          />
          <ExportMenu store={store} />
        </>
      )}
      {stage.kind === 'match' && (
        <ColumnMatchPage
          fileName={stage.fileName}
          reading={stage.reading}
          match={stage.match}
          onMatch={work.match}
          onContinue={work.matched}
          onBack={work.back}
        />
      )}
      {stage.kind === 'preview' && (
        <ImportPreview
          store={store}
          fileName={stage.fileName}
          readings={stage.readings}
          categories={stage.categories}
          plan={stage.plan}
          answers={stage.answers}
          isStarting={stage.isStarting}
          notice={stage.notice}
          onAnswer={work.say}
          onConfirm={() => void work.confirm()}
          onBack={work.back}
          onMatch={work.matchAgain}
        />
      )}
      {stage.kind === 'work' && (
        <ImportProgress
          work={stage.work}
          counts={stage.counts}
          onUndo={() => void work.undo()}
          onBack={work.back}
          onAgain={work.previewAgain}
        />
      )}
    </OfficePage>
  );
}

function ExportMenu({ store }: { store: Store }) {
  const [busy, setBusy] = useState<string | null>(null);
  const save = async (what: 'menu' | 'example', format: 'csv' | 'xlsx'): Promise<void> => {
    setBusy(what + format);
    try {
      const sheets = what === 'menu' ? exportMenu(await fetchMenuParts(store.id), store.currency) : exampleMenuSheets();
      const file = format === 'csv' ? await writeCsv(sheets) : await writeWorkbook(sheets);
      saveFile(file, `${what === 'menu' ? store.slug : 'example'}-menu.${format}`);
    } catch (error) {
      notify({ text: refusalWords(error), tone: 'bad' });
    } finally {
      setBusy(null);
    }
  };
  const button = (what: 'menu' | 'example', format: 'csv' | 'xlsx', label: string) => (
    <Button variant="default" loading={busy === what + format} onClick={() => void save(what, format)}>
      {label}
    </Button>
  );
  return (
    <div className={classes.cards}>
      <section className={classes.card}>
        <h2>{m.menu_export_title()}</h2>
        <p>{m.menu_export_words()}</p>
        <div className={classes.buttons}>
          {button('menu', 'xlsx', m.menu_export_xlsx())}
          {button('menu', 'csv', m.menu_export_csv())}
        </div>
      </section>
      <section className={classes.card}>
        <h2>{m.menu_example_title()}</h2>
        <p>{m.menu_example_words()}</p>
        <div className={classes.buttons}>
          {button('example', 'xlsx', m.menu_example_xlsx())}
          {button('example', 'csv', m.menu_example_csv())}
        </div>
      </section>
    </div>
  );
}

interface ChooseProps {
  state: SourceChoiceState;
  onFile: (file: File) => void;
}

const acceptedFiles =
  '.csv,.tsv,.txt,.xlsx,.xls,.ods,.numbers,.doc,.docx,.pdf,.html,.htm,text/csv,text/html,application/pdf,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function ChooseFile({ state, onFile }: ChooseProps) {
  const [isDraggedOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <section
      aria-label={m.menu_import_title()}
      className={classes.drop}
      data-over={isDraggedOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file && state.reading === null) onFile(file);
      }}
    >
      <h2>{m.menu_import_title()}</h2>
      <p>{m.menu_import_words()}</p>
      <SourceRefusal state={state} source="file" />
      {state.reading === 'file' ? (
        <output className={classes.reading}>
          <Loader aria-hidden="true" size="sm" /> {m.menu_import_reading()}
        </output>
      ) : (
        <Button size="lg" disabled={state.reading !== null} onClick={() => input.current?.click()}>
          {m.menu_import_choose()}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={m.menu_import_choose()}
        accept={acceptedFiles}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </section>
  );
}

interface ProgressProps {
  work: MenuImport;
  counts: OutcomeCounts;
  onUndo: () => void;
  onBack: () => void;
  onAgain: () => void;
}

function ImportProgress({ work, counts, onUndo, onBack, onAgain }: ProgressProps) {
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
              <NextPages />
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

/** Links to the menu editor, and back to the set-up if the owner came from the set-up. */
function NextPages() {
  const isFromSetUp = new URLSearchParams(useSearch()).get('from') === 'set-up';
  return (
    <>
      {isFromSetUp && (
        <Button component={Link} href="/admin/set-up?step=menu">
          {m.menu_import_to_setup()}
        </Button>
      )}
      <Button component={Link} href="/admin/menuEditor" variant={isFromSetUp ? 'default' : 'filled'}>
        {m.menu_import_to_editor()}
      </Button>
    </>
  );
}
