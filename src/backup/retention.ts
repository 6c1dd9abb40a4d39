import { type TradingStore, tradingDayOf } from '#store/opening-hours.ts';
import { dayNumberOf } from '#platform/zone-clock.ts';

/** A copy as its age is judged. `number` rises with each copy, also when a clock was wrong. */
export interface DatedCopy {
  number: number;
  made_at: string;
}

/** How many trading days, weeks and months keep a copy each. */
const periods = { day: 7, week: 4, month: 12 } as const;

/**
 * The numbers of the copies that stay in a second place: the newest of each of the last 7 trading days, 4 weeks and 12
 * months that have one. Give it whole copies only, so that a damaged one never replaces a good one.
 */
export function keptCopies(copies: readonly DatedCopy[], store: TradingStore): Set<number> {
  const newestFirst = copies.toSorted((a, b) => b.number - a.number);
  const kept = new Set<number>();
  for (const [period, most] of Object.entries(periods)) {
    const seen = new Set<string>();
    for (const { number, made_at } of newestFirst) {
      const name = periodNames[period as keyof typeof periods](tradingDayOf(store, new Date(made_at)));
      if (seen.has(name)) continue;
      if (seen.size === most) break;
      seen.add(name);
      kept.add(number);
    }
  }
  return kept;
}

/** The period that a trading day is in. Weeks begin on Monday; day 0 was a Thursday. */
const periodNames: Record<keyof typeof periods, (day: string) => string> = {
  day: (day) => day,
  week: (day) => String(Math.floor((dayNumberOf(day) + 3) / 7)),
  month: (day) => day.slice(0, 7),
};
