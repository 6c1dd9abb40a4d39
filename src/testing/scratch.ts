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
import { isAlive } from '#database/embedded/process.ts';

const memory = '/dev/shm';
const leastBytes = 4e9;
const name = /^hatch-run-(\d+)-/;

/**
 * Gives this process, and every one that it starts, a temporary folder of the run's own (TMPDIR), which goes when the
 * process ends: in memory where there is room, since PostgreSQL makes a database there in a tenth of the time.
 */
export function useScratchFolder(): void {
  // A run started by another shares its folder.
  if (process.env['HATCH_SCRATCH']) return;
  const parents = [memory, tmpdir()];
  parents.forEach(removeLeftovers);
  const parent = isUsable(memory) ? memory : tmpdir();
  const folder = mkdtempSync(join(parent, `hatch-run-${process.pid}-`));
  // PostgreSQL, and what tests start as another user, pass through it.
  chmodSync(folder, 0o755);
  process.env['HATCH_SCRATCH'] = folder;
  process.env['TMPDIR'] = folder;
  // Every server that a run starts reads the same modules: compiled once is enough.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  process.on('exit', () => remove(folder));
}

/** Whether there is room for the databases of a run, and programs may be started from it. */
function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= leastBytes && freemem() >= leastBytes && mayExecute(folder);
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

/** What a run that was killed left behind. */
function removeLeftovers(parent: string): void {
  for (const entry of existsSync(parent) ? readdirSync(parent) : []) {
    const pid = Number(name.exec(entry)?.[1]);
    if (pid && !isAlive(pid)) remove(join(parent, entry));
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Another user's, or still written to by a process that is ending: the next run removes it.
  }
}
