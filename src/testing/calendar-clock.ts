import { databaseEnvironment } from '#database/embedded/process.ts';
import { replaceNow } from '#testing/replace-now.ts';

/** Seconds by which a run of the calendar soak moves the clocks of Node and of PostgreSQL. */
export const calendarVariable = 'HATCH_CALENDAR_SECONDS';

// Loaded before everything else (`node --import`), and again by Vitest, whose modules are instances of their own.
const seconds = Number(process.env[calendarVariable] ?? 0);
if (seconds > 0) {
  moveDate(seconds * 1000);
  Object.assign(databaseEnvironment, {
    // Debian's package; Node itself hangs under it.
    LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
    FAKETIME: `+${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  });
}

function moveDate(ahead: number): void {
  const mark = Symbol.for('hatch calendar');
  if (Object.hasOwn(globalThis, mark)) return;
  Object.defineProperty(globalThis, mark, { value: true });
  replaceNow((real) => real + ahead);
}
