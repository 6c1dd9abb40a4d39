import pg from 'pg';
import type { Stripe } from 'stripe';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import { type ForgetCustomerJob, forgetCustomerQueue } from '#payment/server/saved-cards.ts';
import { type CheckoutRequest, ProviderRefusal } from '#payment/server/provider.ts';
import { askStripeSerially, askStripe } from '#payment/server/stripe/ask-stripe.ts';

/** The customers at Stripe that belong to users of the shop; Stripe stores their saved cards. */
export interface StripeCustomers {
  /**
   * The customer of a checkout's payer, created if there is none; null for a guest, or if the account was deleted
   * during the call.
   */
  of(stripe: Stripe, keySet: string, request: Pick<CheckoutRequest, 'payer' | 'paymentId'>): Promise<string | null>;
}

export function createStripeCustomers({ db, jobs, now }: { db: Db; jobs: Jobs; now: () => Date }): StripeCustomers {
  return {
    async of(stripe, keySet, { payer: { userId, email }, paymentId }) {
      if (userId === null) return null;
      const kept = await db
        .selectFrom('payment_customers')
        .select('customer')
        .where('user_id', '=', userId)
        .where('key_set', '=', keySet)
        .executeTakeFirst();
      if (kept && (await isThere(stripe, kept.customer, email))) return kept.customer;
      const customer = await makeCustomer(stripe, { keySet, userId, email, paymentId });
      const isKept = await keepCustomer(db, { userId, keySet, customer, at: now() });
      if (isKept) return customer;
      // The account was deleted during the call, so only this job deletes the customer at Stripe.
      await inTransaction(db, (tx) =>
        jobs.send<ForgetCustomerJob>(tx, forgetCustomerQueue, { key_set: keySet, customer }),
      );
      return null;
    },
  };
}

/** Deletes a customer with its saved cards. Does nothing if it no longer exists. */
export async function deleteStripeCustomer(stripe: Stripe, customer: string): Promise<void> {
  await askStripe(stripe.customers.del(customer)).catch((error: unknown) => {
    if (!(error instanceof ProviderRefusal)) throw error;
  });
}

/**
 * Updates a customer's mail address at Stripe, unless Stripe refuses the address. Returns false if the customer was
 * deleted there.
 */
async function isThere(stripe: Stripe, customer: string, email: string | null): Promise<boolean> {
  try {
    await askStripe(stripe.customers.update(customer, { ...(email !== null && { email }) }));
    return true;
  } catch (error) {
    if (error instanceof ProviderRefusal) return !error.isMissing;
    throw error;
  }
}

/**
 * Creates a customer at Stripe. The idempotency key belongs to the user, so that two simultaneous checkouts create one
 * customer. The mail address is sent by another call, because it may change, and a repeated key must have the same
 * body.
 */
async function makeCustomer(
  stripe: Stripe,
  { keySet, userId, email, paymentId }: { keySet: string; userId: string; email: string | null; paymentId: string },
): Promise<string> {
  const key = `customer:${keySet}:${userId}`;
  const body = { metadata: { user_id: userId } };
  const create = (idempotencyKey: string) => askStripeSerially(() => stripe.customers.create(body, { idempotencyKey }));
  const { id } = await create(key);
  if (await isThere(stripe, id, email)) return id;
  // For a day Stripe repeats its first answer to a key, even if the customer was deleted since. So another key is used.
  const another = await create(`${key}:${paymentId}`);
  await isThere(stripe, another.id, email);
  return another.id;
}

/** Stores a user's customer id; returns false if the user no longer exists. */
async function keepCustomer(
  db: Db,
  { userId, keySet, customer, at }: { userId: string; keySet: string; customer: string; at: Date },
): Promise<boolean> {
  try {
    await db
      .insertInto('payment_customers')
      .values({ user_id: userId, key_set: keySet, customer, created_at: at })
      .onConflict((conflict) => conflict.columns(['user_id', 'key_set']).doUpdateSet({ customer }))
      .execute();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === foreignKeyViolation) return false;
    throw error;
  }
}

const foreignKeyViolation = '23503';
