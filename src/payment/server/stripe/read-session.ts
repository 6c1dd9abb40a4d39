import type { Stripe } from 'stripe';
import type { PaymentMode } from '#database/column-values.ts';
import { holdEnd } from '#payment/payment-methods.ts';
import type { ProviderPayment, ProviderRefund, ProviderState } from '#payment/payment-state.ts';

/** The parts of a session that `readSession` needs: ask for it with this `expand`. */
export const sessionParts = ['payment_intent.latest_charge.refunds'];

/** The keys that a payment was made with. */
export interface ReadingKeys {
  mode: PaymentMode;
  /** null: not known, because the keys may not read it. */
  account: string | null;
}

/** The metadata of ours on a session, its intent and its refunds. */
export const metadataNames = {
  payment: 'payment_id',
  order: 'order_id',
  refundKey: 'refund_key',
  trial: 'trial',
} as const;

/** A Checkout Session with its intent, the intent's latest charge and that one's refunds, as a provider's payment. */
export function readSession(session: Stripe.Checkout.Session, keys: ReadingKeys): ProviderPayment {
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
    intent: idOf(session.payment_intent),
    method: charge ? methodOf(charge) : null,
    isProcessing: intent?.status === 'processing',
    heldUntil: charge && state === 'authorised' ? heldUntilOf(charge) : null,
    paymentId: session.metadata?.[metadataNames.payment] ?? null,
    isForeign: isForeign(session, intent, keys),
  };
}

/** `amount` in minor units. */
function priceOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null) {
  const amount = intent ? intent.amount : session.amount_total;
  const currency = intent ? intent.currency : session.currency;
  // Only a session that saves a card has none.
  if (amount === null || currency === null) throw new Error(`${session.id} has no price`);
  return { amount, currency: currency.toUpperCase() };
}

/** By the intent once there is one: a session says that its page was completed, and nothing of the money since. */
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
      // A declined try: its page lets the payer try again while it is open, and a bank that says no later ends it.
      return status === 'expired' ? 'abandoned' : status === 'complete' ? 'declined' : 'open';
    case undefined:
      if (status === 'expired') return 'abandoned';
      // Completed without any money: nobody paid, and there is nothing to release.
      return status === 'complete' && payment_status === 'no_payment_required' ? 'abandoned' : 'open';
    default:
      // The payer's bank is being asked, or is asking the payer; money may still come, even when the page has ended.
      return 'open';
  }
}

/**
 * None before the capture: an account with an old API version lists a hold that its Dashboard cancelled as a refund.
 */
function chargeRefunds(charge: Stripe.Charge): ProviderRefund[] {
  if (!charge.captured) return [];
  return (charge.refunds?.data ?? [])
    .toSorted((a, b) => a.created - b.created)
    .map((refund) => ({
      id: refund.id,
      key: keyOf(refund),
      amount: refund.amount,
      status: refundStatus(refund.status),
    }));
}

function keyOf({ metadata }: Pick<Stripe.Refund, 'metadata'>): string | null {
  return metadata?.[metadataNames.refundKey] ?? null;
}

export function refundStatus(status: string | null): ProviderRefund['status'] {
  if (status === 'failed' || status === 'canceled') return 'failed';
  return status === 'succeeded' ? 'succeeded' : 'pending';
}

/** The wallet, if there was one, because the payer remembers its name. */
function methodOf({ payment_method_details: details }: Stripe.Charge): string | null {
  return details?.card?.wallet?.type ?? details?.type ?? null;
}

function heldUntilOf(charge: Stripe.Charge): Date | null {
  const details = charge.payment_method_details;
  const before = details?.card?.capture_before;
  if (before) return new Date(before * 1000);
  return details ? holdEnd(details.type, new Date(charge.created * 1000)) : null;
}

function isForeign(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
  { mode, account }: ReadingKeys,
): boolean {
  const isLive = mode === 'live';
  if (session.livemode !== isLive || (intent !== null && intent.livemode !== isLive)) return true;
  // Money that goes to another account than the one whose keys these are.
  const receiver = intent?.on_behalf_of ?? intent?.transfer_data?.destination ?? null;
  return receiver !== null && account !== null && idOf(receiver) !== account;
}

export function idOf(thing: string | { id: string } | null | undefined): string | null {
  return typeof thing === 'string' ? thing : (thing?.id ?? null);
}

function chargeOf(intent: Stripe.PaymentIntent | null): Stripe.Charge | null {
  return intent ? wholeOf(intent.latest_charge) : null;
}

function wholeOf<T extends { id: string }>(thing: string | T | null): T | null {
  if (typeof thing === 'string') throw new Error(`${thing} was not asked for whole`);
  return thing;
}
