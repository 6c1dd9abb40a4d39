import { Alert, Button, Checkbox, Radio, SegmentedControl, Stack } from '@mantine/core';
import { useId, useState } from 'react';
import { m } from '#messages';
import classes from '#menu/web/import/import.module.css';
import type { ImportAnswers } from '#menu/web/import/import-drafts.ts';
import { outcomeWords, plannedRowColumns, type OutcomeFilter } from '#menu/web/import/planned-rows.tsx';
import type { ImportPlan } from '#menu/import/plan-import.ts';
import { type RowAnswer, type PlannedRow, type RowQuestion, importRowKey } from '#menu/import/plan-draft.ts';
import type { FileReadings } from '#menu/web/import/read-sheets.ts';
import { DoubtfulDishes, LeftOutLines, MissingCategoryField } from '#menu/web/import/doubts.tsx';
import { saveFile } from '#ui/web/save-file.ts';
import { type Encoding, escapeFormula } from '#menu/web/import/decode-text.ts';
import { type ListView, visibleRowsOf } from '#ui/list-view.ts';
import { DataList } from '#ui/web/office/data-list.tsx';
import { EmptyState } from '#ui/web/office/states.tsx';
import type { Store } from '#store/contract.ts';

interface PreviewProps {
  store: Store;
  fileName: string;
  readings: FileReadings;
  categories: readonly string[];
  plan: ImportPlan;
  answers: ImportAnswers;
  isStarting: boolean;
  notice: string | null;
  onAnswer: (answers: ImportAnswers) => void;
  onConfirm: () => void;
  onBack: () => void;
  /** Returns to the match of a foreign spreadsheet's columns. */
  onMatch: () => void;
}

export function ImportPreview(props: PreviewProps) {
  const { store, fileName, readings, plan, answers, isStarting, notice, onAnswer } = props;
  const isEncodingOpen = readings.length > 1 && answers.reading === null;
  const count = (outcome: PlannedRow['outcome']) => plan.rows.filter((row) => row.outcome === outcome).length;
  const counts = { refused: count('refused'), new: count('new'), changed: count('changed'), same: count('same') };
  const [wanted, setShown] = useState<OutcomeFilter>(counts.refused > 0 ? 'refused' : 'all');
  // After the last problem is solved, the filter for refused rows would show nothing.
  const shown = wanted === 'refused' && counts.refused === 0 ? 'all' : wanted;
  const [view, setView] = useState<ListView>({ search: '', sort: '', page: 1, filters: {} });
  const filterId = useId();
  const rows = visibleRowsOf(
    plan.rows.filter(({ outcome }) => shown === 'all' || outcome === shown),
    view,
    { textOf: ({ name, number }) => `${name} ${number}`, perPage: 100 },
  );
  return (
    <div className={classes.preview}>
      <h2 className={classes.file}>{fileName}</h2>
      <div aria-live="polite">
        {notice && (
          <Alert color="warm" className={classes.alert} role="alert">
            {notice}
          </Alert>
        )}
      </div>
      <EncodingQuestion readings={readings} answers={answers} onAnswer={onAnswer} />
      <AccentQuestions rows={plan.rows} answers={answers} onAnswer={onAnswer} />
      <OpenQuestions {...props} />
      <Summary plan={plan} counts={counts} answers={answers} onAnswer={onAnswer} />
      <div className={classes.bar}>
        <Button variant="default" onClick={props.onBack}>
          {m.menu_import_other_file()}
        </Button>
        {readings[0].match && (
          <Button variant="default" onClick={props.onMatch}>
            {m.menu_import_match_again()}
          </Button>
        )}
        <Button
          disabled={isEncodingOpen || plan.operations.length === 0}
          loading={isStarting}
          onClick={props.onConfirm}
        >
          {confirmWords(counts, answers.hidesMissing ? plan.missing.length : 0)}
        </Button>
      </div>
      {plan.operations.length === 0 && counts.refused === 0 && <p>{m.menu_import_nothing()}</p>}
      <p id={filterId} className="visually-hidden">
        {m.menu_import_show()}
      </p>
      <SegmentedControl
        aria-labelledby={filterId}
        className={classes.filter}
        value={shown}
        onChange={(value) => {
          // The cast is right: the control returns one of the values it was given.
          setShown(value as OutcomeFilter);
          setView({ ...view, page: 1 });
        }}
        data={(['all', 'refused', 'new', 'changed', 'same'] as const).map((value) => ({
          value,
          label: `${outcomeWords[value]()} (${value === 'all' ? plan.rows.length : counts[value]})`,
        }))}
      />
      <DataList
        label={m.menu_import_rows()}
        columns={plannedRowColumns(store.currency)}
        rows={rows.rows}
        rowId={(row) => `${importRowKey(row)} ${row.name}`}
        rowName={({ name, number }) => name || String(number)}
        view={{ ...view, page: rows.page }}
        onView={(part) => setView((before) => ({ ...before, page: 1, ...part }))}
        total={rows.total}
        pages={rows.pages}
        empty={<EmptyState title={m.menu_import_none_of_these()} />}
      />
    </div>
  );
}

