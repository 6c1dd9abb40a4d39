import type { Stripe } from 'stripe';
import type { PaymentMode } from '#database/column-values.ts';
import { holdEndAt } from '#payment/payment-methods.ts';
import type { ProviderPayment, ProviderRefund, ProviderState } from '#payment/payment-state.ts';

/** The value of `expand` with which a session must be fetched for `readStripeSession`. */
export const stripeSessionExpand = ['payment_intent.latest_charge.refunds'];

export interface KeyModeAndAccount {
  mode: PaymentMode;
  /** The id of the keys' account; null: not known, for example because the keys have no right to read it. */
  account: string | null;
}

/** The names of the metadata fields that the shop sets on a session, its intent and its refunds. */
export const stripeMetadataNames = {
  payment: 'payment_id',
  order: 'order_id',
  refundKey: 'refund_key',
  trial: 'trial',
} as const;

/**
 * Converts a Checkout Session to a provider's payment. The session includes its intent, the intent's latest charge, and
 * the charge's refunds.
 */
export function readStripeSession(session: Stripe.Checkout.Session, keys: KeyModeAndAccount): ProviderPayment {
  const intent = wholeOf(session.payment_intent);
  const charge = chargeOf(intent);
  const refunds = charge ? chargeRefunds(charge) : [];
  const captured = intent?.status === 'succeeded' ? intent.amount_received : undefined;
  const refunded = refunds.reduce((sum, { amount, status }) => sum + (status === 'failed' ? 0 : amount), 0);
  const state = stateOf(session, intent, charge);
  return {
    state: state === 'captured' && captured !== undefined && refunded >= captured ? 'refunded' : state,
    ...priceOf(session, intent),
    ...(captured !== undefined && { captured }),
    refunded,
    refundList: refunds,
    intent: stripeIdOf(session.payment_intent),
    method: charge ? methodOf(charge) : null,
    isProcessing: intent?.status === 'processing',
    heldUntil: charge && state === 'authorised' ? heldUntilOf(charge) : null,
    paymentId: session.metadata?.[stripeMetadataNames.payment] ?? null,
    isForeign: isForeign(session, intent, keys),
  };
}

/** The amount, in minor units, and the currency. */
function priceOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null) {
  const amount = intent ? intent.amount : session.amount_total;
  const currency = intent ? intent.currency : session.currency;
  // Only a session that just saves a card has no price.
  if (amount === null || currency === null) throw new Error(`${session.id} has no price`);
  return { amount, currency: currency.toUpperCase() };
}

/**
 * The provider's state. The state is read from the intent, if there is one, because a session only reports whether its
 * page was completed.
 */
function stateOf(
  { status, payment_status }: Pick<Stripe.Checkout.Session, 'status' | 'payment_status'>,
  intent: Stripe.PaymentIntent | null,
  charge: Stripe.Charge | null,
): ProviderState {
  switch (intent?.status) {
    case 'succeeded':
      return 'captured';
    case 'requires_capture':
      return 'authorised';
    case 'canceled':
      return charge?.status === 'succeeded' ? 'voided' : 'abandoned';
    case 'requires_payment_method':
      // The payment was declined. On an open page the payer can try again; if the page is complete, the bank declined
      // later.
      return status === 'expired' ? 'abandoned' : status === 'complete' ? 'declined' : 'open';
    case undefined:
      if (status === 'expired') return 'abandoned';
      // The page was completed without a payment, and there is nothing to release, so it counts as abandoned.
      return status === 'complete' && payment_status === 'no_payment_required' ? 'abandoned' : 'open';
    default:
      // The payer's bank is deciding, or asks the payer: money may still arrive, even after the page has ended.
      return 'open';
  }
}

/**
 * The refunds of a charge, oldest first; empty if the charge is uncaptured. For a hold that was cancelled in the
 * Dashboard, old API versions list a refund. This refund is ignored.
 */
function chargeRefunds(charge: Stripe.Charge): ProviderRefund[] {
  if (!charge.captured) return [];
  return (charge.refunds?.data ?? [])
    .toSorted((a, b) => a.created - b.created)
    .map((refund) => ({
      id: refund.id,
      key: keyOf(refund),
      amount: refund.amount,
      status: refundStatusFromStripe(refund.status),
    }));
}

function keyOf({ metadata }: Pick<Stripe.Refund, 'metadata'>): string | null {
  return metadata?.[stripeMetadataNames.refundKey] ?? null;
}

export function refundStatusFromStripe(status: string | null): ProviderRefund['status'] {
  if (status === 'failed' || status === 'canceled') return 'failed';
  return status === 'succeeded' ? 'succeeded' : 'pending';
}

/** The payment method. For a card in a wallet it is the wallet, because payers remember the wallet and not the card. */
function methodOf({ payment_method_details: details }: Stripe.Charge): string | null {
  return details?.card?.wallet?.type ?? details?.type ?? null;
}

function heldUntilOf(charge: Stripe.Charge): Date | null {
  const details = charge.payment_method_details;
  const before = details?.card?.capture_before;
  if (before) return new Date(before * 1000);
  return details ? holdEndAt(details.type, new Date(charge.created * 1000)) : null;
}

function isForeign(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
  { mode, account }: KeyModeAndAccount,
): boolean {
  const isLive = mode === 'live';
  if (session.livemode !== isLive || (intent !== null && intent.livemode !== isLive)) return true;
  // The money must go to the account whose keys these are.
  const receiver = intent?.on_behalf_of ?? intent?.transfer_data?.destination ?? null;
  return receiver !== null && account !== null && stripeIdOf(receiver) !== account;
}

export function stripeIdOf(thing: string | { id: string } | null | undefined): string | null {
  return typeof thing === 'string' ? thing : (thing?.id ?? null);
}

function chargeOf(intent: Stripe.PaymentIntent | null): Stripe.Charge | null {
  return intent ? wholeOf(intent.latest_charge) : null;
}

function wholeOf<T extends { id: string }>(thing: string | T | null): T | null {
  if (typeof thing === 'string') throw new Error(`${thing} was not asked for whole`);
  return thing;
}
