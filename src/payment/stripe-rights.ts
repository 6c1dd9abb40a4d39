export interface StripeRight {
  /** The label of the right's row in Stripe's form for a new key. */
  row: string;
  /** The option to choose in the right's row. */
  access: 'Read' | 'Write';
}

/** The rights that the shop's key must have, by their names in Stripe's API. */
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
export const stripeRightNames = Object.keys(stripeRights) as StripeRightName[];

/**
 * The rights that card payments need. If one is missing, customers cannot pay, or payments cannot be charged or
 * refunded.
 */
const forPaying: ReadonlySet<string> = new Set<StripeRightName>([
  'rak_checkout_session_write',
  'rak_payment_intent_write',
  'rak_charge_write',
  'rak_customer_write',
  'rak_coupon_write',
]);

/** Whether cards are not offered because of a key's problem. */
export function preventsCardPayments(problem: { kind: string; rights?: readonly string[] } | null): boolean {
  if (problem === null) return false;
  const { kind, rights = [] } = problem;
  if (kind === 'missing_right') return rights.some((right) => forPaying.has(right));
  return kind !== 'some_pages_refused';
}

/** The rights that are preselected in Stripe's form for a new key. The shop's key works without the last two. */
export const preselectedStripeRights: readonly string[] = [
  ...stripeRightNames,
  // With this right, the office can show the name of the Stripe account.
  'rak_accounts_kyc_basic_read',
  // With this right, the checkout can name the wallets on Stripe's payment page, such as Apple Pay.
  'rak_payment_method_configurations_read',
];
