import { sql, type RawBuilder } from 'kysely';
import { sqlLiterals } from '#database/connect.ts';
import type { Db } from '#database/schema.ts';
import { calledOffStatuses, acceptedStatuses } from '#ordering/order-status.ts';
import { lostPaymentStatuses, unpaidPaymentStatuses, paidPaymentStatuses } from '#ordering/payment-status.ts';
import { cancellationReasonSql, reportedOrdersSql } from '#ordering/server/order-views.ts';
import { bankEntrySumsSql, isFeeUnknownSql, orderBankEntriesSql } from '#payment/server/bank/bank-views.ts';
import { reportedRefundsSql, isTestMoneySql } from '#payment/server/payment-views.ts';
import type { CardSums, ItemSums, SalesReport } from '#reports/contract.ts';
import { sumOrdersByDimension, type CountedDays, type CountedOrders, type CountedVat } from '#reports/sales-report.ts';
import type { SalesScope } from '#reports/server/read-report.ts';

export async function readDays(db: Db, scope: SalesScope): Promise<CountedDays> {
  const sales = await sql<CountedDays['sales'][number]>`
    with fees as (
      select trading_day, sum(f.amount) as amount from ${reportedOrdersSql} as orders, jsonb_to_recordset(fees) as f (amount int)
      where ${sold(scope)} group by trading_day
    ), sales as (
      select trading_day, count(*) as orders, sum(total) as gross, sum(subtotal) as subtotal, sum(tip) as tips
      from ${reportedOrdersSql} as orders where ${sold(scope)} group by trading_day
    )
    select trading_day as date, orders::int, gross::int, subtotal::int, coalesce(fees.amount, 0)::int as fees, tips::int,
      (subtotal + coalesce(fees.amount, 0) + tips - gross)::int as discounts
    from sales left join fees using (trading_day)`.execute(db);
  const refunds = await sql<CountedDays['refunds'][number]>`
    select trading_day as date, count(*)::int as refunds, sum(amount)::int as refunded, sum(tip)::int as refunded_tips
    from ${reportedRefundsSql} as refunds where ${refundedSales(scope)} group by trading_day`.execute(db);
  return { sales: sales.rows, refunds: refunds.rows };
}

export async function readVat(db: Db, scope: SalesScope): Promise<CountedVat[]> {
  const { rows } = await sql<CountedVat>`
    select trading_day as date, v.rate, sum(v.net)::int as net, sum(v.vat)::int as vat, false as "isRefund"
    from ${reportedOrdersSql} as orders, jsonb_to_recordset(orders.vat) as v (rate int, net int, vat int)
    where ${sold(scope)} group by trading_day, v.rate
    union all
    select trading_day, v.rate, sum(v.net)::int, sum(v.vat)::int, true
    from ${reportedRefundsSql} as refunds, jsonb_to_recordset(refunds.vat) as v (rate int, net int, vat int)
    where ${refundedSales(scope)} group by trading_day, v.rate`.execute(db);
  return rows;
}

type Parts = Pick<SalesReport, 'hours' | 'channels' | 'fulfilment_types' | 'payment_methods'>;

export async function readParts(db: Db, scope: SalesScope): Promise<Parts> {
  const { rows } = await sql<CountedOrders>`
    select extract(hour from coalesce(placed_at, created_at) at time zone ${scope.timezone})::int as hour,
      channel, fulfilment_type, payment_method, count(*)::int as orders, sum(total)::int as gross
    from ${reportedOrdersSql} as orders where ${sold(scope)}
    group by 1, 2, 3, 4`.execute(db);
  return sumOrdersByDimension(rows);
}

/** Renamed items go by their latest name. */
export async function readItems(db: Db, scope: SalesScope): Promise<ItemSums[]> {
  const { rows } = await sql<ItemSums>`
    select item_id, (array_agg(name order by latest desc))[1] as name,
      sum(quantity)::int as quantity, sum(total)::int as total
    from (
      select l.item_id, l.name, max(orders.created_at) as latest, sum(l.quantity) as quantity, sum(l.total) as total
      from ${reportedOrdersSql} as orders, jsonb_to_recordset(lines) as l (item_id uuid, name text, quantity int, total int)
      where ${sold(scope)} group by l.item_id, l.name
    ) named
    group by item_id order by total desc, quantity desc, name limit 500`.execute(db);
  return rows;
}

