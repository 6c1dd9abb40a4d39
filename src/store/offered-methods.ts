import { leastMissing } from '#store/card-provider.ts';
import type { FulfilmentType, PaymentMethod, Store } from '#store/contract.ts';

type PayingStore = Pick<Store, 'payment_methods' | 'card_provider' | 'currency'>;

/**
 * The payment methods that a customer can really use for an order of `total` (minor units; null: not known yet): a card
 * needs a provider, and the provider's least amount.
 */
export function offeredMethods(store: PayingStore, fulfilment: FulfilmentType, total: number | null): PaymentMethod[] {
  return store.payment_methods[fulfilment].filter(
    (method) =>
      method !== 'card' ||
      (store.card_provider !== null && (total === null || leastMissing(store.currency, total) === null)),
  );
}

/**
 * The least amount that is paid by card where the shop takes cards and `total` is below it, in minor units; otherwise
 * null.
 */
export function cardMinimum(store: PayingStore, fulfilment: FulfilmentType, total: number | null): number | null {
  const takesCards = store.card_provider !== null && store.payment_methods[fulfilment].includes('card');
  return takesCards && total !== null ? leastMissing(store.currency, total) : null;
}
