import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { testPageCharacters, testPageTableRange } from '#printing/paper/profiles.ts';
import type { Printer } from '#printing/printer.ts';
import { printerModelIdOf, printerTimeWords } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import { printLedgerQueryKey, showPrinterRefusal, usePrinterCalls } from '#printing/web/use-printers.ts';
import { Step, type StepState } from '#ui/web/office/step.tsx';
import { useQuery } from '@tanstack/react-query';
import type { Print } from '#ordering/print.ts';
import { api } from '#platform/web/api.ts';
import { printErrorWords } from '#printing/printer-rules.ts';
import type { Store } from '#store/contract.ts';

const numbers = Array.from(
  { length: testPageTableRange.to - testPageTableRange.from + 1 },
  (_, index) => testPageTableRange.from + index,
);
/** The names on the test page, such as `16B`, beside which `sign` is printed. */
const namesWith = (sign: string) =>
  numbers.flatMap((number) =>
    testPageCharacters.filter(({ text }) => text.includes(sign)).map(({ letter }) => `${number}${letter}`),
  );
const latin = namesWith('£');
const polish = namesWith('ł');

/**
 * A step that asks whether £, é and ł are right on the test page, and if not, which of the printer's tables print them.
 */
export function CharacterTablesStep({ printer }: { printer: Printer }) {
  const [answer, setAnswer] = useState<'right' | 'wrong' | null>(null);
  const last = useLastTest(printer);
  const tables = printer.profile.split(':')[1];
  const isPrinted = last?.status === 'printed' || last?.status === 'sent';
  const isDone = answer === 'right' || tables !== undefined;
  const words =
    tables === undefined
      ? answer === 'right'
        ? m.printing_office_step_letters_done()
        : m.printing_office_step_letters_hint()
      : m.printing_office_step_letters_chosen({ tables: tables.replaceAll(',', ', ') });
  return (
    <Step
      state={isDone ? 'done' : 'todo'}
      title={m.printing_office_step_letters()}
      text={words}
      below={answer === 'wrong' && <ChooseTables printer={printer} onDone={() => setAnswer(null)} />}
    >
      {isPrinted && !isDone && (
        <Button variant="default" onClick={() => setAnswer('right')}>
          {m.printing_office_step_letters_right()}
        </Button>
      )}
      {answer !== 'wrong' && (
        <Button variant="subtle" onClick={() => setAnswer('wrong')}>
          {m.printing_office_letters_wrong()}
        </Button>
      )}
    </Step>
  );
}

function ChooseTables({ printer, onDone }: { printer: Printer; onDone: () => void }) {
  const { id, profile, store_id: storeId } = printer;
  const { change, test } = usePrinterCalls(storeId);
  const chosen = profile.split(':')[1]?.split(',') ?? [];
  const [first, setFirst] = useState(chosen.find((name) => latin.includes(name)) ?? '');
  const [second, setSecond] = useState(chosen.find((name) => polish.includes(name)) ?? '');
  const save = (tables: string): void => {
    const wanted = tables === '' ? printerModelIdOf(profile) : `${printerModelIdOf(profile)}:${tables}`;
    const options = {
      onSuccess: () => {
        onDone();
        test.mutate(id);
      },
      onError: showPrinterRefusal,
    };
    change.mutate({ id, profile: wanted, was: { profile } }, options);
  };
  const names = (list: string[]) => [
    { value: '', label: m.printing_office_letters_nothing() },
    ...list.map((name) => ({ value: name, label: name })),
  ];
  return (
    <div className={classes.fields}>
      <p>{m.printing_office_letters_how()}</p>
      <NativeSelect
        label={m.printing_office_letters_latin()}
        value={first}
        data={names(latin)}
        onChange={(event) => setFirst(event.currentTarget.value)}
      />
      <NativeSelect
        label={m.printing_office_letters_polish()}
        value={second}
        data={names(polish)}
        onChange={(event) => setSecond(event.currentTarget.value)}
      />
      <p>{m.printing_office_letters_none()}</p>
      <div className={classes.buttons}>
        <Button
          loading={change.isPending}
          disabled={first === '' && second === ''}
          onClick={() => save([first, second].filter(Boolean).join(','))}
        >
          {m.printing_office_letters_save()}
        </Button>
        {chosen.length > 0 && (
          <Button variant="default" onClick={() => save('')}>
            {m.printing_office_letters_reset()}
          </Button>
        )}
        <Button variant="subtle" onClick={onDone}>
          {m.platform_cancel()}
        </Button>
      </div>
    </div>
  );
}

/** The printer's last test page; undefined: loading, null: no recent one. */
function useLastTest({ id }: Printer): Print | null | undefined {
  const { data } = useQuery({
    queryKey: [printLedgerQueryKey, 'test', id],
    queryFn: async ({ signal }) => {
      const { data: prints } = await api(
        'GET /v1/prints',
        { printer_id: id, per_page: 50 },
        { signal, timeout: 20_000 },
      );
      return prints.find(({ purpose }) => purpose === 'test') ?? null;
    },
  });
  return data;
}

export function TestPageStep({ printer, store }: { printer: Printer; store: Store }) {
  const { test } = usePrinterCalls(printer.store_id);
  const last = useLastTest(printer);
  const { state, words } = last ? outcomeOf(last, store) : { state: 'todo' as const, words: null };
  return (
    <Step
      state={state}
      title={m.printing_office_step_test()}
      text={<span aria-live="polite">{words ?? m.printing_office_step_test_hint()}</span>}
    >
      <Button
        variant={last ? 'default' : 'filled'}
        loading={test.isPending || state === 'wait'}
        onClick={() => test.mutate(printer.id)}
      >
        {last ? m.printing_office_test_again() : m.printing_office_test()}
      </Button>
    </Step>
  );
}

function outcomeOf(print: Print, store: Store): { state: StepState; words: string } {
  const at = (instant: string | null) => printerTimeWords(instant ?? print.created_at, store);
  if (print.status === 'printed') {
    return { state: 'done', words: m.printing_office_test_printed({ time: at(print.printed_at) }) };
  }
  if (print.status === 'sent' && print.ended_at !== null) {
    return { state: 'done', words: m.printing_office_test_sent({ time: at(print.sent_at) }) };
  }
  const isOver = print.ended_at !== null || print.status === 'failed' || print.status === 'unknown';
  return isOver
    ? {
        state: 'bad',
        words: m.printing_office_test_failed({ error: printErrorWords(print) ?? m.printing_fault_offline() }),
      }
    : { state: 'wait', words: m.printing_office_test_waits() };
}
