import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import type { Print } from '#ordering/print.ts';
import { api } from '#platform/web/api.ts';
import { troubleWords } from '#printing/printer-rules.ts';
import type { Printer } from '#printing/printer.ts';
import { momentWords } from '#printing/web/printer-words.ts';
import { ledgerKey, usePrinterCalls } from '#printing/web/use-printers.ts';
import type { Store } from '#store/contract.ts';
import { Step, type StepState } from '#ui/web/office/step.tsx';

/** The printer's last test page; undefined while unknown, null: there was none lately. */
export function useLastTest({ id }: Printer): Print | null | undefined {
  const { data } = useQuery({
    queryKey: [ledgerKey, 'test', id],
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

/** Prints the test page, and shows its outcome. */
export function TestStep({ printer, store }: { printer: Printer; store: Store }) {
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
  const at = (instant: string | null) => momentWords(instant ?? print.created_at, store);
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
        words: m.printing_office_test_failed({ error: troubleWords(print) ?? m.printing_fault_offline() }),
      }
    : { state: 'wait', words: m.printing_office_test_waits() };
}