function OpenQuestions({ store, readings, categories, plan, answers, onAnswer }: PreviewProps) {
  const { draft } = readings[answers.reading ?? 0] ?? readings[0];
  return (
    <>
      {draft && (
        <DoubtfulDishes
          draft={draft}
          answers={answers.draft}
          currency={store.currency}
          onAnswer={(changed) => onAnswer({ ...answers, draft: changed })}
        />
      )}
      {draft && <LeftOutLines draft={draft} />}
      <MissingCategoryField
        count={plan.withoutCategory}
        category={answers.category}
        known={categories}
        onCategory={(category) => onAnswer({ ...answers, category })}
      />
    </>
  );
}

interface SummaryProps extends Pick<PreviewProps, 'plan' | 'answers' | 'onAnswer'> {
  counts: Record<PlannedRow['outcome'], number>;
}

function Summary({ plan, counts, answers, onAnswer }: SummaryProps) {
  const broken = plan.rows.filter(
    (row) => row.outcome === 'refused' && !row.question && !row.isDoubtful && !isOnlyWithoutCategory(row),
  ).length;
  const options = plan.rows.filter(({ kind }) => kind === 'option').length;
  return (
    <>
      <p className={classes.summary}>
        {m.menu_import_summary({ added: counts.new, changed: counts.changed, same: counts.same })}
        {options > 0 && ` ${m.menu_import_summary_options({ count: options })}`}
      </p>
      {broken > 0 && (
        <Alert color="bad" className={classes.alert} title={m.menu_import_problems({ count: broken })}>
          <p>{m.menu_import_problems_words({ count: broken })}</p>
          <Button variant="default" onClick={() => void downloadProblems(plan)}>
            {m.menu_import_problems_download()}
          </Button>
        </Alert>
      )}
      {plan.unknown.length > 0 && (
        <p className={classes.hint}>{m.menu_import_unknown({ heads: plan.unknown.join(', ') })}</p>
      )}
      {plan.leftOut.length > 0 && (
        <p className={classes.hint}>{m.menu_import_left_out({ sheets: plan.leftOut.join(', ') })}</p>
      )}
      {plan.newCategories.length > 0 && (
        <p className={classes.hint}>{m.menu_import_new_categories({ names: plan.newCategories.join(', ') })}</p>
      )}
      {plan.leavesAllergensOpen && (
        <Checkbox
          checked={answers.statesAllergens}
          onChange={(event) => onAnswer({ ...answers, statesAllergens: event.currentTarget.checked })}
          label={m.menu_import_states_allergens()}
          description={m.menu_import_states_allergens_hint()}
        />
      )}
      {plan.missing.length > 0 && (
        <Checkbox
          checked={answers.hidesMissing}
          onChange={(event) => onAnswer({ ...answers, hidesMissing: event.currentTarget.checked })}
          label={m.menu_import_hide_missing({ count: plan.missing.length })}
          description={missingNames(plan)}
        />
      )}
    </>
  );
}

/** Whether the row's only problem is its category, which the page asks for above. */
function isOnlyWithoutCategory({ needsCategory, problems }: PlannedRow): boolean {
  return needsCategory === true && problems.length === 1;
}

function missingNames({ missing }: ImportPlan): string {
  const names = missing
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ');
  return missing.length > 5 ? m.menu_import_missing_more({ names, count: missing.length - 5 }) : names;
}

function confirmWords(counts: { new: number; changed: number; refused: number }, hidden: number): string {
  const rows = counts.new + counts.changed;
  const words =
    counts.refused > 0
      ? m.menu_import_confirm_some({ rows, refused: counts.refused })
      : m.menu_import_confirm({ rows });
  return hidden > 0 ? `${words}, ${m.menu_import_confirm_hide({ count: hidden })}` : words;
}

async function downloadProblems({ rows }: ImportPlan): Promise<void> {
  const { default: Papa } = await import('papaparse');
  const lines = rows.flatMap(({ sheet, number, name, problems }) =>
    problems.map(({ column, words }) => [sheet, String(number), name, column, words].map(escapeFormula)),
  );
  const heads = [m.menu_import_column_sheet(), m.menu_import_column_row(), m.menu_import_column_name()];
  const text = Papa.unparse([[...heads, m.menu_import_column_column(), m.menu_import_column_problem()], ...lines]);
  saveFile(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }), 'menu-problems.csv');
}

