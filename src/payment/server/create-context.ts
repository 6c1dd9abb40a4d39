import { m } from '#messages';
import type { BankSource } from '#payment/server/bank-source.ts';
import { withTimeLimit, type PaymentContext } from '#payment/server/context.ts';
import type { KeySet } from '#payment/server/keys/key-sets.ts';
import { checkKeySetSoon, watchKeyRefusals } from '#payment/server/keys/watch-keys.ts';
import { type KeyedProvider, keyedProviders } from '#payment/server/keyed-providers.ts';
import { ProviderKeysRefused, type PaymentProvider } from '#payment/server/provider.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import { AppError } from '#platform/errors.ts';

interface Further {
  banks?: ReadonlyMap<string, BankSource>;
  others?: Readonly<Record<string, KeyedProvider>>;
}

/**
 * Creates the context that finds each payment's provider: one of `own`, which need no keys, or the provider of the
 * payment's key set. Tests pass `banks` and `others`.
 */
export function createPaymentContext(
  services: PaymentServices,
  own: readonly PaymentProvider[],
  { banks = new Map(), others = {} }: Further = {},
): PaymentContext {
  const { db, jobs, keySets, log, now } = services;
  const providers = new Map<string, PaymentProvider>(own.map((provider) => [provider.name, withTimeLimit(provider)]));
  const keyed: Readonly<Record<string, KeyedProvider>> = { ...others, ...keyedProviders };
  const keyedBy = ({ provider }: KeySet): KeyedProvider => {
    const found = keyed[provider];
    if (!found) throw new ProviderKeysRefused(`there is no payment provider ${provider}`);
    return found;
  };
  const providerWith = (keySet: KeySet): PaymentProvider =>
    watchKeyRefusals(withTimeLimit(keyedBy(keySet).open({ db, jobs, now }, keySet)), () =>
      checkKeySetSoon({ db, log, now }, keySet.id),
    );
  return {
    services,
    providerOf({ provider: name, key_set }) {
      const provider = providers.get(name) ?? (key_set === null ? null : providerWith(keySets.get(key_set)));
      if (!provider) throw new ProviderKeysRefused(`the payment provider ${name} is not set up`);
      return provider;
    },
    signersOf(name) {
      const provider = providers.get(name);
      if (provider) return [{ provider, keySet: null }];
      if (!Object.hasOwn(keyed, name)) return null;
      const sets = keySets.usable().filter((set) => set.provider === name);
      return sets.map((set) => ({ provider: providerWith(set), keySet: set.id }));
    },
    makerOf(provider) {
      if (providers.has(provider)) return { provider, key_set: null };
      const set = keySets.current();
      if (!set) throw new AppError('payment_unavailable', m.payment_no_provider());
      return { provider, key_set: set.id };
    },
    bankOf(id) {
      const known = banks.get(id);
      if (known) return known;
      const keySet = keySets.get(id);
      return keyedBy(keySet).bank(keySet);
    },
  };
}
