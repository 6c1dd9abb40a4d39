import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BackupConfig } from '#backup/server/services.ts';
import type { FoundDatabase } from '#database/find-database.ts';

/** The work of the program beside the shop. */
export interface BackupTask {
  kind: 'copy' | 'prove' | 'send';
  /** PostgreSQL itself. */
  database: FoundDatabase['connection'];
  config: BackupConfig;
  /** The folder of copies. */
  folder: string;
  /** The folder in which a copy is restored for its trial. */
  scratch: string;
  hatch: string;
  /** The shop's time. */
  at: string;
  /** The copy that is tried or sent; null: one is made. */
  number: number | null;
  /** Whether the copy that is sent was restored for a trial. */
  isProven: boolean;
}

/** `busy`: another program makes a copy just now. `damaged`: the copy does not give the shop back. */
export type BackupFaultKind = 'busy' | 'no_room' | 'damaged' | 'failed' | 'interrupted';

/** The results of the tasks. */
export interface BackupResults {
  copy: { number: number; bytes: number; made_at: string };
  prove: { days: number; orders: number; entries: number };
  /** null: no second place is set. */
  send: { number: number; copies: number; damaged: number[] } | null;
}

export type BackupAnswer = { done: BackupResults[BackupTask['kind']] } | { fault: BackupFaultKind; words: string };

export class BackupFault extends Error {
  readonly kind: BackupFaultKind;

  constructor(kind: BackupFaultKind, words: string) {
    super(words);
    this.name = 'BackupFault';
    this.kind = kind;
  }
}

const program = fileURLToPath(new URL('backup-program.ts', import.meta.url));
/** The lowest priority: orders come first, for the processor and for the disk. */
export const programPriority = { niceness: 19 };

/**
 * Runs a task in a process of its own, as does its PostgreSQL: orders do not wait for it, and its memory is not the
 * shop's. Throws BackupFault. `signal`: its reason is the fault.
 */
export function runBackupProgram<Kind extends BackupTask['kind']>(
  task: BackupTask & { kind: Kind },
  signal: AbortSignal,
): Promise<BackupResults[Kind]> {
  return new Promise((resolve, reject) => {
    const child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let answer: BackupAnswer | null = null;
    let complaint = '';
    const stop = () => void (child.connected && child.disconnect());
    const lowerPriority = () => {
      try {
        if (child.pid !== undefined) setPriority(child.pid, programPriority.niceness);
      } catch {
        // It has ended already, or the system has no priorities.
      }
    };
    lowerPriority();
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-1_000);
    });
    // The program sends one message, its answer.
    child.once('message', (message) => (answer = message as BackupAnswer));
    child.once('error', (error) => (complaint ||= error.message));
    // Node sends no `close` after a disconnect from this side, and may send `exit` before the last message.
    let ended: { code: number | null; killedBy: NodeJS.Signals | null } | null = null;
    const settle = () => {
      if (ended === null || child.connected) return;
      const { code, killedBy } = ended;
      signal.removeEventListener('abort', stop);
      if (signal.aborted) return reject(faultOf(signal.reason));
      if (answer === null) {
        const words = `The program that makes backups ended (${killedBy ?? `code ${code}`}). ${complaint}`.trim();
        return reject(new BackupFault('interrupted', words));
      }
      if ('fault' in answer) return reject(new BackupFault(answer.fault, answer.words));
      // The program answers with the result of its task.
      resolve(answer.done as BackupResults[Kind]);
    };
    child.once('exit', (code, killedBy) => {
      ended = { code, killedBy };
      settle();
    });
    child.once('disconnect', settle);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    child.send(task, () => undefined);
  });
}

function faultOf(reason: unknown): BackupFault {
  return reason instanceof BackupFault ? reason : new BackupFault('interrupted', 'The shop was stopped meanwhile.');
}
