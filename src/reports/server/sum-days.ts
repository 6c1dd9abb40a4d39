import { type RawBuilder, sql } from 'kysely';
import { sqlLiterals } from '#database/connect.ts';
import { calledOffStatuses, handedOverStatuses, acceptedStatuses } from '#ordering/order-status.ts';
import { lostPaymentStatuses, unpaidPaymentStatuses, paidPaymentStatuses } from '#ordering/payment-status.ts';
import { cancellationReasonSql, reportedOrdersSql } from '#ordering/server/order-views.ts';
import { bankEntrySumsSql, isFeeUnknownSql, orderBankEntriesSql } from '#payment/server/bank/bank-views.ts';
import { reportedRefundsSql, isTestMoneySql } from '#payment/server/payment-views.ts';
import { inTransaction, withStatementTimeout } from '#database/transaction.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db, Tx } from '#database/schema.ts';
import { storeTimeZonesSql } from '#store/server/store-views.ts';

/**
 * A query that sums up trading days for `takings`, one row for each of `days` (store_id, trading_day, timezone). Orders
 * paid with test money are counted only in `test`, `late` and `lost`. Only orders that were handed over count as late.
 */
export function sumDaysSql(days: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofDay = sql`orders.store_id = d.store_id and orders.trading_day = d.trading_day`;
  const paid = sql`${ofDay} and orders.payment_status in (${sqlLiterals(paidPaymentStatuses)})`;
  const sold = sql`${paid} and not ${isTestMoneySql}`;
  const given = sql`refunds.store_id = d.store_id and refunds.trading_day = d.trading_day and refunds.status <> 'failed'
    and not refunds.is_test`;
  return sql`
    select d.store_id, d.trading_day, s.orders, s.gross, s.subtotal, s.tips, f.fees, r.refunds, r.refunded, r.refunded_tips,
      v.vat, p.parts, i.items, l.lost, t.late, o.owing, c.cards, u.fee_unknown, n.test
    from ${days} as d (store_id, trading_day, timezone),
    lateral (
      select count(*)::int as orders, coalesce(sum(total), 0)::bigint as gross, coalesce(sum(subtotal), 0)::bigint as subtotal,
        coalesce(sum(tip), 0)::bigint as tips
      from ${reportedOrdersSql} as orders where ${sold}) as s,
    lateral (
      select coalesce(sum(f.amount), 0)::bigint as fees
      from ${reportedOrdersSql} as orders, jsonb_to_recordset(orders.fees) as f (amount int) where ${sold}) as f,
    lateral (
      select count(*)::int as refunds, coalesce(sum(amount), 0)::bigint as refunded, coalesce(sum(tip), 0)::bigint as refunded_tips
      from ${reportedRefundsSql} as refunds where ${given}) as r,
    lateral (${listed(
      'vat',
      sql`
      select v.rate, sum(v.net) as net, sum(v.vat) as vat, false as "isRefund"
      from ${reportedOrdersSql} as orders, jsonb_to_recordset(orders.vat) as v (rate int, net int, vat int)
      where ${sold} group by v.rate
      union all
      select v.rate, sum(v.net), sum(v.vat), true
      from ${reportedRefundsSql} as refunds, jsonb_to_recordset(refunds.vat) as v (rate int, net int, vat int)
      where ${given} group by v.rate`,
    )}) as v,
    lateral (${listed(
      'parts',
      sql`
      select extract(hour from coalesce(placed_at, created_at) at time zone d.timezone)::int as hour, channel, fulfilment_type,
        payment_method, count(*) as orders, sum(total) as gross
      from ${reportedOrdersSql} as orders where ${sold} group by 1, 2, 3, 4`,
    )}) as p,
    lateral (${listed(
      'items',
      sql`
      select l.item_id, l.name, max(orders.created_at) as latest, sum(l.quantity) as quantity, sum(l.total) as total
      from ${reportedOrdersSql} as orders, jsonb_to_recordset(lines) as l (item_id uuid, name text, quantity int, total int)
      where ${sold} group by l.item_id, l.name`,
    )}) as i,
    lateral (${listed(
      'lost',
      sql`
      select status, reason, count(*) as orders, sum(total) as total
      from (
        select status, total, coalesce(reject_reason, ${cancellationReasonSql}) as reason
        from ${reportedOrdersSql} as orders where ${ofDay} and status in (${sqlLiterals(calledOffStatuses)})) as one
      group by status, reason`,
    )}) as l,
    lateral (
      select jsonb_build_object('orders', count(*), 'minutes', coalesce(sum(minutes), 0), 'worst', coalesce(max(minutes), 0)) as late
      from (${selectLateMinutes(sql`${ofDay} and status in (${sqlLiterals(handedOverStatuses)})`, sql`null::timestamptz`)}) as one) as t,
    lateral (${listed(
      'owing',
      sql`
      select payment_status in (${sqlLiterals(lostPaymentStatuses)}) as failed, count(*) as orders, sum(total) as total
      from ${reportedOrdersSql} as orders
      where ${ofDay} and status in (${sqlLiterals(acceptedStatuses)}) and payment_status in (${sqlLiterals(unpaidPaymentStatuses)}) group by 1`,
    )}) as o,
    lateral (${listed(
      'cards',
      sql`
      select e.currency, count(distinct e.order_id) as orders, ${bankEntrySumsSql},
        coalesce(sum(e.net) filter (where e.payout_status = 'paid'), 0) as paid_out,
        coalesce(sum(e.net) filter (where e.payout_status in ('pending', 'in_transit')), 0) as on_the_way,
        coalesce(sum(e.net) filter (
          where e.payout_status is null or e.payout_status not in ('pending', 'in_transit', 'paid')), 0) as waiting
      from ${reportedOrdersSql} as orders join ${orderBankEntriesSql} as e on e.order_id = orders.id
      where ${sold} group by e.currency`,
    )}) as c,
    lateral (${apart('fee_unknown', sql`${sold} and ${isFeeUnknownSql}`)}) as u,
    lateral (${apart('test', sql`${paid} and ${isTestMoneySql}`)}) as n`;
}

