import type Stripe from 'stripe';
import { invalid, wrongState } from '../api/failure.ts';
import { smallest } from '../checkout/check-session.ts';
import type { Books, World } from '../world.ts';
import { idIn, seconds } from '../world.ts';
import { disputeIfAsked } from './attempts.ts';
import { heldUntil } from './charges.ts';
import { emit } from './events.ts';
import { recordCharge } from './ledger.ts';

/** Takes all of a hold, or less, in pence; what is left of it is released, since 2025-03-31.basil without a refund of it. */
export function capture(world: World, books: Books, intent: Stripe.PaymentIntent, amount?: number): void {
  if (intent.status === 'succeeded') {
    const isPartly = intent.amount_received < intent.amount;
    throw wrongState(
      intent,
      isPartly
        ? 'The remaining amount on this PaymentIntent could not be captured because the remainder of the authorized amount has been released.'
        : 'This PaymentIntent could not be captured because it has already been captured.',
    );
  }
  if (intent.status !== 'requires_capture') {
    throw wrongState(
      intent,
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
    );
  }
  const taken = checkAmount(intent, amount);
  const charge = chargeOf(books, intent);
  charge.captured = true;
  charge.amount_captured = taken;
  recordCharge(world, books, charge);
  intent.status = 'succeeded';
  intent.amount_capturable = 0;
  intent.amount_received = taken;
  emit(world, books, 'charge.captured', charge, { captured: false, amount_captured: 0 });
  emit(world, books, 'payment_intent.succeeded', intent);
  disputeIfAsked(world, books, charge);
}

function checkAmount(intent: Stripe.PaymentIntent, amount = intent.amount_capturable): number {
  const carried = { payment_intent: structuredClone(intent) };
  if (amount < 0) throw invalid('Invalid non-negative integer', { param: 'amount_to_capture', ...carried });
  if (amount === 0) {
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
      ...carried,
    });
  }
  if (intent.currency === 'gbp' && amount < smallest) {
    throw invalid('Amount must be at least £0.30 gbp', { code: 'amount_too_small', ...carried });
  }
  if (amount > intent.amount_capturable) {
    throw invalid(
      'The payment could not be captured because the requested capture amount is greater than the amount you can capture for this charge. Contact us via https://support.stripe.com/contact/ for help.',
      { code: 'amount_too_large', ...carried },
    );
  }
  return amount;
}

const cancelable = new Set<string>([
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
]);

/** Ends an intent that is not paid; a hold is released, and its charge stays as it is, uncaptured. */
export function cancel(
  world: World,
  books: Books,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): void {
  if (!cancelable.has(intent.status)) {
    throw wrongState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_reauthorization, requires_confirmation, requires_action, expired, processing.`,
    );
  }
  const isOpen = books.sessionOfIntent.get(intent.id)?.status === 'open';
  if (isOpen && reason !== 'expired') {
    throw wrongState(
      intent,
      'You cannot cancel this PaymentIntent because it was created by a Checkout Session that is still open. Expire the Checkout Session instead.',
    );
  }
  end(world, books, intent, reason);
}

/** Releases the holds that nobody captured in time. */
export function lapseHolds(world: World, books: Books): void {
  for (const intent of books.tables.payment_intent.values()) {
    if (intent.status !== 'requires_capture') continue;
    const charge = chargeOf(books, intent);
    const until = heldUntil(world, charge);
    if (until === null || seconds(world) < until) continue;
    emit(world, books, 'charge.expired', charge);
    end(world, books, intent, 'expired');
  }
}

function end(
  world: World,
  books: Books,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): void {
  intent.status = 'canceled';
  intent.canceled_at = seconds(world);
  intent.cancellation_reason = reason;
  intent.amount_capturable = 0;
  intent.next_action = null;
  emit(world, books, 'payment_intent.canceled', intent);
}

function chargeOf(books: Books, intent: Stripe.PaymentIntent): Stripe.Charge {
  const charge = books.tables.charge.get(idIn(intent.latest_charge) ?? '');
  if (!charge) throw new Error(`${intent.id} has no charge`);
  return charge;
}
