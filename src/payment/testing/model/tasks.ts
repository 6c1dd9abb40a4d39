import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { withPatience } from '#database/patience.ts';

/** Work of the shop that can be held, or killed, wherever it calls the provider or commits. */
export interface Task {
  name: string;
  isDone: boolean;
  isKilled: boolean;
  /** What it threw; null while it runs, if it succeeded or was killed. */
  error: unknown;
  /** The stops at which it stands: several if it does several things at once. The first goes on first. */
  held: { at: string; go(): void }[];
  /** Statements and calls that have not been answered. */
  asking: number;
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
  /** A statement or call of the current task. Throws Killed if it was killed: code that catches errors does nothing either. */
  ask<T>(question: () => Promise<T>): Promise<T>;
  forget(): void;
}

/** The process was killed here. */
export class Killed extends Error {
  constructor() {
    super('killed');
    this.name = 'Killed';
  }
}

/** Milliseconds after which a statement that was not answered may be waiting for a lock. */
const usual = 10;
const longEnough = 10 * 60_000;

/**
 * Runs tasks so that only one moves at a time: the others stand at a stop, or wait for a lock that one of those holds. So the
 * same limits give the same order of events, however fast the machine is. `countBlocked`: how many of the database's
 * sessions wait for a lock now.
 */
export function createTasks(countBlocked: () => Promise<number>): Tasks {
  const current = new AsyncLocalStorage<Task>();
  let all: Task[] = [];
  const live = () => all.filter(({ isDone }) => !isDone);

  /** Waits until every task stands, or waits for a lock. */
  const settle = async () => {
    for (;;) {
      // Answers reach their code, which asks the next question or stops.
      for (let turns = 0; turns < 3; turns += 1) await turn();
      const asking = live().reduce((sum, task) => sum + task.asking, 0);
      const isStanding = live().every((task) => task.held.length + task.asking > 0);
      if (isStanding && asking === 0) return;
      if (!isStanding || asking === 0) await sleep(1);
      else if (!(await isAnswered(asking)) && (await countBlocked()) === asking) return;
    }
  };
  const isAnswered = async (before: number) => {
    for (let waited = 0; waited < usual; waited += 1) {
      await sleep(1);
      if (live().reduce((sum, task) => sum + task.asking, 0) !== before) return true;
    }
    return false;
  };
  const advance = async (task: Task, { end, stops }: RunLimit) => {
    for (let passed = 0; !task.isDone && (end === 'done' || passed < stops); passed += 1) {
      // One that waits for a lock lets those go first that may have it.
      const next = task.held.length > 0 ? task : live().find(({ held }) => held.length > 0);
      if (!next) throw new Error(`${task.name} waits for a lock that nobody has`);
      next.held.shift()?.go();
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
      const task: Task = { name, isDone: false, isKilled: false, error: null, held: [], asking: 0 };
      all.push(task);
      void current.run(task, () => carryOut(task, work));
      await settle();
      await advance(task, limit);
      return task;
    },
    resume: advance,
    async stop(at) {
      const task = current.getStore();
      if (!task) return;
      refuseKilled(task);
      await new Promise<void>((go) => task.held.push({ at, go }));
      refuseKilled(task);
    },
    async ask(question) {
      const task = current.getStore();
      if (!task) return question();
      refuseKilled(task);
      task.asking += 1;
      try {
        return await question();
      } finally {
        task.asking -= 1;
      }
    },
    forget() {
      all = [];
    },
  };
}

async function carryOut(task: Task, work: () => Promise<unknown>): Promise<void> {
  try {
    await withPatience(longEnough, work);
  } catch (error) {
    if (!task.isKilled) task.error = error;
  }
  task.isDone = true;
}

function refuseKilled({ isKilled }: Task): void {
  if (isKilled) throw new Killed();
}
