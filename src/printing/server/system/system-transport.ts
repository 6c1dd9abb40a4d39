import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { m } from '#messages';
import type { Trouble } from '#printing/outcome.ts';
import type { PrinterReport, Transport } from '#printing/server/transport.ts';

/** Milliseconds for one command, and for the print system to hand a job on to its printer. */
const commandWithin = 10_000;
const handsOnWithin = 25_000;
const askEvery = 500;

interface Said {
  /** null: there is no such command. */
  code: number | null;
  text: string;
}

/**
 * Print queues of the machine that the server runs on, by CUPS: the way to a printer at its USB. The queue takes the bytes as
 * they are, and never says what became of the paper. A job that it does not hand on is cancelled, so that it is not printed
 * tomorrow.
 */
export function createSystemTransport(environment: NodeJS.ProcessEnv = process.env): Transport {
  const run = (command: string, args: readonly string[], input?: Buffer): Promise<Said> =>
    new Promise((resolve) => {
      const options = { timeout: commandWithin, maxBuffer: 64 * 1024, env: { ...environment, LC_ALL: 'C' } };
      const child = execFile(command, args, options, (error, output, errors) => {
        const isMissing = error !== null && error.code === 'ENOENT';
        resolve({ code: isMissing ? null : error ? 1 : 0, text: `${output}\n${errors}`.trim().slice(0, 500) });
      });
      // It may have ended without reading.
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  const ask = async (queue: string): Promise<Trouble | null> => troubleOf(await run('lpstat', ['-p', queue]));
  const isWaiting = async (queue: string, id: string): Promise<boolean> => {
    const { text } = await run('lpstat', ['-W', 'not-completed', '-o', queue]);
    return text.split('\n').some((line) => line.startsWith(`${id} `));
  };
  return {
    async send({ printer: { address: queue }, bytes }, signal) {
      const trouble = await ask(queue);
      if (trouble) return { kind: 'refused', ...trouble };
      const { code, text } = await run('lp', ['-d', queue, '-o', 'raw', '-t', 'Receipt'], bytes);
      const [, id] = /request id is (\S+)/.exec(text) ?? [];
      if (code !== 0 || id === undefined) return { kind: 'refused', fault: 'other', detail: text };
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

/** By what `lpstat -p` says; null: the queue prints. */
function troubleOf({ code, text }: Said): Trouble | null {
  if (code === null) return { fault: 'other', detail: m.printing_no_print_system() };
  if (/scheduler is not running|unable to connect/i.test(text)) {
    return { fault: 'other', detail: m.printing_no_print_system() };
  }
  if (code !== 0) return { fault: 'wrong_address', detail: m.printing_no_queue() };
  const [, reason] = /disabled since [^\n]*\n\s*(.+)/.exec(text) ?? [];
  return /disabled since/.test(text) ? { fault: 'offline', detail: reason ?? m.printing_queue_stopped() } : null;
}
