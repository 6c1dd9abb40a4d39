import type Stripe from 'stripe';
import { invalid, missing } from '../api/failure.ts';
import type { Books, World } from '../world.ts';
import { idIn, seconds } from '../world.ts';
import { emit } from './events.ts';
import { readMetadata } from './intents.ts';
import { record } from './ledger.ts';

export function createRefund(world: World, books: Books, params: Stripe.RefundCreateParams): Stripe.Refund {
  const charge = chargeFor(books, params);
  const amount = checkRefund(books, charge, params.amount);
  const card = books.cards.get(charge.payment_method ?? '');
  const isLater = card?.after === 'refund_succeeds_later' || world.settings.refunds === 'pending';
  const isCard = charge.payment_method_details?.type === 'card';
  const refund: Stripe.Refund = {
    id: world.newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    customer: idIn(charge.customer),
    customer_account: null,
    ...(isCard && {
      destination_details: {
        card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
        type: 'card',
      },
    }),
    metadata: readMetadata(params.metadata || {}),
    payment_intent: idIn(charge.payment_intent),
    payment_method: charge.payment_method,
    ...(isLater && { pending_reason: 'processing' }),
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: isLater ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  books.tables.refund.set(refund.id, refund);
  refund.balance_transaction = record(world, books, {
    amount: -amount,
    fee: 0,
    currency: charge.currency,
    source: refund.id,
    type: isCard ? 'refund' : 'payment_refund',
    category: 'refund',
    description: charge.description ? `REFUND FOR CHARGE (${charge.description})` : 'REFUND FOR CHARGE',
  }).id;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  emit(world, books, 'refund.created', refund);
  emit(world, books, 'charge.refunded', charge, { amount_refunded: charge.amount_refunded - amount });
  return refund;
}

/** The end of a refund that was pending, or the late failure of one that had succeeded: its money comes back. */
export function finishRefund(
  world: World,
  books: Books,
  refund: Stripe.Refund,
  status: 'succeeded' | 'failed',
  reason = 'lost_or_stolen_card',
): void {
  if (refund.status !== 'pending' && status === 'succeeded') throw new Error(`${refund.id} is ${refund.status}`);
  const before = { status: refund.status };
  delete refund.pending_reason;
  refund.status = status;
  if (status === 'failed') {
    const charge = books.tables.charge.get(idIn(refund.charge) ?? '');
    if (!charge) throw new Error(`${refund.id} has no charge`);
    refund.failure_reason = reason;
    refund.failure_balance_transaction = record(world, books, {
      amount: refund.amount,
      fee: 0,
      currency: refund.currency,
      source: refund.id,
      type: 'refund_failure',
      description: `REFUND FAILURE FOR CHARGE ${charge.id}`,
    }).id;
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    emit(world, books, 'refund.failed', refund, before);
  }
  emit(world, books, 'refund.updated', refund, before);
  emit(world, books, 'charge.refund.updated', refund, before);
}

/** Ends the refunds of the test cards whose refunds succeed or fail by themselves, a minute after they were made. */
export function settleRefunds(world: World, books: Books): void {
  for (const refund of books.tables.refund.values()) {
    const after = books.cards.get(idIn(refund.payment_method) ?? '')?.after;
    if (seconds(world) < refund.created + 60) continue;
    if (after === 'refund_succeeds_later' && refund.status === 'pending') {
      finishRefund(world, books, refund, 'succeeded');
    } else if (after === 'refund_fails_later' && refund.status === 'succeeded') {
      finishRefund(world, books, refund, 'failed');
    }
  }
}

function chargeFor(books: Books, params: Stripe.RefundCreateParams): Stripe.Charge {
  if (params.charge !== undefined) {
    const charge = books.tables.charge.get(params.charge);
    if (!charge) throw missing('charge', params.charge, 'id');
    return charge;
  }
  if (params.payment_intent === undefined) {
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.');
  }
  const intent = books.tables.payment_intent.get(params.payment_intent);
  if (!intent) throw missing('payment_intent', params.payment_intent, 'payment_intent', 400);
  const charge = books.tables.charge.get(idIn(intent.latest_charge) ?? '');
  if (!charge) throw nothingToRefund(intent.id);
  return charge;
}

function nothingToRefund(intent: string | null): Error {
  return invalid(`This PaymentIntent (${intent}) does not have a successful charge to refund.`);
}

/** The amount to give back, in pence. */
function checkRefund(books: Books, charge: Stripe.Charge, asked: number | undefined): number {
  const intent = idIn(charge.payment_intent);
  if (charge.status !== 'succeeded') throw nothingToRefund(intent);
  if (!charge.captured) {
    throw invalid(
      `This uncaptured Charge was created by a PaymentIntent (${intent}). You must cancel the PaymentIntent to reverse the authorization instead of refunding the Charge directly. For more information, see https://stripe.com/docs/payments/place-a-hold-on-a-payment-method`,
    );
  }
  const isDisputed = [...books.tables.dispute.values()].some(
    (dispute) => idIn(dispute.charge) === charge.id && !dispute.is_charge_refundable,
  );
  if (isDisputed) {
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
  }
  const left = charge.amount_captured - charge.amount_refunded;
  if (left <= 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  const amount = asked ?? left;
  if (amount < 1) {
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  }
  if (amount > left) {
    throw invalid(`Refund amount (${pounds(amount)}) is greater than unrefunded amount on charge (${pounds(left)})`, {
      param: 'amount',
    });
  }
  return amount;
}

function pounds(pence: number): string {
  return `£${(pence / 100).toFixed(2)}`;
}
