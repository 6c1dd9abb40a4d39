import { afterAll, beforeAll, expect, test } from 'vitest';
import { longestModel, runModel, seed } from '#payment/testing/model/run-model.ts';
import { openShopBench, type ShopBench } from '#payment/testing/model/shop-bench.ts';

/*
 * Customers, staff, Stripe and the shop's own work do anything in any order, and everything fails that may. After each step,
 * and when all has come to rest, the money is where it should be. `npm run soak -- payments` draws many more steps.
 */

let shop: ShopBench;
beforeAll(async () => {
  shop = await openShopBench();
});
afterAll(() => shop.close());

test(
  `nobody pays twice or for nothing, whatever goes wrong (seed ${seed})`,
  async () => {
    const { made, least } = await runModel(shop);
    expect(made).toBeGreaterThanOrEqual(least);
  },
  longestModel,
);
