import { describe, expect, it } from 'vitest';
import {
  expiryOf,
  isTriedAgain,
  mayBeOnPaper,
  mayMove,
  movePrint,
  pauseAfter,
  printEvents,
  printMoves,
} from '#printing/print-rules.ts';
import { PrintPurpose, PrintStatus } from '#ordering/print.ts';

const everyMove = PrintStatus.options.flatMap((from) =>
  printEvents.flatMap((event) => {
    const move = movePrint({ status: from, ended_at: null }, event);
    return move ? [{ from, event, ...move }] : [];
  }),
);

describe('the print ledger', () => {
  it('has these moves and no others', () => {
    expect(everyMove.map(({ from, event, to, ends }) => `${from} ${event} ${to}${ends ? '.' : ''}`)).toEqual([
      'queued lease claimed',
      'queued printed printed.',
      'queued move failed.',
      'queued give_up failed.',
      'queued expire expired.',
      'queued read expired.',
      'claimed lapse queued',
      'claimed send sent',
      'claimed printed printed.',
      'claimed refused failed',
      'claimed unanswered unknown',
      'sent printed printed.',
      'sent handed_over sent.',
      'sent refused failed',
      'sent unanswered unknown',
      'failed retry queued',
      'failed move failed.',
      'failed give_up failed.',
      'failed expire expired.',
      'failed read expired.',
      'unknown printed printed.',
      'unknown refused failed',
      'unknown retry queued',
      'unknown move unknown.',
      'unknown give_up unknown.',
      'unknown expire unknown.',
      'unknown read unknown.',
    ]);
  });

  it('calls a print printed only on the word of the printer', () => {
    expect(new Set(everyMove.filter(({ to }) => to === 'printed').map(({ event }) => event))).toEqual(
      new Set(['printed']),
    );
  });

  it('sends nothing twice without counting the first time as unsure, unless the printer refused it', () => {
    const again = everyMove.filter(({ from, to }) => from === 'sent' && to !== 'sent' && to !== 'printed');
    expect(again.map(({ event, unsure }) => [event, unsure])).toEqual([
      ['refused', undefined],
      ['unanswered', 1],
    ]);
    const unsure = everyMove.filter((move) => move.unsure === -1).map(({ from, event }) => `${from} ${event}`);
    expect(unsure).toEqual(['unknown refused']);
  });

  it.each(PrintStatus.options.filter((status) => status !== 'printed' && status !== 'expired'))(
    'brings a print that is %s to an end',
    (start) => {
      const reached = new Set<PrintStatus>([start]);
      for (const status of reached) Object.values(printMoves[status]).forEach(({ to }) => reached.add(to));
      expect(everyMove.some(({ from, ends }) => reached.has(from) && ends)).toBe(true);
    },
  );

  it('changes nothing that is over, except by the late word of a printer', () => {
    const changed = PrintStatus.options.flatMap((status) =>
      printEvents.flatMap((event) =>
        movePrint({ status, ended_at: new Date() }, event) ? [`${status} ${event}`] : [],
      ),
    );
    expect(changed).toEqual(['unknown printed']);
  });

  it('marks a duplicate exactly when an earlier paper is possible', () => {
    expect([0, 1, 2].map((unsure) => mayBeOnPaper({ unsure }))).toEqual([false, true, true]);
  });
});

describe('trying again', () => {
  const cases = PrintPurpose.options.flatMap((purpose) => [
    `${purpose}: ${isTriedAgain({ purpose, status: 'failed', unsure: 0 })} ${isTriedAgain({ purpose, status: 'unknown', unsure: 1 })}`,
  ]);

  it('is for receipts and baskets; a drawer that may be open stays as it is', () => {
    expect(cases).toEqual(['receipt: true true', 'draft: true true', 'test: false false', 'drawer: true false']);
  });

  it('ends after three papers that nobody is sure of', () => {
    const isTried = [1, 2, 3].map((unsure) => isTriedAgain({ purpose: 'receipt', status: 'unknown', unsure }));
    expect(isTried).toEqual([true, true, false]);
    expect(isTriedAgain({ purpose: 'receipt', status: 'failed', unsure: 3 })).toBe(true);
  });

  it('takes longer each time, and at most a minute', () => {
    expect([1, 2, 3, 4, 5, 40].map(pauseAfter)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('is for another printer only where the paper is what matters', () => {
    expect(PrintPurpose.options.filter((purpose) => mayMove({ purpose }))).toEqual(['receipt', 'draft']);
  });
});

it('a copy is of use for half an hour after it was due, a drawer for half a minute', () => {
  const due = new Date('2026-11-21T18:00:00Z');
  const minutes = PrintPurpose.options.map((purpose) => (expiryOf(purpose, due).getTime() - due.getTime()) / 60_000);
  expect(minutes).toEqual([30, 30, 2, 0.5]);
});
