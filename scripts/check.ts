import { execFileSync, spawnSync } from 'node:child_process';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import config from '../.dependency-cruiser.mjs';
import { chooseTests, type Imports } from './choose-tests.ts';

// `npm run check`: types, lint, the order of the folders, format, and the tests of what is not committed yet;
// `npm run check -- main` takes what has changed since `main`. Ends at the first step that fails.

const base = process.argv[2] ?? 'HEAD';
const changed = changedSince(base);
for (const step of ['messages', 'types', 'lint', 'floors']) run('npm', ['run', '-s', step]);
run('npm', ['run', '-s', 'format', '--', '--check']);
const tests = chooseTests(changed, await readImports());
console.log(`\n${tests.length} files of tests belong to the ${changed.length} changed files.`);
if (tests.length > 0) run('npm', ['run', '-s', 'unit', '--', ...tests]);

/** Also the files that git does not track yet. */
function changedSince(revision: string): string[] {
  const list = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...list('diff', '--name-only', revision), ...list('ls-files', '--others', '--exclude-standard')];
}

async function readImports(): Promise<Imports> {
  const options = { ...config.options, parser: 'swc', includeOnly: '^(src/|scripts/|simulators/|#)' } as const;
  const { output } = await cruise(['src', 'scripts', 'simulators'], options);
  // It is a text only when another type of output is asked for.
  const { modules } = output as ICruiseResult;
  return new Map(modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]));
}

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
