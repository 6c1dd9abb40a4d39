import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A child process for work that would block this thread. It starts at the first question and ends when idle. */
export interface OnDemandProcess<Question, Answer> {
  /** Asks the process. Throws if it fails, or ends before it answers. */
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

export interface OnDemandProcessOptions {
  /** The module that the process runs; it calls `serveOnDemandProcess`. */
  module: URL;
  /** The task of the process for error messages, such as `draws pictures`. */
  task: string;
  /** The limit of the process's heap in MB; a smaller heap is collected sooner. */
  maxOldGenerationSizeMb: number;
}

interface AskedQuestion<Question> {
  id: number;
  question: Question;
}
type GivenAnswer<Answer> = { id: number; answer: Answer } | { id: number; error: string };

/** The idle time after which the process ends and frees its memory (ms). */
const idleFor = 30_000;

/** The environment variables that the child inherits; others may be the shop's secrets. */
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
 * Creates the handle of a child process that ends when it is idle. Questions are copied to the child, which starts
 * within a second. When the child ends, all its memory is freed. A crash in native code ends only the child.
 */
export function createOnDemandProcess<Question, Answer>(
  options: OnDemandProcessOptions,
): OnDemandProcess<Question, Answer> {
  let running: RunningProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();

  const end = async (error: Error) => {
    const ending = running;
    running = null;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    await ending?.end();
  };
  const begin = (): RunningProcess => {
    const started = startProcess(options, {
      message(message) {
        // The cast is safe, because `serveOnDemandProcess` sends this message in the child.
        const given = message as GivenAnswer<Answer>;
        const asked = waiting.get(given.id);
        waiting.delete(given.id);
        if (waiting.size === 0) started.unref();
        if ('answer' in given) asked?.resolve(given.answer);
        else asked?.reject(new Error(given.error));
      },
      ended: (error) => void (started === running && end(error)),
    });
    return started;
  };
  const endWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(() => (waiting.size > 0 ? endWhenIdle() : void end(new Error('idle'))), idleFor).unref();
  };

  return {
    ask(question) {
      running ??= begin();
      endWhenIdle();
      const asked = Promise.withResolvers<Answer>();
      lastId += 1;
      waiting.set(lastId, asked);
      running.ref();
      running.post({ id: lastId, question } satisfies AskedQuestion<Question>);
      return asked.promise;
    },
    stop: () => end(new Error('The shop is closing down.')),
  };
}

interface RunningProcess {
  post(message: object): void;
  /** Keeps this program alive until `unref`. A program must not end while it waits for an answer. */
  ref(): void;
  unref(): void;
  end(): Promise<void>;
}

interface ProcessEvents {
  message(message: unknown): void;
  /** Called when the process has ended, or could not start. */
  ended(error: Error): void;
}

/** The child gets a low priority, because waiting customers come first. */
export const onDemandProcessPriority: { niceness: number } = { niceness: constants.priority.PRIORITY_BELOW_NORMAL };

function startProcess({ module, task, maxOldGenerationSizeMb }: OnDemandProcessOptions, events: ProcessEvents) {
  const child = fork(fileURLToPath(module), {
    execArgv: [`--max-old-space-size=${maxOldGenerationSizeMb}`],
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.has(name))),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', events.message);
  child.on('error', events.ended);
  child.on('exit', () => events.ended(new Error(`The process that ${task} has ended.`)));
  if (child.pid !== undefined) setPriority(child.pid, onDemandProcessPriority.niceness);
  return {
    ref() {
      child.ref();
      child.channel?.ref();
    },
    unref() {
      child.unref();
      child.channel?.unref();
    },
    // An error of sending is ignored, because the child's `exit` event follows. Its handler rejects the promises of all
    // unanswered questions.
    post: (message: object) => void child.send(message, () => {}),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null || !child.kill('SIGKILL')) return;
      await once(child, 'exit');
    },
  };
}

/** Runs the child's side of an idle process. Thrown errors are passed to the parent. */
export function serveOnDemandProcess<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  process.on('message', (message) => {
    // The cast is safe, because `createOnDemandProcess` sends this message in the parent.
    const { id, question } = message as AskedQuestion<Question>;
    // Without a parent, sending fails and the child is about to end.
    void tryTo(id, () => answer(question)).then((given) => process.send?.(given, undefined, undefined, () => {}));
  });
  // The child ends when its parent has ended.
  process.on('disconnect', () => process.exit());
}

async function tryTo<Answer>(id: number, answer: () => Answer | Promise<Answer>): Promise<GivenAnswer<Answer>> {
  try {
    return { id, answer: await answer() };
  } catch (error) {
    return { id, error: String(error) };
  }
}
