import type { Store } from '#store/contract.ts';

/**
 * The card provider of a shop: the real one whose keys it has, else the sandbox, else none, so that it offers no card. The
 * sandbox moves no money, so it needs a demo shop or PAYMENT_SANDBOX=1, and never depends on NODE_ENV.
 */
export function cardProviderFor(
  shop: { is_demo: boolean; card_provider: 'stripe' | null },
  config: { PAYMENT_SANDBOX: boolean },
): Store['card_provider'] {
  return shop.card_provider ?? (shop.is_demo || config.PAYMENT_SANDBOX ? 'sandbox' : null);
}
