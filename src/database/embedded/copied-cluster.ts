import { open, readFile, stat, statfs } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { replaceFile, syncFolder } from '#database/embedded/cluster.ts';
import { DatabaseStartError, type DatabaseUser } from '#database/embedded/process.ts';
import type { DatabaseLog } from '#database/embedded/server.ts';
import { formatStartCommand } from '#platform/server/start-command.ts';

/**
 * The identity of a file or folder: its inode, and its time of creation in nanoseconds if the file system has one. A
 * copy of the file or folder has another identity.
 */
interface Identity {
  inode: string;
  born: string | null;
}

interface Place {
  cluster: Identity;
  /**
   * The control file's identity, which stays the same when PostgreSQL writes, and differs after a backup was restored.
   */
  control: Identity;
}

interface Options {
  log: Pick<DatabaseLog, 'warn'>;
  takesCopy?: boolean | undefined;
  fileSystemOf?: (path: string) => Promise<{ type: number }>;
}

const FILE = 'hatch-place.json';
const CONTROL = join('global', 'pg_control');
/** The value of PostgreSQL's state `DB_SHUTDOWNED`, and the offset of the state in the control file in bytes. */
const STOPPED = 1;
const STATE_AT = 16;

/** The `statfs` types of file systems whose inodes may change with each mount: network, FUSE, FAT, shared folders. */
const unsteady = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x73757245, 0x0bd00bd0,
  0x01161970, 0x786f4256, 0x7c7c6673, 0xbacbacbc, 0x4d44, 0x2011bab0,
]);

/**
 * Throws `copied_while_running` for a copy of a cluster that was made while the server ran, because the copy may be
 * inconsistent. Such a copy has another identity than the recorded one, and its control file does not say that the
 * server was stopped. A crash does not change the identity, and a cluster without a record is accepted. With
 * `takesCopy`, or on a file system that may change inodes, a copy only causes a warning. Records the present identity.
 * Must not run while a server starts.
 */
export async function refuseCopiedCluster(
  cluster: string,
  user: DatabaseUser,
  { log, takesCopy = false, fileSystemOf = statfs }: Options,
): Promise<void> {
  const [kept, here] = [await readPlace(cluster), await placeOf(cluster)];
  if (kept && isSame(kept, here)) return;
  if (kept && !(await wasStopped(cluster))) {
    // Node may report a large type as a negative number, so it is made unsigned.
    if (unsteady.has((await fileSystemOf(cluster)).type >>> 0)) {
      log.warn(
        { cluster },
        'the database was not stopped before it was started here: if it is a copy, orders may be missing',
      );
    } else if (takesCopy) {
      log.warn({ cluster }, 'a database that was copied while it ran is started, because --take-copy asks for it');
    } else {
      throw copied(cluster);
    }
  }
  await replaceFile(join(cluster, FILE), `${JSON.stringify(here)}\n`, user);
  await syncFolder(cluster);
}

async function readPlace(cluster: string): Promise<Place | null> {
  const text = await readFile(join(cluster, FILE), 'utf8').catch(() => 'null');
  try {
    // The cast is right: only `refuseCopiedCluster` writes the file, atomically.
    return JSON.parse(text) as Place | null;
  } catch {
    return null;
  }
}

async function placeOf(cluster: string): Promise<Place> {
  // The file is opened for writing, because that gives the file a new inode on a layered file system. Otherwise
  // PostgreSQL would change the inode after it was recorded.
  const control = await open(join(cluster, CONTROL), 'r+').catch(() => undefined);
  try {
    return {
      cluster: identityOf(await stat(cluster, { bigint: true })),
      control: control ? identityOf(await control.stat({ bigint: true })) : { inode: '', born: null },
    };
  } finally {
    await control?.close();
  }
}

function identityOf({ ino, birthtimeNs, ctimeNs }: { ino: bigint; birthtimeNs: bigint; ctimeNs: bigint }): Identity {
  // Without a time of creation, Node returns zero or the time of the last change.
  const isKnown = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return { inode: String(ino), born: isKnown ? String(birthtimeNs) : null };
}

function isSame(one: Place, other: Place): boolean {
  return (['cluster', 'control'] as const).every((name) => {
    const [a, b] = [one[name], other[name]];
    return a?.inode === b.inode && (a.born === null || b.born === null || a.born === b.born);
  });
}

async function wasStopped(cluster: string): Promise<boolean> {
  const control = await readFile(join(cluster, CONTROL)).catch(() => Buffer.alloc(0));
  if (control.length < STATE_AT + 4) return false;
  return (endianness() === 'LE' ? control.readInt32LE(STATE_AT) : control.readInt32BE(STATE_AT)) === STOPPED;
}

function copied(cluster: string): DatabaseStartError {
  return new DatabaseStartError(
    'copied_while_running',
    `The database in ${cluster} was copied while Hatch ran, so orders may be missing in it. Nothing was changed.\n` +
      'Stop the other Hatch, then copy the whole data folder again; or restore a backup. If it comes from a snapshot or a rescued disk, ' +
      `start it as it is, once: ${formatStartCommand('--take-copy')}`,
  );
}
