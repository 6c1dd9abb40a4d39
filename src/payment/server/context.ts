import type { BankSource } from '#payment/server/bank-source.ts';
import { withCallTimeout, wrapProvider, type PaymentProvider } from '#payment/server/provider.ts';
import type { PaymentRow } from '#payment/server/owed-calls.ts';
import type { PaymentServices } from '#payment/server/services.ts';

export type ProviderWithKeys = Pick<PaymentRow, 'provider' | 'key_set'>;

export interface PaymentContext {
  services: PaymentServices;
  /**
   * The provider that made a payment, with the keys that made it. Throws ProviderKeysRefused when the shop no longer
   * has these keys.
   */
  providerOf(made: ProviderWithKeys): PaymentProvider;
  /** The possible signers of a webhook from this provider, each with its key set; null: there is no such provider. */
  signersOf(provider: string): readonly { provider: PaymentProvider; keySet: string | null }[] | null;
  makerOf(provider: PaymentRow['provider']): ProviderWithKeys;
  /**
   * The source of the payouts, entries and disputes of a key set's account. Throws ProviderKeysRefused when the shop no
   * longer has the keys.
   */
  bankOf(keySet: string): BankSource;
}

export function withTimeLimit(provider: PaymentProvider): PaymentProvider {
  return wrapProvider(provider, withCallTimeout);
}
