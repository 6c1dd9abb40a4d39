import { Worker } from 'node:worker_threads';
import { createIdleWorker, type IdleWorker } from '#platform/server/idle-worker.ts';

export interface IdleThreadOptions {
  /** What the thread runs; it calls `answerQuestions`. */
  module: URL;
  /** What it does, for its errors: `writes pages`. */
  task: string;
  workerData?: unknown;
  /** A smaller heap is collected sooner. */
  maxOldGenerationSizeMb: number;
}

/** An idle worker that is a thread: it starts fast, and leaves some memory to the process when it ends. */
export function createIdleThread<Question, Answer>(options: IdleThreadOptions): IdleWorker<Question, Answer> {
  return createIdleWorker((events) => {
    const thread = new Worker(options.module, {
      workerData: options.workerData,
      resourceLimits: { maxOldGenerationSizeMb: options.maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 16 },
    });
    thread.on('message', events.message);
    thread.on('error', events.ended);
    thread.on('exit', () => events.ended(new Error(`The thread that ${options.task} has ended.`)));
    // It does not keep an otherwise idle process alive.
    thread.unref();
    return {
      post: (message) => thread.postMessage(message, []),
      end: async () => void (await thread.terminate()),
    };
  });
}
