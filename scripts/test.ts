import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { glob, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { readProcessorTimes } from '../src/testing/processor-time.ts';
import { useScratchFolder } from '../src/testing/scratch.ts';
import { recordingVariable } from '../src/testing/record-statements.ts';
import { standInsVariable } from '../src/testing/stand-ins.ts';
import { findChromium } from './find-chromium.ts';
import {
  printFailures,
  mergeRetry,
  emptyFailedReport,
  type Report,
  readJourneyTestReport,
  readJson,
  readUnitTestReport,
} from './test-reports.ts';
import { unitTimesFile } from './unit-times.ts';

// `npm test`: all tests. Unit and HTTP tests run in parallel with the journeys in a real browser, so that no core is
// idle. `npm test -- src/payment e2e/kitchen`: the tests whose path contains one of these. `HATCH_SIMULATORS=1 npm
// test`: adds the tests of the simulators of Stripe and printers, and uses Debian's programs instead of their
// stand-ins. Failures are retried once, one by one, and reported even if they then pass. At the end it lists the
// slowest files, the failures with their reasons, and the totals in one line.

interface Kind {
  name: string;
  /** The paths of this kind's test files, which the arguments filter. */
  files: string[];
  run(paths: string[], isAlone: boolean): Promise<Report>;
  /** Retries the failures one by one, with nothing in parallel. */
  again(first: Report): Promise<Report>;
}

/** The tests of the simulators, which run if a path names them, or with `HATCH_SIMULATORS`. */
const ofSimulators = 'simulators/**/*.test.ts';
const maxListed = 10;
const maxTestsWritten = 40;
/** The maximum number of failures to retry; more are no coincidence. */
const maxRunAgain = 3;
const say = (line: string) => console.log(`\n▸ ${line}`);

useScratchFolder();
const coresBefore = readCores();
const units: Kind = {
  name: 'units',
  files: ['src/**/*.test.ts', 'scripts/**/*.test.ts', ofSimulators],
  run: runVitest,
  again: filesAgain,
};
const journeys: Kind = { name: 'journeys', files: ['e2e/**/*.spec.ts'], run: runPlaywright, again: journeysAgain };
const withSimulators = process.env['HATCH_SIMULATORS'] === '1';
const asked = await choose(process.argv.slice(2));
if (!withSimulators) process.env[standInsVariable] = '1';

say('Building the pages');
if (spawnSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' }).status !== 0) {
  fail('The build failed.');
}
const chromium = asked.has(journeys) ? findChromium(say, { isWhole: false }) : '';
const wholeChromium = asked.has(journeys) ? findChromium(say) : '';
say([...asked.keys()].map((kind) => (kind === units ? 'Unit and HTTP tests' : `Journeys (${chromium})`)).join(', '));
const isWhole = [...asked.values()].every((paths) => paths.length === 0) && asked.size === 2;
const statements = join(tmpdir(), 'statements');
if (isWhole) process.env[recordingVariable] = statements;
const firstReports = await Promise.all([...asked].map(([kind, paths]) => kind.run(paths, asked.size === 1)));
// The times are read before the retries, because the cost of a test is that of its first run.
const processorTimes = readProcessorTimes();
const reports: Report[] = [];
for (const [index, kind] of [...asked.keys()].entries()) {
  reports.push(await runAgain(kind, firstReports[index] ?? emptyFailedReport));
}
if (isWhole) {
  say('How PostgreSQL would run what the tests had it do');
  // The module is imported here, because it reads code and messages that a clean checkout has only after the page
  // build.
  const { checkStatements } = await import('./check-statements.ts');
  reports.push(await checkStatements(statements));
}

const took = new Map(reports.flatMap((report) => [...report.took]));
const costs = [...took]
  .map(([file, seconds]) => ({ file, seconds, processor: processorTimes.get(file) ?? null }))
  .toSorted((a, b) => (b.processor ?? b.seconds) - (a.processor ?? a.seconds));
if (isWhole) {
  writeFileSync('dist/test-costs.json', `${JSON.stringify(costs, null, 1)}\n`);
  const slowest = reports.flatMap(({ tests }) => tests).toSorted((a, b) => b.seconds - a.seconds);
  writeFileSync('dist/slowest-tests.json', `${JSON.stringify(slowest.slice(0, maxTestsWritten), null, 1)}\n`);
}
const { idle, all } = readCores();
const idleShare = (idle - coresBefore.idle) / (all - coresBefore.all);
console.log(`\nThe cores were idle for ${(100 * idleShare).toFixed(0)} % of the time.`);
console.log('\nThe most expensive files, in seconds of processor and of time:');
for (const { file, seconds, processor } of costs.slice(0, maxListed)) {
  console.log(`${(processor?.toFixed(0) ?? '').padStart(6)} ${seconds.toFixed(0).padStart(6)}  ${file}`);
}
printFailures(
  'Failed at first, passed when run again alone:',
  reports.flatMap(({ passedAgain = [] }) => passedAgain),
);
printFailures(
  'Failed:',
  reports.flatMap(({ failures }) => failures),
);
const sum = (key: 'passed' | 'failed' | 'skipped') => reports.reduce((total, report) => total + report[key], 0);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
// A skipped test proves nothing, so it fails the run.
process.exit(sum('failed') + sum('skipped') > 0 || reports.some(({ passed }) => passed === 0) ? 1 : 0);

/** The processor time of all cores since the machine's start (ms): idle, and in total. */
function readCores(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, each) => sum + each, 0);
  return { idle: times.reduce((sum, each) => sum + each.idle, 0), all };
}

