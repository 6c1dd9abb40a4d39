import type { Db } from '#database/schema.ts';
import { orderHeads } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { Refund } from '#payment/refund.ts';
import type { RefundRow } from '#payment/server/ledger.ts';
import { readRefundStates, type RefundState } from '#payment/server/read-balance.ts';
import { refundReason } from '#payment/server/refund-words.ts';

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

/** With the due part of each. */
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
