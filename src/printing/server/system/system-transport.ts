import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrintFaultDetails } from '#printing/print-outcome.ts';
import type { PrinterReport, Transport } from '#printing/server/transport.ts';

const usualTimeouts = { commandWithin: 10_000, handsOnWithin: 25_000 };
const askEvery = 500;

interface Said {
  /** How the command ended. `late`: the command timed out; `missing`: the command does not exist. */
  end: 'well' | 'badly' | 'late' | 'missing';
  text: string;
}

export interface CupsTransportOptions {
  environment?: NodeJS.ProcessEnv;
  /** The timeout of one command (ms). */
  commandWithin?: number;
  /** The time in which the print system must deliver a job to the printer (ms). */
  handsOnWithin?: number;
}

/**
 * Creates the transport to the server's own CUPS print queues, for USB printers. The queue accepts raw bytes and never
 * reports missing paper. A job that the queue has not delivered in time is cancelled, so that it is not printed hours
 * later.
 */
export function createCupsTransport(options: CupsTransportOptions = {}): Transport {
  const { environment = process.env, commandWithin, handsOnWithin } = { ...usualTimeouts, ...options };
  const run = (command: string, args: readonly string[], input?: Buffer): Promise<Said> =>
    new Promise((resolve) => {
      const limits = { timeout: commandWithin, maxBuffer: 64 * 1024, env: { ...environment, LC_ALL: 'C' } };
      const child = execFile(command, args, limits, (error, output, errors) => {
        const end = error === null ? 'well' : error.code === 'ENOENT' ? 'missing' : error.killed ? 'late' : 'badly';
        resolve({ end, text: `${output}\n${errors}`.trim().slice(0, 4000) });
      });
      // If a command ends without reading its input, the input emits an error, which would end the server without this
      // listener.
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  const ask = async (queue: string): Promise<PrintFaultDetails | null> => troubleOf(await run('lpstat', ['-p', queue]));
  const isWaiting = async (queue: string, id: string): Promise<boolean> => {
    const { end, text } = await run('lpstat', ['-W', 'not-completed', '-o', queue]);
    // If the print system does not answer, the job counts as waiting.
    if (end !== 'well') return true;
    return text.split('\n').some((line) => line.startsWith(`${id} `));
  };
  return {
    async send({ printer: { address: queue }, bytes }, signal) {
      const trouble = await ask(queue);
      if (trouble) return { kind: 'refused', ...trouble };
      const { end, text } = await run('lp', ['-d', queue, '-o', 'raw', '-t', 'Receipt'], bytes);
      const [, id] = /request id is (\S+)/.exec(text) ?? [];
      if (end === 'late') return { kind: 'unknown', fault: 'no_print_system' };
      if (end !== 'well' || id === undefined) return { kind: 'refused', fault: 'other', detail: text.slice(0, 500) };
      const until = performance.now() + handsOnWithin;
      while (!signal.aborted && performance.now() < until) {
        if (!(await isWaiting(queue, id))) return { kind: 'sent' };
        await sleep(askEvery);
      }
      await run('cancel', [id]);
      return { kind: 'unknown', ...((await ask(queue)) ?? { fault: 'offline' }) };
    },
    async probe({ address: queue }): Promise<PrinterReport> {
      const trouble = await ask(queue);
      return trouble ? { fault: trouble.fault, detail: trouble.detail ?? null } : { fault: null };
    },
  };
}

/** The trouble in the output of `lpstat -p`; null if the queue prints. */
function troubleOf({ end, text }: Said): PrintFaultDetails | null {
  if (end === 'missing' || end === 'late' || /scheduler is not running|unable to connect/i.test(text))
    return { fault: 'no_print_system' };
  if (end === 'badly') return { fault: 'no_queue' };
  if (!/disabled since/.test(text)) return null;
  const [, reason] = /disabled since [^\n]*\n\s*(.+)/.exec(text) ?? [];
  return { fault: 'queue_stopped', ...(reason !== undefined && { detail: reason }) };
}
