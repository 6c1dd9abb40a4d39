import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { useScratchFolder } from './src/testing/scratch.ts';

useScratchFolder();

export default defineConfig({
  test: {
    environment: 'node',
    allowOnly: false,
    globalSetup: ['src/testing/postgres.ts'],
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'simulators/**/*.test.ts'],
    // A worker loads the application once for all of its files.
    isolate: false,
    setupFiles: ['src/testing/leave-clean.ts'],
    // The default leaves one core of two to watching the files.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    // Tests wait for events, which come late on a busy machine: limits only end what hangs.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
  },
});
