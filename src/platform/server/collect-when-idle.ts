import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { Part } from '#platform/server/parts.ts';

export interface IdleCollection {
  /** Milliseconds between two looks. */
  every: number;
  /** The part of the time, 0 to 1, that the thread may have worked since the last look and still be idle. */
  idleBelow: number;
  /** Bytes that the heap must have grown by since it was last collected. */
  growth: number;
  /** Collects all garbage; `globalThis.gc`, which Node has with `--expose-gc`. Left out where there is none. */
  collect?: (() => void) | undefined;
  heapUsed?: () => number;
  utilization?: (since?: EventLoopUtilization) => EventLoopUtilization;
}

const usual: Pick<IdleCollection, 'every' | 'idleBelow' | 'growth'> = {
  every: 10_000,
  idleBelow: 0.05,
  growth: 8 * 1024 * 1024,
};

/**
 * Collects garbage while there is nothing to do. V8 grows its heap under load and gives memory back when it next
 * collects, which a quiet shop may not make it do for hours. One collection takes as long as a slow request, so it waits
 * until the thread was idle between two looks.
 */
export function collectWhenIdle(choice: Partial<IdleCollection> = { collect: fullCollection() }): Part {
  const { every, idleBelow, growth, collect } = { ...usual, ...choice };
  const heapUsed = choice.heapUsed ?? (() => process.memoryUsage().heapUsed);
  const utilization = choice.utilization ?? ((since) => performance.eventLoopUtilization(since));
  if (!collect) return { stop() {} };
  let before = utilization();
  let collected = 0;
  const timer = setInterval(() => {
    const { utilization: worked } = utilization(before);
    if (worked < idleBelow && heapUsed() > collected + growth) {
      collect();
      collected = heapUsed();
    }
    // The collection itself is no work of the shop's.
    before = utilization();
  }, every).unref();
  return { stop: () => clearInterval(timer) };
}

/** Gives freed pages back as well; undefined without `--expose-gc`. */
function fullCollection(): (() => void) | undefined {
  const { gc } = globalThis;
  return gc && (() => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
}
