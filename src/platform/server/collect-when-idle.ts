import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { repeat } from '#platform/server/sweep.ts';
import type { Part } from '#platform/server/parts.ts';

export interface IdleCollection {
  /** Milliseconds between two checks. */
  every: number;
  /** The share of the time, 0 to 1, that the thread may have worked since the last check and still count as idle. */
  idleBelow: number;
  /** Bytes by which the resident memory must have grown since the last collection. */
  growth: number;
  /** Collects all garbage: `globalThis.gc`, which Node has with `--expose-gc`. Without it, nothing is collected. */
  collect?: (() => void) | undefined;
  /** Bytes of resident memory. It counts all that a collection frees: objects, buffers, and the C library's free pages. */
  resident?: () => number;
  utilization?: (since?: EventLoopUtilization) => EventLoopUtilization;
}

const usual: Pick<IdleCollection, 'every' | 'idleBelow' | 'growth'> = {
  every: 10_000,
  idleBelow: 0.05,
  growth: 8 * 1024 * 1024,
};

/**
 * Collects garbage while the thread is idle, and returns free memory to the system. V8 lets its heap grow under load and
 * collects next when it allocates, which may not happen for hours in a quiet shop. A collection takes 60 to 120 ms, so it
 * waits until the thread was idle between two checks.
 */
export function collectWhenIdle(choice: Partial<IdleCollection> = { collect: fullCollection() }): Part {
  const { every, idleBelow, growth, collect } = { ...usual, ...choice };
  const resident = choice.resident ?? process.memoryUsage.rss;
  const utilization = choice.utilization ?? ((since) => performance.eventLoopUtilization(since));
  if (!collect) return { stop() {} };
  let before = utilization();
  let collected = 0;
  const stop = repeat(every, () => {
    const { utilization: worked } = utilization(before);
    if (worked < idleBelow && resident() > collected + growth) {
      collect();
      collected = resident();
    }
    // The collection itself does not count as work.
    before = utilization();
  });
  return { stop };
}

/** Undefined without `--expose-gc`. */
function fullCollection(): (() => void) | undefined {
  const { gc } = globalThis;
  if (!gc) return undefined;
  const trim = findMallocTrim();
  return () => {
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    trim?.();
  };
}

/**
 * `malloc_trim` of glibc, which returns the free pages between the blocks in use to the system; by itself it returns only
 * those at the end. It says whether there were any. Undefined with other C libraries.
 */
export function findMallocTrim(): (() => boolean) | undefined {
  try {
    // Loading the module says that it is experimental, so only a server that needs it does.
    const { dlopen } = process.getBuiltinModule('node:ffi');
    const { functions } = dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } });
    return () => functions.malloc_trim(0n) === 1;
  } catch {
    return undefined;
  }
}
