import type { PaymentMode } from '#database/column-types.ts';

export interface StripeRight {
  /** The row of the page on which a key is made, as Stripe writes it. */
  row: string;
  /** The choice in that row. */
  access: 'Read' | 'Write';
}

/** What the shop's key must be allowed, by the name that Stripe's API uses. */
export const stripeRights = {
  rak_checkout_session_write: { row: 'Checkout Sessions', access: 'Write' },
  rak_payment_intent_write: { row: 'PaymentIntents', access: 'Write' },
  rak_charge_write: { row: 'Charges and Refunds', access: 'Write' },
  rak_customer_write: { row: 'Customers', access: 'Write' },
  rak_coupon_write: { row: 'Coupons', access: 'Write' },
  rak_dispute_read: { row: 'Disputes', access: 'Read' },
  rak_payout_read: { row: 'Payouts', access: 'Read' },
  rak_balance_transaction_source_read: { row: 'Balance Transaction Sources', access: 'Read' },
  rak_webhook_write: { row: 'Webhook Endpoints', access: 'Write' },
} as const satisfies Record<string, StripeRight>;

export type StripeRightName = keyof typeof stripeRights;
// The keys of the object above.
export const stripeRightNames = Object.keys(stripeRights) as StripeRightName[];

/** Not needed: with it, the office shows the account's name, and whether it may take cards. */
const accountRight = 'rak_accounts_kyc_basic_read';

const dashboard = 'https://dashboard.stripe.com';

/** Pages of Stripe's dashboard. */
export const stripePages = {
  /** Where a restricted key is made; the form has the name and the rights filled in. */
  newKey(mode: PaymentMode, name: string): string {
    const query = new URLSearchParams({ name });
    for (const right of [...stripeRightNames, accountRight]) query.append('permissions[]', right);
    return `${dashboard}${inMode(mode)}/apikeys/create?${query.toString()}`;
  },
  keys: (mode: PaymentMode) => `${dashboard}${inMode(mode)}/apikeys`,
  webhooks: (mode: PaymentMode) => `${dashboard}${inMode(mode)}/webhooks`,
  activate: `${dashboard}/account/onboarding`,
};

function inMode(mode: PaymentMode): string {
  return mode === 'test' ? '/test' : '';
}
