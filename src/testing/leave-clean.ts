import { afterAll, vi } from 'vitest';
import { refuseSecondConnections } from '#testing/one-connection.ts';

refuseSecondConnections();

// The files of one worker share their globals and clock: changes of one file are reset before the next one.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.resetConfig();
});
