import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Linux counts processor time in hundredths of a second, whatever its own timer does. */
const ticksPerSecond = 100;

/** The seconds of processor of each file of tests, a line of JSON each time that one was measured. */
export const processorTimesFile = () => join(tmpdir(), 'processor-times.jsonl');

export function noteProcessorTime(file: string, seconds: number): void {
  appendFileSync(processorTimesFile(), `${JSON.stringify([relative('.', file), seconds])}\n`);
}

/** Seconds of processor by file; empty where none were measured, as on systems other than Linux. */
export function readProcessorTimes(): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of readText(processorTimesFile()).split('\n')) {
    if (line === '') continue;
    const [file, seconds] = JSON.parse(line) as [string, number];
    sums.set(file, (sums.get(file) ?? 0) + seconds);
  }
  return sums;
}

interface Spent {
  parent: number;
  /** Seconds of the process itself, and of its children that have ended and were waited for. */
  own: number;
  reaped: number;
}

/** Seconds that a process has spent; null if it is gone, or this is no Linux. */
export function spentBy(pid: number | 'self'): Spent | null {
  // The name in parentheses may contain blanks.
  const fields = readText(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ');
  if (!fields || fields.length < 15) return null;
  const at = (index: number) => Number(fields[index]) / ticksPerSecond;
  return { parent: Number(fields[1]), own: at(11) + at(12), reaped: at(13) + at(14) };
}

/** Seconds of processor of a process and all its descendants. */
export function spentByTree(root: number): number {
  const spent = new Map(processIds().flatMap((pid) => entryOf(pid)));
  const isBelow = (pid: number): boolean => {
    for (let at = pid; at > 1; at = spent.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  let sum = 0;
  for (const [pid, { own, reaped }] of spent) if (isBelow(pid)) sum += own + reaped;
  return sum;
}

/** Seconds of processor of the PostgreSQL processes that are connected to this database. */
export function spentOnDatabase(name: string): number {
  const isConnected = (pid: number) => readText(`/proc/${pid}/cmdline`).includes(` ${name} `);
  return processIds()
    .filter(isConnected)
    .reduce((sum, pid) => sum + (spentBy(pid)?.own ?? 0), 0);
}

const entryOf = (pid: number): [number, Spent][] => {
  const spent = spentBy(pid);
  return spent ? [[pid, spent]] : [];
};

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
