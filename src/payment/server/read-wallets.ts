import type { PaymentContext } from '#payment/server/context.ts';
import type { Wallet } from '#store/wallets.ts';
import type { Payments } from '#payment/server/services.ts';
import { MINUTE } from '#platform/zone-clock.ts';

/** How long an answer of the provider, and a failure, are cached, in milliseconds. */
const answerLifetime = 60 * MINUTE;
const failureLifetime = MINUTE;

/**
 * Creates a reader of the wallets on a provider's page, with a cache for each key set. Calls at the same time share one
 * call to the provider. If the provider does not answer, the result is empty, so that the shop names no wallet that the
 * page may lack.
 */
export function createWalletReader(context: PaymentContext): Payments['wallets'] {
  const { log, now } = context.services;
  const cache = new Map<string, { until: number; answer: Promise<readonly Wallet[]> }>();
  return async (name) => {
    const warn = (error: unknown) =>
      log.warn({ err: error, provider: name }, 'the wallets of the payment page could not be read');
    try {
      const maker = context.makerOf(name);
      const provider = context.providerOf(maker);
      if (!provider.listWallets) return [];
      const key = maker.key_set ?? name;
      const cached = cache.get(key);
      if (cached && cached.until > now().getTime()) return await cached.answer;
      const entry = {
        until: now().getTime() + answerLifetime,
        answer: provider.listWallets().catch((error: unknown) => {
          warn(error);
          entry.until = now().getTime() + failureLifetime;
          return [];
        }),
      };
      cache.set(key, entry);
      return await entry.answer;
    } catch (error) {
      warn(error);
      return [];
    }
  };
}
