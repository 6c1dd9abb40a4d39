import { Alert, Button, Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import {
  setColumnMeaning,
  type ColumnMeaning,
  columnMeanings,
  type SheetMatch,
  guessSheetMatch,
  hasHeadingsOf,
  headingsFingerprint,
  splitMatchByHeadings,
  mergeGroupMatch,
} from '#menu/import/match-columns.ts';
import { cleanCellText } from '#menu/import/foreign-cells.ts';
import classes from '#menu/web/import/import.module.css';
import type { FileReading } from '#menu/web/import/read-sheets.ts';

interface MatchProps {
  fileName: string;
  reading: FileReading;
  match: SheetMatch;
  onMatch: (match: SheetMatch) => void;
  onContinue: () => void;
  onBack: () => void;
}

const meaningWords: Record<ColumnMeaning, () => string> = {
  name: m.menu_import_means_name,
  category: m.menu_import_means_category,
  price: m.menu_import_means_price,
  size: m.menu_import_means_size,
  sizePrice: m.menu_import_means_size_price,
  description: m.menu_import_means_description,
  contains: m.menu_import_means_contains,
  mayContain: m.menu_import_means_may_contain,
  allergensStated: m.menu_import_means_all_stated,
  dietary: m.menu_import_means_diet,
  vatRate: m.menu_import_means_vat,
  kitchenName: m.menu_import_means_kitchen_name,
  spiceLevel: m.menu_import_means_spice,
  minAge: m.menu_import_means_min_age,
  prepMinutes: m.menu_import_means_minutes,
  maxPerOrder: m.menu_import_means_most,
  station: m.menu_import_means_station,
  visible: m.menu_import_means_visible,
  soldOut: m.menu_import_means_sold_out,
  joins: m.menu_import_means_joins,
  ignored: m.menu_import_means_ignored,
};

/** With more columns than this, the ignored ones are folded. Tills export up to forty. */
const maxUnfolded = 8;

/** Asks for the meaning of each column of a foreign spreadsheet; the guess is preselected. */
export function ColumnMatchPage({ fileName, reading, match, onMatch, onContinue, onBack }: MatchProps) {
  const { sheets, draft } = reading;
  const groups = splitMatchByHeadings(sheets, match);
  const missingColumn = groups.map(missingColumnWords).find((words) => words !== null) ?? null;
  return (
    <div className={classes.preview}>
      <h2 className={classes.file}>{fileName}</h2>
      <p>{m.menu_import_match_hint()}</p>
      {sheets.length > 1 && <SheetChoice reading={reading} match={match} onMatch={onMatch} />}
      <div className={classes.bar}>
        <Button variant="default" onClick={onBack}>
          {m.menu_import_other_file()}
        </Button>
        <Button disabled={missingColumn !== null || draft === null} onClick={onContinue}>
          {draft && missingColumn === null
            ? m.menu_import_match_go({ count: draft.dishes.length })
            : m.menu_import_match_next()}
        </Button>
      </div>
      <div aria-live="polite">
        {(missingColumn !== null || draft === null) && (
          <Alert color="warm" className={classes.alert}>
            {missingColumn ?? m.menu_import_no_dishes()}
          </Alert>
        )}
      </div>
      {groups.map((group) => (
        <section key={headingsFingerprint(group)} className={classes.preview}>
          {groups.length > 1 && (
            <h3 className={classes.file}>{group.sheets.map((at) => sheets[at]?.name ?? '').join(', ')}</h3>
          )}
          <GroupColumns
            reading={reading}
            match={group}
            onMatch={(changed) => onMatch(mergeGroupMatch(match, changed))}
          />
        </section>
      ))}
    </div>
  );
}

function GroupColumns({ reading, match, onMatch }: Pick<MatchProps, 'reading' | 'match' | 'onMatch'>) {
  const columns = match.heads.flatMap((head, at): SheetColumn[] => {
    const samples = samplesOf(reading, match, at);
    return head === '' && samples.length === 0 ? [] : [{ head, at, samples }];
  });
  // The match of the first render decides which columns are folded, so that a column stays in place when its meaning
  // changes.
  const [first] = useState(match);
  const folds = columns.length > maxUnfolded && missingColumnWords(first) === null;
  const isFolded = (at: number): boolean => folds && first.meanings[at] === 'ignored';
  const folded = columns.filter(({ at }) => isFolded(at));
  return (
    <>
      <ColumnList columns={columns.filter(({ at }) => !isFolded(at))} match={match} onMatch={onMatch} />
      {folded.length > 0 && (
        <details className={classes.folded}>
          <summary>{m.menu_import_match_left_out({ count: folded.length })}</summary>
          <ColumnList columns={folded} match={match} onMatch={onMatch} />
        </details>
      )}
    </>
  );
}

interface SheetColumn {
  head: string;
  at: number;
  samples: string[];
}

function ColumnList({ columns, match, onMatch }: Pick<MatchProps, 'match' | 'onMatch'> & { columns: SheetColumn[] }) {
  return (
    <ul className={classes.columns}>
      {columns.map(({ head, at, samples }) => (
        <li key={at} data-used={match.meanings[at] !== 'ignored' || undefined}>
          <NativeSelect
            label={head || m.menu_import_match_unnamed({ number: at + 1 })}
            value={match.meanings[at] ?? 'ignored'}
            // The cast is right: the select returns one of the values it was given.
            onChange={(event) => onMatch(setColumnMeaning(match, at, event.currentTarget.value as ColumnMeaning))}
            data={columnMeanings.map((value) => ({ value, label: meaningWords[value]() }))}
          />
          <p className={classes.samples}>
            {samples.map((text) => (
              <span key={text}>{text}</span>
            ))}
          </p>
        </li>
      ))}
    </ul>
  );
}

function samplesOf({ sheets }: FileReading, match: SheetMatch, at: number): string[] {
  const lines = match.sheets.flatMap((index) => sheets[index]?.cells.slice(match.from) ?? []);
  const samples = new Set<string>();
  for (const line of lines) {
    const text = cleanCellText(line[at] ?? '');
    if (text !== '') samples.add(text);
    if (samples.size === 3) break;
  }
  return [...samples];
}

function missingColumnWords({ meanings: chosen }: SheetMatch): string | null {
  if (!chosen.includes('name')) return m.menu_import_match_no_name();
  return chosen.includes('price') || chosen.includes('sizePrice') ? null : m.menu_import_match_no_price();
}

function SheetChoice({ reading: { sheets }, match, onMatch }: Pick<MatchProps, 'reading' | 'match' | 'onMatch'>) {
  return (
    <Checkbox.Group
      label={m.menu_import_match_sheets()}
      value={match.sheets.map(String)}
      onChange={(chosen) => {
        const indexes = chosen.map(Number).toSorted((a, b) => a - b);
        const [first] = indexes;
        if (first === undefined) return;
        // Keeps the shown headings while a chosen sheet has them; otherwise shows the headings of the first chosen
        // sheet.
        const isShown = indexes.some((at) => sheets[at] && hasHeadingsOf(sheets[at], match));
        onMatch({ ...(isShown ? match : guessSheetMatch(sheets, first)), sheets: indexes });
      }}
    >
      <div className={classes.buttons}>
        {sheets.map(({ name }, at) => (
          <Checkbox key={name} value={String(at)} label={name} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
