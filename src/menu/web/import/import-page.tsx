import { useState } from 'react';
import { m } from '#messages';
import { fetchParts } from '#menu/web/editor/session/send-edit.ts';
import { exampleMenu, exportMenu } from '#menu/import/export-menu.ts';
import { ChooseFile } from '#menu/web/import/choose-file.tsx';
import { ImportPreview } from '#menu/web/import/import-preview.tsx';
import { ImportProgress } from '#menu/web/import/import-progress.tsx';
import classes from '#menu/web/import/import.module.css';
import { saveFile } from '#ui/web/save-file.ts';
import { useImport } from '#menu/web/import/use-import.ts';
import { writeCsv, writeWorkbook } from '#menu/web/import/write-file.ts';
import { Button } from '@mantine/core';
import { notify } from '#ui/web/notify.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { Store } from '#store/contract.ts';

/** Imports a menu from a spreadsheet, and exports one. Nothing is written before its preview was confirmed. */
export function ImportPage({ store }: { store: Store }) {
  const work = useImport(store);
  const { stage } = work;
  return (
    <OfficePage title={m.office_page_import_menu()} hint={m.menu_import_hint()}>
      {stage.kind === 'choose' && (
        <>
          <ChooseFile isBusy={stage.isReading} refusal={stage.refusal} onFile={(file) => void work.open(file)} />
          <ExportMenu store={store} />
        </>
      )}
      {stage.kind === 'preview' && (
        <ImportPreview
          store={store}
          fileName={stage.fileName}
          readings={stage.readings}
          plan={stage.plan}
          answers={stage.answers}
          isStarting={stage.isStarting}
          notice={stage.notice}
          onAnswer={work.say}
          onConfirm={() => void work.confirm()}
          onBack={work.back}
        />
      )}
      {stage.kind === 'work' && (
        <ImportProgress
          work={stage.work}
          counts={stage.counts}
          onUndo={() => void work.undo()}
          onBack={work.back}
          onAgain={work.lookAgain}
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
      const sheets = what === 'menu' ? exportMenu(await fetchParts(store.id), store.currency) : exampleMenu();
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
