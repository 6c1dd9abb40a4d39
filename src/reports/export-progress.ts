import type { ExportRows } from '#reports/contract.ts';
import { daysBetween, type DateRange } from '#reports/date-range.ts';

/** How much of an accountant's table has arrived. */
export interface ExportProgress {
  rows: number;
  /** The day of the last row; null before the first one. */
  day: string | null;
  /** Of the range's days, 0 to 1. */
  part: number;
}

export const noProgress: ExportProgress = { rows: 0, day: null, part: 0 };

/** A row begins with its day, one of a payout with the payout's id. Other lines are the heads, or more of a row's text. */
const rowOf: Record<ExportRows, RegExp> = {
  orders: /^(\d{4}-\d\d-\d\d),/,
  vat: /^(\d{4}-\d\d-\d\d),/,
  payouts: /^\w+,(\d{4}-\d\d-\d\d),/,
};

/** Reads the text of a table as it arrives, cut anywhere, and says how far it has come. */
export function followExport(range: DateRange, rows: ExportRows): (text: string) => ExportProgress {
  const days = daysBetween(range.from, range.to);
  let progress = noProgress;
  let begun = '';
  return (text) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) {
      const day = rowOf[rows].exec(line)?.[1];
      if (day === undefined || day < range.from || day > range.to) continue;
      // Days come in their order.
      const latest = progress.day !== null && progress.day > day ? progress.day : day;
      progress = { rows: progress.rows + 1, day: latest, part: daysBetween(range.from, latest) / days };
    }
    return progress;
  };
}
