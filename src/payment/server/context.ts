import type { BankSource } from '#payment/server/bank-source.ts';
import { withCallTimeout, type PaymentProvider } from '#payment/server/provider.ts';
import type { PaymentRow } from '#payment/server/owed-calls.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/** The provider of a payment, and the key set with which it is made. */
export type ProviderWithKeys = Pick<PaymentRow, 'provider' | 'key_set'>;

export interface PaymentContext {
  services: PaymentServices;
  /**
   * The provider that made a payment, with the keys that made it. Throws KeysRefused when the shop no longer has these
   * keys.
   */
  providerOf(made: ProviderWithKeys): PaymentProvider;
  /** The possible signers of a webhook of this provider, each with its key set; null: there is no such provider. */
  signersOf(provider: string): readonly { provider: PaymentProvider; keySet: string | null }[] | null;
  makerOf(provider: PaymentRow['provider']): ProviderWithKeys;
  /** The statement of a key set's account. Throws KeysRefused when the shop no longer has the keys. */
  bankOf(keySet: string): BankSource;
}

/** Wraps a provider: each call has a timeout. */
export function withTimeLimit(provider: PaymentProvider): PaymentProvider {
  const { forgetCustomer } = provider;
  return {
    name: provider.name,
    createCheckout: (request) => withCallTimeout(provider.createCheckout(request)),
    fetch: (reference) => withCallTimeout(provider.fetch(reference)),
    capture: (reference, key, amount) => withCallTimeout(provider.capture(reference, key, amount)),
    void: (reference, key) => withCallTimeout(provider.void(reference, key)),
    refund: (reference, key, amount) => withCallTimeout(provider.refund(reference, key, amount)),
    ...(forgetCustomer && { forgetCustomer: (customer: string) => withCallTimeout(forgetCustomer(customer)) }),
    readWebhook: (rawBody, header, now) => provider.readWebhook(rawBody, header, now),
  };
}
