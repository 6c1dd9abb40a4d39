import { afterAll, beforeAll, expect, test } from 'vitest';
import { placing } from '#payment/testing/model/commands.ts';
import { longestModel, runModel, seed } from '#payment/testing/model/run-model.ts';
import { openShopBench, type ShopBench } from '#payment/testing/model/shop-bench.ts';
import { mollie } from '#payment/testing/mollie/mollie-provider.ts';

/* A company that this product does not know takes its cards: it is a row of the table of providers, and nothing else changes. */

let shop: ShopBench;
beforeAll(async () => {
  shop = await openShopBench(mollie);
});
afterAll(() => shop.close());

test('a message that names a payment by its id alone is applied', async () => {
  await shop.startAnew('third');
  const known = { orders: [], states: new Map() };
  await placing(0).run(known, shop);
  const payment = await shop.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow();
  expect(payment.provider).toBe(mollie.name);
  shop.stripe.control.pay(payment.reference ?? '', {});
  await shop.stripe.control.webhooks.settled();
  await shop.payments.handleEvents();
  expect(await shop.order(payment.order_id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
});

test(
  `nobody pays twice or for nothing at another company either (seed ${seed})`,
  async () => {
    const { made, least } = await runModel(shop);
    expect(made).toBeGreaterThanOrEqual(least);
  },
  longestModel,
);
