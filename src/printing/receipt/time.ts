const formatters = new Map<string, Intl.DateTimeFormat>();

/** `18:45` on the shop's wall clock. */
export function localTime(at: string | Date, timeZone: string): string {
  return format(at, 'time', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** `Sat 21 Nov` on the shop's calendar. */
export function localDay(at: string | Date, timeZone: string): string {
  return format(at, 'day', { timeZone, weekday: 'short', day: 'numeric', month: 'short' });
}

/** `21 Nov 2026, 18:45`. */
export function localDateTime(at: string | Date, timeZone: string): string {
  return `${format(at, 'date', { timeZone, day: 'numeric', month: 'short', year: 'numeric' })}, ${localTime(at, timeZone)}`;
}

/** Whether paper says the same time for both. */
export function isSameMinute(one: Date, other: Date): boolean {
  const minuteOf = (time: Date) => Math.floor(time.getTime() / 60_000);
  return minuteOf(one) === minuteOf(other);
}

function format(at: string | Date, name: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${name} ${options.timeZone}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', options);
    formatters.set(key, formatter);
  }
  return formatter.format(new Date(at)).replaceAll(',', '');
}
