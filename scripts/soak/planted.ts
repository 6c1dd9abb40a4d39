import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PlantedBug } from './planted-bug.ts';
import { plantedBugs } from './planted-bugs.ts';

/** The paths that are copied, so that the bugs are planted outside of this checkout. */
const parts = ['src', 'simulators', 'package.json', 'vitest.config.ts', 'tsconfig.base.json', 'tsconfig.server.json'];
const suites = ['src/payment/server/', 'src/payment/payment-state.test.ts', 'src/payment/movements.test.ts'];
const model = 'src/payment/server/payment-model.test.ts';
/** The number of steps in which the model must find a bug. */
const modelSteps = 20_000;
/** A run of tests is killed after this time (ms), because a bug may cause a hang. */
const longest = 15 * 60_000;

/**
 * Plants each bug of `planted-bugs.ts` in a copy of the shop: `npm run soak -- planted [words of a bug] [model]`. It
 * looks for a failure in the bug's test file, then in the other payment tests, then in the model. With `model` only the
 * model runs. Prints a table row for each bug; returns whether all were found. A bug whose patch no longer applies
 * counts as not found. If the tests fail without a bug, returns false and plants none.
 */
export async function soakPlantedBugs([words = '', only]: string[]): Promise<boolean> {
  const chosen = plantedBugs.filter(({ bug }) => bug.includes(words));
  const copy = await mkdtemp(join(tmpdir(), 'hatch-planted-'));
  try {
    for (const part of parts) await cp(part, join(copy, part), { recursive: true });
    await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    const finders: Finder[] = [
      ({ test }: PlantedBug) => runTests(copy, [test]),
      () => runTests(copy, suites),
      () => runModel(copy),
    ].slice(only === 'model' ? -1 : 0);
    const before =
      only === 'model' ? await runModel(copy) : await runTests(copy, [...new Set(chosen.map(({ test }) => test))]);
    if (before !== null) {
      console.error(`This fails without any bug: ${before}`);
      return false;
    }
    console.log('| planted bug | what finds it first |\n|---|---|');
    let isGood = chosen.length > 0;
    for (const planted of chosen) isGood = (await tryBug(copy, planted, finders)) && isGood;
    return isGood;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Runs tests on a bug, and describes the failure; null: all passed. */
type Finder = (bug: PlantedBug) => Promise<string | null>;

async function tryBug(copy: string, planted: PlantedBug, finders: readonly Finder[]): Promise<boolean> {
  const { bug, also = [] } = planted;
  const before = new Map<string, string>();
  let found: string | null = null;
  try {
    for (const { file, from, to } of [planted, ...also]) {
      const path = join(copy, file);
      const code = await readFile(path, 'utf8');
      if (code.split(from).length !== 2) {
        console.log(`| ${bug} | does not fit ${file} any more |`);
        return false;
      }
      if (!before.has(path)) before.set(path, code);
      await writeFile(
        path,
        code.replace(from, () => to),
      );
    }
    for (const find of finders) found ??= await find(planted);
  } finally {
    for (const [path, code] of before) await writeFile(path, code);
  }
  console.log(`| ${bug} | ${found ?? 'nothing'} |`);
  return found !== null;
}

/** The step at which the model fails; null: it does not fail. */
async function runModel(copy: string): Promise<string | null> {
  const child = spawn(resolve('node_modules/.bin/vitest'), ['run', model], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PAYMENT_MODEL_ONCE: '1', PAYMENT_MODEL_STEPS: String(modelSteps), NO_COLOR: '1' },
  });
  let steps = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    steps = Number(/^(\d+) steps$/.exec(line)?.[1] ?? steps);
  });
  return (await hasPassed(child)) ? null : `the model, after ${steps} steps`;
}

interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** The first failing test, as `file: name`; null: all pass. */
async function runTests(copy: string, files: readonly string[]): Promise<string | null> {
  const report = join(copy, 'report.json');
  await rm(report, { force: true });
  // The long timeout keeps tests from failing on a slow machine.
  const args = [
    'run',
    ...files,
    '--exclude',
    model,
    '--bail=1',
    '--testTimeout=300000',
    '--hookTimeout=300000',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const child = spawn(resolve('node_modules/.bin/vitest'), args, { cwd: copy, stdio: 'ignore' });
  if (await hasPassed(child)) return null;
  const written = await readFile(report, 'utf8').catch(() => null);
  if (written === null) return 'they do not end';
  // The cast is safe, because Vitest has just written this file.
  const { testResults } = JSON.parse(written) as Report;
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ fullName, status }) =>
      status === 'failed' ? [`${name.slice(copy.length + 1)}: ${fullName}`] : [],
    ),
  );
  const file = testResults.find(({ status }) => status === 'failed');
  return failed[0] ?? (file ? `${file.name.slice(copy.length + 1)}: the whole file` : 'the tests do not start');
}

async function hasPassed(child: ReturnType<typeof spawn>): Promise<boolean> {
  const timer = setTimeout(() => child.kill(), longest);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return code === 0;
}
