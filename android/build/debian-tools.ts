import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The tools that come from Debian. Most decide about bytes: each has one version and fixed content. Of the others any from a
// least version on will do, since an app's own hash shows what they made. `npm run android -- pins` writes the list.

export const pinsFile = join(import.meta.dirname, 'debian-tools.json');

export interface Pin {
  name: string;
  version: string;
  architecture: string;
  /** SHA-256 of the package's file. */
  deb: string;
  /** SHA-256 of its own list of its files' hashes, which dpkg keeps. */
  list: string;
  isForChecks: boolean;
  /** The first version that will do, where not only `version` does. */
  least?: string;
}

/** Where dpkg keeps what it has installed; tests have their own. */
export interface Installed {
  root: string;
  versionOf(name: string): string | null;
}

const thisMachine: Installed = {
  root: '/',
  versionOf(name) {
    // A later Debian has a later JDK, whose packages have its number in their names.
    const pattern = name.replace(/^openjdk-\d+-/, 'openjdk-*-');
    const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status} ${Version}\n', pattern], {
      encoding: 'utf8',
    });
    const installed = stdout.split('\n').flatMap((line) => /^installed (.+)$/.exec(line)?.[1] ?? []);
    return installed.reduce<string | null>((best, each) => (best && isAtLeast(best, each) ? best : each), null);
  },
};

function isAtLeast(version: string, least: string): boolean {
  return spawnSync('dpkg', ['--compare-versions', version, 'ge', least]).status === 0;
}

/**
 * Refuses other tools than those of the list, before anything is installed, and then installs the missing ones.
 * ANDROID_TOOLS=installed takes all as they are, and the missing ones as Debian has them today.
 */
export function needDebianTools(say: (line: string) => void, { isForChecks }: { isForChecks: boolean }): void {
  const takesInstalled = process.env['ANDROID_TOOLS'] === 'installed';
  const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
  const pins = JSON.parse(readFileSync(pinsFile, 'utf8')) as Pin[];
  const wanted = pins.filter((pin) => isForChecks || !pin.isForChecks);
  const { missing, words } = findOut(wanted, thisMachine, architecture);
  if (words !== null && !takesInstalled) throw new Error(`${words}\nNothing was installed.`);
  if (words !== null)
    say(
      `${words.replace('As root, run:', 'The listed ones are installed by:')}\nANDROID_TOOLS=installed: built with these all the same`,
    );
  if (missing.length === 0) return;
  if (takesInstalled) return installNewest(missing, say);
  const fixed = missing.filter(({ least }) => least === undefined);
  const others = missing.filter((pin) => !fixed.includes(pin));
  // Their files' hashes are checked before any of them is installed.
  if (fixed.length > 0) installPinned(fixed, missing, say);
  if (others.length > 0) installNewest(others, say);
  const { words: left } = findOut(missing, thisMachine, architecture);
  if (left !== null) throw new Error(left);
}

/** The tools that are not there, and what is wrong with the others, with the one command that mends all of it. */
export function findOut(
  pins: readonly Pin[],
  machine: Installed,
  architecture: string,
): { missing: Pin[]; words: string | null } {
  const missing = pins.filter(({ name }) => machine.versionOf(name) === null);
  const found = pins.map((pin) => {
    const isMissing = missing.includes(pin);
    return { pin, isMissing, faults: isMissing ? foreignTo(pin, architecture) : faultsOf(pin, machine, architecture) };
  });
  const faults = found.flatMap((each) => each.faults);
  if (faults.length === 0) return { missing, words: null };
  const wrong = found.filter(({ isMissing, faults: own }) => isMissing || own.length > 0).map(({ pin }) => pin);
  const lines = faults.map((fault) => `  ${fault}\n`).join('');
  const words =
    `The apps are built with the tools of android/build/debian-tools.json only:\n${lines}` +
    `As root, run: ${commandFor(wrong)}\n` +
    'If Debian has newer ones, install them, look at what changed and run "npm run android -- pins"; ' +
    'or build with ANDROID_TOOLS=installed, and compare the apps with nobody else’s.';
  return { missing, words };
}

/** Installs these as the list has them. One whose files were changed has its version already, so it is put there again. */
function commandFor(pins: readonly Pin[]): string {
  const names = pins.map(({ name, version, least }) => (least === undefined ? `${name}=${version}` : name));
  return `apt-get update && apt-get install --reinstall --allow-downgrades --no-install-recommends ${names.join(' ')}`;
}

