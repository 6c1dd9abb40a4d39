import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type PlantedBug, plantedBugs } from './planted-bugs.ts';

/** What is copied, so that nothing is changed here. */
const parts = ['src', 'package.json', 'vitest.config.ts', 'tsconfig.base.json', 'tsconfig.server.json'];
const suites = ['src/payment/server/', 'src/payment/payment-state.test.ts', 'src/payment/movements.test.ts'];
const model = 'payment-model.test.ts';
/** Milliseconds; a bug may also be found because something never ends. */
const longest = 15 * 60_000;

/**
 * Plants each bug of `planted-bugs.ts` in a copy of the shop, and runs the payment's tests on it:
 * `npm run soak -- planted [words of a bug]`. Returns whether each bug was found, and prints by which tests. A bug that does
 * not fit the code any more, and tests that fail without a bug, count as not found.
 */
export async function findPlantedBugs([words = '']: string[]): Promise<boolean> {
  const copy = await mkdtemp(join(tmpdir(), 'hatch-planted-'));
  try {
    for (const part of parts) await cp(part, join(copy, part), { recursive: true });
    await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    const before = await failures(copy);
    if (before.length > 0) {
      console.error(`These fail without any bug:\n${before.map((name) => `  ${name}`).join('\n')}`);
      return false;
    }
    let isGood = true;
    for (const planted of plantedBugs.filter(({ bug }) => bug.includes(words))) {
      const found = await tryBug(copy, planted);
      isGood &&= found;
    }
    return isGood;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function tryBug(copy: string, { bug, file, from, to }: PlantedBug): Promise<boolean> {
  const path = join(copy, file);
  const code = await readFile(path, 'utf8');
  if (code.split(from).length !== 2) {
    console.log(`${bug}: does not fit ${file} any more`);
    return false;
  }
  await writeFile(
    path,
    code.replace(from, () => to),
  );
  const found = await failures(copy);
  await writeFile(path, code);
  const byModel = found.filter((name) => name.includes(model));
  const byOthers = found.filter((name) => !name.includes(model));
  console.log(
    `${bug}: ${found.length === 0 ? 'NOT FOUND' : `the model ${byModel.length > 0 ? 'found it' : 'did not'}`}`,
  );
  for (const name of byOthers.slice(0, 3)) console.log(`    ${name}`);
  if (byOthers.length > 3) console.log(`    and ${byOthers.length - 3} more`);
  return found.length > 0;
}

interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** The tests that fail in the copy, as `file: name`. */
async function failures(copy: string): Promise<string[]> {
  const report = join(copy, 'report.json');
  await rm(report, { force: true });
  const args = [
    'run',
    ...suites,
    '--exclude',
    `${'src/payment/server'}/keys/**`,
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const child = spawn(resolve('node_modules/.bin/vitest'), args, {
    cwd: copy,
    stdio: 'ignore',
    env: { ...process.env, PAYMENT_MODEL_ONCE: '1' },
  });
  const timer = setTimeout(() => child.kill(), longest);
  await once(child, 'exit');
  clearTimeout(timer);
  const written = await readFile(report, 'utf8').catch(() => null);
  if (written === null) return ['all tests: they did not end'];
  // Written by Vitest just now.
  const { testResults } = JSON.parse(written) as Report;
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.slice(copy.length + 1);
    const failed = assertionResults
      .filter((one) => one.status === 'failed')
      .map(({ fullName }) => `${file}: ${fullName}`);
    return status === 'failed' && failed.length === 0 ? [`${file}: the whole file`] : failed;
  });
}