interface AnswerProps {
  answers: ImportAnswers;
  onAnswer: (answers: ImportAnswers) => void;
}

const encodingWords: Partial<Record<Encoding, () => string>> = {
  'windows-1252': m.menu_import_encoding_western,
  'windows-1250': m.menu_import_encoding_central,
  'iso-8859-2': m.menu_import_encoding_central,
  macintosh: m.menu_import_encoding_mac,
};

/** Asks which of several plausible encodings is right, without a default. A single encoding is only shown. */
function EncodingQuestion({ readings, answers, onAnswer }: AnswerProps & { readings: FileReadings }) {
  if (readings.length < 2) {
    const [only] = readings;
    return only.samples.length === 0 ? null : (
      <p className={classes.hint}>{m.menu_import_encoding_only({ samples: only.samples.join(' · ') })}</p>
    );
  }
  return (
    <section className={classes.question}>
      <Radio.Group
        label={m.menu_import_encoding_title()}
        description={`${m.menu_import_encoding_hint()} ${m.menu_import_encoding_neither()}`}
        value={answers.reading === null ? null : String(answers.reading)}
        // In another encoding the names may mean other dishes, so the answers about names are dropped.
        onChange={(index) => onAnswer({ ...answers, reading: Number(index), meant: {} })}
      >
        <Stack gap="xs" mt="sm">
          {readings.map(({ encoding, samples }, index) => (
            <Radio
              key={encoding}
              value={String(index)}
              label={samples.join(' · ')}
              description={encoding && encodingWords[encoding]?.()}
            />
          ))}
        </Stack>
      </Radio.Group>
    </section>
  );
}

type AskedRow = PlannedRow & { question: RowQuestion };
const maxShownAtFirst = 10;

/** Asks which part of the menu a row means, if the row's name differs only in accents from a part's name. */
function AccentQuestions({ rows, answers, onAnswer }: AnswerProps & { rows: readonly PlannedRow[] }) {
  const [shown, setShown] = useState(maxShownAtFirst);
  const asked = rows.filter((row): row is AskedRow => row.question !== undefined);
  if (asked.length === 0) return null;
  const isPlain = asked.every(({ question }) => question.choices.length === 1);
  const keepAll = (): void => {
    const all = asked.map(({ question: { key, choices } }) => [key, `keep ${choices[0]?.id}`] as const);
    onAnswer({ ...answers, meant: { ...answers.meant, ...Object.fromEntries(all) } });
  };
  return (
    <section className={classes.question}>
      <h3>{m.menu_import_meant_title({ count: asked.length })}</h3>
      <p>{m.menu_import_meant_hint()}</p>
      {asked.length > 1 && isPlain && (
        <Button variant="default" onClick={keepAll}>
          {m.menu_import_meant_all()}
        </Button>
      )}
      {asked.slice(0, shown).map((row) => (
        <AccentQuestion
          key={row.question.key}
          row={row}
          value={answers.meant[row.question.key] ?? null}
          onChange={(value) => onAnswer({ ...answers, meant: { ...answers.meant, [row.question.key]: value } })}
        />
      ))}
      {asked.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + maxShownAtFirst)}>
          {m.menu_import_meant_more({ count: asked.length - shown })}
        </Button>
      )}
    </section>
  );
}

interface WhichOneProps {
  row: AskedRow;
  value: RowAnswer | null;
  onChange: (value: RowAnswer) => void;
}

function AccentQuestion({ row: { sheet, number, question }, value, onChange }: WhichOneProps) {
  const place = sheet ? `${sheet}, ${number}` : String(number);
  const choices: [RowAnswer, string][] = [
    ...question.choices.flatMap(({ id, name: known }): [RowAnswer, string][] => [
      [`keep ${id}`, m.menu_import_meant_keep({ name: known })],
      [`rename ${id}`, m.menu_import_meant_rename({ name: known, typed: question.typed })],
    ]),
    ['new', m.menu_import_meant_new({ typed: question.typed })],
  ];
  return (
    <Radio.Group
      label={m.menu_import_meant_row({ name: question.typed, row: place })}
      value={value}
      // The cast is right: the group returns one of the values it was given.
      onChange={(chosen) => onChange(chosen as RowAnswer)}
    >
      <Stack gap="xs" mt="xs">
        {choices.map(([choice, label]) => (
          <Radio key={choice} value={choice} label={label} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
