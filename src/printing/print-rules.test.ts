import { describe, expect, it } from 'vitest';
import {
  willBeMarkedDuplicate,
  printStepAfterAttempt,
  duePrintEvent,
  printExpiry,
  shouldRetryPrint,
  mayBePrintedAlready,
  mayMoveToBackupPrinter,
  findPrintTransition,
  printBackoffMs,
  printEvents,
  printTransitions,
} from '#printing/print-rules.ts';
import { PrintPurpose, PrintStatus } from '#ordering/print.ts';

const everyMove = PrintStatus.options.flatMap((from) =>
  printEvents.flatMap((event) => {
    const move = findPrintTransition({ status: from, ended_at: null }, event);
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
      for (const status of reached) Object.values(printTransitions[status]).forEach(({ to }) => reached.add(to));
      expect(everyMove.some(({ from, ends }) => reached.has(from) && ends)).toBe(true);
    },
  );

  it('changes nothing that is over, except by the late word of a printer', () => {
    const changed = PrintStatus.options.flatMap((status) =>
      printEvents.flatMap((event) =>
        findPrintTransition({ status, ended_at: new Date() }, event) ? [`${status} ${event}`] : [],
      ),
    );
    expect(changed).toEqual(['unknown printed']);
  });

  it('marks a duplicate exactly when an earlier paper is possible', () => {
    expect([0, 1, 2].map((unsure) => mayBePrintedAlready({ unsure }))).toEqual([false, true, true]);
  });
});

describe('whether the last paper is marked', () => {
  const receipt = { purpose: 'receipt', ended_at: null, is_marked: false } as const;

  it.each([
    ['the first one, printed', { status: 'sent', unsure: 0 }, 'printed', false],
    ['the first one, without a word', { status: 'sent', unsure: 0 }, 'unanswered', false],
    ['the second one, printed', { status: 'sent', unsure: 1 }, 'printed', true],
    ['the second one, without a word', { status: 'sent', unsure: 1 }, 'unanswered', true],
    ['the second one, which did not come out', { status: 'sent', unsure: 1 }, 'refused', false],
    ['the second one, on its way', { status: 'queued', unsure: 1 }, 'lease', false],
    ['the first one, of which the word comes late', { status: 'unknown', unsure: 1 }, 'printed', false],
    [
      'the second one, which did not come out after all',
      { status: 'unknown', unsure: 2, is_marked: true },
      'refused',
      false,
    ],
    [
      'the third one, which did not come out after all',
      { status: 'unknown', unsure: 3, is_marked: true },
      'refused',
      true,
    ],
    ['a test page', { status: 'sent', unsure: 1, purpose: 'test' }, 'unanswered', false],
  ] as const)('%s', (_, change, event, isMarked) => {
    expect(willBeMarkedDuplicate({ ...receipt, ...change }, event)).toBe(isMarked);
  });
});

describe('trying again', () => {
  const receipt = { purpose: 'receipt', fault: 'other' } as const;
  const cases = PrintPurpose.options.flatMap((purpose) => [
    `${purpose}: ${shouldRetryPrint({ purpose, status: 'failed', unsure: 0, fault: 'busy' })} ${shouldRetryPrint({ purpose, status: 'unknown', unsure: 1, fault: 'busy' })}`,
  ]);

  it('is for receipts, baskets and slips; a drawer that may be open stays as it is', () => {
    expect(cases).toEqual([
      'receipt: true true',
      'draft: true true',
      'test: false false',
      'drawer: true false',
      'cancellation: true true',
      'promise: true true',
    ]);
  });

  it('ends after three papers that nobody is sure of', () => {
    const isTried = [1, 2, 3].map((unsure) => shouldRetryPrint({ ...receipt, status: 'unknown', unsure }));
    expect(isTried).toEqual([true, true, false]);
    expect(shouldRetryPrint({ ...receipt, status: 'failed', unsure: 3 })).toBe(true);
  });

  it('is no use for a copy that cannot be made', () => {
    expect(shouldRetryPrint({ ...receipt, status: 'failed', unsure: 0, fault: 'unreadable' })).toBe(false);
  });

  it('takes longer each time, and at most a minute', () => {
    expect([1, 2, 3, 4, 5, 40].map(printBackoffMs)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('is for another printer only where the paper is what matters', () => {
    expect(PrintPurpose.options.filter((purpose) => mayMoveToBackupPrinter({ purpose }))).toEqual([
      'receipt',
      'draft',
      'cancellation',
      'promise',
    ]);
  });
});

it('a copy is of use for half an hour after it was due, a drawer for half a minute', () => {
  const due = new Date('2026-11-21T18:00:00Z');
  const minutes = PrintPurpose.options.map((purpose) => (printExpiry(purpose, due).getTime() - due.getTime()) / 60_000);
  expect(minutes).toEqual([30, 30, 2, 0.5, 30, 30]);
});

describe('what time and attempts do to a print', () => {
  const now = new Date('2026-11-21T18:00:00Z');
  const earlier = new Date('2026-11-21T17:59:00Z');
  const later = new Date('2026-11-21T18:01:00Z');
  const waiting = {
    purpose: 'receipt',
    status: 'queued',
    ended_at: null,
    unsure: 0,
    attempts: 1,
    fault: null,
    read_at: null,
    expires_at: later,
    lease_until: null,
    retry_at: null,
  } as const;

  it.each([
    ['waits', {}, null],
    ['is of no use any more', { expires_at: now }, 'expire'],
    ['was read', { read_at: earlier }, 'read'],
    ['is in the hands of a device', { status: 'claimed', lease_until: later, expires_at: earlier }, null],
    ['was taken and never sent', { status: 'claimed', lease_until: now }, 'lapse'],
    ['is being printed', { status: 'sent', lease_until: later, read_at: earlier }, null],
    ['had no answer', { status: 'sent', lease_until: now }, 'unanswered'],
    ['pauses', { status: 'failed', retry_at: later }, null],
    ['has paused', { status: 'unknown', retry_at: now }, 'retry'],
    ['has paused for too long', { status: 'failed', retry_at: now, expires_at: now }, 'expire'],
    ['is over', { status: 'unknown', retry_at: now, ended_at: earlier }, null],
  ] as const)('one that %s', (_, change, event) => {
    expect(duePrintEvent({ ...waiting, ...change }, now)).toBe(event);
  });

  it.each([
    ['failed is tried after a pause', { status: 'failed' }, new Date('2026-11-21T18:00:05Z')],
    ['failed for the third time is tried later', { status: 'failed', attempts: 3 }, new Date('2026-11-21T18:00:20Z')],
    ['was read meanwhile is left', { status: 'failed', read_at: earlier }, 'read'],
    ['is of no use any more is left', { status: 'unknown', unsure: 1, expires_at: earlier }, 'expire'],
    ['may be on three papers is left', { status: 'unknown', unsure: 3 }, 'give_up'],
  ] as const)('one that %s', (_, change, next) => {
    expect(printStepAfterAttempt({ ...waiting, ...change }, now)).toEqual(next);
  });
});
