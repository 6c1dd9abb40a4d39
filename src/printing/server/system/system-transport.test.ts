import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import { createCupsTransport } from '#printing/server/system/system-transport.ts';
import type { EncodedJob } from '#printing/server/transport.ts';
import { type PrintSystem, startPrintSystem } from '#simulators/printers/print-system/print-system.ts';

let system: PrintSystem;
beforeEach(async () => {
  system = await startPrintSystem('kitchen');
});
afterEach(() => system.stop());

const timeouts = { commandWithin: 15_000, handsOnWithin: 2_000 };
const transport = (part: object = {}) => createCupsTransport({ environment: system.environment, ...timeouts, ...part });
const soon = { timeout: 60_000, interval: 30 };
/** Every byte, so that nothing on the way may take it for text. */
const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));

// The parts that a transport reads.
const job = (address = 'kitchen') => ({ id: 'a', printer: { id: 'p', address }, bytes }) as unknown as EncodedJob;
const send = (address?: string, part?: object): Promise<PrintJobOutcome> =>
  transport(part).send(job(address), AbortSignal.timeout(30_000));
const probe = (address = 'kitchen') => transport().probe?.(job(address).printer, AbortSignal.timeout(30_000));

test('a job goes to its queue as it is, and is sent once the queue has handed it on', async () => {
  const sent = send(undefined, { handsOnWithin: 20_000 });
  await vi.waitUntil(async () => (await system.waiting()).length === 1, soon);
  expect(await system.waiting()).toEqual([expect.objectContaining({ queue: 'kitchen', options: ['raw'] })]);
  expect(await system.handOn()).toEqual([bytes]);
  expect(await sent).toEqual({ kind: 'sent' });
});

test('a job that is not handed on is cancelled, and may be on paper', async () => {
  expect(await send()).toEqual({ kind: 'unknown', fault: 'offline' });
  expect(await system.waiting()).toEqual([]);
});

test('what stopped the queue meanwhile is said', async () => {
  const sent = send();
  await vi.waitUntil(async () => (await system.waiting()).length === 1, soon);
  await system.change({ queues: { kitchen: { isStopped: true, reason: 'Unplugged or turned off' } } });
  expect(await sent).toEqual({ kind: 'unknown', fault: 'queue_stopped', detail: 'Unplugged or turned off' });
});

test.each([
  ['a stopped queue', { queues: { kitchen: { isStopped: true, reason: 'Paused' } } }, 'queue_stopped', 'Paused'],
  ['a queue of another name', { queues: {} }, 'no_queue', undefined],
  ['a print system that does not run', { isRunning: false }, 'no_print_system', undefined],
])('%s is given nothing, and found again once it is well', async (_name, trouble, fault, detail) => {
  await system.change(trouble);
  expect(await send()).toEqual({ kind: 'refused', fault, ...(detail !== undefined && { detail }) });
  expect(await probe()).toEqual({ fault, detail: detail ?? null });
  expect((await system.calls()).filter((call) => call.startsWith('lp '))).toEqual([]);
  await system.change({ isRunning: true, queues: { kitchen: { isStopped: false, reason: '' } } });
  expect(await probe()).toEqual({ fault: null });
});

test('a machine without a print system says so', async () => {
  const environment = { ...process.env, PATH: '/nowhere' };
  expect(await send(undefined, { environment })).toEqual({ kind: 'refused', fault: 'no_print_system' });
});

test('a command that hangs is ended: before the job nothing is printed, and with the job nobody knows', async () => {
  await system.change({ hangs: ['lpstat'] });
  expect(await send(undefined, { commandWithin: 500 })).toEqual({ kind: 'refused', fault: 'no_print_system' });
  await system.change({ hangs: ['lp'] });
  expect(await send(undefined, { commandWithin: 3_000 })).toEqual({ kind: 'unknown', fault: 'no_print_system' });
});

test('a question that is not answered does not mean that the job was handed on', async () => {
  const sent = send();
  await vi.waitUntil(async () => (await system.waiting()).length === 1, soon);
  await system.change({ isRunning: false });
  expect(await sent).toEqual({ kind: 'unknown', fault: 'no_print_system' });
});
