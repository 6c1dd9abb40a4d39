import { closeSync, fchownSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseStartError, systemErrorCode } from '#database/embedded/process.ts';

export interface FolderLock {
  announce(url: string, port: number): void;
  release(): void;
}

/** The process that holds the lock of a folder, as published in a file of the folder. */
export interface FolderLockHolder {
  pid: number;
  host: string;
  since: string;
  url?: string;
  port?: number;
}

const SQLITE_BUSY = 5;
/** The locks that this process holds. Without these references, garbage collection would release the locks. */
const held = new Set<DatabaseSync>();

/**
 * Makes this process the only app on a folder until `release()` or its end. The operating system releases the lock of a
 * killed process, so a lock is never stale. Waits up to `waitMs` for a stopping holder. Throws `folder_in_use`.
 */
export async function lockFolder(folder: string, waitMs: number): Promise<FolderLock> {
  const file = join(folder, 'hatch.lock');
  const holderFile = holderFileIn(folder);
  createPrivately(file, folder);
  const lock = await waitForLock(file, waitMs, () => inUse(folder, readHolder(holderFile)));
  held.add(lock);
  const holder: FolderLockHolder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeHolder(holderFile, holder);
  return {
    announce: (url, port) => writeHolder(holderFile, { ...holder, url, port }),
    release: () => {
      if (!held.delete(lock)) return;
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

/**
 * Locks a file by an exclusive transaction of SQLite on it: Node has no file locks, but SQLite uses the system's. The
 * file stays empty. No other code in this process may open the file: when a process closes a file, POSIX releases all
 * its locks on that file.
 */
async function waitForLock(file: string, waitMs: number, busy: () => Error): Promise<DatabaseSync> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = new DatabaseSync(file);
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      lock.close();
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
      if (!isBusy) throw error;
      if (performance.now() >= deadline) throw busy();
    }
    await sleep(50);
  }
}

/** Creates the lock's file for its owner alone, because anyone who can open it could hold the lock. */
function createPrivately(file: string, folder: string): void {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    const owner = statSync(folder);
    if (process.geteuid?.() === 0) fchownSync(descriptor, owner.uid, owner.gid);
    closeSync(descriptor);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Publishes the process that holds the lock. A full disk is ignored, because the file is only needed for messages and
 * commands.
 */
function writeHolder(file: string, holder: FolderLockHolder): void {
  try {
    writeFileSync(file, `${JSON.stringify(holder)}\n`, { mode: 0o644 });
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOSPC') throw error;
  }
}

function holderFileIn(folder: string): string {
  return join(folder, 'running.json');
}

export function readFolderLockHolder(folder: string): Partial<FolderLockHolder> {
  return readHolder(holderFileIn(folder));
}

function readHolder(file: string): Partial<FolderLockHolder> {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof holder === 'object' && holder !== null ? holder : {};
  } catch {
    return {};
  }
}

function inUse(folder: string, holder: Partial<FolderLockHolder>): DatabaseStartError {
  const elsewhere = holder.host && holder.host !== hostname() ? ` on ${holder.host}` : '';
  const facts = [
    holder.pid && `process ${holder.pid}${elsewhere}`,
    holder.since && `running since ${holder.since.slice(0, 16).replace('T', ' ')} UTC`,
    holder.url && `at ${holder.url}`,
  ].filter(Boolean);
  return new DatabaseStartError(
    'folder_in_use',
    `Hatch is already running on ${folder}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}.\n` +
      'Use that one, or stop it first. A second shop needs a folder of its own: set DATA_DIR (and PORT).',
  );
}
