import type { DiskSpace } from '#database/health.ts';

const hour = 60 * 60_000;
/** Milliseconds after which a copy is made again at night, and after which the last good one is an alarm. */
const nightly = 20 * hour;
export const lateAfter = 26 * hour;
/** Milliseconds until another try, if none was made or sent, and if the last one was not proven. */
export const notMade = hour;
const notProven = 6 * hour;
/** Hours of the shop's day: most kitchens are closed. */
const nightHours: ReadonlySet<number> = new Set([3, 4, 5]);
/** Copies in the data folder. */
const copiesHeld = 3;

/** The facts of which the next copy depends. */
export interface BackupTries {
  /** Since when the shop should have backups. */
  since: Date;
  /** The begin of the last try; null: there was none. */
  triedAt: Date | null;
  /** When the last copy that need not be made again was made; null: there is none. */
  madeAt: Date | null;
  /** Whether the last try made a copy, which then was not proven. */
  isUnproven: boolean;
}

/** Whether the nightly copy is due. `localHour`: 0 to 23, in the shop's time zone. */
export function isCopyDue({ since, triedAt, madeAt, isUnproven }: BackupTries, now: Date, localHour: number): boolean {
  // A clock that was set back must not stop the copies.
  const age = (at: Date) => Math.abs(now.getTime() - at.getTime());
  if (triedAt !== null && age(triedAt) < (isUnproven ? notProven : notMade)) return false;
  if (madeAt === null) return age(since) >= hour;
  if (age(madeAt) >= lateAfter) return true;
  return age(madeAt) >= nightly && nightHours.has(localHour);
}

/** Bytes that stay free on the disk of a running shop. */
const leastFree = 2_000_000_000;

/** Whether the shop has enough room left after `bytes` more: 2 GB and a tenth of the disk. */
export function hasRoomFor(bytes: number, { free, all }: DiskSpace): boolean {
  return free - bytes >= Math.max(leastFree, all / 10);
}

/** The copies to remove: all but the newest three. The last good one stays however old it is, instead of a newer one. */
export function copiesToRemove(numbers: readonly number[], lastGood: number | null): number[] {
  const good = numbers.filter((number) => number === lastGood);
  const others = numbers.filter((number) => number !== lastGood).toSorted((a, b) => b - a);
  const staying = new Set([...good, ...others.slice(0, copiesHeld - good.length)]);
  return numbers.filter((number) => !staying.has(number));
}
