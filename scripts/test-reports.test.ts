import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeRetry, emptyFailedReport, readUnitTestReport, type Report } from './test-reports.ts';

type Results = Record<string, { message?: string; tests: Record<string, 'passed' | 'failed' | 'skipped'> }>;

/** Vitest's report of such files. */
async function report(results: Results, isGood: boolean): Promise<Report> {
  const file = join(await mkdtemp(join(tmpdir(), 'reports-')), 'units.json');
  const statuses = Object.values(results).flatMap(({ tests }) => Object.values(tests));
  const count = (status: string) => statuses.filter((one) => one === status).length;
  const testResults = Object.entries(results).map(([name, { message = '', tests }]) => ({
    name: join(process.cwd(), name),
    message,
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({
      fullName,
      status,
      failureMessages: status === 'failed' ? [`${fullName} is wrong`] : [],
    })),
  }));
  const json = {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('skipped'),
    testResults,
  };
  await writeFile(file, JSON.stringify(json));
  const read = await readUnitTestReport(file, isGood, new Map());
  if (!read) throw new Error('There is a report.');
  return read;
}

const first: Results = {
  'src/a.test.ts': { tests: { one: 'passed', two: 'failed', three: 'failed' } },
  // Its hook failed, so none of its tests ran.
  'src/b.test.ts': { message: 'The hook took too long', tests: { one: 'skipped', two: 'skipped' } },
  'src/c.test.ts': { tests: { one: 'passed' } },
};
const counts = ({ passed, failed, skipped }: Report) => ({ passed, failed, skipped });

test('what passes when it is run again counts as passed and is named', async () => {
  const once = await report(first, false);
  expect(counts(once)).toEqual({ passed: 2, failed: 3, skipped: 2 });
  const again = await report(
    {
      'src/a.test.ts': { tests: { one: 'passed', two: 'passed', three: 'failed' } },
      'src/b.test.ts': { tests: { one: 'passed', two: 'passed' } },
    },
    false,
  );
  const merged = mergeRetry(once, again);
  expect(counts(merged)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(merged.failures.map(({ test }) => test)).toEqual(['src/a.test.ts: three']);
  expect(merged.passedAgain?.map(({ test }) => test)).toEqual(['src/a.test.ts: two', 'src/b.test.ts']);
});

test('an error outside the tests stays, whatever is run again', async () => {
  const once = await report({ 'src/c.test.ts': { tests: { one: 'passed' } } }, false);
  expect(counts(once)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(counts(mergeRetry(once, await report({}, true)))).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test('a second run that found no tests, or has no report, says nothing of what failed', async () => {
  const once = await report(first, false);
  for (const again of [await report({}, false), await report({}, true), emptyFailedReport]) {
    expect(mergeRetry(once, again)).toBe(once);
  }
});
