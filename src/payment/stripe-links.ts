import type { PaymentMode } from '#database/column-types.ts';

/** An object's page in Stripe's dashboard. Without the account in it, it opens the one that was used last. */
export function stripeLink(
  { account, mode }: { account: string | null; mode: PaymentMode },
  page: 'payments' | 'payouts',
  id: string,
): string {
  const path = [account, mode === 'test' ? 'test' : null, page, id].filter((part) => part !== null);
  return `https://dashboard.stripe.com/${path.join('/')}`;
}
