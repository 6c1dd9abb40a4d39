import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comeToRest } from '#payment/testing/model/come-to-rest.ts';
import { anySteps, counted, type Known, placing } from '#payment/testing/model/commands.ts';
import { openShopBench, type ShopBench } from '#payment/testing/model/shop-bench.ts';

/*
 * Customers, staff, Stripe and the shop's own work do anything in any order, and everything fails that may. After each step,
 * and when all has come to rest, the money is where it should be. `npm run soak -- payments` draws many more steps.
 */

const seed = Number(process.env['PAYMENT_MODEL_SEED'] ?? 18);
const steps = Number(process.env['PAYMENT_MODEL_STEPS'] ?? 1_200);
/** Whether a failure is reported as it is, without a search for the shortest one. */
const isOnce = process.env['PAYMENT_MODEL_ONCE'] !== undefined;
const mostSteps = 60;
/** Milliseconds of one run, which takes a second: what hangs is a failure. */
const longest = 5 * 60_000;

let shop: ShopBench;
beforeAll(async () => {
  shop = await openShopBench();
});
afterAll(() => shop.close());

test(
  `nobody pays twice or for nothing, whatever goes wrong (seed ${seed})`,
  async () => {
    const all = fc.assert(
      fc.asyncProperty(fc.nat({ max: 11 }), fc.noBias(anySteps(mostSteps)), async (first, drawn) => {
        const known: Known = { orders: [], states: new Map() };
        await shop.startAnew('model');
        await placing(first).run(known, shop);
        await fc.asyncModelRun(() => ({ model: known, real: shop }), drawn);
        await comeToRest(known, shop);
      }),
      { seed, numRuns: Math.ceil(steps / (mostSteps / 2)), endOnFailure: isOnce, timeout: longest },
    );
    await all.finally(() => process.stdout.write(`${counted.steps} steps\n`));
    expect(counted.steps).toBeGreaterThan(steps / 2);
  },
  60 * 60_000,
);
