import { expect, test } from '@playwright/test';
import { soakPrintJobs } from '../scripts/soak/printing.ts';

test('printers of every kind, two instances that are killed, and faults: every job is on paper, none twice unmarked', async () => {
  test.setTimeout(300_000);
  expect(await soakPrintJobs(['16', '7'])).toBe(true);
});
