import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { isSetupNeeded } from '#accounts/server/set-up-shop.ts';
import { leavesDiskReserve, isCopyDue, backupRetryDelayMs } from '#backup/schedule.ts';
import { withBackupLock } from '#backup/server/backup-lock.ts';
import {
  requestBackup,
  beginAttempt,
  updateAttempt,
  recordBackupsExpectedSince,
  findRunningAttempt,
  listPresentCopies,
  readBackupAttempts,
} from '#backup/server/backup-rows.ts';
import { alertLateBackups } from '#backup/server/late-backups.ts';
import { removeDraftCopies } from '#backup/server/make-copy.ts';
import {
  measureShop,
  localCopiesFolder,
  removeOldCopies,
  diskSpaceFault,
  scratchFolderIn,
  estimateTrialRestoreBytes,
} from '#backup/server/own-copies.ts';
import {
  BackupFault,
  type BackupFaultKind,
  type BackupResults,
  type BackupTask,
  runBackupProgram,
} from '#backup/server/run-backup-program.ts';
import {
  syncAndReadSecondPlace,
  isSecondPlaceSet,
  recordSecondPlaceProblem,
  readPlaceRow,
} from '#backup/server/second-place.ts';
import type { NightlyBackups, NightlyServices } from '#backup/server/services.ts';
import { inTransaction } from '#database/transaction.ts';
import { wallTimeAt } from '#platform/zone-clock.ts';
import { repeatEvery, startSweep } from '#platform/server/sweep.ts';

/** The interval of the checks, and the delay before the first one (ms). */
const checkInterval = 5 * 60_000;
/** The interval of disk checks during a backup (ms). */
const diskCheckInterval = 250;

export function createNightlyBackups(services: NightlyServices): NightlyBackups {
  const { log } = services;
  const ending = new AbortController();
  let running: Promise<void> | null = null;
  const check = (isRequested = false) =>
    (running ??= runCheck(services, ending.signal, isRequested).finally(() => {
      running = null;
    }));
  return {
    check: () => check(),
    wake: () => void check(true).catch((error: unknown) => log.error({ err: error }, 'backups')),
    start() {
      const sweep = startSweep({ name: 'backups', every: checkInterval, log }, () => check());
      return {
        async stop() {
          ending.abort();
          await sweep.stop();
          await running?.catch(() => undefined);
        },
      };
    },
  };
}

/**
 * Makes a due backup, or retries a failed sending. Then alerts about late backups. `isRequested`: a person has just
 * requested a backup.
 */
async function runCheck(services: NightlyServices, signal: AbortSignal, isRequested: boolean): Promise<void> {
  const { config, db, now } = services;
  if (signal.aborted || (await isSetupNeeded(db))) return;
  await recordBackupsExpectedSince(db, now());
  // This read also stores a changed BACKUP_TO in the database. From then on, sent backups can be late.
  if (config.backupPlace !== null) await syncAndReadSecondPlace(services);
  const hasScratch = existsSync(scratchFolderIn(localCopiesFolder(config.dataDir)));
  const isNeeded =
    hasScratch || (await findRunningAttempt(db)) !== null || (await isDue(services)) || (await isSendDue(services));
  if (isNeeded) await runExclusively(services, signal, isRequested);
  await alertLateBackups(services);
}

async function isDue({ db, menus, now }: NightlyServices): Promise<boolean> {
  const zone = (await menus.store(db))?.store.timezone ?? 'UTC';
  const localHour = new Date(wallTimeAt(zone, now().getTime())).getUTCHours();
  return isCopyDue(await readBackupAttempts(db, now()), now(), localHour);
}

async function runExclusively(services: NightlyServices, signal: AbortSignal, isRequested: boolean): Promise<void> {
  await withBackupLock(services.database, 'night', async ({ lost }) => {
    const lockLost = new AbortController();
    lost.addEventListener('abort', () =>
      lockLost.abort(new BackupFault('interrupted', 'The database was away meanwhile.')),
    );
    await cleanUpInterrupted(services, isRequested);
    const ending = AbortSignal.any([signal, lockLost.signal]);
    if ((await findRunningAttempt(services.db)) !== null || (await isDue(services))) await makeBackup(services, ending);
    else if (await isSendDue(services)) await retrySending(services, ending);
  });
}