/**
 * A query for the delay of each late order, in minutes. A collection is late if it was ready after the promised time, a
 * delivery if it arrived after that time. `until`: the end of the delay for orders that are not handed over yet; null:
 * such orders are left out.
 */
export function selectLateMinutes(orders: RawBuilder<unknown>, until: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select minutes from (
      select ceil(extract(epoch from coalesce(
        case fulfilment_type when 'collection' then coalesce(packed_at, completed_at) else completed_at end, ${until})
        - promised_at) / 60)::int as minutes
      from ${reportedOrdersSql} as orders where ${orders} and promised_at is not null) as of_each
    where minutes > 0`;
}

/** A JSON column with the number and the total of the given orders. */
function apart(name: 'fee_unknown' | 'test', orders: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select jsonb_build_object('orders', count(*), 'total', coalesce(sum(total), 0)) as ${sql.id(name)}
    from ${reportedOrdersSql} as orders where ${orders}`;
}

/** The rows of a query as one JSON array, sorted so that the same rows always give the same value. */
function listed(name: string, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select coalesce(jsonb_agg(to_jsonb(one) order by to_jsonb(one)), '[]') as ${sql.id(name)} from (${rows}) as one`;
}

/** The columns, as SQL, of the rows in each JSON column of `takings`. */
const rowsOf = {
  vat: sql`(rate int, net bigint, vat bigint, "isRefund" boolean)`,
  parts: sql`(orders bigint, hour int, channel text, fulfilment_type text, payment_method text, gross bigint)`,
  items: sql`(item_id uuid, name text, latest timestamptz, quantity bigint, total bigint)`,
  lost: sql`(orders bigint, status text, reason text, total bigint)`,
  owing: sql`(orders bigint, failed boolean, total bigint)`,
  cards: sql`(orders bigint, currency text, charged bigint, refunded bigint, disputed bigint, fees bigint, other bigint,
    net bigint, paid_out bigint, on_the_way bigint, waiting bigint)`,
};

/**
 * A relation with the sums of a JSON column, grouped by its keys, for example by VAT rate. `days`: the rows of days or
 * months that contain the column.
 */
export function columnSumsSql(kind: keyof typeof rowsOf, days: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${sums[kind](sql`${days} as d, jsonb_to_recordset(d.${sql.id(kind)}) as r ${rowsOf[kind]}`)})`;
}

