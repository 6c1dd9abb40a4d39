import type { Store } from '#store/contract.ts';

/**
 * The card provider of a shop; null: none, so the shop offers no card. The sandbox moves no money, so it needs a demo
 * shop or PAYMENT_SANDBOX=1, and never depends on NODE_ENV.
 */
export function cardProviderFor(
  shop: { isDemo: boolean },
  config: { PAYMENT_SANDBOX: boolean },
): Store['card_provider'] {
  return shop.isDemo || config.PAYMENT_SANDBOX ? 'sandbox' : null;
}
