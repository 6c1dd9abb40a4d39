import type { KeyedCardProviderName } from '#database/column-types.ts';
import type { BankSource } from '#payment/server/bank-source.ts';
import type { KeySet } from '#payment/server/keys/key-sets.ts';
import type { PaymentProvider } from '#payment/server/provider.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import { createStripeCustomers } from '#payment/server/stripe/customers.ts';
import { createStripeBankSource } from '#payment/server/stripe/stripe-bank.ts';
import { createStripeProvider } from '#payment/server/stripe/stripe-provider.ts';

export interface KeyedProvider {
  open(services: Pick<PaymentServices, 'db' | 'jobs' | 'now'>, keySet: KeySet): PaymentProvider;
  bank(keySet: KeySet): BankSource;
}

export const keyedProviders: Readonly<Record<KeyedCardProviderName, KeyedProvider>> = {
  stripe: {
    open: (services, keySet) =>
      createStripeProvider({
        stripe: keySet.stripe,
        keySet,
        webhookSecrets: keySet.webhookSecrets,
        customers: createStripeCustomers(services),
      }),
    bank: ({ stripe }) => createStripeBankSource(stripe),
  },
};
