import { type TradingStore, tradingDayOf } from '#store/opening-hours.ts';
import { dayNumberOf } from '#platform/zone-clock.ts';

/** A backup with its time. `number` rises with each backup, even if the clock was wrong. */
export interface DatedCopy {
  number: number;
  made_at: string;
}

/** The number of trading days, weeks and months. One backup is retained for each of them. */
const periods = { day: 7, week: 4, month: 12 } as const;

/**
 * Returns the numbers of the backups to retain: the newest backup of each of the last 7 trading days, 4 weeks and 12
 * months. Periods without a backup do not count. Callers pass complete backups only, so that a damaged backup never
 * replaces a good one.
 */
export function retainedCopies(copies: readonly DatedCopy[], store: TradingStore): Set<number> {
  const newestFirst = copies.toSorted((a, b) => b.number - a.number);
  const retained = new Set<number>();
  for (const [period, most] of Object.entries(periods)) {
    const seen = new Set<string>();
    for (const { number, made_at } of newestFirst) {
      const name = periodNames[period as keyof typeof periods](tradingDayOf(store, new Date(made_at)));
      if (seen.has(name)) continue;
      if (seen.size === most) break;
      seen.add(name);
      retained.add(number);
    }
  }
  return retained;
}

/** Names the period of a trading day. Weeks begin on Monday; day 0 was a Thursday. */
const periodNames: Record<keyof typeof periods, (day: string) => string> = {
  day: (day) => day,
  week: (day) => String(Math.floor((dayNumberOf(day) + 3) / 7)),
  month: (day) => day.slice(0, 7),
};
