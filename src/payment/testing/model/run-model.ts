import { existsSync } from 'node:fs';
import * as fc from 'fast-check';
import { anySteps, counted, type Known, placing } from '#payment/testing/model/commands.ts';
import { comeToRest } from '#payment/testing/model/come-to-rest.ts';
import type { ShopBench } from '#payment/testing/model/shop-bench.ts';
import { modelSteps } from '#testing/draws.ts';

export const seed = Number(process.env['PAYMENT_MODEL_SEED'] ?? 18);
const steps = Number(process.env['PAYMENT_MODEL_STEPS'] ?? modelSteps);
/** As a failure names it: only that sequence is run. */
const path = process.env['PAYMENT_MODEL_PATH'];
/** Whether a failure is reported as it is, without a search for the shortest one. */
const isOnce = process.env['PAYMENT_MODEL_ONCE'] !== undefined;
/** As soon as this file exists, nothing more is drawn: a long run ends early, and well. */
const stopFile = process.env['PAYMENT_MODEL_STOP'];
const isStopped = () => stopFile !== undefined && existsSync(stopFile);
/** How many steps were made so far is said about as often as this many were. */
const reportEvery = 1_000;
/** Of one run, after which everything is brought to its end, which takes as long as 30 steps. */
const maxSteps = Number(process.env['PAYMENT_MODEL_LENGTH'] ?? 60);
/** Milliseconds of one run, which takes a second or two: what hangs is a failure. */
const longest = 5 * 60_000;

/** Milliseconds that all runs may take. */
export const longestModel = 12 * 60 * 60_000;

/**
 * Draws steps, and throws at the first after which money is wrong. Returns how many were made, and at least should be.
 */
export async function runModel(shop: ShopBench) {
  const before = counted.steps;
  let reported = before;
  const report = () => {
    reported = counted.steps;
    process.stdout.write(`${reported - before} steps\n`);
  };
  const all = fc.assert(
    fc.asyncProperty(fc.nat({ max: 11 }), fc.noBias(anySteps(maxSteps)), async (first, drawn) => {
      if (isStopped()) return;
      const known: Known = { orders: [], states: new Map() };
      await shop.startAnew('model');
      await placing(first).run(known, shop);
      await fc.asyncModelRun(() => ({ model: known, real: shop }), drawn);
      await comeToRest(known, shop);
      if (counted.steps >= reported + reportEvery) report();
    }),
    {
      seed,
      numRuns: Math.ceil(steps / (maxSteps / 2)),
      endOnFailure: isOnce,
      timeout: longest,
      ...(path && { path }),
    },
  );
  await all.finally(report);
  return { made: counted.steps - before, least: isStopped() || path ? 0 : steps / 2 };
}
