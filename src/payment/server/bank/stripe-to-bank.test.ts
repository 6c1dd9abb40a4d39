import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepBank } from '#payment/server/bank/sweep-bank.ts';
import { listPayouts, readPayoutContent } from '#payment/server/bank/read-payouts.ts';
import { listDisputes } from '#payment/server/bank/read-disputes.ts';
import { openStripe } from '#payment/server/stripe/client.ts';
import { createStripeBankSource } from '#payment/server/stripe/stripe-bank.ts';
import { openBankBench, type BankBench } from '#payment/testing/bank-bench.ts';
import { startTestingShop, type TestingShop } from '#simulators/stripe/testing-shop.ts';

const day = 86_400_000;
let bench: BankBench;
let stripe: TestingShop;
beforeAll(async () => {
  [bench, stripe] = [await openBankBench(), await startTestingShop()];
});
afterAll(async () => {
  await bench.close();
  await stripe.close();
});

/** An order whose money was captured at the local Stripe. */
async function sell(): Promise<{ id: string; intent: string; charge: string }> {
  const card = { currency: 'gbp', confirm: true, payment_method: 'pm_card_visa' };
  const { id: intent, latest_charge: charge } = await stripe.client.paymentIntents.create({ amount: 1250, ...card });
  return { ...(await bench.sold(intent)), intent, charge: String(charge) };
}

test('orders, refunds and a dispute go from Stripe’s statement to the shop’s lists, to the penny', async () => {
  bench.clock.now = new Date(stripe.clock.now);
  const [first, second] = [await sell(), await sell()];
  await stripe.client.refunds.create({ payment_intent: first.intent, amount: 300 });
  const dispute = stripe.control.openDispute(second.charge);
  // More than what was charged is owed until then, so that something is left to be paid out.
  const third = await sell();
  const fourth = await sell();
  await stripe.control.advance(4 * day);
  await stripe.control.advance(2 * day);
  const account = createStripeBankSource(openStripe(stripe.secretKey, new URL(stripe.origin)));
  const context = { ...bench.context, bankOf: () => account };
  await sweepBank(context);

  const pages = { page: 1, per_page: 15, include: [] };
  const [paid] = (await listPayouts(bench.db, pages)).data;
  const [atStripe] = (await stripe.client.payouts.list()).data;
  expect(paid).toMatchObject({ id: atStripe?.id, amount: atStripe?.amount, status: 'paid', orders: 4 });
  expect(paid?.sums).toMatchObject({ charged: 5000, refunded: 300, disputed: 1250, net: atStripe?.amount });
  const { entries } = await readPayoutContent(bench.db, paid?.id ?? '');
  const netOf = (orderId: string) =>
    entries.reduce((sum, { order_id, net }) => sum + (order_id === orderId ? net : 0), 0);
  expect([netOf(first.id), netOf(third.id), netOf(fourth.id)]).toEqual([911, 1211, 1211]);
  expect(netOf(second.id)).toBeLessThan(0);
  const disputes = await listDisputes(bench.db, pages);
  expect(disputes.data).toMatchObject([{ id: dispute.id, order_id: second.id, status: 'needs_response' }]);
});