export async function readLost(db: Db, scope: SalesScope): Promise<SalesReport['lost']> {
  const { rows } = await sql<SalesReport['lost'][number]>`
    select status, reason, count(*)::int as orders, sum(total)::int as total
    from (
      select status, total, coalesce(reject_reason, ${cancellationReasonSql}) as reason
      from ${reportedOrdersSql} as orders where ${within(scope)} and status in (${sqlLiterals(calledOffStatuses)})
    ) lost
    group by status, reason order by orders desc, total desc, status, reason limit 200`.execute(db);
  return rows;
}

/** A collection is promised ready, a delivery at the door; for an open order the current time counts. */
export async function readLate(db: Db, scope: SalesScope): Promise<SalesReport['late']> {
  const { rows } = await sql<SalesReport['late']>`
    select count(*)::int as orders, round(avg(minutes))::int as average_minutes, max(minutes)::int as worst_minutes
    from (
      select ceil(extract(epoch from coalesce(
        case fulfilment_type when 'collection' then coalesce(packed_at, completed_at) else completed_at end,
        ${scope.now}::timestamptz) - promised_at) / 60) as minutes
      from ${reportedOrdersSql} as orders where ${within(scope)} and status in (${sqlLiterals(acceptedStatuses)}) and promised_at is not null
    ) late
    where minutes > 0`.execute(db);
  return rows[0] ?? { orders: 0, average_minutes: null, worst_minutes: null };
}

export async function readOwing(db: Db, scope: SalesScope): Promise<Pick<SalesReport, 'unpaid' | 'failed'>> {
  const { rows } = await sql<{ failed: boolean; orders: number; total: number }>`
    select payment_status in (${sqlLiterals(lostPaymentStatuses)}) as failed, count(*)::int as orders, sum(total)::int as total
    from ${reportedOrdersSql} as orders
    where ${within(scope)} and status in (${sqlLiterals(acceptedStatuses)})
      and payment_status in (${sqlLiterals(unpaidPaymentStatuses)})
    group by 1`.execute(db);
  const of = (isFailed: boolean) => {
    const row = rows.find(({ failed }) => failed === isFailed);
    return { orders: row?.orders ?? 0, total: row?.total ?? 0 };
  };
  return { unpaid: of(false), failed: of(true) };
}

/** An order counts as sold once its money was captured, and stays so: refunds count on their own day. */
export async function readCards(db: Db, scope: SalesScope): Promise<Pick<SalesReport, 'cards' | 'fee_unknown'>> {
  const { rows: cards } = await sql<CardSums>`
    select e.currency, count(distinct e.order_id)::int as orders, ${bankEntrySumsSql},
      coalesce(sum(e.net) filter (where e.payout_status = 'paid'), 0)::int as paid_out,
      coalesce(sum(e.net) filter (where e.payout_status in ('pending', 'in_transit')), 0)::int as on_the_way,
      coalesce(sum(e.net) filter (
        where e.payout_status is null or e.payout_status not in ('pending', 'in_transit', 'paid')), 0)::int as waiting
    from ${reportedOrdersSql} as orders join ${orderBankEntriesSql} as e on e.order_id = orders.id
    where ${sold(scope)} group by e.currency order by orders desc, e.currency`.execute(db);
  const { rows } = await sql<SalesReport['fee_unknown']>`
    select count(*)::int as orders, coalesce(sum(total), 0)::int as total
    from ${reportedOrdersSql} as orders where ${sold(scope)} and ${isFeeUnknownSql}`.execute(db);
  return { cards, fee_unknown: rows[0] ?? { orders: 0, total: 0 } };
}

/** Test money, which counts nowhere else. */
export async function readTest(db: Db, scope: SalesScope): Promise<SalesReport['test']> {
  const { rows } = await sql<SalesReport['test']>`
    select count(*)::int as orders, coalesce(sum(total), 0)::int as total
    from ${reportedOrdersSql} as orders
    where ${within(scope)} and payment_status in (${sqlLiterals(paidPaymentStatuses)}) and ${isTestMoneySql}`.execute(
    db,
  );
  return rows[0] ?? { orders: 0, total: 0 };
}

function sold(scope: SalesScope): RawBuilder<unknown> {
  return sql`${within(scope)} and payment_status in (${sqlLiterals(paidPaymentStatuses)}) and not ${isTestMoneySql}`;
}

function refundedSales(scope: SalesScope): RawBuilder<unknown> {
  return sql`refunds.status <> 'failed' and not refunds.is_test and refunds.store_id = ${scope.storeId}
    and refunds.trading_day between ${scope.from} and ${scope.to}`;
}

function within({ storeId, from, to }: SalesScope): RawBuilder<unknown> {
  return sql`orders.store_id = ${storeId} and orders.trading_day between ${from} and ${to}`;
}
