import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type DatabaseStartCode =
  | 'folder_in_use'
  | 'folder_unusable'
  | 'wrong_owner'
  | 'no_database_user'
  | 'binaries_unusable'
  | 'version_mismatch'
  | 'cluster_missing'
  | 'copied_while_running'
  | 'disk_full'
  | 'start_failed';

/** Thrown if the embedded database cannot run. The message tells the person who starts the shop how to mend that. */
export class DatabaseStartError extends Error {
  readonly code: DatabaseStartCode;

  constructor(code: DatabaseStartCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseStartError';
    this.code = code;
  }
}

export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The user of the database's processes; undefined means this process's own user. */
export type DatabaseUser = { uid: number; gid: number } | undefined;

export interface ProgramOutcome {
  /** The exit code; null if a signal ended the program. */
  code: number | null;
  output: string;
}

/**
 * The environment of the database's processes. They do not inherit the app's environment: it contains secrets, and may
 * contain PG* variables that would change how PostgreSQL works.
 */
export const databaseEnvironment = {
  PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`,
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Runs a program and returns stdout and stderr together. Rejects if it cannot be started. */
export function runProgram(
  file: string,
  args: readonly string[],
  { user, cwd, input }: { user?: DatabaseUser; cwd?: string; input?: string } = {},
): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...user, cwd: cwd ?? '/', env: databaseEnvironment });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // Writing to a program that has ended fails. The error is ignored, because the exit code shows why the program
    // ended.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
    child.stdin.end(input);
  });
}

/** The state of a process. A zombie has ended but still has its id: in a container it may keep the id for ever. */
export function processState(pid: number): 'alive' | 'zombie' | 'gone' {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') return 'gone';
  }
  if (process.platform !== 'linux') return 'alive';
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return ['Z', 'X'].includes(status.slice(status.lastIndexOf(')') + 2).charAt(0)) ? 'zombie' : 'alive';
  } catch {
    return 'gone';
  }
}

export const isProcessAlive = (pid: number): boolean => processState(pid) === 'alive';
