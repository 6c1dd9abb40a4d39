import { type RawBuilder, sql } from 'kysely';

/** The stored sums that have parts, each with the columns of its rows as PostgreSQL reads them. */
const rowsOf = {
  vat: sql`(rate int, net bigint, vat bigint, "isRefund" boolean)`,
  parts: sql`(orders bigint, hour int, channel text, fulfilment_type text, payment_method text, gross bigint)`,
  items: sql`(item_id uuid, name text, latest timestamptz, quantity bigint, total bigint)`,
  lost: sql`(orders bigint, status text, reason text, total bigint)`,
  owing: sql`(orders bigint, failed boolean, total bigint)`,
  cards: sql`(orders bigint, currency text, charged bigint, refunded bigint, disputed bigint, fees bigint, other bigint,
    net bigint, paid_out bigint, on_the_way bigint, waiting bigint)`,
};

/** The sums over several days or months: of each kind the rows that they have in common, as a relation. */
export function summed(kind: keyof typeof rowsOf, days: RawBuilder<unknown>): RawBuilder<unknown> {
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

/** The first day of a day's month. */
export function monthOf(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`date_trunc('month', ${day}::timestamp)::date`;
}

/** How many came late in these days or months, all their minutes, and the most. */
export function summedLate(days: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(sum((late->>'orders')::bigint), 0)::bigint as orders, coalesce(sum((late->>'minutes')::bigint), 0)::bigint as minutes,
      coalesce(max((late->>'worst')::int), 0) as worst
    from ${days} as d)`;
}

/** Of the orders that are counted apart: how many in these days or months, and their total. */
export function summedOrders(kind: 'fee_unknown' | 'test', days: RawBuilder<unknown>): RawBuilder<unknown> {
  const of = sql.ref(kind);
  return sql`(
    select coalesce(sum((${of}->>'orders')::bigint), 0)::bigint as orders,
      coalesce(sum((${of}->>'total')::bigint), 0)::bigint as total
    from ${days} as d)`;
}

/** The sums of these days as `takings_months` stores them, in its columns' order. */
export function monthColumns(days: RawBuilder<unknown>): RawBuilder<unknown> {
  const list = (rows: RawBuilder<unknown>) =>
    sql`(select coalesce(jsonb_agg(to_jsonb(one) order by to_jsonb(one)), '[]') from ${rows} as one)`;
  const one = (row: RawBuilder<unknown>) => sql`(select to_jsonb(one) from ${row} as one)`;
  return sql.join([
    list(summed('vat', days)),
    list(summed('parts', days)),
    list(summed('items', days)),
    list(summed('lost', days)),
    one(summedLate(days)),
    list(summed('owing', days)),
    list(summed('cards', days)),
    one(summedOrders('fee_unknown', days)),
    one(summedOrders('test', days)),
  ]);
}