/** Cleans up after an interrupted backup: ends its attempt, removes its files, and stops its PostgreSQL. */
async function cleanUpInterrupted(
  { config, database, db, log, now }: NightlyServices,
  isRequested: boolean,
): Promise<void> {
  const folder = localCopiesFolder(config.dataDir);
  const attempt = await findRunningAttempt(db);
  const hasBegun = attempt !== null && attempt.step !== 'waiting';
  if (hasBegun) {
    log.warn({ step: attempt.step }, 'a backup was interrupted');
    if (attempt.step === 'sending') await recordSecondPlaceProblem(db, interruptedSending, now());
    await inTransaction(db, async (tx) => {
      const fault = { reason: 'interrupted', detail: 'The shop was ended meanwhile.' } as const;
      await updateAttempt(tx, attempt.id, { step: 'ended', ...(attempt.step !== 'sending' && fault) });
      // The person's request created no attempt, because the interrupted attempt still counted as running. So the
      // backup is requested again.
      if (isRequested) await requestBackup(tx, now());
    });
  }
  if (hasBegun || existsSync(scratchFolderIn(folder))) await removeLeftovers(database, folder);
}

const interruptedSending = 'The shop was ended while it was sent.';

/**
 * Removes the scratch folder, and the drafts of a killed program. If another program holds the lock `copies`, drafts
 * are not removed, because they may belong to that program.
 */
async function removeLeftovers(database: NightlyServices['database'], folder: string): Promise<void> {
  // `prove-copy.ts` loads the code that starts PostgreSQL, so it is imported only when it is needed.
  const { removeScratchFolder } = await import('#backup/server/prove-copy.ts');
  await removeScratchFolder(scratchFolderIn(folder));
  await withBackupLock(database, 'copies', () => removeDraftCopies(folder));
}

interface BackupRun {
  signal: AbortSignal;
  id: string;
  folder: string;
}

/**
 * Makes a backup, tries to restore it, sends it, and removes old backups. A fault is recorded for the office. A backup
 * whose trial restore failed is still sent, unless the backup is damaged.
 */
async function makeBackup(services: NightlyServices, signal: AbortSignal): Promise<void> {
  const { config, db, disk, now } = services;
  const id = await beginAttempt(db, now());
  const watch = watchDiskSpace(disk);
  const run = { signal: AbortSignal.any([signal, watch.signal]), id, folder: localCopiesFolder(config.dataDir) };
  try {
    const made = await copyAndProve(services, run);
    if (made === 'busy') return;
    if (made && !signal.aborted) await send(services, run, made);
    await updateAttempt(db, id, { step: 'ended' });
  } finally {
    watch.stop();
  }
  await removeOldCopies(services, run.folder);
}

interface MadeCopy {
  number: number;
  isProven: boolean;
}

/**
 * Makes a backup and tries to restore it; null: there is no backup that may be sent. `busy`: another program is making
 * a backup.
 */
async function copyAndProve(services: NightlyServices, run: BackupRun): Promise<MadeCopy | null | 'busy'> {
  const { config, database, db, disk, log, now } = services;
  const { id, folder, signal } = run;
  let made: BackupResults['copy'] | null = null;
  try {
    const sizes = await measureShop(db, config.dataDir, folder);
    await requireDiskSpace(disk, sizes.copy, 'no backup was made');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    made = await runBackupProgram({ ...taskOf(services), kind: 'copy', at: now().toISOString() }, signal);
    log.info(made, 'a backup was made');
    const { number, bytes, made_at } = made;
    await updateAttempt(db, id, { step: 'proving', number, bytes, made_at: new Date(made_at), state: 'unproven' });
    await requireDiskSpace(disk, estimateTrialRestoreBytes(sizes), 'the backup was not tried out');
    const at = comparisonTime(services, made_at);
    const proof = await runBackupProgram({ ...taskOf(services), kind: 'prove', at, number }, signal);
    log.info({ number, ...proof }, 'the backup was restored for a trial, and is good');
    await updateAttempt(db, id, { state: 'good' });
    return { number, isProven: true };
  } catch (error) {
    const kind = await recordFault(services, id, error);
    // Another program is making a backup. The drafts in the folder may be its drafts, so they are not removed.
    if (kind === 'busy') return 'busy';
    await removeLeftovers(database, folder);
    return made && kind !== 'damaged' ? { number: made.number, isProven: false } : null;
  }
}

