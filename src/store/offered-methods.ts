import type { FulfilmentType, PaymentMethod, Store } from '#store/contract.ts';

/** The payment methods that a customer can really use: a card needs a provider. */
export function offeredMethods(
  store: Pick<Store, 'payment_methods' | 'card_provider'>,
  fulfilment: FulfilmentType,
): PaymentMethod[] {
  return store.payment_methods[fulfilment].filter((method) => method !== 'card' || store.card_provider !== null);
}
