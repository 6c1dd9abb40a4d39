/** Work outside the thread that answers requests. It starts with the first question, and ends after a while without one. */
export interface IdleWorker<Question, Answer> {
  /** Throws when the worker cannot answer, and when it ends before it has. */
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** A worker that runs. Questions and answers are copied between the two sides. */
export interface RunningWorker {
  post(message: unknown): void;
  end(): Promise<void>;
}

/** What a worker tells the one who started it. */
export interface WorkerEvents {
  message(message: unknown): void;
  /** It has ended by itself, or could not start. */
  ended(error: Error): void;
}

export interface AskedQuestion<Question> {
  id: number;
  question: Question;
}
export type GivenAnswer<Answer> = { id: number; answer: Answer } | { id: number; error: string };

/** Milliseconds without a question after which a worker ends and frees its memory. */
const idleFor = 30_000;

export function createIdleWorker<Question, Answer>(
  start: (events: WorkerEvents) => RunningWorker,
): IdleWorker<Question, Answer> {
  let worker: RunningWorker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();

  const end = async (error: Error) => {
    const ending = worker;
    worker = null;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    await ending?.end();
  };
  const begin = (): RunningWorker => {
    const started = start({
      message(message) {
        // The other side is `answerQuestions`.
        const given = message as GivenAnswer<Answer>;
        const asked = waiting.get(given.id);
        waiting.delete(given.id);
        if ('answer' in given) asked?.resolve(given.answer);
        else asked?.reject(new Error(given.error));
      },
      ended: (error) => void (started === worker && end(error)),
    });
    return started;
  };
  const endWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(() => (waiting.size > 0 ? endWhenIdle() : void end(new Error('idle'))), idleFor).unref();
  };

  return {
    ask(question) {
      worker ??= begin();
      endWhenIdle();
      const asked = Promise.withResolvers<Answer>();
      lastId += 1;
      waiting.set(lastId, asked);
      worker.post({ id: lastId, question } satisfies AskedQuestion<Question>);
      return asked.promise;
    },
    stop: () => end(new Error('The shop is closing down.')),
  };
}
