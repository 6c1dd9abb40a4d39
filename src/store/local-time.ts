import { DAY, instantAt, MINUTE, wallTimeAt } from '#platform/zone-clock.ts';

/**
 * The meaning of a local date and time in a zone. Because of clock changes two kinds have no single instant: a skipped
 * time (`instant` is then the moment of the change) and one that occurs twice (`instants`, in order).
 */
export type LocalTime =
  | { kind: 'once'; instant: Date }
  | { kind: 'skipped'; instant: Date }
  | { kind: 'twice'; instants: [Date, Date] };

/** Reads `2026-10-25T01:30` in an IANA zone; null for an invalid date and time. */
export function readLocalTime(zone: string, text: string): LocalTime | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const wall = Date.parse(`${text}:00Z`);
  // 30 February is parsed as 2 March: the result must format back to the input.
  const isDate = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(text);
  if (!isDate || wall < DAY || wall >= Date.UTC(2999, 11, 31)) return null;
  const first = instantAt(zone, wall);
  if (wallTimeAt(zone, first) !== wall) return { kind: 'skipped', instant: new Date(first) };
  const later = wall + 13 * 60 * MINUTE;
  const second = wall - (wallTimeAt(zone, later) - later);
  return second > first && wallTimeAt(zone, second) === wall
    ? { kind: 'twice', instants: [new Date(first), new Date(second)] }
    : { kind: 'once', instant: new Date(first) };
}

/** An instant as `2026-10-25T01:30` on the zone's clocks: what a date and time input takes. */
export function writeLocalTime(zone: string, instant: Date): string {
  return new Date(wallTimeAt(zone, instant.getTime())).toISOString().slice(0, 16);
}

/** The zone's offset at an instant, for people: `GMT`, `GMT+1`. */
export function offsetWords(zone: string, instant: Date): string {
  const minutes = Math.round((wallTimeAt(zone, instant.getTime()) - instant.getTime()) / MINUTE);
  if (minutes === 0) return 'GMT';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `GMT${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
