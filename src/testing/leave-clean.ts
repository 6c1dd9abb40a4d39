import '#testing/calendar-clock.ts';
import { afterAll, expect, vi } from 'vitest';
import { programPriority } from '#backup/server/run-backup-program.ts';
import { hashCost, minHashCost } from '#accounts/server/hash-password.ts';
import { onDemandProcessPriority } from '#platform/server/on-demand-process.ts';
import { isDrawingMany, pureDraws } from '#testing/draws.ts';
import { isRecording, recordingVariable, recordStatements } from '#testing/record-statements.ts';
import { refuseSecondConnections } from '#testing/one-connection.ts';
import { noteProcessorTime, spentBy } from '#testing/processor-time.ts';
import { takeDatabaseTime } from '#testing/test-database.ts';

refuseSecondConnections();
const folder = process.env[recordingVariable];
// The files of one worker share it.
if (folder && !isRecording()) recordStatements(folder);

// A digest takes a twentieth of a second at the product's cost, which the tests that are about it put back.
Object.assign(hashCost, { ...minHashCost, memory: 8, passes: 1 });

// On two full cores, processes of a lower priority would hardly run.
programPriority.niceness = 0;
onDemandProcessPriority.niceness = 0;

if (isDrawingMany) await import('fast-check').then((fc) => fc.configureGlobal({ numRuns: pureDraws }));

// The hooks of a file end with the first one: here its databases are dropped.
const before = spentBy('self');
afterAll(() => {
  const after = spentBy('self');
  const { testPath } = expect.getState();
  if (!before || !after || !testPath) return;
  noteProcessorTime(testPath, after.own + after.reaped - before.own - before.reaped + takeDatabaseTime());
});

// The files of one worker share their globals and clock: changes of one file are reset before the next one.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.resetConfig();
});
