/**
 * Clock times in an IANA zone by `Intl`, never in the device's zone. A wall time is the time on the zone's clocks, in
 * milliseconds since 1970-01-01 00:00 on these clocks. Each day of wall time has 24 hours.
 */

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** The wall time of a zone at an instant (epoch ms). An unknown zone throws `RangeError`. */
export function wallTimeAt(zone: string, instant: number): number {
  return instant + offsetAt(zone, instant);
}

/**
 * The first instant at which the zone's clocks show `wall` or later. A skipped time becomes the instant of the clock
 * change, a repeated time its first instant.
 */
export function instantAt(zone: string, wall: number): number {
  // Offsets are between -12 and +14 hours, so these two instants enclose the result.
  const before = offsetAt(zone, wall - 15 * 60 * MINUTE);
  const after = offsetAt(zone, wall + 13 * 60 * MINUTE);
  if (before === after) return wall - before;
  const first = wall - Math.max(before, after);
  const last = wall - Math.min(before, after);
  if (wallTimeAt(zone, first) === wall) return first;
  if (wallTimeAt(zone, last) === wall) return last;
  return firstInstantOfOffset(zone, first, last);
}

/** The number of days from 1970-01-01 to the day of a wall time. */
export function dayNumberOfWallTime(wall: number): number {
  return Math.floor(wall / DAY);
}

/**
 * Converts a day number to its date: `20778` becomes `2026-11-21`. Dates are cached, because callers repeat the same
 * days.
 */
export function dateOfDayNumber(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    if (dates.size >= retentionDays) dates.clear();
    date = new Date(day * DAY).toISOString().slice(0, 10);
    dates.set(day, date);
  }
  return date;
}

/** Converts a date to its day number: `2026-11-21` becomes `20778`. */
export function dayNumberOf(date: string): number {
  return Math.floor(Date.parse(date) / DAY);
}

/** The weekday of a day number; 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Converts a clock time such as `17:30` to milliseconds after midnight. */
export function parseClockTime(clock: string): number {
  const digit = (index: number) => clock.charCodeAt(index) - 48;
  return ((digit(0) * 10 + digit(1)) * 60 + digit(3) * 10 + digit(4)) * MINUTE;
}

/** Formats a wall time as `17:30`. */
export function clockTextOf(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16);
}

interface ZoneDay {
  before: number;
  after: number;
  changesAt: number;
}

interface Zone {
  format: Intl.DateTimeFormat;
  /** The offsets by UTC day. A zone changes its offset at most once a day. */
  days: Map<number, ZoneDay>;
}

const retentionDays = 4000;
const zones = new Map<string, Zone>();
const dates = new Map<number, string>();

/** A zone's offset from UTC (ms), constant between two instants (epoch ms). */
export interface KnownZoneOffset {
  zone: string;
  offset: number;
  from: number;
  until: number;
}

let known: KnownZoneOffset | null = null;

/**
 * Sets the zone's offset that the server sent; null: none. With this offset, a page about this week avoids `Intl`. On a
 * slow phone, the first use of `Intl` for a zone takes a sixth of a second.
 */
export function setKnownZoneOffset(span: KnownZoneOffset | null): void {
  known = span;
}

/**
 * The offset of `zone` at an instant, and the span around the instant in which the offset is constant. The span begins
 * at most four days before the instant's UTC day: opening hours look two local days back, and `instantAt` looks 15
 * hours further. The span ends about three weeks after the instant at the latest.
 */
export function zoneOffsetSpanAt(zone: string, instant: number): KnownZoneOffset {
  const offset = offsetAt(zone, instant);
  const start = (Math.floor(instant / DAY) - 4) * DAY;
  let from = start;
  let until = instant;
  for (let at = start; at < start + 26 * DAY; at += DAY) {
    const day = dayAt(zone, at);
    const isChange = day.before !== day.after;
    if (isChange && day.changesAt <= instant) from = day.changesAt;
    if (isChange && day.changesAt > instant) return { zone, offset, from, until: day.changesAt };
    until = at + DAY;
  }
  return { zone, offset, from, until };
}

function offsetAt(zone: string, instant: number): number {
  if (known?.zone === zone && instant >= known.from && instant < known.until) return known.offset;
  const day = dayAt(zone, instant);
  return instant < day.changesAt ? day.before : day.after;
}

function dayAt(name: string, instant: number): ZoneDay {
  let zone = zones.get(name);
  if (!zone) {
    zone = { format: zoneFormat(name), days: new Map() };
    zones.set(name, zone);
  }
  const index = Math.floor(instant / DAY);
  let day = zone.days.get(index);
  if (!day) {
    if (zone.days.size >= retentionDays) zone.days.clear();
    day = readDay(zone.format, index);
    zone.days.set(index, day);
  }
  return day;
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

function readDay(format: Intl.DateTimeFormat, index: number): ZoneDay {
  const from = index * DAY;
  const before = readOffset(format, from);
  const after = readOffset(format, from + DAY - 1000);
  if (before === after) return { before, after, changesAt: from };
  let low = from;
  let high = from + DAY;
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (readOffset(format, middle) === before) low = middle;
    else high = middle;
  }
  return { before, after, changesAt: high };
}

function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

/** Finds the instant between two others at which the zone's offset changes. */
function firstInstantOfOffset(zone: string, first: number, last: number): number {
  const before = offsetAt(zone, first);
  let low = first;
  let high = last;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
