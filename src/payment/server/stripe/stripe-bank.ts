import type { Stripe } from 'stripe';
import type { BankEntryKind, DisputeStatus, PayoutStatus } from '#payment/bank.ts';
import type { ProviderBankEntry, BankSource, ProviderDispute, ProviderPayout } from '#payment/server/bank-source.ts';
import { askStripe } from '#payment/server/stripe/ask-stripe.ts';
import { stripeIdOf, stripeMetadataNames } from '#payment/server/stripe/read-session.ts';

const limit = 100;

export function createStripeBankSource(stripe: Stripe): BankSource {
  return {
    async listPayouts(since) {
      return (await all(stripe.payouts.list({ created: createdSince(since), limit }))).map(payoutFromStripe);
    },
    payout: async (id) => payoutFromStripe(await askStripe(stripe.payouts.retrieve(id))),
    async listEntries(payout) {
      const rows = await all(stripe.balanceTransactions.list({ payout, limit, expand: ['data.source'] }));
      // One of the rows is the payout itself.
      return rows.map(bankEntryFromStripe).filter(({ source }) => source !== payout);
    },
    async entriesSince(since) {
      const created = createdSince(since);
      return (await all(stripe.balanceTransactions.list({ created, limit, expand: ['data.source'] }))).map(
        bankEntryFromStripe,
      );
    },
    entriesOf: ({ id, intent }) => entriesOf(stripe, id, intent),
    async listDisputes(since) {
      const created = createdSince(since);
      return (await all(stripe.disputes.list({ created, limit, expand: ['data.charge'] }))).map(disputeFromStripe);
    },
    disputesOf: async (intent) =>
      (await all(stripe.disputes.list({ payment_intent: intent, limit, expand: ['data.charge'] }))).map(
        disputeFromStripe,
      ),
    dispute: async (id) => disputeFromStripe(await askStripe(stripe.disputes.retrieve(id, { expand: ['charge'] }))),
  };
}

async function entriesOf(stripe: Stripe, paymentId: string, intent: string): Promise<ProviderBankEntry[]> {
  const about = { payment_intent: intent, limit };
  const { latest_charge: charge } = await askStripe(
    stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge.balance_transaction'] }),
  );
  const refunds = await all(
    stripe.refunds.list({ ...about, expand: ['data.balance_transaction', 'data.failure_balance_transaction'] }),
  );
  const disputes = await all(stripe.disputes.list(about));
  const rows = [
    typeof charge === 'object' ? charge?.balance_transaction : null,
    ...refunds.flatMap((refund) => [refund.balance_transaction, refund.failure_balance_transaction]),
    ...disputes.flatMap((dispute) => dispute.balance_transactions),
  ];
  return rows
    .filter((row): row is Stripe.BalanceTransaction => typeof row === 'object' && row !== null)
    .map((row) => ({ ...bankEntryFromStripe(row), intent, paymentId }));
}

async function all<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const read = async () => {
    const rows: T[] = [];
    for await (const row of list) rows.push(row);
    return rows;
  };
  return askStripe(read());
}

const createdSince = (since: Date) => ({ gte: Math.floor(since.getTime() / 1000) });
const at = (seconds: number) => new Date(seconds * 1000);
/** Converts a timestamp to its date in UTC. Stripe's timestamp of a day is the day's midnight in UTC. */
const dayOf = (seconds: number) => at(seconds).toISOString().slice(0, 10);

const payoutStatuses: Partial<Record<string, PayoutStatus>> = {
  pending: 'pending',
  in_transit: 'in_transit',
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
};

export function payoutFromStripe(payout: Stripe.Payout): ProviderPayout {
  const status = payoutStatuses[payout.status];
  if (!status) throw new Error(`payout ${payout.id} is ${payout.status}`);
  return {
    id: payout.id,
    amount: payout.amount,
    currency: payout.currency.toUpperCase(),
    status,
    failure: payout.failure_code,
    isAutomatic: payout.automatic,
    hasEntries: payout.automatic && payout.reconciliation_status === 'completed',
    arrivesOn: dayOf(payout.arrival_date),
    createdAt: at(payout.created),
  };
}

/** The kinds of entries by Stripe's reporting category; all others are `other`. */
const kinds: Partial<Record<string, BankEntryKind>> = {
  charge: 'charge',
  // The uncaptured rest of a hold, for accounts in which Stripe first books the whole hold.
  partial_capture_reversal: 'charge',
  charge_failure: 'charge',
  refund: 'refund',
  refund_failure: 'refund_failed',
  dispute: 'dispute',
  dispute_reversal: 'dispute_won',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  payout: 'payout',
  payout_reversal: 'payout_failed',
};

export function bankEntryFromStripe(row: Stripe.BalanceTransaction): ProviderBankEntry {
  const { id, amount, fee, net, source } = row;
  const about = typeof source === 'object' ? source : null;
  return {
    id,
    kind: kinds[row.reporting_category] ?? 'other',
    amount,
    fee,
    net,
    currency: row.currency.toUpperCase(),
    createdAt: at(row.created),
    availableOn: dayOf(row.available_on),
    source: about?.id ?? (typeof source === 'string' ? source : null),
    intent: about && 'payment_intent' in about ? stripeIdOf(about.payment_intent) : null,
    paymentId: about?.object === 'charge' ? (about.metadata[stripeMetadataNames.payment] ?? null) : null,
  };
}

const disputeStatuses: Partial<Record<string, DisputeStatus>> = {
  warning_needs_response: 'inquiry_needs_response',
  warning_under_review: 'inquiry_under_review',
  warning_closed: 'inquiry_closed',
  // The inquiry ended before it became a dispute.
  prevented: 'inquiry_closed',
  needs_response: 'needs_response',
  appeal_needs_response: 'needs_response',
  under_review: 'under_review',
  appeal_under_review: 'under_review',
  won: 'won',
  lost: 'lost',
};

export function disputeFromStripe(dispute: Stripe.Dispute): ProviderDispute {
  const { id, amount, charge, reason } = dispute;
  const due = dispute.evidence_details.due_by;
  const known = typeof charge === 'object' ? charge : null;
  return {
    id,
    intent: stripeIdOf(dispute.payment_intent) ?? stripeIdOf(known?.payment_intent),
    paymentId: known?.metadata[stripeMetadataNames.payment] ?? null,
    amount,
    currency: dispute.currency.toUpperCase(),
    reason,
    // A status that Stripe adds later counts as `needs_response`, so that the owner looks at it.
    status: disputeStatuses[dispute.status] ?? 'needs_response',
    respondBy: due ? at(due) : null,
    createdAt: at(dispute.created),
  };
}
