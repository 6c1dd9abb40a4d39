import type Stripe from 'stripe';
import type { Books, World } from '../world.ts';
import { idIn, seconds } from '../world.ts';
import type { Decline, TestCard } from './test-cards.ts';

/** What became of an attempt to pay. */
export type ChargeResult = 'captured' | 'held' | 'pending' | Decline;

interface Payment {
  method: Stripe.PaymentMethod;
  result: ChargeResult;
  /** The bank asked the cardholder, who agreed. */
  wasAsked: boolean;
}

/** Writes down one attempt to pay an intent with a method; the intent points to it afterwards. */
export function createCharge(
  world: World,
  books: Books,
  intent: Stripe.PaymentIntent,
  { method, result, wasAsked }: Payment,
): Stripe.Charge {
  const decline = typeof result === 'object' ? result : null;
  const isCaptured = result === 'captured';
  const charge: Stripe.Charge = {
    id: world.newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: structuredClone(method.billing_details),
    calculated_statement_descriptor: 'HATCH',
    captured: isCaptured,
    created: seconds(world),
    currency: intent.currency,
    customer: idIn(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: books.livemode,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: outcomeOf(result),
    paid: decline === null && result !== 'pending',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(world, books, intent, { method, result, wasAsked }),
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: decline ? null : `${world.origin}/receipts/${intent.id}`,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : result === 'pending' ? 'pending' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
  books.tables.charge.set(charge.id, charge);
  return charge;
}

/** The moment when a charge that is held is released by itself, in seconds since 1970; null for any other charge. */
export function heldUntil(world: World, charge: Stripe.Charge): number | null {
  if (charge.captured || charge.status !== 'succeeded') return null;
  const before = charge.payment_method_details?.card?.capture_before;
  return before ?? charge.created + Math.floor(world.settings.holdFor / 1000);
}

function outcomeOf(result: ChargeResult): Stripe.Charge.Outcome {
  const common = { advice_code: null, network_advice_code: null, network_decline_code: null };
  if (typeof result === 'object') {
    return {
      ...common,
      advice_code: result.declineCode === 'processing_error' ? 'try_again_later' : null,
      network_status: 'declined_by_network',
      reason: result.declineCode,
      risk_level: 'normal',
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    };
  }
  return {
    ...common,
    network_status: 'approved_by_network',
    reason: null,
    risk_level: 'normal',
    seller_message: 'Payment complete.',
    type: 'authorized',
  };
}

function detailsOf(
  world: World,
  books: Books,
  intent: Stripe.PaymentIntent,
  payment: Payment,
): Stripe.Charge.PaymentMethodDetails {
  const card = books.cards.get(payment.method.id);
  if (!card) throw new Error(`${payment.method.id} is no test card`);
  if (card.type === 'link') return { link: { country: card.country }, type: 'link' };
  if (card.type === 'pay_by_bank') return { pay_by_bank: {}, type: 'pay_by_bank' };
  return { card: cardDetails(world, intent, card, payment), type: 'card' };
}

function cardDetails(
  world: World,
  intent: Stripe.PaymentIntent,
  card: TestCard,
  { method, result, wasAsked }: Payment,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: typeof result === 'object' ? null : intent.amount,
    authorization_code: typeof result === 'object' ? null : '224755',
    brand: card.brand,
    ...(result === 'held' && {
      capture_before: seconds(world) + Math.floor(world.settings.holdFor / 1000),
    }),
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: card.country,
    electronic_commerce_indicator: wasAsked ? '05' : '07',
    exp_month: method.card?.exp_month ?? 12,
    exp_year: method.card?.exp_year ?? 2034,
    extended_authorization: { status: 'disabled' },
    fingerprint: method.card?.fingerprint ?? null,
    funding: card.funding,
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.number.slice(-4),
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: '791057772779751',
    overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
    regulated_status: 'unregulated',
    three_d_secure: wasAsked
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: null,
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: card.wallet ? walletOf(card.wallet) : null,
  };
}

function walletOf(type: NonNullable<TestCard['wallet']>): Stripe.Charge.PaymentMethodDetails.Card.Wallet {
  if (type === 'link') return { dynamic_last4: null, type, link: { funding_source_group: 'card' } };
  return { dynamic_last4: '4242', type, [type]: {} };
}
