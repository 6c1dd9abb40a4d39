import { withStatementLimit } from '#database/transaction.ts';
import type { Db, Tx } from '#database/schema.ts';
import { datesOf } from '#reports/date-range.ts';

/** Milliseconds of one statement of a report or an export. */
export const reportLimit = 30_000;
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