const sums: Record<keyof typeof rowsOf, (rows: RawBuilder<unknown>) => RawBuilder<unknown>> = {
  vat: (rows) => sql`
    select r.rate, r."isRefund", sum(r.net)::bigint as net, sum(r.vat)::bigint as vat from ${rows} group by r.rate, r."isRefund"`,
  parts: (rows) => sql`
    select r.hour, r.channel, r.fulfilment_type, r.payment_method, sum(r.orders)::bigint as orders, sum(r.gross)::bigint as gross
    from ${rows} group by 1, 2, 3, 4`,
  items: (rows) => sql`
    select r.item_id, r.name, max(r.latest) as latest, sum(r.quantity)::bigint as quantity, sum(r.total)::bigint as total
    from ${rows} group by r.item_id, r.name`,
  lost: (rows) => sql`
    select r.status, r.reason, sum(r.orders)::bigint as orders, sum(r.total)::bigint as total from ${rows} group by r.status, r.reason`,
  owing: (rows) => sql`
    select r.failed, sum(r.orders)::bigint as orders, sum(r.total)::bigint as total from ${rows} group by r.failed`,
  cards: (rows) => sql`
    select r.currency, sum(r.orders)::bigint as orders, sum(r.charged)::bigint as charged, sum(r.refunded)::bigint as refunded,
      sum(r.disputed)::bigint as disputed, sum(r.fees)::bigint as fees, sum(r.other)::bigint as other, sum(r.net)::bigint as net,
      sum(r.paid_out)::bigint as paid_out, sum(r.on_the_way)::bigint as on_the_way, sum(r.waiting)::bigint as waiting
    from ${rows} group by r.currency`,
};

export function monthStartSql(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`date_trunc('month', ${day}::timestamp)::date`;
}

