import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './find-chromium.ts';

/** Every test there is: unit and HTTP tests first, then the journeys in a real browser. Ends with one line of totals. */
const reports = mkdtempSync(join(tmpdir(), 'hatch-reports-'));
const say = (line: string) => console.log(`\n▸ ${line}`);

interface Totals {
  passed: number;
  failed: number;
}

say('Building the pages');
if (!run('scripts/build.ts', ['--if-needed'])) fail('The build failed.');
const chromium = findChromium(say, { isWhole: false });
say('Unit and HTTP tests');
const unit = runVitest();
say(`Journeys in a browser (${chromium})`);
const journeys = runPlaywright(chromium);

const passed = unit.passed + journeys.passed;
const failed = unit.failed + journeys.failed;
rmSync(reports, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || unit.passed === 0 || journeys.passed === 0 ? 1 : 0);

function runVitest(): Totals {
  const file = join(reports, 'unit.json');
  const isGood = run('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  const report = read<{ numPassedTests: number; numFailedTests: number; numFailedTestSuites: number }>(file);
  if (!report) return { passed: 0, failed: 1 };
  // A file that cannot even be loaded has no failed test of its own, and an error outside any test has none either.
  const failed = Math.max(report.numFailedTests, isGood ? 0 : 1);
  return { passed: report.numPassedTests, failed };
}

function runPlaywright(executable: string): Totals {
  const file = join(reports, 'journeys.json');
  const isGood = run('node_modules/@playwright/test/cli.js', ['test', '--reporter=list,json'], {
    CHROMIUM_PATH: executable,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const report = read<{ stats: { expected: number; unexpected: number; flaky: number } }>(file);
  if (!report) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky } = report.stats;
  return { passed: expected, failed: Math.max(unexpected + flaky, isGood ? 0 : 1) };
}

function run(script: string, args: string[], environment: Record<string, string> = {}): boolean {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return status === 0;
}

function read<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
}

function fail(message: string): never {
  console.error(message);
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}
