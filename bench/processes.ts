import { fork, type ChildProcess } from 'node:child_process';
import { type LoadOptions, loadTool } from './load-tool.ts';

export interface Server {
  url: string;
  /** Microseconds of processor time that the server's process has used so far. */
  cpu(): Promise<number>;
  /** Bytes of memory that the process has now. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a server as its own process. It must send `{url}`, and `{cpu}` on request. */
/** `flags` are Node's. */
export async function startServer(
  script: string,
  environment: Record<string, string> = {},
  flags: string[] = [],
): Promise<Server> {
  const child = fork(script, [], {
    execArgv: flags,
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { url } = await message<{ url: string }>(child);
  return {
    url,
    async cpu() {
      const answer = message<{ cpu: number }>(child);
      child.send('cpu');
      return (await answer).cpu;
    },
    async memory() {
      const answer = message<{ memory: number }>(child);
      child.send('memory');
      return (await answer).memory;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`The server ended with ${code}.`));
    child.once('exit', ended);
    child.once('message', (value) => {
      child.off('exit', ended);
      // The messages of our own servers; see reportTo.
      resolve(value as T);
    });
  });
}

/** The server's side of the protocol. */
export function reportTo(parent: NodeJS.Process, url: string): void {
  parent.on('message', () => {
    const { user, system } = parent.cpuUsage();
    parent.send?.({ cpu: user + system, memory: parent.memoryUsage.rss() });
  });
  parent.send?.({ url });
}

export interface Load {
  requestsPerSecond: number;
  /** Microseconds of the server's processor time for one request. */
  cpuPerRequest: number;
  /** Milliseconds. */
  p99: number;
}

export async function load(server: Server, options: LoadOptions & { path: string }): Promise<Load> {
  const { default: autocannon } = await loadTool('autocannon');
  const before = await server.cpu();
  const { path, ...rest } = options;
  const result = await autocannon({ ...rest, url: server.url + path, connections: 16 });
  const used = (await server.cpu()) - before;
  const bad = result.non2xx + result.errors + result.timeouts;
  if (bad > 0)
    throw new Error(`${bad} requests to ${server.url}${path} failed: ${JSON.stringify(result.statusCodeStats)}`);
  return {
    requestsPerSecond: result.requests.average,
    cpuPerRequest: used / result.requests.total,
    p99: result.latency.p99,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export interface Ratio {
  name: string;
  goal: number;
  ours: Load[];
  reference: Load[];
}

/** Prints the medians and the ratio, pair by pair. */
export function report({ name, goal, ours, reference }: Ratio): void {
  const ratios = ours.map((one, index) => one.requestsPerSecond / (reference[index]?.requestsPerSecond ?? Number.NaN));
  const line = (label: string, loads: Load[]) =>
    `  ${label.padEnd(10)} ${Math.round(median(loads.map((l) => l.requestsPerSecond))).toLocaleString('en')} requests/s, ` +
    `${Math.round(median(loads.map((l) => l.cpuPerRequest)))} µs of processor each, p99 ${median(loads.map((l) => l.p99))} ms`;
  const middle = median(ratios);
  console.log(`\n${name}\n${line('Hatch', ours)}\n${line('reference', reference)}`);
  console.log(
    `  ratio ${middle.toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}); goal ${goal} ${middle >= goal ? 'met' : 'MISSED'}`,
  );
}
