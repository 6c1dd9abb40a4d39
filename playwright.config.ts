import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { useScratchFolder } from './src/testing/scratch.ts';

useScratchFolder();

/** Flags of every browser. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  // Drawn without a compositor and by one thread, a journey takes a twentieth less processor.
  '--disable-gpu-compositing',
  '--num-raster-threads=1',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--autoplay-policy=no-user-gesture-required',
];

/** Journeys in a real browser, each file of them on the demo shop as it was opened. `npm test` says which Chromium. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/prepare.ts',
  // Each is a browser, a server and a database: a gigabyte. A third of a journey is waiting, which another fills.
  workers: Math.min(4, availableParallelism() + 1),
  timeout: 240_000,
  forbidOnly: true,
  retries: 0,
  // Journeys wait for events, which come late on a busy machine: limits only end what hangs.
  expect: { timeout: 30_000 },
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // A trace of every journey costs more than the journey: `--trace on` records the one that is looked into.
    trace: 'off',
    // It keeps every later page's code on a first visit, a fifth of a journey's time. Those about it allow it, and those
    // that go the whole way from the menu to the order.
    serviceWorkers: 'block',
    // Every frame of an animation is drawn by the processor: a tenth of a journey. Those that go the whole way have them.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: browserArgs,
    },
  },
});
