import { type TradingDaySettings, tradingDayOf } from '#store/opening-hours.ts';
import { dayNumberOf } from '#platform/zone-clock.ts';

/** A backup with its time. Numbers rise with each backup, even if the clock was wrong, so they give the order. */
export interface DatedCopy {
  number: number;
  made_at: string;
}

/** One backup is retained for each of the last seven trading days, four weeks and twelve months. */
const periods = { day: 7, week: 4, month: 12 } as const;

/**
 * Returns the numbers of the backups to retain: the newest of each day, week and month in `periods`. Days, weeks and
 * months without a backup do not count.
 */
export function chooseCopyNumbersToRetain(copies: readonly DatedCopy[], store: TradingDaySettings): Set<number> {
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

/** Names the day, week or month that a trading day belongs to. Weeks begin on Monday; day 0 was a Thursday. */
const periodNames: Record<keyof typeof periods, (day: string) => string> = {
  day: (day) => day,
  week: (day) => String(Math.floor((dayNumberOf(day) + 3) / 7)),
  month: (day) => day.slice(0, 7),
};
