import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createIdleWorker, type IdleWorker } from '#platform/server/idle-worker.ts';

export interface IdleProcessOptions {
  /** What the process runs; it calls `answerQuestions`. */
  module: URL;
  /** What it does, for its errors: `draws pictures`. */
  task: string;
  /** A smaller heap is collected sooner. */
  maxOldGenerationSizeMb: number;
}

/** What a program needs of the environment; the shop's secrets are not among it. */
const passedOn = new Set([
  'HOME',
  'LD_LIBRARY_PATH',
  'MALLOC_ARENA_MAX',
  'MALLOC_TRIM_THRESHOLD_',
  'MALLOC_MMAP_THRESHOLD_',
  'PATH',
  'TMPDIR',
  'TZ',
]);

/**
 * An idle worker that is a process of its own. It takes some tenths of a second to start. All of its memory is free when it
 * ends, and a fault in native code ends nothing but it.
 */
export function createIdleProcess<Question, Answer>(options: IdleProcessOptions): IdleWorker<Question, Answer> {
  return createIdleWorker((events) => {
    const child = fork(fileURLToPath(options.module), {
      execArgv: [`--max-old-space-size=${options.maxOldGenerationSizeMb}`],
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.has(name))),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', events.message);
    child.on('error', events.ended);
    child.on('exit', () => events.ended(new Error(`The process that ${options.task} has ended.`)));
    // Customers who wait for an answer come first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    // It does not keep an otherwise idle process alive.
    child.unref();
    child.channel?.unref();
    return {
      // What cannot be sent is told by `exit`.
      post: (message) => void child.send(message as object, () => {}),
      async end() {
        if (child.exitCode !== null || child.signalCode !== null || !child.kill('SIGKILL')) return;
        await once(child, 'exit');
      },
    };
  });
}
