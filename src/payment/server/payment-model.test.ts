import { existsSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comeToRest } from '#payment/testing/model/come-to-rest.ts';
import { anySteps, counted, type Known, placing } from '#payment/testing/model/commands.ts';
import { modelSteps } from '#testing/draws.ts';
import { openShopBench, type ShopBench } from '#payment/testing/model/shop-bench.ts';

/*
 * Customers, staff, Stripe and the shop's own work do anything in any order, and everything fails that may. After each step,
 * and when all has come to rest, the money is where it should be. `npm run soak -- payments` draws many more steps.
 */

const seed = Number(process.env['PAYMENT_MODEL_SEED'] ?? 18);
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
const mostSteps = Number(process.env['PAYMENT_MODEL_LENGTH'] ?? 60);
/** Milliseconds of one run, which takes a second or two: what hangs is a failure. */
const longest = 5 * 60_000;

let shop: ShopBench;
beforeAll(async () => {
  shop = await openShopBench();
});
afterAll(() => shop.close());

test(
  `nobody pays twice or for nothing, whatever goes wrong (seed ${seed})`,
  async () => {
    let reported = 0;
    const report = () => {
      reported = counted.steps;
      process.stdout.write(`${reported} steps\n`);
    };
    const all = fc.assert(
      fc.asyncProperty(fc.nat({ max: 11 }), fc.noBias(anySteps(mostSteps)), async (first, drawn) => {
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
        numRuns: Math.ceil(steps / (mostSteps / 2)),
        endOnFailure: isOnce,
        timeout: longest,
        ...(path && { path }),
      },
    );
    await all.finally(report);
    expect(counted.steps).toBeGreaterThan(isStopped() || path ? -1 : steps / 2);
  },
  12 * 60 * 60_000,
);
