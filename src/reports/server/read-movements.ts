import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { countedOrders } from '#ordering/server/order-views.ts';
import { countedRefunds } from '#payment/server/payment-views.ts';
import type { RefundKind } from '#payment/refund.ts';
import { refundReason } from '#payment/refund-words.ts';
import type { MoneyMovement } from '#reports/accountant-csv.ts';
import { givenBack, sold, type SalesScope } from '#reports/server/read-sales.ts';

/** Every sale of the days and every refund made on them, in the order of days and times. */
export async function readMovements(db: Db, scope: SalesScope): Promise<MoneyMovement[]> {
  const { rows } = await sql<MoneyMovement & { refund_kind: RefundKind }>`
    select 'sale' as kind, trading_day, coalesce(placed_at, created_at) as at, number as order_number, id as order_id,
      channel, fulfilment_type, payment_method, status, payment_status, subtotal,
      (select coalesce(sum((d->>'amount')::int), 0)::int from jsonb_array_elements(discounts) d) as discounts,
      fees, tip, total, vat, '' as reason, 'asked' as refund_kind
    from ${countedOrders} as orders where ${sold(scope)}
    union all
    select 'refund', refunds.trading_day, refunds.created_at, orders.number, orders.id,
      orders.channel, orders.fulfilment_type, orders.payment_method, orders.status, orders.payment_status, 0, 0,
      '[]', refunds.tip, refunds.amount, refunds.vat, refunds.reason, refunds.kind
    from ${countedRefunds} as refunds join ${countedOrders} as orders on orders.id = refunds.order_id
    where ${givenBack(scope)}
    order by trading_day, at, order_number`.execute(db);
  return rows.map(({ refund_kind: kind, ...row }) => ({ ...row, reason: refundReason({ kind, reason: row.reason }) }));
}
