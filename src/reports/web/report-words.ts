import { m } from '#messages';
import type { OrderChannel } from '#ordering/order.ts';
import { intlLocale } from '#platform/language.ts';
import type { RangePreset } from '#reports/date-range.ts';
import type { FulfilmentType } from '#store/contract.ts';

export const presetWords: Record<RangePreset, () => string> = {
  today: m.reports_today,
  yesterday: m.reports_yesterday,
  this_week: m.reports_this_week,
  last_week: m.reports_last_week,
  this_month: m.reports_this_month,
  last_month: m.reports_last_month,
  this_quarter: m.reports_this_quarter,
  last_quarter: m.reports_last_quarter,
};

export const channelWords: Record<OrderChannel, () => string> = {
  web: m.reports_channel_web,
  app: m.reports_channel_app,
  phone: m.reports_channel_phone,
  counter: m.reports_channel_counter,
  test: m.reports_channel_test,
};

export const fulfilmentWords: Record<FulfilmentType, () => string> = {
  collection: m.reports_collection,
  delivery: m.reports_delivery,
};

/** A trading day in short words: `2026-11-21` becomes `Sat 21 Nov`, whatever the time zone. */
export function shortDayWords(date: string): string {
  return new Intl.DateTimeFormat(intlLocale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(date));
}

/** A trading day in words with its year: `2026-11-21` becomes `21 Nov 2026`. */
export function longDayWords(date: string): string {
  return new Intl.DateTimeFormat(intlLocale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date));
}

/** An hour of the day in words: `17` becomes `17:00–18:00`. */
export function hourWords(hour: number): string {
  const two = (value: number) => String(value % 24).padStart(2, '0');
  return `${two(hour)}:00–${two(hour + 1)}:00`;
}

/** A count with separated thousands: `12345` becomes `12,345`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(intlLocale()).format(count);
}

/** A VAT rate in basis points in words: `2000` becomes `20 %`. */
export function vatRateWords(rate: number): string {
  return new Intl.NumberFormat(intlLocale(), { style: 'percent', maximumFractionDigits: 2 }).format(rate / 10_000);
}

/** The change in percent, e.g. `+12 %`; null without a previous value. */
export function percentChangeWords(now: number, before: number): string | null {
  if (before === 0) return null;
  return new Intl.NumberFormat(intlLocale(), {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  }).format((now - before) / Math.abs(before));
}
