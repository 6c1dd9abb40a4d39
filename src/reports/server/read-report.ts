import { type RawBuilder, sql } from 'kysely';
import { inSnapshot, withStatementTimeout } from '#database/transaction.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { CardSums, ItemSums, SalesReport } from '#reports/contract.ts';
import {
  type CountedDays,
  type CountedOrders,
  type CountedVat,
  fillMissingDays,
  sumOrdersByDimension,
  totalOfDays,
  vatByRate,
} from '#reports/sales-report.ts';
import { datesInRange } from '#reports/date-range.ts';
import { sqlLiterals } from '#database/connect.ts';
import { inHandStatuses } from '#ordering/order-status.ts';
import { paidPaymentStatuses } from '#ordering/payment-status.ts';
import {
  sumDaysSql,
  selectLateMinutes,
  monthStartSql,
  columnSumsSql,
  lateOrderSumsSql,
  orderCountAndTotalSql,
} from '#reports/server/sum-days.ts';

/** The time limit, in milliseconds, of one statement of a report or an export. */
const reportLimit = 30_000;
/** The approximate number of rows that are read at a time. */
const wanted = 1_000;

interface Days {
  from: string;
  to: string;
}

/**
 * Reads the rows of a range of days, some days at a time, from one snapshot. Further days are read on demand
 * (backpressure). The transaction ends when the reader stops reading.
 */
export async function* readInDayBatches<Scope extends Days, Row>(
  db: Db,
  scope: Scope,
  read: (tx: Tx, days: Scope) => Promise<Row[]>,
): AsyncGenerator<Row[], void, void> {
  const dates = datesInRange(scope);
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    for (let [start, count] = [0, 1]; start < dates.length;) {
      const part = dates.slice(start, start + count);
      const days = { ...scope, from: part[0] ?? scope.from, to: part.at(-1) ?? scope.to };
      const rows = await withStatementTimeout(reportLimit, () => read(tx, days));
      yield rows;
      start += part.length;
      // Days with few rows are read together, busy days alone.
      count = Math.max(1, Math.min(count * 2, Math.floor((wanted * part.length) / Math.max(1, rows.length))));
    }
  } finally {
    // A failed rollback is ignored: the transaction wrote nothing, and a broken connection has ended it.
    await tx
      .rollback()
      .execute()
      .catch(() => {});
  }
}

/** Runs work with a longer statement limit: a report on a year of a busy shop takes long. */
export const withReportTimeout = <T>(work: () => Promise<T>) => withStatementTimeout(reportLimit, work);

export async function readReport(db: Db, scope: SalesScope): Promise<Omit<SalesReport, 'currency'>> {
  const {
    days: counted,
    vat,
    parts,
    owing,
    ...rest
  } = await withReportTimeout(() => withoutJitCompilation(db, (tx) => readSales(tx, scope)));
  const days = fillMissingDays(scope, { sales: counted, refunds: counted });
  const owed = (isFailed: boolean) => {
    const row = owing.find(({ failed }) => failed === isFailed);
    return { orders: row?.orders ?? 0, total: row?.total ?? 0 };
  };
  return {
    store_id: scope.storeId,
    timezone: scope.timezone,
    start_date: scope.from,
    end_date: scope.to,
    totals: totalOfDays(days),
    days,
    ...sumOrdersByDimension(parts),
    vat: vatByRate(vat),
    unpaid: owed(false),
    failed: owed(true),
    ...rest,
  };
}

/** Runs work in a snapshot without PostgreSQL's JIT, as compiling these statements takes longer than running them. */
export function withoutJitCompilation<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inSnapshot(db, async (tx) => {
    await sql`set local jit = off`.execute(tx);
    return work(tx);
  });
}

export interface SalesScope {
  storeId: string;
  timezone: string;
  /** Trading days, both included. */
  from: string;
  to: string;
  now: Date;
}

export interface CountedSales {
  days: (CountedDays['sales'][number] & CountedDays['refunds'][number])[];
  vat: Omit<CountedVat, 'date'>[];
  parts: CountedOrders[];
  items: ItemSums[];
  lost: SalesReport['lost'];
  late: SalesReport['late'];
  owing: { failed: boolean; orders: number; total: number }[];
  cards: CardSums[];
  fee_unknown: SalesReport['fee_unknown'];
  test: SalesReport['test'];
}

/**
 * The sums of the scope's days: stored sums for unchanged days, and sums counted now for changed days. One statement
 * reads both, so that a concurrent change never loses or doubles a day.
 */
export function daysOf({ storeId, from, to, timezone }: SalesScope): RawBuilder<unknown> {
  const columns = sql`trading_day, "orders", gross, subtotal, fees, tips, "refunds", refunded, refunded_tips, vat, parts, "items", lost,
    late, owing, cards, fee_unknown, test`;
  return sql`changed as materialized (
    select distinct trading_day from takings_changes
    where store_id = ${storeId} and trading_day between ${from}::date and ${to}::date
  ), days as materialized (
    select ${columns} from takings
    where store_id = ${storeId} and trading_day between ${from}::date and ${to}::date
      and trading_day not in (select trading_day from changed)
    union all
    select ${columns}
    from (${sumDaysSql(sql`(select ${storeId}::uuid, trading_day, ${timezone}::text from changed)`)}) as counted
  )`;
}

