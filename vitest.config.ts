import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['src/testing/postgres.ts'],
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
    // The default leaves one core of two to watching the files.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
