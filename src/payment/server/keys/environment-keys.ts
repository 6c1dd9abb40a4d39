import { setTimeout as sleep } from 'node:timers/promises';
import { changeWithEffects } from '#database/transaction.ts';
import { activateKey, hashCardKey, retireCurrentKey } from '#payment/server/keys/activate-key.ts';
import { canReturnFromStripe, readCardKeyColumns } from '#payment/server/keys/key-sets.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import { readStripeKey } from '#payment/stripe-key.ts';
import type { Sweep } from '#platform/server/sweep.ts';
import { setCardKeyColumns } from '#store/server/change-store.ts';

/** Milliseconds between two attempts to reach Stripe. */
const retryAfter = 10_000;
/** The longest time, in milliseconds, that the start waits for the first attempt. */
const timeout = 1_000;

/**
 * Uses the key in STRIPE_SECRET_KEY for new payments. If the variable is not set, retires the key that an earlier start
 * read from it. The start waits for Stripe only briefly. Until Stripe answers, the earlier keys are used.
 */
export async function startEnvironmentKeySync(services: KeyServices): Promise<Sweep> {
  const { log } = services;
  let timer: NodeJS.Timeout | undefined;
  let trying: Promise<void> = Promise.resolve();
  const attempt = async () => {
    try {
      await follow(services);
      warnWithoutAddress(services);
    } catch (error) {
      log.warn({ err: error }, 'the key in STRIPE_SECRET_KEY could not be taken yet; it will be tried again');
      timer = setTimeout(() => (trying = attempt()), retryAfter).unref();
    }
  };
  trying = attempt();
  await Promise.race([trying, sleep(timeout, undefined, { ref: false })]);
  return {
    async stop() {
      clearTimeout(timer);
      await trying;
    },
  };
}

async function follow(services: KeyServices): Promise<void> {
  const { config, db, keySets } = services;
  const secretKey = config.STRIPE_SECRET_KEY;
  const current = await db
    .selectFrom('payment_key_sets')
    .select(['id', 'key_hash', 'source'])
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
  if (secretKey === undefined && current?.source === 'environment') {
    await retireCurrentKey(services);
    return;
  }
  const isHere = current?.source === 'environment' && keySets.current()?.id === current.id;
  if (secretKey !== undefined && !(isHere && current.key_hash.equals(hashCardKey(secretKey)))) {
    await adoptFromEnvironment(services, secretKey);
    return;
  }
  if (!current) return;
  // Updates stores that were created before the application started, such as the demo shop.
  await changeWithEffects(services, async (tx, afterCommit) =>
    setCardKeyColumns(services, { db: tx, afterCommit }, await readCardKeyColumns(tx, config), false),
  );
}

function warnWithoutAddress({ config, keySets, log }: KeyServices): void {
  if (keySets.current()?.mode !== 'live' || canReturnFromStripe(config)) return;
  log.warn(
    'cards are not offered: set APP_URL to the public address, so that customers find their way back from Stripe',
  );
}

async function adoptFromEnvironment(services: KeyServices, secretKey: string): Promise<void> {
  const key = readStripeKey(secretKey);
  if (!key.isUsable) throw new Error('STRIPE_SECRET_KEY is not a key');
  await activateKey(services, { secretKey, mode: key.mode, source: 'environment', facts: null });
}