async function send(services: NightlyServices, { id, signal }: BackupRun, made: MadeCopy): Promise<void> {
  const { config, db, restored } = services;
  // A held shop sends no backups, because the original shop may still send to the same location.
  if (restored.isHeld() || !(await isSecondPlaceSet(db, config))) return;
  await updateAttempt(db, id, { step: 'sending' });
  await sendInProgram(services, signal, made);
}

/** Whether a retry is due: the last sending failed, at least `backupRetryDelayMs` ago. A held shop sends nothing. */
async function isSendDue({ db, now, restored }: NightlyServices): Promise<boolean> {
  const failedAt = (await readPlaceRow(db))?.failed_at ?? null;
  return (
    !restored.isHeld() && failedAt !== null && Math.abs(now().getTime() - failedAt.getTime()) >= backupRetryDelayMs
  );
}

async function retrySending(services: NightlyServices, signal: AbortSignal): Promise<void> {
  const { db, disk } = services;
  const newest = (await listPresentCopies(db)).find(({ state }) => state !== 'damaged');
  if (!newest || newest.number === null) return;
  const watch = watchDiskSpace(disk);
  const made = { number: newest.number, isProven: newest.state === 'good' };
  await sendInProgram(services, AbortSignal.any([signal, watch.signal]), made).finally(watch.stop);
}

/**
 * Sends the backup in a separate process. A failure is recorded for the office, and does not change the backup's state.
 */
async function sendInProgram(
  services: NightlyServices,
  signal: AbortSignal,
  { number, isProven }: MadeCopy,
): Promise<void> {
  const { db, log, now } = services;
  try {
    const task = { ...taskOf(services), kind: 'send' as const, at: now().toISOString(), number, isProven };
    const sent = await runBackupProgram(task, signal);
    if (sent) log.info({ number, copies: sent.copies }, 'the backup is in the second place');
  } catch (error) {
    log.error({ err: error, number }, 'the backup did not get to the second place');
    // A process that fails records the problem itself (`failed`). If the process was ended, the problem is recorded
    // here.
    const isEnded = error instanceof BackupFault && error.kind !== 'failed';
    if (isEnded) await recordSecondPlaceProblem(db, error.message, now());
  }
}

function taskOf({ config, database, versions }: NightlyServices): Omit<BackupTask, 'kind' | 'at'> {
  const { dataDir, SECRETS_KEY, BACKUP_PASSPHRASE, backupPlace, bucket } = config;
  const folder = localCopiesFolder(dataDir);
  return {
    database,
    config: { dataDir, SECRETS_KEY, BACKUP_PASSPHRASE, backupPlace, bucket },
    folder,
    scratch: scratchFolderIn(folder),
    hatch: versions.hatch,
    number: null,
    isProven: false,
  };
}

/**
 * Returns the time until which trading days are compared: the time of the backup. While the clock is not trusted, the
 * time is three days earlier, because days that seem to be over may still continue.
 */
function comparisonTime({ clock }: NightlyServices, madeAt: string): string {
  return clock.isTrusted() ? madeAt : new Date(Date.parse(madeAt) - 3 * 24 * 60 * 60_000).toISOString();
}

async function recordFault({ db, log }: NightlyServices, id: string, error: unknown): Promise<BackupFaultKind> {
  const fault = error instanceof BackupFault ? error : new BackupFault('failed', String(error));
  const { kind, message: detail } = fault;
  // Another program holds the lock of the backups. The attempt waits, so that the next check continues it.
  if (kind === 'busy') {
    await updateAttempt(db, id, { step: 'waiting' });
    return kind;
  }
  log.error({ err: error, reason: kind }, `the backup: ${detail}`);
  const found = kind === 'damaged' ? { state: 'damaged' as const } : {};
  await updateAttempt(db, id, { reason: kind, detail, ...found });
  return kind;
}

async function requireDiskSpace(disk: NightlyServices['disk'], bytes: number, consequence: string): Promise<void> {
  const fault = diskSpaceFault(bytes, await disk.room());
  if (fault !== null) throw new BackupFault('no_room', `${fault}: ${consequence}.`);
}

/** Aborts a backup when it leaves less free disk space than the orders need. */
function watchDiskSpace(disk: NightlyServices['disk']): { signal: AbortSignal; stop(): void } {
  const ending = new AbortController();
  const check = async () => {
    if (!leavesDiskReserve(0, await disk.room()))
      ending.abort(new BackupFault('no_room', 'The disk became too full meanwhile: the backup was ended.'));
  };
  return { signal: ending.signal, stop: repeatEvery(diskCheckInterval, () => void check().catch(() => undefined)) };
}
