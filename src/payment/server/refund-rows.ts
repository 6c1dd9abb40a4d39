import { type Selectable, sql } from 'kysely';
import { literals } from '#database/literals.ts';
import type { Db, RefundsTable, Tx } from '#database/schema.ts';
import type { PaymentStatus } from '#ordering/order.ts';
import { statusAfterRefunds, takenPayments } from '#ordering/payment-status.ts';
import { moneyOrders, orderHeads } from '#ordering/server/order-views.ts';
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
  return { refunded, payment_status: statusAfterRefunds(refunded, order.total) };
}

export function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** `refundDue` of one refund. */
export async function readDue(db: Db, id: string): Promise<number> {
  const { due } = await db
    .selectFrom('refunds')
    .select(refundDue.as('due'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return due;
}

export interface RefundWithOrder extends RefundRow {
  order_number: number;
  payment_method: OrderRow['payment_method'];
  problem: RefundProblem | null;
  due: number;
}

/** The payer's bank has taken money of its payment back. */
const isAtBank = sql<boolean>`exists (
  select from payment_disputes d
  where d.payment_id = refunds.payment_id and d.status in (${literals(takenStatuses)}))`;

const besideTotal = literals(kindsBesideTotal);

/**
 * What is still due of a refund of the statement's `refunds` that failed, minor units; 0 of others. Never more than the payer
 * has not got back of the payment in any way, as `leftOf` has it, nor than there is to refund of that kind, as `refundable` and
 * `excessOf` have it. Where that is too little for all of a payment's failed refunds, the newest has it first.
 */
export const refundDue = sql<number>`case when refunds.status <> 'failed' then 0 else coalesce((
  select greatest(0, least(
    refunds.amount,
    room.payment
      - newer.late - least(newer.lines, greatest(room.lines, 0)) - least(newer.total, greatest(room.total, 0)),
    case
      when refunds.kind = 'late_payment' then refunds.amount
      when refunds.kind = 'line_removed' then room.lines - newer.lines
      else room.total - newer.total end))
  from payments p
  join ${moneyOrders} o on o.id = p.order_id
  cross join lateral (select coalesce(p.captured, p.amount) as paid,
    p.status in ('captured', 'refunded') and o.payment_method = 'card' and o.payment_status in (${literals(takenPayments)})
      and not exists (select from payments later where later.order_id = p.order_id and later.id > p.id) as is_own) own
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.payment_id = p.id and r.status = 'succeeded'), 0) as made,
      coalesce(sum(r.amount) filter (where r.payment_id = p.id and r.status = 'pending'), 0) as pending,
      coalesce(sum(r.amount) filter (
        where r.payment_id is null and (r.kind <> 'late_payment') = own.is_own), 0) as by_hand,
      coalesce(sum(r.amount) filter (where r.kind = 'line_removed'), 0) as removed,
      coalesce(sum(r.amount) filter (where r.kind not in (${besideTotal})), 0) as of_total
    from refunds r where r.order_id = p.order_id and r.status <> 'failed') back
  cross join lateral (
    select coalesce(sum(case v.kind when 'refunded' then v.amount when 'refund_failed' then -v.amount end), 0) as moved
    from payment_movements v where v.payment_id = p.id) journal
  cross join lateral (
    select coalesce(sum(d.amount), 0) as taken from payment_disputes d
    where d.payment_id = p.id and d.status in (${literals(takenStatuses)})) bank
  cross join lateral (
    select own.paid - greatest(back.made, journal.moved) - back.pending - back.by_hand - bank.taken as payment,
      least(own.paid - back.removed - o.total, own.paid - back.of_total - back.removed) as lines,
      o.total - back.of_total as total) room
  cross join lateral (
    select coalesce(sum(f.amount) filter (where f.kind = 'late_payment'), 0) as late,
      coalesce(sum(f.amount) filter (where f.kind = 'line_removed'), 0) as lines,
      coalesce(sum(f.amount) filter (where f.kind not in (${besideTotal})), 0) as total
    from refunds f where f.payment_id = p.id and f.status = 'failed' and f.id > refunds.id) newer
  where p.id = refunds.payment_id), refunds.amount)::int end`;

// Not `exists`: PostgreSQL may answer that for all payments at once.
const haveKeysEnded = sql<boolean>`coalesce((
  select k.ended_at is not null from payments p join payment_key_sets k on k.id = p.key_set
  where p.id = refunds.payment_id), false)`;

/** Why it is not made, of the statement's `refunds`. */
export const refundProblem = sql<RefundProblem | null>`case
  when refunds.status = 'succeeded' then null
  when refunds.status = 'pending' then case when ${isAtBank} then 'disputed' end
  when ${refundDue} = 0 then case when ${isAtBank} then 'disputed' else 'given_back' end
  when ${haveKeysEnded} then 'keys_ended'
  else 'refused' end`;

/** Refunds with the order's fields for their list. */
export function selectRefunds(db: Db) {
  return db
    .selectFrom('refunds')
    .innerJoin(orderHeads.as('orders'), 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select(['orders.number as order_number', 'orders.payment_method'])
    .select([refundProblem.as('problem'), refundDue.as('due')]);
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
  const money = { payment_id, status, problem: row.problem, due: row.due, amount, currency, tip, vat, lines };
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
