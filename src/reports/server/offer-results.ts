import { sql } from 'kysely';
import { sqlLiterals } from '#database/connect.ts';
import type { Db, Tx } from '#database/schema.ts';
import { paidPaymentStatuses } from '#ordering/payment-status.ts';
import {
  hadOrderedBeforeSql,
  offerNameInOrderSql,
  offerUsesSql,
  reportedOrdersSql,
} from '#ordering/server/order-views.ts';
import { reportedRefundsSql, isTestMoneySql } from '#payment/server/payment-views.ts';
import type { OfferReport, OfferResult, OfferSums, ShopSums } from '#reports/contract.ts';
import { previousRange } from '#reports/date-range.ts';
import {
  daysOf,
  isCountedRefundSql,
  type SalesScope,
  withoutJitCompilation,
  withReportTimeout,
} from '#reports/server/read-report.ts';
import { readOffers } from '#store/server/change-offers.ts';

/** The maximum number of codes in an answer; the downloaded table has all codes. */
const mostCodes = 500;
const noSums: OfferSums = { orders: 0, discounts: 0, gross: 0, refunded: 0, first_orders: 0, repeat_orders: 0 };

export async function readOfferReport(db: Db, scope: SalesScope): Promise<Omit<OfferReport, 'currency'>> {
  const { offers, shop, before } = await readOfferResults(db, scope);
  let codes = 0;
  return {
    store_id: scope.storeId,
    start_date: scope.from,
    end_date: scope.to,
    before: { start_date: before.from, end_date: before.to },
    shop,
    offers: offers.filter(({ code }) => code === null || (codes += 1) <= mostCodes),
  };
}

/**
 * Reads the results of the store's offers, and the shop's sums. A deleted offer is included if it has orders or refunds
 * in one of the two ranges.
 */
export async function readOfferResults(db: Db, scope: SalesScope) {
  const before = { ...scope, ...previousRange(scope) };
  return withReportTimeout(() =>
    withoutJitCompilation(db, async (tx) => {
      const stores = await readOffers(tx);
      const offers = stores.find(({ store_id }) => store_id === scope.storeId.toLowerCase())?.offers ?? [];
      return {
        before,
        shop: { now: await readShopSums(tx, scope), before: await readShopSums(tx, before) },
        offers: resultsOf(offers, await readOfferSums(tx, scope), await readOfferSums(tx, before)),
      };
    }),
  );
}

type CountedOffer = OfferSums & Pick<OfferResult, 'offer_id' | 'name' | 'code'>;

/**
 * Pairs the sums of the two ranges. The offer with the largest takings is first, and each offer is followed by its
 * codes.
 */
function resultsOf(
  offers: readonly { id: string; name: string }[],
  now: readonly CountedOffer[],
  before: readonly CountedOffer[],
): OfferResult[] {
  const found = new Map<string, OfferResult>();
  const nameOf = new Map(offers.map(({ id, name }) => [id, name]));
  const rowOf = ({ offer_id, name, code }: Pick<CountedOffer, 'offer_id' | 'name' | 'code'>): OfferResult => {
    const key = `${offer_id} ${code ?? ''}`;
    const row = found.get(key) ?? { offer_id, name: nameOf.get(offer_id) ?? name, code, now: noSums, before: noSums };
    found.set(key, row);
    return row;
  };
  for (const { id, name } of offers) rowOf({ offer_id: id, name, code: null });
  for (const { offer_id, name, code, ...sums } of now) rowOf({ offer_id, name, code }).now = sums;
  for (const { offer_id, name, code, ...sums } of before) rowOf({ offer_id, name, code }).before = sums;
  const rows = [...found.values()].toSorted(
    (a, b) => takingsOf(b.now) - takingsOf(a.now) || takingsOf(b.before) - takingsOf(a.before),
  );
  const whole = rows.filter(({ code }) => code === null);
  return whole.flatMap((offer) => [
    offer,
    ...rows.filter(({ offer_id, code }) => offer_id === offer.offer_id && code !== null),
  ]);
}

function takingsOf({ gross, refunded }: OfferSums): number {
  return gross - refunded;
}

/** The sums of each offer and, in rows with a `code`, of each of its codes. Refunds count on their own day. */
async function readOfferSums(tx: Tx, scope: SalesScope): Promise<CountedOffer[]> {
  const { rows } = await sql<CountedOffer>`
    with used as materialized (
      select * from ${offerUsesSql} as each where trading_day between ${scope.from}::date and ${scope.to}::date
    ), sold as materialized (
      select u.offer_id, u.code, ${offerNameInOrderSql(sql`u.offer_id`)} as name, u.amount, orders.total,
        ${hadOrderedBeforeSql} as is_repeat
      from used as u join ${reportedOrdersSql} as orders on orders.id = u.order_id
      where orders.store_id = ${scope.storeId} and orders.payment_status in (${sqlLiterals(paidPaymentStatuses)}) and not ${isTestMoneySql}
    ), refunded as materialized (
      select u.offer_id, u.code, ${offerNameInOrderSql(sql`u.offer_id`)} as name, refunds.amount
      from ${reportedRefundsSql} as refunds join ${offerUsesSql} as u on u.order_id = refunds.order_id
        join ${reportedOrdersSql} as orders on orders.id = refunds.order_id
      where ${isCountedRefundSql(scope)} and not refunds.is_test
    )
    select offer_id, code, max(name) as name, sum(orders)::int as orders, sum(discounts)::float8 as discounts,
      sum(gross)::float8 as gross, sum(refunded)::float8 as refunded,
      (count(*) filter (where not is_repeat))::int as first_orders, (count(*) filter (where is_repeat))::int as repeat_orders
    from (
      select offer_id, code, name, 1 as orders, amount as discounts, total as gross, 0 as refunded, is_repeat from sold
      union all select offer_id, code, name, 0, 0, 0, amount, null from refunded
    ) as each
    group by grouping sets ((offer_id), (offer_id, code))
    having grouping(code) = 1 or code is not null`.execute(tx);
  return rows;
}

async function readShopSums(tx: Tx, scope: SalesScope): Promise<ShopSums> {
  const { rows } = await sql<Omit<ShopSums, 'discounts'>>`
    with ${daysOf(scope)}
    select coalesce(sum("orders"), 0)::float8 as orders, coalesce(sum(gross), 0)::float8 as gross,
      coalesce(sum(subtotal), 0)::float8 as subtotal, coalesce(sum(fees), 0)::float8 as fees,
      coalesce(sum(tips), 0)::float8 as tips, coalesce(sum("refunds"), 0)::float8 as refunds,
      coalesce(sum(refunded), 0)::float8 as refunded, coalesce(sum(refunded_tips), 0)::float8 as refunded_tips
    from days`.execute(tx);
  const [sums] = rows;
  if (!sums) throw new Error('The sums have no row.');
  return { ...sums, discounts: sums.subtotal + sums.fees + sums.tips - sums.gross };
}
