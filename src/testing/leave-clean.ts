import { afterAll, vi } from 'vitest';
import { refuseSecondConnections } from '#testing/one-connection.ts';

refuseSecondConnections();

// Files share their worker's globals and clock: what one changed is put right before the next begins.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.resetConfig();
});
