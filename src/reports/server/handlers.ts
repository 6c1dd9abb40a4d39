import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import { Download } from '#platform/http/answer.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { type Csv, ordersCsv, payoutsCsv, vatCsv } from '#reports/accountant-csv.ts';
import type { reports } from '#reports/contract.ts';
import { inParts } from '#reports/server/read-in-parts.ts';
import { readMovements, readPayoutLines } from '#reports/server/read-movements.ts';
import { patiently, readReport, withoutJit } from '#reports/server/read-report.ts';
import { readVat, type SalesScope } from '#reports/server/read-sales.ts';
import { vatByDay } from '#reports/sales-report.ts';
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
      return { data: { ...(await readReport(db, scope)), currency } };
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
