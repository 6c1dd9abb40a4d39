import { sql } from 'kysely';
import { m } from '#messages';
import { withStatementLimit } from '#database/statement-limit.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import { AppError } from '#platform/errors.ts';
import { Download } from '#platform/http/answer.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { type Csv, ordersCsv, payoutsCsv, vatCsv } from '#reports/accountant-csv.ts';
import type { reports, SalesReport } from '#reports/contract.ts';
import { inParts, reportLimit } from '#reports/server/read-in-parts.ts';
import { readMovements, readPayoutLines } from '#reports/server/read-movements.ts';
import { readSales, readVat, type SalesScope } from '#reports/server/read-sales.ts';
import { fillDays, partsOf, totalOf, vatByDay, vatByRate } from '#reports/sales-report.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';

export function reportsHandlers({ menus }: { menus: ShopCache }): Handlers<typeof reports, Db, Tx> {
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
      return { data: { ...(await patiently(() => readReport(db, scope))), currency } };
    },

    'GET /v1/reports/sales/export': async ({ db, query, now }) => {
      const { scope, slug, ...setting } = await scopeOf(query, now);
      const name = `${slug}-${query.rows}-${scope.from}-${scope.to}.csv`;
      const tables: Record<typeof query.rows, () => Csv> = {
        orders: () => ordersCsv(inParts(db, scope, readMovements), setting),
        vat: () => vatCsv(vatOf(db, scope), setting),
        payouts: () => payoutsCsv(inParts(db, scope, readPayoutLines), setting),
      };
      return new Download(name, 'text/csv; charset=utf-8', tables[query.rows]());
    },
  };
}

async function* vatOf(db: Db, scope: SalesScope) {
  yield vatByDay(await patiently(() => withoutJit(db, (tx) => readVat(tx, scope))));
}

/** A year of a busy shop takes longer than an order. */
const patiently = <T>(work: () => Promise<T>) => withStatementLimit(reportLimit, work);

async function readReport(db: Db, scope: SalesScope): Promise<Omit<SalesReport, 'currency'>> {
  const { days: counted, vat, parts, owing, ...rest } = await withoutJit(db, (tx) => readSales(tx, scope));
  const days = fillDays(scope, { sales: counted, refunds: counted });
  const owed = (isFailed: boolean) => {
    const row = owing.find(({ failed }) => failed === isFailed);
    return { orders: row?.orders ?? 0, total: row?.total ?? 0 };
  };
  return {
    store_id: scope.storeId,
    timezone: scope.timezone,
    start_date: scope.from,
    end_date: scope.to,
    totals: totalOf(days),
    days,
    ...partsOf(parts),
    vat: vatByRate(vatByDay(vat)),
    unpaid: owed(false),
    failed: owed(true),
    ...rest,
  };
}

/** Compiling these statements takes longer than running them. */
function withoutJit<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inSnapshot(db, async (tx) => {
    await sql`set local jit = off`.execute(tx);
    return work(tx);
  });
}
