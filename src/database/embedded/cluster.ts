import { randomBytes } from 'node:crypto';
import { lchownSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from '#database/embedded/binaries.ts';
import { DatabaseStartError, type DatabaseUser, runProgram, systemErrorCode } from '#database/embedded/process.ts';

/**
 * The path by which PostgreSQL's processes find the cluster. On Linux these processes start with the cluster as their
 * working directory. So they need no access to the parent folders, and the real path may have any length and character.
 */
export const clusterPathForPostgres = (cluster: string): string =>
  process.platform === 'linux' ? '/proc/self/cwd' : cluster;

export const APP_ROLE = 'hatch';
export const DATABASE_NAME = 'hatch';
const PASSWORD_FILE = 'hatch-password';
export const VERSION_FILE = 'hatch-version.json';

export interface ClusterFolders {
  root: string;
  /**
   * The folder for copies of PostgreSQL's programs. A copy is used if the installed programs do not run, or when a
   * later Hatch with another major version must read the data.
   */
  binaries: string;
  cluster: string;
  sockets: string;
  log: string;
  notice: string;
}

export function clusterFolders(dataDir: string): ClusterFolders {
  const root = join(dataDir, 'postgres');
  return {
    root,
    binaries: join(root, 'binaries'),
    cluster: join(root, 'cluster'),
    sockets: join(root, 'sockets'),
    log: join(root, 'postgres.log'),
    notice: join(root, 'README.txt'),
  };
}

/**
 * Creates the cluster if there is none; otherwise checks its version, and corrects its owner and permissions. A new
 * cluster has a temporary name until it is complete, so an interrupted start leaves no incomplete cluster. Throws
 * `cluster_missing`, `version_mismatch`, `no_database_user`.
 */
export async function prepareCluster(folders: ClusterFolders, binaries: Binaries, user: DatabaseUser): Promise<void> {
  await mkdir(folders.root, { recursive: true });
  // If the database runs as another user, that user must be able to pass through this folder. The folders in it are
  // closed to everyone else.
  await chmod(folders.root, user ? 0o711 : 0o700);
  await removeDrafts(folders.root);
  if (!(await exists(folders.cluster))) {
    if (await exists(folders.notice)) throw missing(folders);
    await makeCluster(folders, binaries, user);
  } else {
    await checkVersion(folders, binaries);
    if (user && (await lstat(folders.cluster)).uid === 0) await giveTo(folders.cluster, user);
    // A data folder that was copied may have wider permissions, which PostgreSQL refuses.
    await chmod(folders.cluster, 0o700);
  }
  if (!(await exists(folders.notice))) await writeFile(folders.notice, noticeText(binaries), { flush: true });
  await mkdir(folders.sockets, { recursive: true, mode: 0o700 });
  if (user) await chown(folders.sockets, user.uid, user.gid);
}

/** Reads the password of the app's role; undefined if its file is lost. */
export async function readDatabasePassword(folders: ClusterFolders): Promise<string | undefined> {
  const text = await readFile(join(folders.cluster, PASSWORD_FILE), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** Gives the app's role a new password, by PostgreSQL's single-user mode. The server must be stopped. */
export async function resetDatabasePassword(
  folders: ClusterFolders,
  binaries: Binaries,
  user: DatabaseUser,
): Promise<string> {
  const password = await writePassword(folders.cluster, user);
  await runSingleUser(folders.cluster, binaries, user, [`ALTER ROLE ${APP_ROLE} PASSWORD '${password}'`]);
  return password;
}

/** Writes the settings for the next start. The server must be stopped, because it could read a half-written file. */
export async function writeSettings(folders: ClusterFolders, text: string, user: DatabaseUser): Promise<void> {
  await replaceFile(join(folders.cluster, 'hatch.conf'), text, user);
}

export async function readSettings(folders: ClusterFolders): Promise<string | undefined> {
  return readFile(join(folders.cluster, 'hatch.conf'), 'utf8').catch(() => undefined);
}

/** Records the Hatch version beside the data, even while PostgreSQL runs: PostgreSQL does not read the file. */
export async function writeHatchVersion(folders: ClusterFolders, text: string, user: DatabaseUser): Promise<void> {
  const file = join(folders.cluster, VERSION_FILE);
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) await replaceFile(file, text, user);
}

export const majorVersionOf = (version: string): string => version.split('.')[0] ?? '';

async function makeCluster(folders: ClusterFolders, binaries: Binaries, user: DatabaseUser): Promise<void> {
  const draft = `${folders.cluster}.making-${randomBytes(4).toString('hex')}`;
  await mkdir(draft, { mode: 0o700 });
  if (user) await chown(draft, user.uid, user.gid);
  const locale = ['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const made = await runProgram(
    binaries.initdb,
    ['-D', clusterPathForPostgres(draft), '--username=postgres', '--auth=reject', '--no-instructions', ...locale],
    { user, cwd: draft },
  );
  if (made.code !== 0) throw initdbFailed(made.output);
  const password = await writePassword(draft, user);
  // Only the app's role can sign in. The superuser has no password, and acts only in single-user mode.
  await runSingleUser(draft, binaries, user, [
    `CREATE ROLE ${APP_ROLE} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${DATABASE_NAME} OWNER ${APP_ROLE}`,
  ]);
  const hosts = ['local all', 'host all'].map(
    (kind, index) => `${kind} ${APP_ROLE}${index ? ' 127.0.0.1/32' : ''} scram-sha-256`,
  );
  await replaceFile(join(draft, 'pg_hba.conf'), `${hosts.join('\n')}\n`, user);
  const sample = await readFile(join(draft, 'postgresql.conf'), 'utf8');
  const ending =
    "\ninclude 'hatch.conf'\n# hatch.conf is written at each start. Settings of your own go below this line; they win.\n";
  await replaceFile(join(draft, 'postgresql.conf'), sample + ending, user);
  await rename(draft, folders.cluster);
  await syncFolder(folders.root);
}

async function runSingleUser(
  cluster: string,
  binaries: Binaries,
  user: DatabaseUser,
  statements: readonly string[],
): Promise<void> {
  const input = statements.map((statement) => `${statement};\n\n`).join('');
  const args = [
    '--single',
    '-j',
    '-D',
    clusterPathForPostgres(cluster),
    '-c',
    'log_min_error_statement=panic',
    'postgres',
  ];
  const done = await runProgram(binaries.postgres, args, { user, cwd: cluster, input });
  // In single-user mode a failed statement does not change the exit code, so the output is searched for errors.
  if (done.code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(done.output)) throw new Error(done.output.trim());
}

async function writePassword(cluster: string, user: DatabaseUser): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await replaceFile(join(cluster, PASSWORD_FILE), `${password}\n`, user);
  return password;
}

/**
 * Replaces a whole file. The function never follows a symbolic link, with which a folder's owner could make root
 * overwrite another file.
 */
export async function replaceFile(path: string, text: string, user: DatabaseUser): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (user) await file.chown(user.uid, user.gid);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** Deletes the incomplete clusters of interrupted starts, which never held data. */
async function removeDrafts(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (name.startsWith('cluster.making-')) {
      await rm(join(root, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    }
  }
}

/** The major version of the PostgreSQL that wrote a cluster; empty if there is no complete cluster. */
export async function readClusterMajorVersion({ cluster }: ClusterFolders): Promise<string> {
  return (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
}

async function checkVersion(folders: ClusterFolders, binaries: Binaries): Promise<void> {
  const written = await readClusterMajorVersion(folders);
  const major = majorVersionOf(binaries.version);
  if (written === major) return;
  if (!written) {
    throw new DatabaseStartError(
      'cluster_missing',
      `${folders.cluster} is not a whole database: its file PG_VERSION is missing. Nothing was changed.\n` +
        'Put the folder back as it was, or restore a backup.',
    );
  }
  throw new DatabaseStartError(
    'version_mismatch',
    `The database in ${folders.cluster} was written by PostgreSQL ${written}; this version of Hatch brings PostgreSQL ${major}. Nothing was changed.\n` +
      (Number(written) < Number(major)
        ? 'Start the shop with this version: it carries the database over. If it says that it cannot, start the version of Hatch that you had before, stop it again, and then start this one.'
        : `Start the version of Hatch that you had before, or restore a backup into a new DATA_DIR.`),
  );
}

async function giveTo(path: string, user: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  lchownSync(path, user.uid, user.gid);
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function initdbFailed(output: string): Error {
  if (!/could not look up effective user ID/.test(output)) return new Error(output.trim());
  return new DatabaseStartError(
    'no_database_user',
    `PostgreSQL can make its folder only as a user that has a name, and user number ${process.geteuid?.()} has none (no line in /etc/passwd).\n` +
      'Start Hatch as another user, or set DATABASE_URL.',
  );
}

function missing(folders: ClusterFolders): DatabaseStartError {
  return new DatabaseStartError(
    'cluster_missing',
    `${folders.root} held a shop's database, but its folder "cluster" is gone. Nothing was changed.\n` +
      `Put it back or restore a backup. To begin with an empty shop, set DATA_DIR to a new folder.`,
  );
}

function noticeText({ version }: Binaries): string {
  return (
    `This folder is the shop's database (PostgreSQL ${version} made it): menu, orders, customers, payments.\n\n` +
    'Do not edit, move or copy it while Hatch runs. To move the shop, stop Hatch and move the whole data folder.\n' +
    'postgres.log is the log of the database; it holds no orders and no customers.\n'
  );
}
