import { type Selectable, sql } from 'kysely';
import type { Db, RefundsTable, Tx } from '#database/schema.ts';
import type { PaymentStatus } from '#ordering/order.ts';
import { orderHeads } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { pairRefunds } from '#payment/pair-refunds.ts';
import type { ProviderRefund } from '#payment/payment-state.ts';
import { kindsBesideTotal } from '#payment/refund-rules.ts';
import { takenStatuses } from '#payment/bank-rules.ts';
import type { Refund, RefundProblem } from '#payment/refund.ts';
import { refundReason } from '#payment/server/refund-words.ts';

export type RefundRow = Selectable<RefundsTable>;

/** An order's refunds, oldest first, except those that failed. The caller holds the order's lock. */
export async function refundsInForce(tx: Tx, orderId: string): Promise<RefundRow[]> {
  return tx
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('status', '!=', 'failed')
    .orderBy('id')
    .execute();
}

/** The order's money columns after those of its valid refunds that are refunds of its total were made. */
export async function countRefunded(
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'total'>,
): Promise<{ refunded: number; payment_status: PaymentStatus }> {
  const { total } = await tx
    .selectFrom('refunds')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('amount'), eb.lit(0)).as('total'))
    .where('order_id', '=', order.id)
    .where('status', '=', 'succeeded')
    .where('kind', 'not in', kindsBesideTotal)
    .executeTakeFirstOrThrow();
  const refunded = Number(total);
  if (refunded === 0) return { refunded, payment_status: 'paid' };
  return { refunded, payment_status: refunded >= order.total ? 'refunded' : 'partially_refunded' };
}

export function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface RefundWithOrder extends RefundRow {
  order_number: number;
  payment_method: OrderRow['payment_method'];
  problem: RefundProblem | null;
}

/** The payer's bank has taken money of its payment back. */
const isAtBank = sql<boolean>`exists (
  select from payment_disputes d
  where d.payment_id = refunds.payment_id and d.status in (${sql.join(takenStatuses)}))`;

/** How much of its payment the payer has not got back. */
const leftOfPayment = sql<number | null>`(
  select coalesce(p.captured, p.amount)
    - (select coalesce(sum(r.amount), 0) from refunds r where r.payment_id = p.id and r.status <> 'failed')
    - (select coalesce(sum(d.amount), 0) from payment_disputes d
      where d.payment_id = p.id and d.status in (${sql.join(takenStatuses)}))
  from payments p where p.id = refunds.payment_id)::int`;

// Not `exists`: PostgreSQL may answer that for all payments at once.
const haveKeysEnded = sql<boolean>`coalesce((
  select k.ended_at is not null from payments p join payment_key_sets k on k.id = p.key_set
  where p.id = refunds.payment_id), false)`;

/** Why it is not made, of the statement's `refunds`. */
export const refundProblem = sql<RefundProblem | null>`case
  when refunds.status = 'succeeded' then null
  when refunds.status = 'pending' then case when ${isAtBank} then 'disputed' end
  when ${isAtBank} and refunds.amount > coalesce(${leftOfPayment}, 0) then 'disputed'
  when ${haveKeysEnded} then 'keys_ended'
  else 'refused' end`;

/** Refunds with the order's fields for their list. */
export function selectRefunds(db: Db) {
  return db
    .selectFrom('refunds')
    .innerJoin(orderHeads.as('orders'), 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select(['orders.number as order_number', 'orders.payment_method'])
    .select(refundProblem.as('problem'));
}

export function presentRefund(row: RefundWithOrder): Refund {
  const { id, order_id, store_id, payment_id, status, amount, currency, tip, vat, lines, actor } = row;
  const order = { order_id, order_number: String(row.order_number), store_id, payment_method: row.payment_method };
  const made = {
    kind: row.kind,
    reason: refundReason(row),
    actor,
    trading_day: row.trading_day,
    created_at: row.created_at.toISOString(),
  };
  const money = { payment_id, status, problem: row.problem, amount, currency, tip, vat, lines };
  return { id, ...order, ...money, ...made, settled_at: row.settled_at?.toISOString() ?? null };
}

/** Notes which refund at the provider each of a payment's refunds is: the statement names those. */
export async function nameRefunds(tx: Tx, paymentId: string, seen: readonly ProviderRefund[]): Promise<void> {
  if (seen.length === 0) return;
  const ours = await tx
    .selectFrom('refunds')
    .select(['id', 'kind', 'amount', 'provider_refund'])
    .where('payment_id', '=', paymentId)
    .where('status', '!=', 'failed')
    .orderBy('id')
    .execute();
  for (const [id, provider_refund] of pairRefunds(ours, seen)) {
    await tx.updateTable('refunds').set({ provider_refund }).where('id', '=', id).execute();
  }
}
