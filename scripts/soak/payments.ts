import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const test = 'src/payment/server/payment-model.test.ts';
const stepsOfRun = 20_000;
/**
 * The maximum number of steps in a sequence. `npm test` has 60, but in such a short sequence half of the steps only
 * finish payments.
 */
const maxSteps = 240;

/**
 * Runs the model of card payments: `npm run soak -- payments [steps] [seed] [instances]`. The defaults are a million
 * steps and as many instances as processors. Prints its progress and, for a failure, the seed that repeats it; SIGINT
 * or SIGTERM ends it early. The last line has the number of steps. Returns whether no step failed.
 */
export async function soakPaymentModel([steps = '1000000', seed, instances]: string[]): Promise<boolean> {
  const wanted = Number(steps);
  const first = Number(seed ?? Date.now() % 1_000_000_000);
  const lanes = Number(instances ?? availableParallelism());
  if (![wanted, first, lanes].every((number) => Number.isInteger(number) && number > 0)) {
    console.error('Steps, seed and instances are whole numbers.');
    return false;
  }
  const folder = await mkdtemp(join(tmpdir(), 'hatch-model-'));
  const stopFile = join(folder, 'stop');
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    void writeFile(stopFile, '');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  console.log(`seeds from ${first}`);
  const began = performance.now();
  const minutes = () => `${((performance.now() - began) / 60_000).toFixed(1)} min`;
  let next = first;
  let done = 0;
  let failures = 0;
  let isPrinted = 0;
  const count = (more: number) => {
    done += more;
    if (done < isPrinted + stepsOfRun / 2) return;
    isPrinted = done;
    console.log(`${done} of ${wanted} steps, ${minutes()}`);
  };
  const lane = async () => {
    while (done < wanted && failures === 0 && !isStopped) {
      const own = next++;
      const failure = await runModel({ seed: own, steps: Math.min(stepsOfRun, wanted), stopFile, count });
      if (failure === null) continue;
      failures += 1;
      await writeFile(stopFile, '');
      const drawn = `PAYMENT_MODEL_SEED=${own} PAYMENT_MODEL_STEPS=${stepsOfRun} PAYMENT_MODEL_LENGTH=${maxSteps}`;
      const again = `${drawn} npm run unit -- ${test}`;
      console.log(`\nSeed ${own}:\n${failure}\n\nAgain: ${again}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  await rm(folder, { recursive: true, force: true });
  const seeds = `seeds ${first} to ${next - 1}`;
  console.log(`${isStopped ? 'Stopped' : 'Ended'}: ${done} steps, ${failures} failures, ${seeds}, ${minutes()}`);
  return failures === 0;
}

interface Run {
  seed: number;
  steps: number;
  stopFile: string;
  /** Called with the number of new steps. */
  count(more: number): void;
}

/** Resolves to Vitest's output for a failure; null: all passed. */
async function runModel({ seed, steps, stopFile, count }: Run): Promise<string | null> {
  const child = spawn('node_modules/.bin/vitest', ['run', test, '--reporter=verbose'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own keeps Ctrl-C from ending the child before the child's result is read.
    detached: true,
    env: {
      ...process.env,
      PAYMENT_MODEL_SEED: String(seed),
      PAYMENT_MODEL_STEPS: String(steps),
      PAYMENT_MODEL_LENGTH: String(maxSteps),
      PAYMENT_MODEL_STOP: stopFile,
      // Shrinking is off, because shrinking a failing sequence can take an hour, and the steps of shrinking do not
      // count.
      PAYMENT_MODEL_ONCE: '1',
      NO_COLOR: '1',
    },
  });
  let seen = 0;
  const lines: string[] = [];
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => {
      const made = /^(\d+) steps$/.exec(line)?.[1];
      if (made === undefined) lines.push(line);
      else {
        count(Number(made) - seen);
        seen = Number(made);
      }
    });
  }
  const code = await ended;
  return code === 0 ? null : lines.join('\n');
}
