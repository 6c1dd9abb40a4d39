import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BackupConfig } from '#backup/server/services.ts';
import type { FoundDatabase } from '#database/find-database.ts';

export interface BackupTask {
  kind: 'copy' | 'prove' | 'send';
  /** The connection uses no pooler, because the lock on the backups needs a database session of its own. */
  database: FoundDatabase['connection'];
  config: BackupConfig;
  folder: string;
  scratch: string;
  hatch: string;
  /** A time in ISO 8601: the shop's present time; for `prove`, the time until which trading days are compared. */
  at: string;
  /** The number of the backup to prove or to send; null: the task makes a backup. */
  number: number | null;
  /** Whether the backup's trial restore succeeded. */
  isProven: boolean;
}

/**
 * `busy`: another program is making a backup. `no_room`: the disk is too full. `damaged`: the backup is damaged, or its
 * trial restore differs from the shop. `interrupted`: the process was stopped or killed. `failed`: any other error.
 */
export type BackupFaultKind = 'busy' | 'no_room' | 'damaged' | 'failed' | 'interrupted';

export interface BackupResults {
  copy: { number: number; bytes: number; made_at: string };
  prove: { days: number; orders: number; entries: number };
  /** The outcome of sending; null: no second backup location is set. */
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
/** The lowest priority for processor and disk, so that orders come first. */
export const programPriority = { niceness: 19 };

/**
 * Runs a task in a process of its own, because in the server's process it would delay orders and take much memory. An
 * aborted `signal` ends the process. Every failure throws BackupFault.
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
        // Ignored: the process has ended already, or the system has no priorities.
      }
    };
    lowerPriority();
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-1_000);
    });
    // The cast is safe, because the program's only message is its result.
    child.once('message', (message) => (answer = message as BackupAnswer));
    child.once('error', (error) => (complaint ||= error.message));
    // The promise is settled after both `exit` and `disconnect`, because `exit` may come before the last message. The
    // event `close` cannot be used: Node does not emit it after `stop` has disconnected the process.
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
      // The cast is safe, because the result has the type of this kind of task.
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
