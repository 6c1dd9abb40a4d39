/** How a payment method behaves: https://docs.stripe.com/testing */
export interface TestCard {
  number: string;
  /** The name for calls, as in `pm_card_visa`. */
  name?: string;
  type: 'card' | 'link' | 'pay_by_bank';
  brand: string;
  country: string;
  funding: 'credit' | 'debit';
  /** Why the bank refuses each payment. */
  decline?: Decline;
  /** The bank asks the cardholder: always, or only if the page or call allows it. */
  asks?: boolean;
  /** What happens after the payment. */
  after?: 'disputed' | 'inquired' | 'refund_succeeds_later' | 'refund_fails_later' | 'available_at_once';
  disputeReason?: 'fraudulent' | 'product_not_received';
  wallet?: 'apple_pay' | 'google_pay' | 'link';
}

export interface Decline {
  code: string;
  declineCode: string;
  message: string;
}

const declines = {
  generic: ['card_declined', 'generic_decline', 'Your card was declined.'],
  insufficient: ['card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  lost: ['card_declined', 'lost_card', 'Your card was declined.'],
  stolen: ['card_declined', 'stolen_card', 'Your card was declined.'],
  velocity: [
    'card_declined',
    'card_velocity_exceeded',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ],
  expired: ['expired_card', 'expired_card', 'Your card has expired.'],
  cvc: ['incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
  processing: [
    'processing_error',
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ],
} as const satisfies Record<string, readonly [string, string, string]>;

function decline(name: keyof typeof declines): Decline {
  const [code, declineCode, message] = declines[name];
  return { code, declineCode, message };
}

type Row = [number: string, name: string, more?: Partial<TestCard>];

const rows: Row[] = [
  ['4242424242424242', 'visa'],
  ['4000056655665556', 'visa_debit', { funding: 'debit' }],
  ['5555555555554444', 'mastercard', { brand: 'mastercard' }],
  ['378282246310005', 'amex', { brand: 'amex' }],
  ['4000008260000000', 'gb', { country: 'GB' }],
  ['4000000000000077', 'bypassPending', { after: 'available_at_once' }],
  ['4000000000000002', 'visa_chargeDeclined', { decline: decline('generic') }],
  ['4000000000009995', 'visa_chargeDeclinedInsufficientFunds', { decline: decline('insufficient') }],
  ['4000000000009987', 'visa_chargeDeclinedLostCard', { decline: decline('lost') }],
  ['4000000000009979', 'visa_chargeDeclinedStolenCard', { decline: decline('stolen') }],
  ['4000000000000069', 'chargeDeclinedExpiredCard', { decline: decline('expired') }],
  ['4000000000000127', 'chargeDeclinedIncorrectCvc', { decline: decline('cvc') }],
  ['4000000000000119', 'chargeDeclinedProcessingError', { decline: decline('processing') }],
  ['4000000000006975', 'visa_chargeDeclinedVelocityLimitExceeded', { decline: decline('velocity') }],
  ['4000000000000341', 'chargeCustomerFail', { decline: decline('generic') }],
  ['4000002500003155', 'authenticationRequiredOnSetup', { asks: true }],
  ['4000002760003184', 'authenticationRequired', { asks: true }],
  ['4000000000003220', 'threeDSecure2Required', { asks: true }],
  ['4000008400001629', 'threeDSecureRequiredChargeDeclined', { asks: true, decline: decline('generic') }],
  [
    '4000008260003178',
    'authenticationRequiredChargeDeclinedInsufficientFunds',
    { asks: true, decline: decline('insufficient') },
  ],
  ['4000000000000259', 'createDispute', { after: 'disputed', disputeReason: 'fraudulent' }],
  ['4000000000002685', 'createDisputeProductNotReceived', { after: 'disputed', disputeReason: 'product_not_received' }],
  ['4000000000001976', 'createDisputeInquiry', { after: 'inquired', disputeReason: 'fraudulent' }],
  ['4000000000007726', 'pendingRefund', { after: 'refund_succeeds_later' }],
  ['4000000000005126', 'refundFail', { after: 'refund_fails_later' }],
];

export const testCards: readonly TestCard[] = rows.map(([number, name, more]) => ({
  number,
  name,
  type: 'card',
  brand: 'visa',
  country: 'US',
  funding: 'credit',
  ...more,
}));

/** The card with a number, with or without spaces; undefined for one that Stripe does not offer for tests. */
export function cardByNumber(number: string): TestCard | undefined {
  const digits = number.replace(/[\s-]/g, '');
  return testCards.find((card) => card.number === digits);
}

/** The card that a name for calls stands for: `pm_card_visa`, `tok_visa`. */
export function cardByName(id: string): TestCard | undefined {
  const name = /^(?:pm_card|tok)_(.+)$/.exec(id)?.[1];
  return testCards.find((card) => card.name === name);
}

/** The method that one of the page's other buttons stands for. Wallets and Link are paid by a card behind them. */
export function buttonMethod(button: 'apple_pay' | 'google_pay' | 'link' | 'pay_by_bank'): TestCard {
  const visa = testCards[0];
  if (!visa) throw new Error('There is no test card');
  if (button === 'pay_by_bank') return { ...visa, type: 'pay_by_bank' };
  return button === 'link' ? { ...visa, type: 'link' } : { ...visa, wallet: button };
}
