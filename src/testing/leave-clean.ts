import { afterAll, vi } from 'vitest';
import { isRecording, recordingVariable, recordStatements } from '#testing/record-statements.ts';
import { refuseSecondConnections } from '#testing/one-connection.ts';

refuseSecondConnections();
const folder = process.env[recordingVariable];
// The files of one worker share it.
if (folder && !isRecording()) recordStatements(folder);

// The files of one worker share their globals and clock: changes of one file are reset before the next one.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.resetConfig();
});
