import type { Selectable } from 'kysely';
import type { Db, RefundsTable, Tx } from '#database/schema.ts';
import type { PaymentStatus } from '#ordering/order.ts';
import { statusAfterRefunds } from '#ordering/payment-status.ts';
import { orderHeads } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { pairRefunds } from '#payment/pair-refunds.ts';
import type { ProviderRefund } from '#payment/payment-state.ts';
import { kindsBesideTotal } from '#payment/refund-rules.ts';
import type { Refund } from '#payment/refund.ts';
import { readRefundStates, type RefundState } from '#payment/server/read-balance.ts';
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

export interface RefundWithOrder extends RefundRow {
  order_number: number;
  payment_method: OrderRow['payment_method'];
}

/** Refunds with the order's fields for their list. */
export function selectRefunds(db: Db) {
  return db
    .selectFrom('refunds')
    .innerJoin(orderHeads.as('orders'), 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select(['orders.number as order_number', 'orders.payment_method']);
}

/** With what is due of each. */
export async function presentRefunds(db: Db, rows: readonly RefundWithOrder[]): Promise<Refund[]> {
  const unmade = rows.filter(({ status }) => status !== 'succeeded');
  const states = await readRefundStates(
    db,
    unmade.map(({ order_id }) => order_id),
  );
  return rows.map((row) => presentRefund(row, states.get(row.id)));
}

function presentRefund(row: RefundWithOrder, { problem, due }: RefundState = { problem: null, due: 0 }): Refund {
  const { id, order_id, store_id, payment_id, status, amount, currency, tip, vat, lines, actor } = row;
  const order = { order_id, order_number: String(row.order_number), store_id, payment_method: row.payment_method };
  const made = {
    kind: row.kind,
    reason: refundReason(row),
    actor,
    trading_day: row.trading_day,
    created_at: row.created_at.toISOString(),
  };
  const money = { payment_id, status, problem, due, amount, currency, tip, vat, lines };
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
