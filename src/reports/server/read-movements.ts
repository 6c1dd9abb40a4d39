import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { countedOrders } from '#ordering/server/order-views.ts';
import { orderEntries, payoutLines } from '#payment/server/bank/bank-views.ts';
import { cardMode, countedRefunds } from '#payment/server/payment-views.ts';
import type { RefundKind } from '#payment/refund.ts';
import { refundReason } from '#payment/server/refund-words.ts';
import type { MoneyMovement, PayoutLine } from '#reports/accountant-csv.ts';
import { cardMoneyOf, type CardEntry } from '#reports/card-money.ts';
import { givenBack, sold, type SalesScope } from '#reports/server/read-sales.ts';

/** Every sale of the days and every refund made on them, in the order of days and times. */
export async function readMovements(db: Db, scope: SalesScope): Promise<MoneyMovement[]> {
  const { rows } = await sql<Omit<MoneyMovement, 'card'> & { refund_kind: RefundKind; entries: CardEntry[] }>`
    select 'sale' as kind, trading_day, coalesce(placed_at, created_at) as at, number as order_number, id as order_id,
      channel, fulfilment_type, payment_method, status, payment_status, subtotal,
      (select coalesce(sum((d->>'amount')::int), 0)::int from jsonb_array_elements(discounts) d) as discounts,
      fees, tip, total, vat, '' as reason, 'asked' as refund_kind,
      ${entriesWhere(sql`e.order_id = orders.id and not exists (
        select from ${countedRefunds} as r
        where r.order_id = orders.id and r.status <> 'failed' and r.provider_refund = e.source)`)} as entries,
      ${cardMode} as card_mode
    from ${countedOrders} as orders where ${sold(scope)}
    union all
    select 'refund', refunds.trading_day, refunds.created_at, orders.number, orders.id,
      orders.channel, orders.fulfilment_type, orders.payment_method, orders.status, orders.payment_status, 0, 0,
      '[]', refunds.tip, refunds.amount, refunds.vat, refunds.reason, refunds.kind,
      ${entriesWhere(sql`e.order_id = orders.id and e.source = refunds.provider_refund`)}, ${cardMode}
    from ${countedRefunds} as refunds join ${countedOrders} as orders on orders.id = refunds.order_id
    where ${givenBack(scope)}
    order by trading_day, at, order_number`.execute(db);
  return rows.map(({ refund_kind: kind, entries, ...row }) => ({
    ...row,
    reason: refundReason({ kind, reason: row.reason }),
    card: cardMoneyOf(entries),
  }));
}

/** The statement's entries of a row: a refund has its own, everything else is its order's. */
function entriesWhere(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(e order by e.payout_id nulls last), '[]') from ${orderEntries} as e where ${condition})`;
}

/** Every line of the payouts that arrive on these days, of all stores: an account is paid out as a whole. */
export async function readPayoutLines(db: Db, { from, to }: Pick<SalesScope, 'from' | 'to'>): Promise<PayoutLine[]> {
  const { rows } = await sql<PayoutLine>`
    select l.payout_id, l.arrives_on, l.payout_status, l.kind, l.at, orders.number as order_number, l.order_id,
      l.amount, l.fee, l.net, l.currency, l.mode
    from ${payoutLines} as l left join ${countedOrders} as orders on orders.id = l.order_id
    where l.arrives_on between ${from} and ${to}
    order by l.arrives_on, l.payout_id, l.at nulls first, l.id`.execute(db);
  return rows;
}
