import { sql } from 'kysely';
import type { BankEntryKind, PayoutStatus } from '#payment/bank.ts';

/* Parts of SQL statements with which other domains read the provider's statement and payouts. */

export interface OrderBankEntry {
  order_id: string;
  kind: BankEntryKind;
  /** Minor units. */
  amount: number;
  fee: number;
  net: number;
  currency: string;
  /** The provider's id of the charge, refund or dispute. */
  source: string | null;
  payout_id: string | null;
  payout_status: PayoutStatus | null;
  /** The day on which the payout arrives in the bank account, YYYY-MM-DD; null: not known. */
  arrives_on: string | null;
}

export const orderBankEntriesSql = sql<OrderBankEntry>`(
  select e.order_id, e.kind, e.amount, e.fee, e.net, e.currency, e.source, e.payout_id, p.status as payout_status,
    p.arrives_on
  from payment_bank_entries e left join payment_payouts p on p.id = e.payout_id
  where e.order_id is not null)`;

/** The sums over the statement entries `e` of a query, named as in StatementSums and in the report. */
export const bankEntrySumsSql = sql`
  coalesce(sum(e.amount) filter (where e.kind = 'charge'), 0)::int as charged,
  coalesce(-sum(e.amount) filter (where e.kind in ('refund', 'refund_failed')), 0)::int as refunded,
  coalesce(-sum(e.amount) filter (where e.kind in ('dispute', 'dispute_won')), 0)::int as disputed,
  (coalesce(sum(e.fee), 0) - coalesce(sum(e.amount) filter (where e.kind = 'fee'), 0))::int as fees,
  coalesce(sum(e.amount) filter (where e.kind in ('payout', 'payout_failed', 'other')), 0)::int as other,
  coalesce(sum(e.net), 0)::int as net`;

/** Whether the row `orders` of a query was charged through a provider that has not reported its fee yet. */
export const isFeeUnknownSql = sql<boolean>`(
  exists (
    select from payments p
    where p.order_id = orders.id and p.key_set is not null and p.status in ('captured', 'refunded'))
  and not exists (select from payment_bank_entries e where e.order_id = orders.id and e.kind = 'charge'))`;

/**
 * The entries of all payouts. A payout whose entries are not read yet has one entry of the kind `unknown`, with the
 * payout's whole amount.
 */
export const payoutLinesSql = sql`(
  select e.id, e.payout_id, p.arrives_on, p.status as payout_status, e.kind, e.created_at as at, e.order_id, e.amount, e.fee,
    e.net, e.currency, k.mode
  from payment_bank_entries e join payment_payouts p on p.id = e.payout_id join payment_key_sets k on k.id = p.key_set
  where p.synced_at is not null
  union all
  select p.id, p.id, p.arrives_on, p.status, 'unknown', null, null, p.amount, 0, p.amount, p.currency, k.mode
  from payment_payouts p join payment_key_sets k on k.id = p.key_set where p.synced_at is null)`;
