import { readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LockedPackage, findPackagesWithoutIntegrity } from './lockfile.ts';

/**
 * Compares the size of an install, and the number of the build's code lines, with their limits: `npm run budgets --
 * install`, after `npm ci`. `running` is an install by `npm ci --omit=dev`, whose pages were built elsewhere.
 */
const most = { packages: 460, megabytes: 648, running: 350, buildLines: 150 };

const faults: string[] = [];
const installed = Object.entries(readLockfile('node_modules/.package-lock.json'));
const sizes = await Promise.all(installed.map(([path]) => sizeOf(path)));
const sum = (isCounted: (entry: LockedPackage) => boolean) =>
  installed.reduce((total, [, entry], at) => total + (isCounted(entry) ? (sizes[at] ?? 0) : 0), 0) / 1024 ** 2;
report('packages that npm ci installs', installed.length, most.packages);
report(
  'MB of them',
  sum(() => true),
  most.megabytes,
);
report(
  'MB of those that running needs',
  sum(({ dev, devOptional }) => !dev && !devOptional),
  most.running,
);
report('lines of vite.config.ts and what it loads', countLines(filesOf('vite.config.ts')), most.buildLines);

const lockfiles = [
  '.',
  'bench/tools',
  'scripts/stripe-schemas/generator',
  'scripts/mail-look/generator',
  'scripts/common-passwords/generator',
];
for (const file of lockfiles.map((folder) => `${folder}/package-lock.json`)) {
  for (const folder of findPackagesWithoutIntegrity(readLockfile(file))) {
    faults.push(`${file} has no integrity for ${folder}. Run: npm run lockfix`);
  }
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}

function readLockfile(file: string): Record<string, LockedPackage> {
  // npm writes this file, so the cast is safe.
  return (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> }).packages;
}

/** The size of a package on disk (bytes), without its own node_modules, which are counted separately. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const each = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : sizeOf(path);
    return (await lstat(path)).blocks * 512;
  });
  return (await Promise.all(each)).reduce((total, size) => total + size, 0);
}

/** The files of a module and of all modules that it imports, directly or indirectly, except for types. */
function filesOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^import (?!type\b).*'(\.{1,2}\/.+)'/gm);
  return [...new Set([file, ...[...imports].flatMap(([, path = '']) => filesOf(join(dirname(file), path)))])];
}

function countLines(files: readonly string[]): number {
  return files.reduce((total, file) => total + readFileSync(file, 'utf8').trimEnd().split('\n').length, 0);
}

function report(what: string, found: number, limit: number): void {
  const line = `${what}: ${Math.round(found)} of ${limit}`;
  console.log(line);
  if (found > limit) faults.push(`Too many ${line}.`);
}
