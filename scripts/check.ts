import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import config from '../.dependency-cruiser.mjs';
import { chooseTests, type Imports } from './choose-tests.ts';

// `npm run check` runs types, lint, the folder order, format, and the tests of uncommitted changes. `npm run check --
// main` tests the changes since `main`. The run ends at the first failed step. The tests run in parallel with the other
// steps, because the tests are idle for a third of their time.

const base = process.argv[2] ?? 'HEAD';
const changed = changedSince(base);
const running = new Set<ChildProcess>();
process.once('SIGINT', () => end(130));
// The messages are compiled first, because the other steps need them.
await npmRun('messages');
const tests = chooseTests(changed, await readImports());
console.log(`\n${tests.length} files of tests belong to the ${changed.length} changed files.`);
await Promise.all([
  inTurn(),
  tests.length > 0 && npmRun('unit', [...tests, `--maxWorkers=${availableParallelism() + 1}`]),
]);

async function inTurn(): Promise<void> {
  for (const step of ['types', 'lint', 'floors']) await npmRun(step);
  await npmRun('format', ['--check']);
}

function changedSince(revision: string): string[] {
  const list = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...list('diff', '--name-only', revision), ...list('ls-files', '--others', '--exclude-standard')];
}

async function readImports(): Promise<Imports> {
  const options = { ...config.options, parser: 'swc', includeOnly: '^(src/|scripts/|simulators/|#)' } as const;
  const { output } = await cruise(['src', 'scripts', 'simulators'], options);
  // The cast is safe: the output is text only if another output type was requested.
  const { modules } = output as ICruiseResult;
  return new Map(modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]));
}

/** Runs a step, and prints its output when it ends. The first failed step ends the process. */
async function npmRun(step: string, args: readonly string[] = []): Promise<void> {
  const isOnWindows = process.platform === 'win32';
  const child = spawn('npm', ['run', '-s', step, '--', ...args], {
    stdio: step === 'unit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: isOnWindows,
    // The step has its own process group, so that the processes which npm starts end with it.
    detached: !isOnWindows,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (output += part));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  running.delete(child);
  process.stdout.write(output);
  if (status === 0) return;
  console.error(`\n${step} failed.`);
  end(status ?? 1);
}

function end(status: number): never {
  for (const { pid } of running) if (pid) process.kill(process.platform === 'win32' ? pid : -pid);
  process.exit(status);
}
