import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import type { KeySet } from '#payment/server/keys/key-sets.ts';
import { openStripe } from '#payment/server/stripe/client.ts';
import { type PaymentBench, evening, openPaymentBench } from '#payment/testing/bench.ts';
import { fixedKeySets } from '#payment/testing/key-sets.ts';
import { type LocalStripe, startLocalStripe } from '#simulators/stripe/local-stripe.ts';

/** The bench with the keys of a local Stripe, which follows its clock. */
export interface StripeBench extends PaymentBench {
  stripe: LocalStripe;
  keySet: KeySet;
  /** A pending order, with its page at Stripe. */
  begun(...order: Parameters<PaymentBench['newOrder']>): Promise<{ id: string; session: string }>;
  /** An order whose payer paid on that page; the shop has not been told yet. */
  paid(form?: Parameters<LocalStripe['control']['pay']>[1]): Promise<{ id: string; session: string }>;
  /** An order that was paid by card, accepted and charged. */
  charged(...order: Parameters<PaymentBench['newOrder']>): Promise<{ id: string; session: string }>;
  /** What Stripe has of the payment of a session. */
  atStripe(session: string): { intent: Stripe.PaymentIntent; charge: Stripe.Charge };
  /** Ends the key set, as another account takes its place. */
  endKeys(): Promise<void>;
}

export async function openStripeBench(environment: Record<string, string> = {}): Promise<StripeBench> {
  const clock = { now: new Date(evening) };
  const stripe = await startLocalStripe({ now: () => clock.now.getTime() });
  const keySet: KeySet = {
    id: 'set_test',
    provider: 'stripe',
    mode: 'test',
    account: null,
    isTest: false,
    isCurrent: true,
    stripe: openStripe(stripe.secretKey, new URL(stripe.origin)),
    webhookSecrets: [],
  };
  const sets = [keySet];
  const bench = await openPaymentBench({ keySets: fixedKeySets(sets) }, environment);
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
  const paid: StripeBench['paid'] = async (form) => {
    const order = await begun();
    stripe.control.pay(order.session, form);
    return order;
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
    paid,
    async charged(...change) {
      const order = await begun(...change);
      stripe.control.pay(order.session);
      await bench.payments.reconcile(order.id);
      await bench.move(order.id, 'accept');
      await bench.jobs.run();
      return order;
    },
    atStripe: (session) => findPaid(stripe, session),
    async endKeys() {
      sets.length = 0;
      await bench.db.updateTable('payment_key_sets').set({ ended_at: bench.clock.now }).execute();
    },
    async close() {
      await bench.close();
      const violations = stripe.control.takeViolations();
      await stripe.close();
      if (violations.length > 0) throw new Error(`not as Stripe's types say: ${JSON.stringify(violations)}`);
    },
  };
}

function findPaid({ control }: LocalStripe, session: string): ReturnType<StripeBench['atStripe']> {
  const { tables } = control.books();
  const intent = tables.payment_intent.get(String(tables['checkout.session'].get(session)?.payment_intent));
  const charge = tables.charge.get(String(intent?.latest_charge));
  if (!intent || !charge) throw new Error(`nobody has paid on ${session}`);
  return { intent, charge };
}
