import { createHash } from 'node:crypto';
import type { KeySet } from '#payment/server/keys/key-sets.ts';
import { openStripe } from '#payment/server/stripe/client.ts';
import { type PaymentBench, evening, openPaymentBench } from '#payment/testing/bench.ts';
import { fixedKeySets } from '#payment/testing/key-sets.ts';
import { type LocalStripe, startLocalStripe } from '#payment/testing/stripe/local-stripe.ts';

/** The bench with the keys of a local Stripe, which follows its clock. */
export interface StripeBench extends PaymentBench {
  stripe: LocalStripe;
  keySet: KeySet;
  /** A pending order, with its page at Stripe. */
  begun(...order: Parameters<PaymentBench['newOrder']>): Promise<{ id: string; session: string }>;
  /** An order whose payer paid on that page; the shop has not been told yet. */
  paid(form?: Parameters<LocalStripe['control']['pay']>[1]): Promise<{ id: string; session: string }>;
}

export async function openStripeBench(environment: Record<string, string> = {}): Promise<StripeBench> {
  const clock = { now: new Date(evening) };
  const stripe = await startLocalStripe({ now: () => clock.now.getTime() });
  const keySet: KeySet = {
    id: 'set_test',
    mode: 'test',
    account: null,
    isCurrent: true,
    stripe: openStripe(stripe.secretKey, new URL(stripe.origin)),
    webhookSecrets: [],
  };
  const bench = await openPaymentBench({ keySets: fixedKeySets([keySet]) }, environment);
  await bench.db
    .insertInto('payment_key_sets')
    .values({
      id: keySet.id,
      provider: 'stripe',
      source: 'typed',
      mode: 'test',
      key_hint: 'test',
      key_hash: createHash('sha256').update(stripe.secretKey).digest(),
      created_at: bench.clock.now,
    })
    .execute();
  await bench.changeStore({ card_provider: 'stripe' });
  await bench.payments.start();
  const begun: StripeBench['begun'] = async (...order) => {
    clock.now = bench.clock.now;
    const id = await bench.newOrder(...order);
    await bench.payments.begin(id);
    const { reference } = await bench.db
      .selectFrom('payments')
      .select('reference')
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow();
    return { id, session: reference ?? '' };
  };
  return {
    ...bench,
    stripe,
    keySet,
    wait(seconds) {
      bench.wait(seconds);
      clock.now = bench.clock.now;
      stripe.control.tick();
    },
    begun,
    async paid(form) {
      const order = await begun();
      stripe.control.pay(order.session, form);
      return order;
    },
    async close() {
      await bench.close();
      const violations = stripe.control.takeViolations();
      await stripe.close();
      if (violations.length > 0) throw new Error(`not as Stripe's types say: ${JSON.stringify(violations)}`);
    },
  };
}
