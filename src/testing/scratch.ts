import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '#database/embedded/process.ts';

const memory = '/dev/shm';
const minBytes = 4e9;
const name = /^hatch-run-(\d+)-/;

/**
 * Gives this process and its children a temporary folder of their own (TMPDIR), which is removed when the process ends.
 * It is in memory if there is room, because PostgreSQL creates a database there in a tenth of the time.
 */
export function useScratchFolder(): void {
  // A run that another run has started shares its folder.
  if (process.env['HATCH_SCRATCH']) return;
  const parents = [memory, tmpdir()];
  parents.forEach(removeLeftovers);
  const parent = isUsable(memory) ? memory : tmpdir();
  const folder = mkdtempSync(join(parent, `hatch-run-${process.pid}-`));
  // PostgreSQL, and processes that tests start as another user, must be able to pass through it.
  chmodSync(folder, 0o755);
  process.env['HATCH_SCRATCH'] = folder;
  process.env['TMPDIR'] = folder;
  // Every server of a run loads the same modules, so they are compiled only once.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  process.on('exit', () => remove(folder));
}

/** Whether the folder has room for the databases of a run, and programs can be started from it. */
function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= minBytes && freemem() >= minBytes && mayExecute(folder);
  } catch {
    return false;
  }
}

function mayExecute(folder: string): boolean {
  const draft = mkdtempSync(join(folder, 'hatch-try-'));
  try {
    const program = join(draft, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    remove(draft);
  }
}

/** Removes the folders of runs that were killed. */
function removeLeftovers(parent: string): void {
  for (const entry of existsSync(parent) ? readdirSync(parent) : []) {
    const pid = Number(name.exec(entry)?.[1]);
    if (pid && !isProcessAlive(pid)) remove(join(parent, entry));
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It belongs to another user, or a process that is ending still writes to it: the next run removes it.
  }
}
