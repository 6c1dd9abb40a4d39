import { sql } from 'kysely';
import { inSnapshot, withStatementLimit } from '#database/transaction.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { SalesReport } from '#reports/contract.ts';
import { readSales, type SalesScope } from '#reports/server/read-sales.ts';
import { fillDays, partsOf, totalOf, vatByRate } from '#reports/sales-report.ts';
import { datesOf } from '#reports/date-range.ts';

/** Milliseconds of one statement of a report or an export. */
const reportLimit = 30_000;
/** Rows of a part, about. */
const wanted = 1_000;

interface Days {
  from: string;
  to: string;
}

/**
 * The rows of a range of days, some days at a time and in their order, from one snapshot. The next days are read when the
 * reader has taken those before, so that memory holds one part of them. A reader that has gone ends it.
 */
export async function* inParts<Scope extends Days, Row>(
  db: Db,
  scope: Scope,
  read: (tx: Tx, days: Scope) => Promise<Row[]>,
): AsyncGenerator<Row[], void, void> {
  const dates = datesOf(scope);
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    for (let [start, count] = [0, 1]; start < dates.length;) {
      const part = dates.slice(start, start + count);
      const days = { ...scope, from: part[0] ?? scope.from, to: part.at(-1) ?? scope.to };
      const rows = await withStatementLimit(reportLimit, () => read(tx, days));
      yield rows;
      start += part.length;
      // Quiet days are read together, busy ones alone.
      count = Math.max(1, Math.min(count * 2, Math.floor((wanted * part.length) / Math.max(1, rows.length))));
    }
  } finally {
    // It only read; a broken connection ends it as well.
    await tx
      .rollback()
      .execute()
      .catch(() => {});
  }
}

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
