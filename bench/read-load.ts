import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Load, Server } from './processes.ts';

const run = promisify(execFile);
/** The milliseconds in each of wrk's units. */
const units: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

/**
 * Reads one address over 16 connections for this many seconds, as a browser that accepts brotli. Uses wrk, which sends
 * several times the requests that a Node server answers; a load generator in Node would be the slower side. Throws if
 * any answer was not a 200.
 */
export async function read(server: Server, path: string, seconds: number): Promise<Load> {
  const before = await server.cpu();
  const { stdout } = await run('wrk', [
    '--threads=1',
    '--connections=16',
    `--duration=${seconds}s`,
    '--latency',
    '--header=accept-encoding: br',
    server.url + path,
  ]).catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isMissing ? new Error('This benchmark needs wrk: apt-get install wrk', { cause: error }) : error;
  });
  const used = (await server.cpu()) - before;
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Requests to ${server.url}${path} failed:\n${stdout}`);
  const [, total = ''] = /(\d+) requests in/.exec(stdout) ?? [];
  const [, rate = ''] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? [];
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)\b/.exec(stdout) ?? [];
  const load = {
    requestsPerSecond: Number(rate),
    cpuPerRequest: used / Number(total),
    p99: Number(p99) * (units[unit] ?? Number.NaN),
  };
  if (Object.values(load).some((value) => !(value > 0))) throw new Error(`wrk answered something else:\n${stdout}`);
  return load;
}
