import type { DiskSpace } from '#database/health.ts';

const hour = 60 * 60_000;
/** Milliseconds between nightly copies at least. */
const minCopyAge = 20 * hour;
/** Milliseconds after which the last good copy is late, which alerts the owner. */
export const backupLateAfter = 26 * hour;
/**
 * Milliseconds from a failed copy or sending to the next attempt. After a copy without a trial it is
 * `retryAfterUnproven`.
 */
export const backupRetryDelay = hour;
const retryAfterUnproven = 6 * hour;
/** Local hours in which most kitchens are closed. */
const nightHours: ReadonlySet<number> = new Set([3, 4, 5]);
const maxLocalCopies = 3;

export interface BackupAttempts {
  /** When the shop began to expect backups. */
  since: Date;
  /** When the last attempt began; null: there was none. */
  attemptedAt: Date | null;
  /** When the last sufficient copy was made; null: there is none. */
  copiedAt: Date | null;
  /** Whether the last attempt made a copy that has no trial. */
  isUnproven: boolean;
}

/** Whether the nightly copy is due. `localHour`: 0 to 23, in the shop's time zone. */
export function isCopyDue(
  { since, attemptedAt, copiedAt, isUnproven }: BackupAttempts,
  now: Date,
  localHour: number,
): boolean {
  // A clock that was set back must not stop the copies.
  const age = (at: Date) => Math.abs(now.getTime() - at.getTime());
  if (attemptedAt !== null && age(attemptedAt) < (isUnproven ? retryAfterUnproven : backupRetryDelay)) return false;
  if (copiedAt === null) return age(since) >= hour;
  if (age(copiedAt) >= backupLateAfter) return true;
  return age(copiedAt) >= minCopyAge && nightHours.has(localHour);
}

/** Free bytes that a running shop needs for its orders. */
const minFreeBytes = 2_000_000_000;

/** Whether 2 GB and a tenth of the disk stay free after `bytes` more. */
export function leavesDiskReserve(bytes: number, { free, all }: DiskSpace): boolean {
  return free - bytes >= Math.max(minFreeBytes, all / 10);
}

/** Returns all copies but the newest three. The last good one is among the three, however old it is. */
export function copiesToRemove(numbers: readonly number[], lastGood: number | null): number[] {
  const good = numbers.filter((number) => number === lastGood);
  const others = numbers.filter((number) => number !== lastGood).toSorted((a, b) => b - a);
  const retained = new Set([...good, ...others.slice(0, maxLocalCopies - good.length)]);
  return numbers.filter((number) => !retained.has(number));
}
