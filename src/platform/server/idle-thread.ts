import { Worker } from 'node:worker_threads';

/** A thread that starts with the first question, and ends when nothing was asked for a while. */
export interface IdleThread<Question, Answer> {
  /** Throws when the thread cannot answer. */
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

export interface IdleThreadOptions {
  /** What the thread runs; it calls `answerThread`. */
  module: URL;
  /** What it does, for its errors: `writes pages`. */
  task: string;
  workerData?: unknown;
  /** A smaller heap is collected sooner. */
  maxOldGenerationSizeMb: number;
}

export interface ThreadQuestion<Question> {
  id: number;
  question: Question;
}
export type ThreadAnswer<Answer> = { id: number; answer: Answer } | { id: number; error: string };

/** Milliseconds without a question after which a thread ends and frees its memory. */
const idleFor = 30_000;

/** Work outside the thread that answers requests. The questions and answers are copied between the two. */
export function createIdleThread<Question, Answer>(options: IdleThreadOptions): IdleThread<Question, Answer> {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();

  const end = async (error: Error) => {
    const ending = worker;
    worker = null;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    await ending?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(options.module, {
      workerData: options.workerData,
      resourceLimits: { maxOldGenerationSizeMb: options.maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 16 },
    });
    started.on('message', (message: ThreadAnswer<Answer>) => {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if ('answer' in message) asked?.resolve(message.answer);
      else asked?.reject(new Error(message.error));
    });
    started.on('error', (error: Error) => void (started === worker && end(error)));
    started.on('exit', () => void (started === worker && end(new Error(`The thread that ${options.task} has ended.`))));
    // It does not keep an otherwise idle process alive.
    started.unref();
    return started;
  };
  const endWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(() => (waiting.size > 0 ? endWhenIdle() : void end(new Error('idle'))), idleFor).unref();
  };

  return {
    ask(question) {
      worker ??= start();
      endWhenIdle();
      const asked = Promise.withResolvers<Answer>();
      lastId += 1;
      waiting.set(lastId, asked);
      worker.postMessage({ id: lastId, question } satisfies ThreadQuestion<Question>, []);
      return asked.promise;
    },
    stop: () => end(new Error('The shop is closing down.')),
  };
}
