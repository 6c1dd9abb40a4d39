import { sql } from 'kysely';
import { inSnapshot, withStatementLimit } from '#database/transaction.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { SalesReport } from '#reports/contract.ts';
import { reportLimit } from '#reports/server/read-in-parts.ts';
import { readSales, type SalesScope } from '#reports/server/read-sales.ts';
import { fillDays, partsOf, totalOf, vatByRate } from '#reports/sales-report.ts';

/** A year of a busy shop takes longer than an order. */
export const patiently = <T>(work: () => Promise<T>) => withStatementLimit(reportLimit, work);

/** Everything about a range of trading days, in the store's currency. */
export async function readReport(db: Db, scope: SalesScope): Promise<Omit<SalesReport, 'currency'>> {
  const {
    days: counted,
    vat,
    parts,
    owing,
    ...rest
  } = await patiently(() => withoutJit(db, (tx) => readSales(tx, scope)));
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
    vat: vatByRate(vat),
    unpaid: owed(false),
    failed: owed(true),
    ...rest,
  };
}

/** Compiling these statements takes longer than running them. */
export function withoutJit<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inSnapshot(db, async (tx) => {
    await sql`set local jit = off`.execute(tx);
    return work(tx);
  });
}
