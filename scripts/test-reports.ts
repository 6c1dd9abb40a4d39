import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What a run of tests comes to, read from the JSON reports of Vitest and Playwright. */
export interface Report {
  passed: number;
  failed: number;
  skipped: number;
  /** Seconds by file. */
  took: Map<string, number>;
  failures: Failure[];
  /** What failed beside the others and passed alone. */
  passedAgain?: Failure[];
}

export interface Failure {
  test: string;
  /** The first lines of its first error. */
  error: string;
}

export const noReport: Report = { passed: 0, failed: 1, skipped: 0, took: new Map(), failures: [] };
const errorLines = 12;

/** Reads Vitest's report; null if there is none. */
export async function readUnits(file: string, isGood: boolean, took: Map<string, number>): Promise<Report | null> {
  interface Json {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    testResults: {
      name: string;
      message: string;
      assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
    }[];
  }
  const report = await readJson<Json>(file);
  if (!report) return null;
  return {
    passed: report.numPassedTests,
    // A file that fails to load has no failed test of its own, and neither has an error outside any test.
    failed: Math.max(report.numFailedTests, isGood ? 0 : 1),
    skipped: report.numPendingTests,
    took,
    failures: report.testResults.flatMap(({ name, message, assertionResults }) => {
      const place = relative('.', name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (message && failed.length === 0) return [failure(place, message)];
      return failed.map((test) => failure(`${place}: ${test.fullName}`, test.failureMessages[0]));
    }),
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

/** Reads Playwright's report; null if there is none. */
export async function readJourneys(file: string, isGood: boolean): Promise<Report | null> {
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
    failures: files.flatMap(({ path, specs }) =>
      specs
        .filter(({ ok }) => !ok)
        .map((spec) => {
          const failed = resultsOf(spec).find(({ error }) => error);
          return failure(`${path}: ${spec.title}`, failed?.error?.message);
        }),
    ),
  };
}

const specsOf = ({ specs = [], suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)];
const resultsOf = ({ tests }: Spec) => tests.flatMap(({ results }) => results);
const addDuration = (sum: number, { duration }: { duration: number }) => sum + duration;

function failure(test: string, error = ''): Failure {
  const lines = stripVTControlCharacters(error).trim().split('\n');
  return { test, error: lines.slice(0, errorLines).join('\n') };
}

/** Prints nothing if there are none. */
export function listFailures(title: string, failures: Failure[]): void {
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
