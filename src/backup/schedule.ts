import type { DiskSpace } from '#database/health.ts';

const hour = 60 * 60_000;
/** The minimum time between nightly backups (ms). */
const minCopyAge = 20 * hour;
/** The age at which the last good backup counts as late, and the owner is alerted (ms). */
export const backupLateAfter = 26 * hour;
/**
 * The delay (ms) before a failed backup, or a failed sending of one, is retried. After a backup without a trial restore
 * the delay is `retryAfterUnproven`.
 */
export const backupRetryDelay = hour;
const retryAfterUnproven = 6 * hour;
/** The local hours in which most kitchens are closed. */
const nightHours: ReadonlySet<number> = new Set([3, 4, 5]);
const maxLocalCopies = 3;

export interface BackupAttempts {
  /** The time of the first check, from which the shop has needed backups. */
  since: Date;
  /** When the last attempt began; null: never. */
  attemptedAt: Date | null;
  /** When the last backup was made that was good, or lacked disk space for its trial restore; null: never. */
  copiedAt: Date | null;
  /** Whether the last attempt made a backup, which may lack a successful trial restore. */
  isUnproven: boolean;
}

/** Whether the nightly backup is due. `localHour`: 0 to 23, in the shop's time zone. */
export function isCopyDue(
  { since, attemptedAt, copiedAt, isUnproven }: BackupAttempts,
  now: Date,
  localHour: number,
): boolean {
  // The age is absolute, because a clock that was set back must not stop the backups.
  const age = (at: Date) => Math.abs(now.getTime() - at.getTime());
  if (attemptedAt !== null && age(attemptedAt) < (isUnproven ? retryAfterUnproven : backupRetryDelay)) return false;
  if (copiedAt === null) return age(since) >= hour;
  if (age(copiedAt) >= backupLateAfter) return true;
  return age(copiedAt) >= minCopyAge && nightHours.has(localHour);
}

/** The free disk space that a running shop needs for its orders (bytes). */
const minFreeBytes = 2_000_000_000;

/** Whether `bytes` more leave 2 GB and a tenth of the disk free. */
export function leavesDiskReserve(bytes: number, { free, all }: DiskSpace): boolean {
  return free - bytes >= Math.max(minFreeBytes, all / 10);
}

/** Returns the numbers of the backups to remove. Three stay: the last good one, and the newest of the others. */
export function copiesToRemove(numbers: readonly number[], lastGood: number | null): number[] {
  const good = numbers.filter((number) => number === lastGood);
  const others = numbers.filter((number) => number !== lastGood).toSorted((a, b) => b - a);
  const retained = new Set([...good, ...others.slice(0, maxLocalCopies - good.length)]);
  return numbers.filter((number) => !retained.has(number));
}