/**
 * Chooses the tests to run, by kind: all of both kinds unless paths are given. Ends the run if a path matches nothing.
 */
async function choose(paths: string[]): Promise<Map<Kind, string[]>> {
  const kinds = [journeys, units];
  if (paths.length === 0) return new Map(kinds.map((kind) => [kind, []]));
  const chosen = new Map<Kind, string[]>();
  for (const path of paths) {
    if (path.startsWith('-')) fail(`${path}: npm test takes paths only, such as src/payment or e2e/kitchen.`);
    const named = relative('.', path);
    let isKnown = false;
    for (const kind of kinds) {
      for await (const file of glob(kind.files)) {
        if (!file.includes(named)) continue;
        chosen.set(kind, [...(chosen.get(kind) ?? []), named]);
        isKnown = true;
        break;
      }
    }
    if (!isKnown) fail(`No test has ${path} in its path.`);
  }
  return chosen;
}

async function runVitest(paths: string[], isAlone: boolean): Promise<Report> {
  const file = join(tmpdir(), 'units.json');
  const leftOut = paths.length > 0 || withSimulators ? [] : [`--exclude=${ofSimulators}`];
  const args = [
    'run',
    ...paths,
    ...leftOut,
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/unit-times.ts',
  ];
  args.push(`--outputFile.json=${file}`);
  const isGood = await run(units, 'node_modules/vitest/vitest.mjs', args, {}, isAlone);
  const took = (await readJson<Record<string, number>>(unitTimesFile())) ?? {};
  return (await readUnitTestReport(file, isGood, new Map(Object.entries(took)))) ?? emptyFailedReport;
}

/** Retries the failures once, alone, so that load is not their cause. */
async function runAgain(kind: Kind, first: Report): Promise<Report> {
  if (first.failures.length === 0 || first.failures.length > maxRunAgain) return first;
  say(`What failed of the ${kind.name} again, alone`);
  return mergeRetry(first, await kind.again(first));
}

function filesAgain({ failures }: Report): Promise<Report> {
  return runVitest([...new Set(failures.map(({ file }) => file))], true);
}

function journeysAgain(): Promise<Report> {
  return runPlaywright(['--last-failed', '--workers=1'], true);
}

async function runPlaywright(more: string[], isAlone: boolean): Promise<Report> {
  const file = join(tmpdir(), 'journeys.json');
  const environment = {
    CHROMIUM_PATH: chromium,
    WHOLE_CHROMIUM_PATH: wholeChromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  };
  await rm(file, { force: true });
  const args = ['test', ...more, '--reporter=list,json'];
  const isGood = await run(journeys, 'node_modules/@playwright/test/cli.js', args, environment, isAlone);
  return (await readJourneyTestReport(file, isGood)) ?? emptyFailedReport;
}

/** Runs a script to its end. If two run in parallel, each line begins with its script's name. */
async function run(
  { name }: Kind,
  script: string,
  args: string[],
  environment: Record<string, string>,
  isAlone: boolean,
): Promise<boolean> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const ended = new Promise<boolean>((resolve) => child.once('close', (code) => resolve(code === 0)));
  for (const output of [child.stdout, child.stderr]) {
    if (output) createInterface({ input: output }).on('line', (line) => console.log(`${name.padEnd(8)} │ ${line}`));
  }
  return ended;
}

function fail(message: string): never {
  console.error(message);
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}
