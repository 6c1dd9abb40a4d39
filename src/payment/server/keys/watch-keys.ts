import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { KeyProblem } from '#database/column-types.ts';
import type { Db } from '#database/schema.ts';
import { ProviderKeysRefused, wrapProvider, type PaymentProvider } from '#payment/server/provider.ts';

export function watchKeyRefusals(provider: PaymentProvider, onRefused: () => void): PaymentProvider {
  const watch = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      if (error instanceof ProviderKeysRefused) onRefused();
      throw error;
    }
  };
  return wrapProvider(provider, watch);
}

/** The longest time, in milliseconds, that the check of a set takes; the set is leased for this long. */
export const keyCheckLeaseMs = 60_000;

/**
 * Makes a set due for its check, because the provider refused its keys or several payment pages. A set with a known
 * problem is checked every few minutes anyway, so its check is not moved. A set whose known problem is `knownKind` is
 * checked at once, because that problem may have become a worse one.
 */
export function checkKeySetSoon(
  { db, log, now }: { db: Db; log: Pick<FastifyBaseLogger, 'error'>; now: () => Date },
  id: string,
  knownKind: KeyProblem['kind'] | null = null,
): void {
  db.updateTable('payment_key_sets')
    .set({ check_at: now() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('problem', 'is', null), eb(sql`problem->>'kind'`, '=', knownKind)]))
    .where((eb) =>
      eb.or([eb('check_at', 'is', null), eb('check_at', '>', new Date(now().getTime() + keyCheckLeaseMs))]),
    )
    .execute()
    .catch((error: unknown) => log.error({ err: error, key_set: id }, 'refused keys could not be noted'));
}

/**
 * Whether the key set of a query's row `payments` has never received a webhook. The shop then asks the provider more
 * often.
 */
export const hasReceivedNoWebhookSql = sql<boolean>`exists (
  select from payment_key_sets where id = payments.key_set and heard_at is null)`;

/** Milliseconds after which a webhook is late. */
const webhookLateAfterMs = 30_000;

/**
 * Makes the check of these key sets' webhook endpoints due soon, because a payment changed without a webhook. Replaced
 * sets, and sets without an endpoint, are left out.
 */
export async function checkWebhookEndpointsSoon(
  { db, now }: { db: Db; now: () => Date },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('payment_key_sets')
    .set({ endpoint_check_at: new Date(now().getTime() + webhookLateAfterMs) })
    .where('id', 'in', ids)
    .where('endpoint_id', 'is not', null)
    .where('endpoint_check_at', 'is', null)
    .where('replaced_at', 'is', null)
    .execute();
}
