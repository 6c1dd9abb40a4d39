import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group of processes that share one core and a memory limit (bytes). */
export interface OneCoreGroup {
  /** A description of the limits. */
  how: string;
  /** Limits a process and its future children; `leave` removes the process from the group. */
  enter(pid: number): void;
  leave(pid: number): void;
  /** The group's peak memory in bytes, including the page cache; null: unknown. */
  peak(): number | null;
  /** The number of processes that the kernel killed for lack of memory; null: unknown. */
  killed(): number | null;
  /** Removes the group. Every process must have left or ended. */
  close(): void;
}

const root = '/sys/fs/cgroup';
const gigabyte = 1024 ** 3;

/** Creates a cgroup of version 2 or 1 below the current one. Throws if that fails, as it does without root. */
export function createOneCoreGroup(): OneCoreGroup {
  const name = `hatch-soak-${process.pid}`;
  return existsSync(join(root, 'cgroup.controllers')) ? versionTwo(name) : versionOne(name);
}

function versionTwo(name: string): OneCoreGroup {
  const own = join(root, pathIn('') ?? '');
  const place = join(root, name);
  mkdirSync(place);
  writeFileSync(join(place, 'cpu.max'), '100000 100000');
  writeFileSync(join(place, 'memory.max'), String(gigabyte));
  return {
    how: 'a cgroup of one core and 1 GB',
    enter: (pid) => writeFileSync(join(place, 'cgroup.procs'), String(pid)),
    leave: (pid) => writeFileSync(join(own, 'cgroup.procs'), String(pid)),
    peak: () => numberIn(join(place, 'memory.peak')),
    killed: () => countIn(join(place, 'memory.events')),
    close: () => rmdirSync(place),
  };
}

function versionOne(name: string): OneCoreGroup {
  const places = ['cpu', 'memory'].map((controller) => {
    const own = join(root, controller, pathIn(controller) ?? '');
    const place = join(own, name);
    mkdirSync(place);
    return { own, place };
  });
  const [cpu, memory] = places.map(({ place }) => place);
  writeFileSync(join(cpu ?? '', 'cpu.cfs_period_us'), '100000');
  writeFileSync(join(cpu ?? '', 'cpu.cfs_quota_us'), '100000');
  writeFileSync(join(memory ?? '', 'memory.limit_in_bytes'), String(gigabyte));
  return {
    how: 'a cgroup (version 1) of one core and 1 GB',
    enter: (pid) => places.forEach(({ place }) => writeFileSync(join(place, 'cgroup.procs'), String(pid))),
    leave: (pid) => places.forEach(({ own }) => writeFileSync(join(own, 'cgroup.procs'), String(pid))),
    peak: () => numberIn(join(memory ?? '', 'memory.max_usage_in_bytes')),
    killed: () => countIn(join(memory ?? '', 'memory.oom_control')),
    close: () => places.forEach(({ place }) => rmdirSync(place)),
  };
}

/** The path of this process's cgroup in a controller; the controller '' means version 2. */
function pathIn(controller: string): string | undefined {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
  return lines.map((line) => line.split(':')).find(([, names]) => (names ?? '').split(',').includes(controller))?.[2];
}

function countIn(file: string): number | null {
  const count = existsSync(file) ? /^oom_kill (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return count === undefined ? null : Number(count);
}

function numberIn(file: string): number | null {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : null;
}
