import { Button, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import type { Encoding } from '#menu/web/import/decode-text.ts';
import classes from '#menu/web/import/import.module.css';
import type { ImportAnswers } from '#menu/web/import/import-steps.ts';
import type { Meant, PlannedRow, Question } from '#menu/import/planned-row.ts';
import type { FileReadings } from '#menu/web/import/read-sheets.ts';

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

/** Asks which reading of the file is right, if several are plausible; a single guess is shown. Nothing is chosen beforehand. */
export function WhichReading({ readings, answers, onAnswer }: AnswerProps & { readings: FileReadings }) {
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
        // Other letters may mean other dishes.
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

type AskedRow = PlannedRow & { question: Question };
const shownAtFirst = 10;

/** Asks which dishes the rows mean whose names differ from the menu by accents alone. */
export function WhichMeant({ rows, answers, onAnswer }: AnswerProps & { rows: readonly PlannedRow[] }) {
  const [shown, setShown] = useState(shownAtFirst);
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
        <WhichOne
          key={row.question.key}
          row={row}
          value={answers.meant[row.question.key] ?? null}
          onChange={(value) => onAnswer({ ...answers, meant: { ...answers.meant, [row.question.key]: value } })}
        />
      ))}
      {asked.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + shownAtFirst)}>
          {m.menu_import_meant_more({ count: asked.length - shown })}
        </Button>
      )}
    </section>
  );
}

interface WhichOneProps {
  row: AskedRow;
  value: Meant | null;
  onChange: (value: Meant) => void;
}

function WhichOne({ row: { sheet, number, question }, value, onChange }: WhichOneProps) {
  const place = sheet ? `${sheet}, ${number}` : String(number);
  const choices: [Meant, string][] = [
    ...question.choices.flatMap(({ id, name: known }): [Meant, string][] => [
      [`keep ${id}`, m.menu_import_meant_keep({ name: known })],
      [`rename ${id}`, m.menu_import_meant_rename({ name: known, typed: question.typed })],
    ]),
    ['new', m.menu_import_meant_new({ typed: question.typed })],
  ];
  return (
    <Radio.Group
      label={m.menu_import_meant_row({ name: question.typed, row: place })}
      value={value}
      // The group returns one of the values it was given.
      onChange={(chosen) => onChange(chosen as Meant)}
    >
      <Stack gap="xs" mt="xs">
        {choices.map(([choice, label]) => (
          <Radio key={choice} value={choice} label={label} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
