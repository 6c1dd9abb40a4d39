import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { availableParallelism } from 'node:os';

const test = 'src/payment/server/payment-model.test.ts';
const stepsOfRun = 5_000;

/**
 * Runs the model of card payments for this many steps: `npm run soak -- payments [steps] [seed] [instances]`, a million by
 * default, on as many instances as there are processors. Prints how far it is, and for a failure the seed that repeats it.
 * Returns whether nothing failed.
 */
export async function modelPayments([steps = '1000000', seed, instances]: string[]): Promise<boolean> {
  const wanted = Number(steps);
  let next = Number(seed ?? Date.now() % 1_000_000_000);
  const lanes = Number(instances ?? availableParallelism());
  if (![wanted, next, lanes].every((number) => Number.isInteger(number) && number > 0)) {
    console.error('Steps, seed and instances are whole numbers.');
    return false;
  }
  console.log(`seeds from ${next}`);
  const began = performance.now();
  let done = 0;
  let isGood = true;
  const lane = async () => {
    while (done < wanted && isGood) {
      const own = next++;
      const { failure, count } = await runModel(own, Math.min(stepsOfRun, wanted));
      done += count;
      if (failure === null) {
        const minutes = ((performance.now() - began) / 60_000).toFixed(1);
        console.log(`${done} of ${wanted} steps, ${minutes} min`);
        continue;
      }
      isGood = false;
      console.log(
        `\nSeed ${own}:\n${failure}\n\nAgain: PAYMENT_MODEL_SEED=${own} PAYMENT_MODEL_STEPS=${stepsOfRun} npm run unit -- ${test}`,
      );
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return isGood;
}

async function runModel(seed: number, steps: number): Promise<{ failure: string | null; count: number }> {
  const child = spawn('node_modules/.bin/vitest', ['run', test, '--reporter=verbose'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PAYMENT_MODEL_SEED: String(seed), PAYMENT_MODEL_STEPS: String(steps), NO_COLOR: '1' },
  });
  let count = 0;
  const lines: string[] = [];
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => {
      const steps = /^(\d+) steps$/.exec(line)?.[1];
      if (steps !== undefined) count = Number(steps);
      else lines.push(line);
    });
  }
  const code = await ended;
  return { failure: code === 0 && count > 0 ? null : lines.join('\n'), count };
}
