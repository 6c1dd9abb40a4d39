import type { Stripe } from 'stripe';
import { ProviderKeysRefused } from '#payment/server/provider.ts';
import { askStripe } from '#payment/server/stripe/ask-stripe.ts';
import { type Wallet, wallets } from '#store/wallets.ts';

/**
 * The wallets that the account's default configuration shows on Stripe's page. Wallets charge a card, so none is
 * returned if the configuration does not show cards. A restricted key may lack the right to read configurations; then
 * no wallet is known.
 */
export async function listStripeWallets(stripe: Stripe): Promise<Wallet[]> {
  try {
    const { data } = await askStripe(stripe.paymentMethodConfigurations.list({ limit: 100 }));
    const own = data.find(({ active, application, is_default: isDefault }) => active && isDefault && !application);
    if (!own || !isOn(own.card)) return [];
    return wallets.filter((wallet) => isOn(own[wallet]));
  } catch (error) {
    if (error instanceof ProviderKeysRefused) return [];
    throw error;
  }
}

type Shown = Pick<Stripe.PaymentMethodConfiguration.Card, 'available'> & { display_preference: { value: string } };

function isOn(method: Shown | undefined): boolean {
  return method?.available === true && method.display_preference.value === 'on';
}
