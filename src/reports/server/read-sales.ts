import { sql, type RawBuilder } from 'kysely';
import { literals } from '#database/literals.ts';
import type { Db } from '#database/schema.ts';
import { kitchenOrDoorStatuses } from '#ordering/order-status.ts';
import { takenPayments } from '#ordering/payment-status.ts';
import type { CardSums, ItemSums, SalesReport } from '#reports/contract.ts';
import { countDays, lateMinutes } from '#reports/server/count-days.ts';
import type { CountedDays, CountedPart, CountedVat } from '#reports/sales-report.ts';

export interface SalesScope {
  storeId: string;
  timezone: string;
  /** Trading days, both included. */
  from: string;
  to: string;
  now: Date;
}

/** Everything that a report is made of. */
export interface CountedSales {
  days: (CountedDays['sales'][number] & CountedDays['refunds'][number])[];
  vat: CountedVat[];
  parts: CountedPart[];
  items: ItemSums[];
  lost: SalesReport['lost'];
  late: SalesReport['late'];
  owing: { failed: boolean; orders: number; total: number }[];
  cards: CardSums[];
  fee_unknown: SalesReport['fee_unknown'];
}

/**
 * The days of the scope: as they are kept, and those counted now that changed since. All of it is one statement, so that
 * a day is never in both or in neither, however orders change meanwhile.
 */
function daysOf({ storeId, from, to, timezone }: SalesScope): RawBuilder<unknown> {
  const columns = sql`trading_day, "orders", gross, subtotal, fees, tips, "refunds", refunded, refunded_tips, vat, parts, "items", lost,
    late, owing, cards, fee_unknown`;
  return sql`changed as materialized (
    select distinct trading_day from takings_changes
    where store_id = ${storeId} and trading_day between ${from}::date and ${to}::date
  ), days as materialized (
    select ${columns} from takings
    where store_id = ${storeId} and trading_day between ${from}::date and ${to}::date
      and trading_day not in (select trading_day from changed)
    union all
    select ${columns}
    from (${countDays(sql`(select ${storeId}::uuid, trading_day, ${timezone}::text from changed)`)}) as counted
  )`;
}

const vatOfDays = sql<CountedVat[]>`(
  select coalesce(json_agg(json_build_object('date', trading_day, 'rate', rate, 'net', net, 'vat', v.vat, 'isRefund', "isRefund")), '[]')
  from days, jsonb_to_recordset(days.vat) as v (rate int, net bigint, vat bigint, "isRefund" boolean))`;

export async function readVat(db: Db, scope: SalesScope): Promise<CountedVat[]> {
  const { rows } = await sql<{ vat: CountedVat[] }>`with ${daysOf(scope)} select ${vatOfDays} as vat`.execute(db);
  return rows[0]?.vat ?? [];
}

/** Renamed items go by their latest name. */
export async function readSales(db: Db, scope: SalesScope): Promise<CountedSales> {
  const late = lateMinutes(
    sql`orders.store_id = ${scope.storeId} and orders.trading_day between ${scope.from}::date and ${scope.to}::date
      and orders.status in (${literals(kitchenOrDoorStatuses)})`,
    sql`${scope.now}::timestamptz`,
  );
  const { rows } = await sql<CountedSales>`
    with ${daysOf(scope)}, still_late as (${late})
    select
      (select coalesce(json_agg(json_build_object('date', trading_day, 'orders', "orders", 'gross', gross, 'subtotal', subtotal,
          'fees', fees, 'tips', tips, 'discounts', subtotal + fees + tips - gross, 'refunds', "refunds", 'refunded', refunded,
          'refunded_tips', refunded_tips)), '[]') from days) as days,
      ${vatOfDays} as vat,
      (select coalesce(json_agg(p), '[]') from (
        select hour, channel, fulfilment_type, payment_method, sum(p.orders)::bigint as orders, sum(p.gross)::bigint as gross
        from days, jsonb_to_recordset(parts)
          as p (orders bigint, hour int, channel text, fulfilment_type text, payment_method text, gross bigint)
        group by 1, 2, 3, 4) as p) as parts,
      (select coalesce(json_agg(i), '[]') from (
        select item_id, (array_agg(name order by latest desc))[1] as name, sum(quantity)::bigint as quantity, sum(total)::bigint as total
        from (
          select item_id, name, max(latest) as latest, sum(quantity) as quantity, sum(total) as total
          from days, jsonb_to_recordset(items) as i (item_id uuid, name text, latest timestamptz, quantity bigint, total bigint)
          group by item_id, name) as named
        group by item_id order by total desc, quantity desc, name limit 500) as i) as items,
      (select coalesce(json_agg(l), '[]') from (
        select status, reason, sum(l.orders)::bigint as orders, sum(total)::bigint as total
        from days, jsonb_to_recordset(lost) as l (orders bigint, status text, reason text, total bigint)
        group by status, reason order by orders desc, total desc, status, reason limit 200) as l) as lost,
      (select json_build_object('orders', coalesce(sum(n), 0), 'average_minutes', round(sum(minutes) / nullif(sum(n), 0)),
          'worst_minutes', nullif(max(worst), 0))
        from (
          select (late->>'orders')::bigint as n, (late->>'minutes')::bigint as minutes, (late->>'worst')::int as worst from days
          union all select 1, minutes, minutes from still_late) as l) as late,
      (select coalesce(json_agg(o), '[]') from (
        select failed, sum(o.orders)::bigint as orders, sum(total)::bigint as total
        from days, jsonb_to_recordset(owing) as o (orders bigint, failed boolean, total bigint) group by failed) as o) as owing,
      (select coalesce(json_agg(c), '[]') from (
        select currency, sum(c.orders)::bigint as orders, sum(charged)::bigint as charged, sum(c.refunded)::bigint as refunded,
          sum(disputed)::bigint as disputed, sum(c.fees)::bigint as fees, sum(other)::bigint as other, sum(net)::bigint as net,
          sum(paid_out)::bigint as paid_out, sum(on_the_way)::bigint as on_the_way, sum(waiting)::bigint as waiting
        from days, jsonb_to_recordset(cards) as c (orders bigint, currency text, charged bigint, refunded bigint, disputed bigint,
          fees bigint, other bigint, net bigint, paid_out bigint, on_the_way bigint, waiting bigint)
        group by currency order by orders desc, currency) as c) as cards,
      (select json_build_object('orders', coalesce(sum((fee_unknown->>'orders')::bigint), 0),
        'total', coalesce(sum((fee_unknown->>'total')::bigint), 0)) from days) as fee_unknown`.execute(db);
  const [counted] = rows;
  if (!counted) throw new Error('The report has no row.');
  return counted;
}

/** An order counts as sold once its money was captured, and stays so: refunds count on their own day. */
export function sold(scope: SalesScope): RawBuilder<unknown> {
  return sql`orders.store_id = ${scope.storeId} and orders.trading_day between ${scope.from}::date and ${scope.to}::date
    and payment_status in (${literals(takenPayments)})`;
}

export function givenBack(scope: SalesScope): RawBuilder<unknown> {
  return sql`refunds.status <> 'failed' and refunds.store_id = ${scope.storeId}
    and refunds.trading_day between ${scope.from}::date and ${scope.to}::date`;
}
