import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first process of the embedded database in this data folder, and its child processes. */
export function databaseProcesses(dataDir: string): number[] {
  const [first] = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n');
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === first);
  return [first, ...children].map(Number);
}

/** Sends a signal to each process that still exists. */
export function signalAll(signal: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

function parentOf(pid: string): string | undefined {
  try {
    // The name, in brackets, may contain any character.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
  } catch {
    // The process has just ended.
    return undefined;
  }
}
