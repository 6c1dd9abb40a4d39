import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Report extends Counts {
  /** The duration of each file (s). */
  took: Map<string, number>;
  tests: TestTime[];
  failures: Failure[];
  /**
   * The counts of the first run in the files with a failure, including passed tests. The retry runs these files again
   * as a whole, so `mergeRetry` replaces these counts by the retry's.
   */
  again: Counts;
  /** Tests that failed in parallel with others, and passed alone. */
  passedAgain?: Failure[];
}

export interface TestTime {
  test: string;
  seconds: number;
}

export interface Failure {
  file: string;
  test: string;
  /** The first lines of the test's first error. */
  error: string;
}

const none: Counts = { passed: 0, failed: 0, skipped: 0 };
export const emptyFailedReport: Report = { ...none, failed: 1, took: new Map(), tests: [], failures: [], again: none };
const errorLines = 12;

/** Reads Vitest's report; null: there is none. */
export async function readUnitTestReport(
  file: string,
  isGood: boolean,
  took: Map<string, number>,
): Promise<Report | null> {
  interface Json {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    testResults: {
      name: string;
      message: string;
      assertionResults: { status: string; fullName: string; failureMessages: string[]; duration?: number | null }[];
    }[];
  }
  const report = await readJson<Json>(file);
  if (!report) return null;
  const files = report.testResults.map(({ name, message, assertionResults }) => {
    const file = relative('.', name);
    const count = (wanted: string) => assertionResults.filter(({ status }) => status === wanted);
    const failed = count('failed');
    // A file that fails to load contains no failed test, so the file counts as the failure.
    const failures =
      message && failed.length === 0
        ? [failure(file, '', message)]
        : failed.map((test) => failure(file, test.fullName, test.failureMessages[0]));
    const [passed, failing] = [count('passed').length, failures.length];
    return { failures, counts: { passed, failed: failing, skipped: assertionResults.length - passed - failed.length } };
  });
  const failed = files.reduce((sum, { failures }) => sum + failures.length, 0);
  return {
    passed: report.numPassedTests,
    // An error outside any test fails the run.
    failed: Math.max(failed, isGood ? 0 : 1),
    skipped: report.numPendingTests,
    took,
    tests: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => timed(relative('.', name), fullName, duration ?? 0)),
    ),
    failures: files.flatMap(({ failures }) => failures),
    again: files.reduce((sum, { failures, counts }) => (failures.length > 0 ? add(sum, counts) : sum), none),
  };
}

const add = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** Merges the reports of a run and its retry. A retry that failed outside its tests, or found no test, is ignored. */
export function mergeRetry(first: Report, again: Report): Report {
  if (again.failed > again.failures.length || again.passed + again.failed === 0) return first;
  const isFailed = new Set(again.failures.map(({ test }) => test));
  return {
    ...first,
    passed: first.passed - first.again.passed + again.passed,
    failed: first.failed - first.again.failed + again.failed,
    skipped: first.skipped - first.again.skipped + again.skipped,
    failures: again.failures,
    passedAgain: first.failures.filter(({ test }) => !isFailed.has(test)),
  };
}

interface Spec {
  title: string;
  ok: boolean;
  tests: { results: { duration: number; error?: { message?: string } }[] }[];
}

interface Suite {
  specs?: Spec[];
  suites?: Suite[];
}

/** Reads Playwright's report; null: there is none. */
export async function readJourneyTestReport(file: string, isGood: boolean): Promise<Report | null> {
  interface Json {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    suites: (Suite & { file: string })[];
  }
  const report = await readJson<Json>(file);
  if (!report) return null;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const files = report.suites.map((suite) => ({ path: join('e2e', suite.file), specs: specsOf(suite) }));
  return {
    passed: expected,
    failed: Math.max(unexpected + flaky, isGood ? 0 : 1),
    skipped,
    took: new Map(files.map(({ path, specs }) => [path, specs.flatMap(resultsOf).reduce(addDuration, 0) / 1000])),
    tests: files.flatMap(({ path, specs }) =>
      specs.map((spec) => timed(path, spec.title, resultsOf(spec).reduce(addDuration, 0))),
    ),
    failures: files.flatMap(({ path, specs }) =>
      specs
        .filter(({ ok }) => !ok)
        .map((spec) => {
          const failed = resultsOf(spec).find(({ error }) => error);
          return failure(path, spec.title, failed?.error?.message);
        }),
    ),
    again: { ...none, failed: unexpected + flaky },
  };
}

const specsOf = ({ specs = [], suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)];
const resultsOf = ({ tests }: Spec) => tests.flatMap(({ results }) => results);
const addDuration = (sum: number, { duration }: { duration: number }) => sum + duration;

function timed(file: string, title: string, milliseconds: number): TestTime {
  return { test: `${file}: ${title}`, seconds: Math.round(milliseconds) / 1000 };
}

function failure(file: string, title: string, error = ''): Failure {
  const lines = stripVTControlCharacters(error).trim().split('\n');
  return { file, test: title ? `${file}: ${title}` : file, error: lines.slice(0, errorLines).join('\n') };
}

export function printFailures(title: string, failures: Failure[]): void {
  if (failures.length > 0) console.log(`\n${title}`);
  for (const { test, error } of failures) console.log(`  ${test}\n${error.replaceAll(/^/gm, '      ')}`);
}

export async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
