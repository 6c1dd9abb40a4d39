import type Stripe from 'stripe';
import type { Books, World } from '../world.ts';
import { idIn, seconds } from '../world.ts';
import { emit } from './events.ts';
import { record } from './ledger.ts';

const day = 86_400;
/** What Stripe keeps for a dispute, in pence. */
const disputeFee = 2000;

export interface NewDispute {
  reason?: string;
  /** In pence; all of the charge if left out. */
  amount?: number;
  /** The bank only asks, and takes nothing yet. */
  isInquiry?: boolean;
}

/** The bank takes a charge's money back. The shop's evidence is due nine days later, at the end of the day (UTC). */
export function openDispute(world: World, books: Books, charge: Stripe.Charge, given: NewDispute = {}): Stripe.Dispute {
  const created = seconds(world);
  const dispute: Stripe.Dispute = {
    id: world.newId('du'),
    object: 'dispute',
    amount: given.amount ?? charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence(),
    evidence_details: {
      due_by: Math.ceil(created / day) * day + 9 * day - 1,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: given.isInquiry === true,
    livemode: books.livemode,
    metadata: {},
    payment_intent: idIn(charge.payment_intent),
    payment_method_details: {
      card: {
        brand: charge.payment_method_details?.card?.brand ?? 'visa',
        case_type: given.isInquiry ? 'inquiry' : 'chargeback',
        network: 'visa',
        network_reason_code: '10.4',
      },
      type: 'card',
    },
    reason: given.reason ?? 'fraudulent',
    status: given.isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  books.tables.dispute.set(dispute.id, dispute);
  charge.disputed = true;
  if (!given.isInquiry) withdraw(world, books, dispute);
  emit(world, books, 'charge.dispute.created', dispute);
  if (!given.isInquiry) emit(world, books, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Ends a dispute; if the shop wins, also by an appeal, the money and the fee come back. An inquiry ends without either. */
export function closeDispute(world: World, books: Books, dispute: Stripe.Dispute, status: 'won' | 'lost'): void {
  if (dispute.status === 'won' || dispute.status === 'warning_closed') {
    throw new Error(`${dispute.id} is ${dispute.status} already`);
  }
  const isInquiry = dispute.status === 'warning_needs_response';
  dispute.status = isInquiry ? 'warning_closed' : status;
  if (!isInquiry && status === 'won') {
    dispute.is_charge_refundable = true;
    move(world, books, dispute, dispute.amount, -disputeFee, `Chargeback reversal for ${idIn(dispute.charge)}`);
    emit(world, books, 'charge.dispute.funds_reinstated', dispute);
  }
  emit(world, books, 'charge.dispute.closed', dispute);
}

function withdraw(world: World, books: Books, dispute: Stripe.Dispute): void {
  move(world, books, dispute, -dispute.amount, disputeFee, `Chargeback withdrawal for ${idIn(dispute.charge)}`);
}

function move(
  world: World,
  books: Books,
  dispute: Stripe.Dispute,
  amount: number,
  fee: number,
  description: string,
): void {
  const transaction = record(world, books, {
    amount,
    fee,
    feeFor: 'Dispute fee',
    currency: dispute.currency,
    source: dispute.id,
    type: 'adjustment',
    category: amount < 0 ? 'dispute' : 'dispute_reversal',
    description,
    availableAtOnce: true,
  });
  dispute.balance_transactions.push(transaction);
}

function noEvidence(): Stripe.Dispute.Evidence {
  return {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: null,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  };
}
