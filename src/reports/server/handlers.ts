import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import { DownloadAnswer } from '#platform/http/answer.ts';
import type { Handlers } from '#platform/http/serve.ts';
import {
  type BankEntryFigures,
  sumBankEntryFigures,
  type CsvChunks,
  type SaleOrRefund,
  offersCsv,
  ordersCsv,
  type PayoutLine,
  payoutsCsv,
  vatCsv,
} from '#reports/accountant-csv.ts';
import type { reportEndpoints } from '#reports/contract.ts';
import {
  isCountedRefundSql,
  readInDayBatches,
  withReportTimeout,
  readReport,
  readVat,
  type SalesScope,
  isSoldOrderSql,
  withoutJitCompilation,
} from '#reports/server/read-report.ts';
import { readOfferReport, readOfferResults } from '#reports/server/offer-results.ts';
import { vatByDay } from '#reports/sales-report.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { type RawBuilder, sql } from 'kysely';
import { reportedOrdersSql } from '#ordering/server/order-views.ts';
import { orderBankEntriesSql, payoutLinesSql } from '#payment/server/bank/bank-views.ts';
import { cardModeOfOrderSql, reportedRefundsSql } from '#payment/server/payment-views.ts';
import type { RefundKind } from '#payment/refund.ts';
import { refundReasonWords } from '#payment/server/read-payments.ts';

export function reportsHandlers({ menus }: { menus: ShopCache }): Handlers<typeof reportEndpoints, Db, Tx> {
  const scopeOf = async (
    { store_id, start_date: from, end_date: to }: { store_id: string; start_date: string; end_date: string },
    now: Date,
  ) => {
    const shop = await menus.shop(store_id);
    if (!shop) throw new AppError('not_found', m.store_not_found());
    const { currency, timezone, slug } = shop.store;
    return { scope: { storeId: store_id, timezone, from, to, now }, currency, timezone, slug };
  };
  return {
    'GET /v1/reports/sales': async ({ db, query, now }) => {
      const { scope, currency } = await scopeOf(query, now);
      return { data: { ...(await readReport(db, scope)), currency } };
    },

    'GET /v1/reports/offers': async ({ db, query, now }) => {
      const { scope, currency } = await scopeOf(query, now);
      return { data: { ...(await readOfferReport(db, scope)), currency } };
    },

    'GET /v1/reports/sales/export': async ({ db, query, now }) => {
      const { scope, slug, ...setting } = await scopeOf(query, now);
      const name = `${slug}-${query.rows}-${scope.from}-${scope.to}.csv`;
      const tables: Record<typeof query.rows, () => CsvChunks> = {
        orders: () => ordersCsv(readInDayBatches(db, scope, readMovements), setting),
        vat: () => vatCsv(vatOf(db, scope), setting),
        payouts: () => payoutsCsv(readInDayBatches(db, scope, readPayoutLines), setting),
        offers: () => offersCsv(offersOf(db, scope), { ...setting, ...scope }),
      };
      return new DownloadAnswer(name, 'text/csv; charset=utf-8', tables[query.rows]());
    },
  };
}

async function* vatOf(db: Db, scope: SalesScope) {
  yield vatByDay(await withReportTimeout(() => withoutJitCompilation(db, (tx) => readVat(tx, scope))));
}

async function* offersOf(db: Db, scope: SalesScope) {
  yield (await readOfferResults(db, scope)).offers;
}

export async function readMovements(db: Db, scope: SalesScope): Promise<SaleOrRefund[]> {
  const { rows } = await sql<Omit<SaleOrRefund, 'card'> & { refund_kind: RefundKind; entries: BankEntryFigures[] }>`
    select 'sale' as kind, trading_day, coalesce(placed_at, created_at) as at, number as order_number, id as order_id,
      channel, fulfilment_type, payment_method, status, payment_status, subtotal,
      (select coalesce(sum((d->>'amount')::int), 0)::int from jsonb_array_elements(discounts) d) as discounts,
      fees, tip, total, vat, '' as reason, 'asked' as refund_kind,
      ${entriesWhere(sql`e.order_id = orders.id and not exists (
        select from ${reportedRefundsSql} as r
        where r.order_id = orders.id and r.status <> 'failed' and r.provider_refund = e.source)`)} as entries,
      ${cardModeOfOrderSql} as card_mode
    from ${reportedOrdersSql} as orders where ${isSoldOrderSql(scope)}
    union all
    select 'refund', refunds.trading_day, refunds.created_at, orders.number, orders.id,
      orders.channel, orders.fulfilment_type, orders.payment_method, orders.status, orders.payment_status, 0, 0,
      '[]', refunds.tip, refunds.amount, refunds.vat, refunds.reason, refunds.kind,
      ${entriesWhere(sql`e.order_id = orders.id and e.source = refunds.provider_refund`)}, ${cardModeOfOrderSql}
    from ${reportedRefundsSql} as refunds join ${reportedOrdersSql} as orders on orders.id = refunds.order_id
    where ${isCountedRefundSql(scope)}
    order by trading_day, at, order_number`.execute(db);
  return rows.map(({ refund_kind: kind, entries, ...row }) => ({
    ...row,
    reason: refundReasonWords({ kind, reason: row.reason }),
    card: sumBankEntryFigures(entries),
  }));
}

function entriesWhere(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(e order by e.payout_id nulls last), '[]') from ${orderBankEntriesSql} as e where ${condition})`;
}

/** Reads the lines of payouts that arrive on these days, for all stores, because an account is paid out as a whole. */
async function readPayoutLines(db: Db, { from, to }: Pick<SalesScope, 'from' | 'to'>): Promise<PayoutLine[]> {
  const { rows } = await sql<PayoutLine>`
    select l.payout_id, l.arrives_on, l.payout_status, l.kind, l.at, orders.number as order_number, l.order_id,
      l.amount, l.fee, l.net, l.currency, l.mode
    from ${payoutLinesSql} as l left join ${reportedOrdersSql} as orders on orders.id = l.order_id
    where l.arrives_on between ${from} and ${to}
    order by l.arrives_on, l.payout_id, l.at nulls first, l.id`.execute(db);
  return rows;
}