function foreignTo({ name, architecture: own, least }: Pin, architecture: string): string[] {
  if (own === 'all' || own === architecture || least !== undefined) return [];
  return [`${name}: the list names it for ${own} only, and this is ${architecture}`];
}

/** How a package differs from its pin. Reads every file of it, as its list names them. */
export function faultsOf(pin: Pin, { root, versionOf }: Installed, architecture: string): string[] {
  const { name } = pin;
  const version = versionOf(name);
  if (pin.least !== undefined && version !== null) {
    return isAtLeast(version, pin.least) ? [] : [`${name} is ${version}, and not ${pin.least} or later`];
  }
  const foreign = foreignTo(pin, architecture);
  if (foreign.length > 0) return foreign;
  if (version !== pin.version) return [`${name} is ${version ?? 'missing'}, and not ${pin.version}`];
  const list = readList(root, name);
  if (list === null || sha256(list) !== pin.list)
    return [`${name} ${version}: another package has this name and version`];
  const changed = list
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [, md5 = '', path = ''] = /^([0-9a-f]{32}) {2}(.+)$/.exec(line) ?? [];
      return isAsPacked(join(root, path), md5) || isLeftOut(path) ? [] : [path];
    });
  return changed.map((path) => `${name} ${version}: /${path} was changed after it was installed`);
}

/** The hashes of a package's files, as the package itself lists them. */
export function readList(root: string, name: string): string | null {
  const folder = join(root, 'var/lib/dpkg/info');
  const own = new RegExp(`^${name.replaceAll(/[.+]/g, '\\$&')}(:[a-z0-9]+)?\\.md5sums$`);
  const found = existsSync(folder) ? readdirSync(folder).find((file) => own.test(file)) : undefined;
  return found === undefined ? null : readFileSync(join(folder, found), 'utf8');
}

function isAsPacked(file: string, md5: string): boolean {
  // dpkg lists no better hash; the list of them is held by SHA-256.
  return existsSync(file) && createHash('md5').update(readFileSync(file)).digest('hex') === md5;
}

/** Containers leave documents out. */
function isLeftOut(path: string): boolean {
  return /^usr\/share\/(doc|man|locale|info|lintian|bug)\//.test(path);
}

function installNewest(missing: readonly Pin[], say: (line: string) => void): void {
  const names = missing.map(({ name }) => name);
  say(`Installing from Debian: ${names.join(', ')}`);
  apt(['update', '-qq'], missing, '/');
  apt(['install', '-y', '-qq', '--no-install-recommends', ...names], missing, '/');
}

/** `missing` are all that are not there: one command has to mend all of it. */
function installPinned(fixed: readonly Pin[], missing: readonly Pin[], say: (line: string) => void): void {
  say(`Installing from Debian: ${fixed.map(({ name, version }) => `${name} ${version}`).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'debian-'));
  // Downloads are apt's own user's.
  chmodSync(folder, 0o777);
  try {
    apt(['update', '-qq'], missing, folder);
    const debs = fixed.map((pin) => fetchPinned(pin, folder));
    apt(['install', '-y', '-qq', '--no-install-recommends', ...debs], missing, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fetchPinned(pin: Pin, folder: string): string {
  const { name, version, deb } = pin;
  const before = new Set(readdirSync(folder));
  const { status } = spawnSync('apt-get', ['download', '-qq', `${name}=${version}`], { cwd: folder, stdio: 'ignore' });
  const file = readdirSync(folder).find((each) => !before.has(each));
  if (status !== 0 || file === undefined) {
    throw new Error(
      `Debian does not have ${name} ${version} any more, which android/build/debian-tools.json names. ` +
        'Run "npm run android -- pins" to take what it has now, and look at what changed.',
    );
  }
  const found = sha256(readFileSync(join(folder, file)));
  if (found !== deb)
    throw new Error(`${file} from Debian has the SHA-256 ${found}, and not ${deb}: it is not installed.`);
  return join(folder, file);
}

function apt(args: readonly string[], missing: readonly Pin[], cwd: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) return;
  throw new Error(`As root, run: ${commandFor(missing)}`);
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
