import type { Config } from '#config.ts';
import type { ProviderName } from '#payment/payment-state.ts';
import type { PaymentMethod } from '#store/contract.ts';

/**
 * Who takes cards for a shop; null: nobody, so the shop offers no card. The sandbox moves no money, so it needs a demo
 * shop or PAYMENT_SANDBOX=1, and never follows from NODE_ENV.
 */
export function cardProviderFor(
  shop: { isDemo: boolean },
  config: Pick<Config, 'PAYMENT_SANDBOX'>,
): ProviderName | null {
  return shop.isDemo || config.PAYMENT_SANDBOX ? 'sandbox' : null;
}

/** The ways to pay that can really be used, out of those the shop has switched on. */
export function usableMethods(
  methods: readonly PaymentMethod[],
  shop: { isDemo: boolean },
  config: Pick<Config, 'PAYMENT_SANDBOX'>,
): PaymentMethod[] {
  return methods.filter((method) => method !== 'card' || cardProviderFor(shop, config) !== null);
}
