import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseProcesses } from '#testing/database-processes.ts';
import type { Shop } from '#testing/running-shop.ts';

/** The value that this many percent of the values do not exceed. NaN without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** Milliseconds as text, with this many decimal places. */
export function words(values: readonly number[], places = 0): string {
  const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(values, percent).toFixed(places));
  return `p50 ${p50} ms, p95 ${p95}, p99 ${p99}, longest ${Math.max(...values).toFixed(places)} (${values.length})`;
}

/** Megabytes of a process in memory. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Begins `work` this many times, evenly within the seconds, even if earlier ones have not ended. */
export async function evenly<T>(count: number, seconds: number, work: () => Promise<T>): Promise<T[]> {
  const begun: Promise<T>[] = [];
  const started = performance.now();
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, started + (n * seconds * 1000) / count - performance.now()));
    begun.push(work());
  }
  return Promise.all(begun);
}

const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Seconds of processor time that a shop has used so far: node, and all processes of PostgreSQL. */
export function processorTime(shop: Shop): { server: number; database: number } {
  const database = databaseProcesses(shop.dataDir).reduce((sum, pid) => sum + timeOf(pid), 0);
  return { server: timeOf(shop.processId()), database };
}

/** Of all threads in user and kernel mode, and of the children that it has waited for: PostgreSQL's first process has those of connections that ended. */
function timeOf(pid: number): number {
  const stat = statOf(pid);
  const fields = stat.split(') ').at(-1)?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks;
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It ended just now.
    return '';
  }
}
