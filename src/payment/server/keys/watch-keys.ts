import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '#database/schema.ts';
import { KeysRefused, type PaymentProvider } from '#payment/server/provider.ts';

/** The same provider; `onRefused` is called when it does not accept the shop's keys. */
export function watchKeys(provider: PaymentProvider, onRefused: () => void): PaymentProvider {
  const watch = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      if (error instanceof KeysRefused) onRefused();
      throw error;
    }
  };
  const { forgetCustomer } = provider;
  return {
    ...provider,
    createCheckout: (request) => watch(provider.createCheckout(request)),
    fetch: (reference) => watch(provider.fetch(reference)),
    capture: (reference, key, amount) => watch(provider.capture(reference, key, amount)),
    void: (reference, key) => watch(provider.void(reference, key)),
    refund: (reference, key, amount) => watch(provider.refund(reference, key, amount)),
    ...(forgetCustomer && { forgetCustomer: (customer: string) => watch(forgetCustomer(customer)) }),
  };
}

/** A look at a set takes at most this long, in milliseconds; for this long nobody else looks at it. */
export const lookTakes = 60_000;

/** Has a set looked at now, because its keys were refused: what is wrong is found out by trying each right. */
export function lookSoon(
  { db, log, now }: { db: Db; log: Pick<FastifyBaseLogger, 'error'>; now: () => Date },
  id: string,
): void {
  db.updateTable('payment_key_sets')
    .set({ check_at: now() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    // While a problem is known, it is looked at every few minutes anyway.
    .where('problem', 'is', null)
    .where((eb) => eb.or([eb('check_at', 'is', null), eb('check_at', '>', new Date(now().getTime() + lookTakes))]))
    .execute()
    .catch((error: unknown) => log.error({ err: error, key_set: id }, 'refused keys could not be noted'));
}

/** Whether no message of a payment's key set ever reached the shop, which then has to ask. `payments` is the statement's. */
export const isUnheard = sql<boolean>`exists (
  select from payment_key_sets where id = payments.key_set and heard_at is null)`;
