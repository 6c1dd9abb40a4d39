import type { PaymentMode } from '#database/column-values.ts';
import { preselectedStripeRights } from '#payment/stripe-rights.ts';

/**
 * The mode and account of the keys to which a payment or payout belongs. If `account` is null, Stripe opens the page in
 * the account that the owner used last.
 */
interface OfKeys {
  mode: PaymentMode;
  account: string | null;
}

export const stripeDashboardUrls = {
  /** The form that creates a restricted key, with the name and the rights filled in. */
  newKey(mode: PaymentMode, name: string): string {
    const query = new URLSearchParams({ name });
    for (const right of preselectedStripeRights) query.append('permissions[]', right);
    return `${address(inMode(mode), 'apikeys/create')}?${query.toString()}`;
  },
  keys: (mode: PaymentMode) => address(inMode(mode), 'apikeys'),
  webhooks: (mode: PaymentMode) => address(inMode(mode), 'webhooks'),
  activate: address('account/onboarding'),
  /** The page of a payment, by the id of its intent; the list of all payments if the id is null. */
  payment: ({ account, mode }: OfKeys, intent: string | null) => address(account, inMode(mode), 'payments', intent),
  payout: ({ account, mode }: OfKeys, id: string) => address(account, inMode(mode), 'payouts', id),
};

function inMode(mode: PaymentMode): string | null {
  return mode === 'test' ? 'test' : null;
}

function address(...parts: (string | null)[]): string {
  return ['https://dashboard.stripe.com', ...parts].filter((part) => part !== null).join('/');
}