/** A relation with the number, total minutes and worst delay of late orders over `days`. */
export function lateOrderSumsSql(days: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(sum((late->>'orders')::bigint), 0)::bigint as orders, coalesce(sum((late->>'minutes')::bigint), 0)::bigint as minutes,
      coalesce(max((late->>'worst')::int), 0) as worst
    from ${days} as d)`;
}

/** A relation of one row: the number and the total of the orders in the JSON column `kind` of all `days`. */
export function orderCountAndTotalSql(kind: 'fee_unknown' | 'test', days: RawBuilder<unknown>): RawBuilder<unknown> {
  const of = sql.ref(kind);
  return sql`(
    select coalesce(sum((${of}->>'orders')::bigint), 0)::bigint as orders,
      coalesce(sum((${of}->>'total')::bigint), 0)::bigint as total
    from ${days} as d)`;
}

/** The sums of `days`, in the column order of `takings_months`. */
function monthColumns(days: RawBuilder<unknown>): RawBuilder<unknown> {
  const list = (rows: RawBuilder<unknown>) =>
    sql`(select coalesce(jsonb_agg(to_jsonb(one) order by to_jsonb(one)), '[]') from ${rows} as one)`;
  const one = (row: RawBuilder<unknown>) => sql`(select to_jsonb(one) from ${row} as one)`;
  return sql.join([
    list(columnSumsSql('vat', days)),
    list(columnSumsSql('parts', days)),
    list(columnSumsSql('items', days)),
    list(columnSumsSql('lost', days)),
    one(lateOrderSumsSql(days)),
    list(columnSumsSql('owing', days)),
    list(columnSumsSql('cards', days)),
    one(orderCountAndTotalSql('fee_unknown', days)),
    one(orderCountAndTotalSql('test', days)),
  ]);
}

/** The key of the advisory lock for counting, a number that no other lock uses. */
const lock = 7_303;
/** Milliseconds until a changed day is summed up. The delay prevents a new sum after each order. */
const settled = 60_000;
const atOnce = 20;

const columns = sql`store_id, trading_day, "orders", gross, subtotal, tips, fees, "refunds", refunded, refunded_tips, vat, parts,
  "items", lost, late, owing, cards, fee_unknown, test`;

/** Due work that sums up changed trading days. Until a changed day is summed up, reports count it from the orders. */
export function takingsWork({ db }: { db: Db }): DueWork<boolean> {
  return {
    name: 'takings',
    due: (now) => sql`exists (
      select from takings_changes where at < ${new Date(now.getTime() - settled)} order by id limit 1)`,
    work: () => withStatementTimeout(60_000, () => updateTakingsSums(db)),
  };
}

/**
 * Sums up every changed day, and then each month without stored sums. The latest month is left out, because its days
 * still change. Returns the number of summed days.
 */
export async function updateTakingsSums(db: Db): Promise<number> {
  const kept = await keepDays(db);
  await sumMonths(db);
  return kept;
}

async function keepDays(db: Db): Promise<number> {
  for (let kept = 0; ;) {
    const days = await inTransaction(db, async (tx) => {
      if (!(await isMyTurn(tx))) return 0;
      const changed = await sql<{ store_id: string; trading_day: string }>`
        with days as (select distinct store_id, trading_day from takings_changes limit ${atOnce}),
          taken as (delete from takings_changes c using days d
            where (c.store_id, c.trading_day) = (d.store_id, d.trading_day))
        select store_id, trading_day from days`.execute(tx);
      if (changed.rows.length === 0) return 0;
      await sql`set local jit = off`.execute(tx);
      // A second statement counts the days, so that its snapshot has every order whose change was deleted above. Later
      // changes stay in `takings_changes`.
      await sql`
        insert into takings (${columns})
        select ${columns} from (${sumDaysSql(sql`(
          select store_id, trading_day, timezone
          from unnest(${changed.rows.map((day) => day.store_id)}::uuid[], ${changed.rows.map((day) => day.trading_day)}::date[])
            as day (store_id, trading_day) join ${storeTimeZonesSql} as zones on zones.id = store_id)`)}) as counted
        on conflict (store_id, trading_day) do update set (orders, gross, subtotal, tips, fees, "refunds", refunded,
          refunded_tips, vat, parts, "items", lost, late, owing, cards, fee_unknown, test) = (excluded.orders, excluded.gross,
          excluded.subtotal, excluded.tips, excluded.fees, excluded.refunds, excluded.refunded, excluded.refunded_tips,
          excluded.vat, excluded.parts, excluded.items, excluded.lost, excluded.late, excluded.owing, excluded.cards,
          excluded.fee_unknown, excluded.test)`.execute(tx);
      return changed.rows.length;
    });
    kept += days;
    if (days < atOnce) return kept;
  }
}

/** Sums up the months that have no stored sums, except the latest month, which changes all the time. */
function sumMonths(db: Db): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!(await isMyTurn(tx))) return;
    await sql`set local jit = off`.execute(tx);
    await sql`
      insert into takings_months (store_id, month, vat, parts, "items", lost, late, owing, cards, fee_unknown, test)
      select o.store_id, o.month, ${monthColumns(sql`(
        select * from takings t
        where t.store_id = o.store_id and t.trading_day >= o.month and t.trading_day < o.month + interval '1 month')`)}
      from (
        select store_id, month from (
          select store_id, month, max(month) over (partition by store_id) as latest
          from (select distinct store_id, ${monthStartSql(sql`trading_day`)} as month from takings) as every) as each
        where month < latest) as o
      where not exists (select from takings_months m where m.store_id = o.store_id and m.month = o.month)`.execute(tx);
  });
}

/**
 * Whether this transaction got the lock for counting, without which two counts of one day would race. The lock ends
 * with the transaction.
 */
async function isMyTurn(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_xact_lock(${lock}) as "isFree"`.execute(tx);
  return rows[0]?.isFree === true;
}