/**
 * The rows that the report's breakdowns sum up. A whole month without changes is one stored row; each day of the other
 * months is a row.
 */
function partsOfDays({ storeId, from, to }: SalesScope): RawBuilder<unknown> {
  const columns = sql`vat, parts, "items", lost, late, owing, cards, fee_unknown, test`;
  return sql`whole as materialized (
    select month, ${columns} from takings_months
    where store_id = ${storeId} and month >= ${from}::date and month + interval '1 month' <= ${to}::date + 1
      and month not in (select ${monthStartSql(sql`trading_day`)} from changed)
  ), parted as materialized (
    select ${columns} from whole
    union all
    select ${columns} from days where ${monthStartSql(sql`trading_day`)} not in (select month from whole)
  )`;
}

export async function readVat(db: Db, scope: SalesScope): Promise<CountedVat[]> {
  const { rows } = await sql<{ vat: CountedVat[] }>`
    with ${daysOf(scope)}
    select coalesce(json_agg(
      json_build_object('date', trading_day, 'rate', rate, 'net', net, 'vat', v.vat, 'isRefund', "isRefund")), '[]') as vat
    from days, jsonb_to_recordset(days.vat) as v (rate int, net bigint, vat bigint, "isRefund" boolean)`.execute(db);
  return rows[0]?.vat ?? [];
}

/** Reads the sums of a report. A renamed item has its latest name. */
export async function readSales(db: Db, scope: SalesScope): Promise<CountedSales> {
  const late = selectLateMinutes(
    sql`orders.store_id = ${scope.storeId} and orders.trading_day between ${scope.from}::date and ${scope.to}::date
      and orders.status in (${sqlLiterals(inHandStatuses)})`,
    sql`${scope.now}::timestamptz`,
  );
  const parted = sql`parted`;
  const listed = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(one), '[]') from ${rows} as one)`;
  const { rows } = await sql<CountedSales>`
    with ${daysOf(scope)}, ${partsOfDays(scope)}, still_late as (${late})
    select
      (select coalesce(json_agg(json_build_object('date', trading_day, 'orders', "orders", 'gross', gross, 'subtotal', subtotal,
          'fees', fees, 'tips', tips, 'discounts', subtotal + fees + tips - gross, 'refunds', "refunds", 'refunded', refunded,
          'refunded_tips', refunded_tips)), '[]') from days) as days,
      ${listed(columnSumsSql('vat', parted))} as vat,
      ${listed(columnSumsSql('parts', parted))} as parts,
      ${listed(sql`(
        select item_id, (array_agg(name order by latest desc))[1] as name, sum(quantity)::bigint as quantity, sum(total)::bigint as total
        from ${columnSumsSql('items', parted)} as named
        group by item_id order by total desc, quantity desc, (array_agg(name order by latest desc))[1] collate by_name limit 500)`)} as items,
      ${listed(sql`(
        select * from ${columnSumsSql('lost', parted)} as lost order by orders desc, total desc, status, reason limit 200)`)} as lost,
      (select json_build_object('orders', coalesce(sum(n), 0), 'average_minutes', round(sum(minutes) / nullif(sum(n), 0)),
          'worst_minutes', nullif(max(worst), 0))
        from (
          select "orders" as n, minutes, worst from ${lateOrderSumsSql(parted)} as kept
          union all select 1, minutes, minutes from still_late) as l) as late,
      ${listed(columnSumsSql('owing', parted))} as owing,
      ${listed(sql`(select * from ${columnSumsSql('cards', parted)} as cards order by "orders" desc, currency)`)} as cards,
      (select to_json(one) from ${orderCountAndTotalSql('fee_unknown', parted)} as one) as fee_unknown,
      (select to_json(one) from ${orderCountAndTotalSql('test', parted)} as one) as test`.execute(db);
  const [counted] = rows;
  if (!counted) throw new Error('The report has no row.');
  return counted;
}

/**
 * The condition for sold orders. A paid order counts even if it was refunded later, because refunds count on their own
 * day. Test money is included.
 */
export function isSoldOrderSql(scope: SalesScope): RawBuilder<unknown> {
  return sql`orders.store_id = ${scope.storeId} and orders.trading_day between ${scope.from}::date and ${scope.to}::date
    and payment_status in (${sqlLiterals(paidPaymentStatuses)})`;
}

export function isCountedRefundSql(scope: SalesScope): RawBuilder<unknown> {
  return sql`refunds.status <> 'failed' and refunds.store_id = ${scope.storeId}
    and refunds.trading_day between ${scope.from}::date and ${scope.to}::date`;
}
