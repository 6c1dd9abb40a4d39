import { Button } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { faultWords } from '#printing/printer-rules.ts';
import type { Printer } from '#printing/printer.ts';
import type { Heard } from '#printing/web/lan/lan-answer.ts';
import { askPrinter } from '#printing/web/lan/lan-printer.ts';
import { reportCondition } from '#printing/web/lan/report-condition.ts';
import { unreachedWords } from '#printing/web/lan/unreached-words.ts';
import { useLocalAccess } from '#printing/web/lan/use-local-access.ts';
import { Step, type StepState } from '#ui/web/office/step.tsx';

/** Whether this browser reaches the printer, and else why not. */
export function ReachStep({ printer }: { printer: Printer }) {
  const access = useLocalAccess();
  const [heard, setHeard] = useState<Heard | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = async (): Promise<void> => {
    setAsking(true);
    const found = await askPrinter(printer);
    setHeard(found);
    setAsking(false);
    if ('answer' in found) await reportCondition(printer, found.answer.condition);
  };
  const { state, words } = reachOf(printer, heard);
  const isExplained = heard === null && (access === 'prompt' || access === 'denied' || access === 'lacking');
  return (
    <Step
      state={state}
      title={m.printing_office_step_reach()}
      text={<span aria-live="polite">{words ?? m.printing_office_step_reach_hint()}</span>}
      below={
        isExplained && (
          <p>
            {access === 'prompt'
              ? m.printing_browser_prompt()
              : unreachedWords(access === 'denied' ? 'refused' : 'lacking', printer)}
          </p>
        )
      }
    >
      <Button variant={heard ? 'default' : 'filled'} loading={isAsking} onClick={() => void ask()}>
        {heard ? m.printing_browser_try() : m.printing_office_reach()}
      </Button>
    </Step>
  );
}

function reachOf(printer: Printer, heard: Heard | null): { state: StepState; words: string | null } {
  if (heard === null) return { state: printer.status.last_seen_at === null ? 'todo' : 'done', words: null };
  if ('unreached' in heard) return { state: 'bad', words: unreachedWords(heard.unreached, printer, heard.detail) };
  const { fault, detail } = heard.answer.condition;
  if (fault !== null) return { state: 'bad', words: faultWords(fault, detail ?? null) };
  return { state: 'done', words: m.printing_office_step_reach_done() };
}
