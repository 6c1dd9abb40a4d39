import type Stripe from 'stripe';
import type { ErrorBody } from '../api/failure.ts';
import type { Books, World } from '../world.ts';
import { idIn } from '../world.ts';
import { createCharge } from './charges.ts';
import { openDispute } from './disputes.ts';
import { emit } from './events.ts';
import { recordCharge } from './ledger.ts';
import { attachMethod } from './payment-methods.ts';
import type { Decline } from './test-cards.ts';

/** How an attempt to pay ended: `asks` waits for the cardholder at the bank. */
export type Attempt = { result: 'succeeded' | 'held' | 'processing' | 'asks' } | { result: 'failed'; error: ErrorBody };

export interface AttemptOptions {
  /** Nobody is there whom the bank could ask. */
  offSession?: boolean;
  /** The bank has asked, and the cardholder agreed. */
  wasAsked?: boolean;
  /** Of Pay by Bank: the bank answers later. */
  isSlow?: boolean;
  /** Keep the method for the customer. */
  keep?: boolean;
  /** Where the bank sends the cardholder afterwards, if no session does. */
  returnUrl?: string | undefined;
}

const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** Tries to pay an intent with a method. */
export function attempt(
  world: World,
  books: Books,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  options: AttemptOptions = {},
): Attempt {
  const card = books.cards.get(method.id);
  if (!card) throw new Error(`${method.id} is no test card`);
  intent.last_payment_error = null;
  intent.next_action = null;
  intent.payment_method = method.id;
  if (card.asks && !options.wasAsked) {
    if (options.offSession) return refuse(world, books, intent, method, authenticationRequired, null);
    intent.status = 'requires_action';
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { return_url: options.returnUrl ?? null, url: `${world.origin}/3d-secure/${intent.id}` },
    };
    emit(world, books, 'payment_intent.requires_action', intent);
    return { result: 'asks' };
  }
  const wasAsked = options.wasAsked ?? false;
  if (card.decline) {
    const charge = createCharge(world, books, intent, { method, result: card.decline, wasAsked });
    return refuse(world, books, intent, method, card.decline, charge);
  }
  if (options.keep && idIn(intent.customer)) attachMethod(world, books, method, idIn(intent.customer) ?? '');
  if (options.isSlow) {
    const charge = createCharge(world, books, intent, { method, result: 'pending', wasAsked });
    intent.latest_charge = charge.id;
    intent.status = 'processing';
    emit(world, books, 'charge.pending', charge);
    emit(world, books, 'payment_intent.processing', intent);
    return { result: 'processing' };
  }
  return succeed(world, books, intent, method, wasAsked);
}

/** The cardholder turned the bank's question down, or did not answer. */
export function refuseAuthentication(world: World, books: Books, intent: Stripe.PaymentIntent): void {
  const method = books.tables.payment_method.get(idIn(intent.payment_method) ?? '');
  if (!method) throw new Error(`${intent.id} has no payment method`);
  intent.next_action = null;
  failed(world, books, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: structuredClone(method),
  });
}

/** The bank's late answer about a payment that was processing. */
export function finishProcessing(world: World, books: Books, intent: Stripe.PaymentIntent, isPaid: boolean): void {
  const charge = books.tables.charge.get(idIn(intent.latest_charge) ?? '');
  if (intent.status !== 'processing' || !charge) throw new Error(`${intent.id} is not processing`);
  if (isPaid) {
    Object.assign(charge, { status: 'succeeded', paid: true, captured: true, amount_captured: charge.amount });
    recordCharge(world, books, charge);
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    emit(world, books, 'charge.succeeded', charge);
    emit(world, books, 'payment_intent.succeeded', intent);
    return;
  }
  const message = 'The customer did not approve the payment at the bank.';
  Object.assign(charge, {
    status: 'failed',
    failure_code: 'payment_intent_payment_attempt_failed',
    failure_message: message,
  });
  emit(world, books, 'charge.failed', charge);
  const method = books.tables.payment_method.get(charge.payment_method ?? '');
  failed(world, books, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_payment_attempt_failed',
    charge: charge.id,
    message,
    ...(method && { payment_method: structuredClone(method) }),
  });
}

/** Whether a method's payment is held until it is captured, instead of charged at once. */
export function isHeld(intent: Stripe.PaymentIntent, type: string): boolean {
  const { card, link } = intent.payment_method_options ?? {};
  const own = type === 'card' ? card?.capture_method : type === 'link' ? link?.capture_method : undefined;
  return own === 'manual' || intent.capture_method === 'manual';
}

function succeed(
  world: World,
  books: Books,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  wasAsked: boolean,
): Attempt {
  const held = isHeld(intent, method.type);
  const charge = createCharge(world, books, intent, { method, result: held ? 'held' : 'captured', wasAsked });
  intent.latest_charge = charge.id;
  if (held) {
    intent.status = 'requires_capture';
    intent.amount_capturable = intent.amount;
    emit(world, books, 'charge.succeeded', charge);
    emit(world, books, 'payment_intent.amount_capturable_updated', intent);
    return { result: 'held' };
  }
  if (world.settings.balanceTransactionAfter === 0) recordCharge(world, books, charge);
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  emit(world, books, 'charge.succeeded', charge);
  emit(world, books, 'payment_intent.succeeded', intent);
  disputeIfAsked(world, books, charge);
  return { result: 'succeeded' };
}

/** Opens the dispute that the test card stands for. */
export function disputeIfAsked(world: World, books: Books, charge: Stripe.Charge): void {
  const card = books.cards.get(charge.payment_method ?? '');
  if (card?.after !== 'disputed' && card?.after !== 'inquired') return;
  openDispute(world, books, charge, {
    reason: card.disputeReason ?? 'fraudulent',
    isInquiry: card.after === 'inquired',
  });
}

function refuse(
  world: World,
  books: Books,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline,
  charge: Stripe.Charge | null,
): Attempt {
  const error: ErrorBody = {
    type: 'card_error',
    code: decline.code,
    decline_code: decline.declineCode,
    message: decline.message,
    ...(charge && { charge: charge.id }),
    payment_method: structuredClone(method),
  };
  intent.latest_charge = charge?.id ?? null;
  if (charge) emit(world, books, 'charge.failed', charge);
  failed(world, books, intent, error);
  return { result: 'failed', error: { ...error, payment_intent: structuredClone(intent) } };
}

function failed(world: World, books: Books, intent: Stripe.PaymentIntent, error: ErrorBody): void {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.last_payment_error = error as Stripe.PaymentIntent.LastPaymentError;
  emit(world, books, 'payment_intent.payment_failed', intent);
}
