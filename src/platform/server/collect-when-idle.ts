import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { repeat } from '#platform/server/sweep.ts';
import type { Part } from '#platform/server/parts.ts';

export interface IdleCollection {
  /** Milliseconds between two checks. */
  every: number;
  /** The share of the time, 0 to 1, that the thread may have worked since the last check and still count as idle. */
  idleBelow: number;
  /** Bytes by which the memory in use must have grown since the last collection. */
  growth: number;
  /** Collects all garbage: `globalThis.gc`, which Node has with `--expose-gc`. Without it, nothing is collected. */
  collect?: (() => void) | undefined;
  /** Collects the young generation, in a millisecond or two: small calls leave no other garbage. */
  collectYoung?: (() => void) | undefined;
  /** Bytes of objects, and of buffers outside the heap, such as an uploaded picture. */
  used?: () => number;
  utilization?: (since?: EventLoopUtilization) => EventLoopUtilization;
}

const usual: Pick<IdleCollection, 'every' | 'idleBelow' | 'growth'> = {
  every: 10_000,
  idleBelow: 0.05,
  growth: 8 * 1024 * 1024,
};

/**
 * Collects garbage while the thread is idle. V8 lets its heap grow under load, and may not collect again for hours in a
 * quiet shop. Buffers outside the heap are freed too. A collection takes 60 to 90 ms, so it waits until the thread was
 * idle between two checks. It also discards compiled code, so it does not run for young objects: polling devices leave
 * eight megabytes in some seconds.
 */
export function collectWhenIdle(choice: Partial<IdleCollection> = collections()): Part {
  const { every, idleBelow, growth, collect, collectYoung = () => {} } = { ...usual, ...choice };
  const used = choice.used ?? memoryInUse;
  const utilization = choice.utilization ?? ((since) => performance.eventLoopUtilization(since));
  if (!collect) return { stop() {} };
  let before = utilization();
  let collected = 0;
  const stop = repeat(every, () => {
    const { utilization: worked } = utilization(before);
    const hasGrown = () => used() > collected + growth;
    if (worked < idleBelow && hasGrown()) {
      collectYoung();
      if (hasGrown()) {
        collect();
        collected = used();
      }
    }
    // The collection itself does not count as work.
    before = utilization();
  });
  return { stop };
}

function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The full one also returns free pages to the system. Nothing without `--expose-gc`. */
function collections(): Partial<IdleCollection> {
  const { gc } = globalThis;
  if (!gc) return {};
  return {
    collect: () => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    collectYoung: () => void gc({ type: 'minor' }),
  };
}
