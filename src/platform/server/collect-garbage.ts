import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { repeatEvery } from '#platform/server/sweep.ts';
import type { ServerPart } from '#platform/server/parts.ts';

export interface GarbageCollectionOptions {
  /** The interval between two checks (ms). */
  every: number;
  /** The utilisation of the event loop, 0 to 1, below which the thread counts as idle. */
  idleBelow: number;
  /** The growth of memory since the last collection that justifies another collection (bytes). */
  growth: number;
  /** Collects the whole heap by `globalThis.gc`; missing without `--expose-gc`. */
  collect?: (() => void) | undefined;
  /** Collects the young generation in a millisecond or two. Most calls leave only young garbage. */
  collectYoung?: (() => void) | undefined;
  /** Returns the bytes of the heap and of external buffers, such as uploads. */
  used?: () => number;
  utilization?: (since?: EventLoopUtilization) => EventLoopUtilization;
}

const usual: Pick<GarbageCollectionOptions, 'every' | 'idleBelow' | 'growth'> = {
  every: 10_000,
  idleBelow: 0.05,
  growth: 8 * 1024 * 1024,
};

/**
 * Collects garbage while the thread is idle, because in a quiet shop V8 may not collect its heap or free external
 * buffers for hours. A young collection is tried first, because polls alone allocate eight megabytes of young objects
 * in seconds. A full collection takes 60 to 90 ms and drops compiled code.
 */
export function collectGarbageWhenIdle(choice: Partial<GarbageCollectionOptions> = collections()): ServerPart {
  const { every, idleBelow, growth, collect, collectYoung = () => {} } = { ...usual, ...choice };
  const used = choice.used ?? memoryInUse;
  const utilization = choice.utilization ?? ((since) => performance.eventLoopUtilization(since));
  if (!collect) return { stop() {} };
  let before = utilization();
  let collected = 0;
  const stop = repeatEvery(every, () => {
    const { utilization: worked } = utilization(before);
    const hasGrown = () => used() > collected + growth;
    if (worked < idleBelow && hasGrown()) {
      collectYoung();
      if (hasGrown()) {
        collect();
        collected = used();
      }
    }
    // The measurement restarts here, so that the collection itself does not count as load.
    before = utilization();
  });
  return { stop };
}

function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * The collections that V8 offers. The full collection returns free pages to the operating system. Empty without
 * `--expose-gc`.
 */
function collections(): Partial<GarbageCollectionOptions> {
  const { gc } = globalThis;
  if (!gc) return {};
  return {
    collect: () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    collectYoung: () => void gc({ type: 'minor' }),
  };
}
