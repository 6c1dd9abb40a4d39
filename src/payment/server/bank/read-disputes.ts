import { type Selectable, sql } from 'kysely';
import { readPage } from '#database/read-page.ts';
import type { Db, PaymentDisputesTable, PaymentPayoutsTable } from '#database/schema.ts';
import { orderSummariesSql } from '#ordering/server/order-views.ts';
import type { bankEndpoints, Dispute } from '#payment/bank-contract.ts';
import { hasBankTakenMoneyBack, unansweredDisputeStatuses } from '#payment/bank-rules.ts';
import { sumAmounts } from '#payment/refund-rules.ts';
import { stripeDashboardUrls } from '#payment/stripe-dashboard-urls.ts';
import type { QueryOf } from '#platform/http/endpoint.ts';

export async function listDisputes(db: Db, query: QueryOf<(typeof bankEndpoints)['GET /v1/disputes']>) {
  const isUnanswered = sql<boolean>`payment_disputes.status in (${sql.join(unansweredDisputeStatuses)})`;
  let disputes = selectDisputes(db)
    .orderBy(isUnanswered, 'desc')
    .orderBy(sql`case when ${isUnanswered} then payment_disputes.respond_by end`)
    .orderBy('payment_disputes.created_at', 'desc')
    .orderBy('payment_disputes.id', 'desc');
  if (query.store_id) disputes = disputes.where('payment_disputes.store_id', '=', query.store_id);
  if (query.order_id) disputes = disputes.where('payment_disputes.order_id', '=', query.order_id);
  if (query.state === 'unanswered')
    disputes = disputes.where('payment_disputes.status', 'in', unansweredDisputeStatuses);
  if (query.state === 'open') disputes = disputes.where('payment_disputes.closed_at', 'is', null);
  if (query.state === 'closed') disputes = disputes.where('payment_disputes.closed_at', 'is not', null);
  return readPage(db, '/v1/disputes', query, disputes, async (rows: DisputeWithOrder[]) => rows.map(presentDispute));
}

export function selectDisputes(db: Db) {
  return db
    .selectFrom('payment_disputes')
    .innerJoin('payment_key_sets', 'payment_key_sets.id', 'payment_disputes.key_set')
    .innerJoin('payments', 'payments.id', 'payment_disputes.payment_id')
    .innerJoin(orderSummariesSql.as('orders'), 'orders.id', 'payment_disputes.order_id')
    .selectAll('payment_disputes')
    .select(['payment_key_sets.mode', 'payment_key_sets.account', 'payments.intent'])
    .select(['orders.number', 'orders.customer_name']);
}

/**
 * The amount of a payment that the payer's bank has taken back by disputes, in minor units. A refund of this amount
 * would pay the payer twice. `isDecided`: all of these disputes are closed.
 */
export interface DisputedMoney {
  amount: number;
  isDecided: boolean;
}

/** Reads how much of a payment the payer's bank has taken back; null: nothing. */
export async function findDisputedMoney(db: Db, paymentId: string): Promise<DisputedMoney | null> {
  const disputes = await db
    .selectFrom('payment_disputes')
    .select(['status', 'amount', 'closed_at'])
    .where('payment_id', '=', paymentId)
    .execute();
  const taken = disputes.filter(({ status }) => hasBankTakenMoneyBack(status));
  if (taken.length === 0) return null;
  return { amount: sumAmounts(taken), isDecided: taken.every(({ closed_at }) => closed_at !== null) };
}

type DisputeWithOrder = Awaited<ReturnType<ReturnType<typeof selectDisputes>['execute']>>[number];

export function presentDispute(row: DisputeWithOrder): Dispute {
  const { id, order_id, store_id, payment_id, customer_name, amount, currency, reason, status, mode } = row;
  return {
    id,
    order_id,
    store_id,
    payment_id,
    customer_name,
    amount,
    currency,
    reason,
    status,
    mode,
    order_number: String(row.number),
    respond_by: row.respond_by?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    link: stripeDashboardUrls.payment(row, row.intent),
  };
}

export type PayoutRow = Selectable<PaymentPayoutsTable>;
export type DisputeRow = Selectable<PaymentDisputesTable>;
