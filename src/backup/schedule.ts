import type { DiskSpace } from '#database/health.ts';

const hour = 60 * 60_000;
/** The minimum time between nightly backups (ms). */
const minCopyAge = 20 * hour;
/** The age from which the last good backup is late, and the owner is alerted (ms). */
export const backupLateAfterMs = 26 * hour;
/**
 * The delay before a retry of a failed backup or a failed sending (ms). After a backup with a failed trial restore, the
 * delay is `retryAfterUnproven`.
 */
export const backupRetryDelayMs = hour;
const retryAfterUnproven = 6 * hour;
/** The local hours in which most kitchens are closed. */
const nightHours: ReadonlySet<number> = new Set([3, 4, 5]);
const maxLocalCopies = 3;

export interface BackupAttempts {
  /**
   * When the shop was first checked for backups. While there is no backup, the first backup is due an hour after this
   * time.
   */
  since: Date;
  /** When the last attempt began; null: never. */
  attemptedAt: Date | null;
  /** The time of the newest backup that is good, or whose trial restore lacked disk space; null: there is none. */
  copiedAt: Date | null;
  /**
   * True if the last attempt made a backup, whether or not the backup is good. The next attempt then waits at least for
   * `retryAfterUnproven`. After a good backup this has no effect, because `minCopyAge` is longer.
   */
  isUnproven: boolean;
}

/** Whether the nightly backup is due. `localHour`: 0 to 23, in the shop's time zone. */
export function isCopyDue(
  { since, attemptedAt, copiedAt, isUnproven }: BackupAttempts,
  now: Date,
  localHour: number,
): boolean {
  // Ages are absolute values. After the clock was set back, recorded times may be in the future, and must not stop the
  // backups.
  const age = (at: Date) => Math.abs(now.getTime() - at.getTime());
  if (attemptedAt !== null && age(attemptedAt) < (isUnproven ? retryAfterUnproven : backupRetryDelayMs)) return false;
  if (copiedAt === null) return age(since) >= hour;
  if (age(copiedAt) >= backupLateAfterMs) return true;
  return age(copiedAt) >= minCopyAge && nightHours.has(localHour);
}

/** The free disk space that a running shop needs for its orders (bytes). */
const minFreeBytes = 2_000_000_000;

/** Whether the disk, after `bytes` more, still has at least 2 GB and at least a tenth of its size free. */
export function leavesDiskReserve(bytes: number, { free, all }: DiskSpace): boolean {
  return free - bytes >= Math.max(minFreeBytes, all / 10);
}

/** Returns the numbers of the backups to remove. Three backups stay: the last good one, and the newest others. */
export function chooseCopyNumbersToRemove(numbers: readonly number[], lastGood: number | null): number[] {
  const good = numbers.filter((number) => number === lastGood);
  const others = numbers.filter((number) => number !== lastGood).toSorted((a, b) => b - a);
  const retained = new Set([...good, ...others.slice(0, maxLocalCopies - good.length)]);
  return numbers.filter((number) => !retained.has(number));
}
