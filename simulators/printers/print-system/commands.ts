import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';

// The commands `lp`, `lpstat` and `cancel` of a print system that is in one file, as CUPS 2.4 speaks in the locale C. The
// first argument is the command, the second the folder.

export interface PrintSystemState {
  isRunning: boolean;
  queues: Record<string, { isStopped: boolean; reason: string }>;
  /** Jobs wait until the printer of their queue takes them. */
  jobs: { id: string; queue: string; options: string[] }[];
  /** The commands that hang from now on. */
  hangs: string[];
  next: number;
}

const [, , command = '', folder = '', ...args] = process.argv;
const file = `${folder}/state.json`;
const state = JSON.parse(readFileSync(file, 'utf8')) as PrintSystemState;
appendFileSync(`${folder}/calls`, `${[command, ...args].join(' ')}\n`);
if (process.env['LC_ALL'] !== 'C') fail('Dies ist nicht die Sprache, die erwartet wird.');
if (state.hangs.includes(command)) setInterval(() => {}, 1_000);
else if (!state.isRunning) fail(`${command}: Scheduler is not running.`);
else if (command === 'lp') await take();
else if (command === 'cancel') cancel(args[0] ?? '');
else if (args.includes('-p')) tellQueue(after('-p'));
else if (args.includes('-o')) tellJobs(after('-o'));
else fail(`${command}: Error - unknown option.`);

async function take(): Promise<void> {
  const queue = after('-d');
  if (!state.queues[queue]) fail('lp: Error - The printer or class does not exist.');
  const id = `${queue}-${state.next}`;
  writeFileSync(`${folder}/${id}`, await buffer(process.stdin));
  state.next += 1;
  state.jobs.push({ id, queue, options: args.filter((_, at) => args[at - 1] === '-o') });
  save();
  say(`request id is ${id} (0 file(s))`);
}

function cancel(id: string): void {
  if (!state.jobs.some((job) => job.id === id)) fail(`cancel: cancel-job failed: Job ${id} does not exist.`);
  state.jobs = state.jobs.filter((job) => job.id !== id);
  save();
}

function tellQueue(name: string): void {
  const queue = state.queues[name];
  if (!queue) fail(`lpstat: Invalid destination name in list "${name}".`);
  const when = 'Wed 25 Nov 2026 12:00:00 PM UTC';
  if (queue.isStopped) say(`printer ${name} disabled since ${when} -\n\t${queue.reason}`);
  else say(`printer ${name} is idle.  enabled since ${when}`);
}

function tellJobs(name: string): void {
  for (const { id, queue } of state.jobs) {
    if (queue === name) say(`${id.padEnd(23)} root              1024   Wed 25 Nov 2026 12:00:00 PM UTC`);
  }
}

function after(option: string): string {
  return args[args.indexOf(option) + 1] ?? '';
}

function save(): void {
  writeFileSync(file, JSON.stringify(state));
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}

function fail(words: string): never {
  process.stderr.write(`${words}\n`);
  process.exit(1);
}
