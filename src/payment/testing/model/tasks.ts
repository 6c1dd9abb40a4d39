import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';

/** Work of the shop that can be held, or killed, wherever it calls the provider or commits. */
export interface Task {
  name: string;
  isDone: boolean;
  isKilled: boolean;
  /** What it threw; null while it runs, if it succeeded or was killed. */
  error: unknown;
  /** The stops at which it stands: several if it does several things at once. The first goes on first. */
  held: { at: string; go(): void }[];
  /** Statements and calls that have not been answered: the database's session of each, null for calls. */
  asking: (number | null)[];
}

/** How far a task runs: to its end; or past this many stops, where it waits for others to go on, or is killed. */
export interface RunLimit {
  end: 'done' | 'wait' | 'kill';
  stops: number;
}

export interface Tasks {
  /** Every task that has begun, oldest first. */
  all: readonly Task[];
  waiting(): Task[];
  /** Begins a task and lets it run to its limit. Resolves when no task can go on. */
  start(name: string, work: () => Promise<unknown>, limit?: RunLimit): Promise<Task>;
  /** Lets a waiting task go on. */
  resume(task: Task, limit: RunLimit): Promise<void>;
  /** A stop of the current task. Throws Killed when it was killed here or before. */
  stop(at: string): Promise<void>;
  /**
   * A statement or call of the current task; `session` is the database's process that may wait for a lock. Throws
   * Killed if the task was killed: code that catches errors does nothing either.
   */
  ask<T>(question: () => Promise<T>, session?: number | null): Promise<T>;
  /** Kills what has not ended, so that it holds no lock, and forgets all. */
  forget(): Promise<void>;
}

/** The process was killed here. */
export class Killed extends Error {
  constructor() {
    super('killed');
    this.name = 'Killed';
  }
}

/** Milliseconds after which a statement that was not answered may be waiting for a lock. */
const usual = 3;
/** Milliseconds for which a lock may be waited for that no task has. */
const longestLock = 20_000;

/**
 * Runs tasks so that only one moves at a time: the others stand at a stop, or wait for a lock that one of those holds.
 * So the same limits give the same order of events, however fast the machine is. `blockedSessions`: the database's
 * processes that wait for a lock now.
 */
export function createTasks(blockedSessions: () => Promise<readonly number[]>): Tasks {
  const current = new AsyncLocalStorage<Task>();
  let all: Task[] = [];
  const live = () => all.filter(({ isDone }) => !isDone);
  const motion = createMotion();

  const settle = () => untilAllStand(live, motion, blockedSessions);
  // One that waits for a lock lets those go first that may have it.
  const nextOf = (task: Task) => (task.held.length > 0 ? task : live().find(({ held }) => held.length > 0));
  const advance = async (task: Task, { end, stops }: RunLimit) => {
    for (let passed = 0; !task.isDone && (end === 'done' || passed < stops); passed += 1) {
      let next = nextOf(task);
      // A lock of something that is no task, such as a webhook being stored, or a deadlock that PostgreSQL ends.
      for (const began = performance.now(); !next && !task.isDone; next = nextOf(task)) {
        if (performance.now() - began > longestLock) throw new Error(`${task.name} waits for a lock that nobody has`);
        await motion.next();
        await settle();
      }
      next?.held.shift()?.go();
      await settle();
    }
    if (task.isDone || task.held.length === 0 || end !== 'kill') return;
    task.isKilled = true;
    for (const { go } of task.held.splice(0)) go();
    await settle();
  };

  return {
    get all() {
      return all;
    },
    waiting: live,
    async start(name, work, limit = { end: 'done', stops: 0 }) {
      const task: Task = { name, isDone: false, isKilled: false, error: null, held: [], asking: [] };
      all.push(task);
      void current.run(task, () => carryOut(task, work)).then(motion.moved);
      await settle();
      await advance(task, limit);
      return task;
    },
    resume: advance,
    async stop(at) {
      const task = current.getStore();
      if (!task) return;
      refuseKilled(task);
      await new Promise<void>((go) => {
        task.held.push({ at, go });
        motion.moved();
      });
      refuseKilled(task);
    },
    async ask(question, session = null) {
      const task = current.getStore();
      if (!task) return question();
      refuseKilled(task);
      task.asking.push(session);
      try {
        return await question();
      } finally {
        task.asking.splice(task.asking.indexOf(session), 1);
        motion.moved();
      }
    },
    async forget() {
      for (const task of live()) {
        task.isKilled = true;
        for (const { go } of task.held.splice(0)) go();
      }
      while (live().length > 0) await motion.next();
      all = [];
    },
  };
}

/** Waits until every task stands, or waits for a lock. */
async function untilAllStand(
  live: () => readonly Task[],
  motion: Motion,
  blockedSessions: () => Promise<readonly number[]>,
): Promise<void> {
  for (;;) {
    // Answers reach their code, which asks the next question or stops.
    for (let turns = 0; turns < 3; turns += 1) await turn();
    const asking = live().flatMap((task) => task.asking);
    const isStanding = live().every((task) => task.held.length + task.asking.length > 0);
    if (isStanding && asking.length === 0) return;
    const seen = motion.count();
    await motion.next();
    if (!isStanding || motion.count() !== seen || asking.includes(null)) continue;
    const blocked = new Set<number | null>(await blockedSessions());
    if (asking.every((session) => blocked.has(session)) && motion.count() === seen) return;
  }
}

type Motion = ReturnType<typeof createMotion>;

/** Stops, answers and ends of tasks: while their count stays the same, nothing has moved. */
function createMotion() {
  let moves = 0;
  let onMove = () => {};
  return {
    count: () => moves,
    moved() {
      moves += 1;
      onMove();
    },
    /** Resolves at the next move, or when nothing moved for as long as a statement usually takes. */
    async next(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        onMove = resolve;
        timer = setTimeout(resolve, usual);
      });
      clearTimeout(timer);
    },
  };
}

async function carryOut(task: Task, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!task.isKilled) task.error = error;
  }
  task.isDone = true;
}

function refuseKilled({ isKilled }: Task): void {
  if (isKilled) throw new Killed();
}
