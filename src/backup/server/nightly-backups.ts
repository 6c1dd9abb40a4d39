import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { isSetupNeeded } from '#accounts/server/set-up-shop.ts';
import { hasRoomFor, isCopyDue, notMade } from '#backup/schedule.ts';
import { withBackupLock } from '#backup/server/backup-lock.ts';
import {
  askForBackup,
  beginTry,
  changeTry,
  expectBackups,
  openTry,
  presentCopies,
  readBackupTries,
} from '#backup/server/backup-rows.ts';
import { tellLateBackups } from '#backup/server/late-backups.ts';
import { removeDrafts } from '#backup/server/make-copy.ts';
import {
  measureShop,
  ownFolder,
  removeOldCopies,
  roomFault,
  scratchIn,
  trialBytes,
} from '#backup/server/own-copies.ts';
import {
  BackupFault,
  type BackupFaultKind,
  type BackupResults,
  type BackupTask,
  runBackupProgram,
} from '#backup/server/run-backup-program.ts';
import { currentPlace, isPlaceSet, notePlaceProblem, readPlaceRow } from '#backup/server/second-place.ts';
import type { NightlyBackups, NightlyServices } from '#backup/server/services.ts';
import { inTransaction } from '#database/transaction.ts';
import { wallTimeAt } from '#platform/zone-clock.ts';
import { repeatEvery, startSweep } from '#platform/server/sweep.ts';

/** Milliseconds between two looks, and so from the start to the first. */
const every = 5 * 60_000;
/** Milliseconds between two looks at the disk while a backup is made. */
const watchEvery = 250;

export function createNightlyBackups(services: NightlyServices): NightlyBackups {
  const { log } = services;
  const ending = new AbortController();
  let running: Promise<void> | null = null;
  const look = (isAsked = false) =>
    (running ??= lookOnce(services, ending.signal, isAsked).finally(() => {
      running = null;
    }));
  const lookSafely = () => look(true).catch((error: unknown) => log.error({ err: error }, 'backups'));
  return {
    look: () => look(),
    wake: () => void lookSafely(),
    start() {
      const sweep = startSweep({ name: 'backups', every, log }, () => look());
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

/** `isAsked`: somebody has asked for a copy. */
async function lookOnce(services: NightlyServices, signal: AbortSignal, isAsked: boolean): Promise<void> {
  const { config, db, now } = services;
  if (signal.aborted || (await isSetupNeeded(db))) return;
  await expectBackups(db, now());
  // The place of BACKUP_TO is expected to have copies from now on.
  if (config.backupPlace !== null) await currentPlace(services);
  const isLeft = existsSync(scratchIn(ownFolder(config.dataDir)));
  const isWanted = isLeft || (await openTry(db)) !== null || (await isDue(services)) || (await isSendDue(services));
  if (isWanted) await runAlone(services, signal, isAsked);
  await tellLateBackups(services);
}

async function isDue({ db, menus, now }: NightlyServices): Promise<boolean> {
  const zone = (await menus.store(db))?.store.timezone ?? 'UTC';
  const localHour = new Date(wallTimeAt(zone, now().getTime())).getUTCHours();
  return isCopyDue(await readBackupTries(db, now()), now(), localHour);
}

/** One instance makes backups at a time. */
async function runAlone(services: NightlyServices, signal: AbortSignal, isAsked: boolean): Promise<void> {
  await withBackupLock(services.database, 'night', async ({ lost }) => {
    const away = new AbortController();
    lost.addEventListener('abort', () =>
      away.abort(new BackupFault('interrupted', 'The database was away meanwhile.')),
    );
    await cleanUp(services, isAsked);
    const ending = AbortSignal.any([signal, away.signal]);
    if ((await openTry(services.db)) !== null || (await isDue(services))) await makeBackup(services, ending);
    else if (await isSendDue(services)) await sendAgain(services, ending);
  });
}

/** Ends the work of a killed program: removes its files, stops its PostgreSQL, and ends its row. */
async function cleanUp({ config, database, db, log, now }: NightlyServices, isAsked: boolean): Promise<void> {
  const folder = ownFolder(config.dataDir);
  const left = await openTry(db);
  const hasBegun = left !== null && left.step !== 'waiting';
  if (hasBegun) {
    log.warn({ step: left.step }, 'a backup was interrupted');
    if (left.step === 'sending') await notePlaceProblem(db, interruptedSending, now());
    await inTransaction(db, async (tx) => {
      const fault = { reason: 'interrupted', detail: 'The shop was ended meanwhile.' } as const;
      await changeTry(tx, left.id, { step: 'ended', ...(left.step !== 'sending' && fault) });
      // It stood in the way of the one that somebody asks for.
      if (isAsked) await askForBackup(tx, now());
    });
  }
  if (hasBegun || existsSync(scratchIn(folder))) await removeLeftovers(database, folder);
}

const interruptedSending = 'The shop was ended while it was sent.';

/** Drafts stay while a command makes a copy beside them. */
async function removeLeftovers(database: NightlyServices['database'], folder: string): Promise<void> {
  // Loaded once a night: it brings the programs of the database along.
  const { removeScratch } = await import('#backup/server/prove-copy.ts');
  await removeScratch(scratchIn(folder));
  await withBackupLock(database, 'copies', () => removeDrafts(folder));
}

interface Run {
  signal: AbortSignal;
  /** The row of the try. */
  id: string;
  folder: string;
}

/**
 * Copies the shop into its data folder, proves the copy, sends it to the second place, and removes old ones. A fault is
 * written down, not thrown.
 */
async function makeBackup(services: NightlyServices, signal: AbortSignal): Promise<void> {
  const { config, db, disk, now } = services;
  const id = await beginTry(db, now());
  const watch = watchRoom(disk);
  const run = { signal: AbortSignal.any([signal, watch.signal]), id, folder: ownFolder(config.dataDir) };
  try {
    const made = await copyAndProve(services, run);
    if (made === 'busy') return;
    if (made && !signal.aborted) await send(services, run, made);
    await changeTry(db, id, { step: 'ended' });
  } finally {
    watch.stop();
  }
  await removeOldCopies(services, run.folder);
}

interface MadeCopy {
  number: number;
  isProven: boolean;
}

/** null: no copy was made, or a damaged one. `busy`: somebody copies the shop into another folder, and this one waits. */
async function copyAndProve(services: NightlyServices, run: Run): Promise<MadeCopy | null | 'busy'> {
  const { config, database, db, disk, log, now } = services;
  const { id, folder, signal } = run;
  let made: BackupResults['copy'] | null = null;
  try {
    const sizes = await measureShop(db, config.dataDir, folder);
    await refuseNoRoom(disk, sizes.copy, 'no backup was made');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    made = await runBackupProgram({ ...taskOf(services), kind: 'copy', at: now().toISOString() }, signal);
    log.info(made, 'a backup was made');
    const { number, bytes, made_at } = made;
    await changeTry(db, id, { step: 'proving', number, bytes, made_at: new Date(made_at), state: 'unproven' });
    await refuseNoRoom(disk, trialBytes(sizes), 'the backup was not tried out');
    const at = closedAt(services, made_at);
    const proof = await runBackupProgram({ ...taskOf(services), kind: 'prove', at, number }, signal);
    log.info({ number, ...proof }, 'the backup was restored for a trial, and is good');
    await changeTry(db, id, { state: 'good' });
    return { number, isProven: true };
  } catch (error) {
    const kind = await noteFault(services, id, error);
    // The draft is the other program's.
    if (kind === 'busy') return 'busy';
    await removeLeftovers(database, folder);
    return made && kind !== 'damaged' ? { number: made.number, isProven: false } : null;
  }
}

async function send(services: NightlyServices, { id, signal }: Run, made: MadeCopy): Promise<void> {
  const { config, db, restored } = services;
  // The shop that the copy was made from may use the same place still.
  if (restored.isHeld() || !(await isPlaceSet(db, config))) return;
  await changeTry(db, id, { step: 'sending' });
  await sendAside(services, signal, made);
}

/** Whether the newest copy did not get to the second place an hour ago. */
async function isSendDue({ db, now, restored }: NightlyServices): Promise<boolean> {
  const failedAt = (await readPlaceRow(db))?.failed_at ?? null;
  return !restored.isHeld() && failedAt !== null && Math.abs(now().getTime() - failedAt.getTime()) >= notMade;
}

/** Sends the newest copy to a place that was away. */
async function sendAgain(services: NightlyServices, signal: AbortSignal): Promise<void> {
  const { db, disk } = services;
  const newest = (await presentCopies(db)).find(({ state }) => state !== 'damaged');
  if (!newest || newest.number === null) return;
  const watch = watchRoom(disk);
  const made = { number: newest.number, isProven: newest.state === 'good' };
  await sendAside(services, AbortSignal.any([signal, watch.signal]), made).finally(watch.stop);
}

/** A copy that does not get to the second place is good still: the office shows why it did not. */
async function sendAside(
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
    // It could not say so itself.
    const isEnded = error instanceof BackupFault && error.kind !== 'failed';
    if (isEnded) await notePlaceProblem(db, error.message, now());
  }
}

function taskOf({ config, database, versions }: NightlyServices): Omit<BackupTask, 'kind' | 'at'> {
  const { dataDir, SECRETS_KEY, BACKUP_PASSPHRASE, backupPlace, bucket } = config;
  const folder = ownFolder(dataDir);
  return {
    database,
    config: { dataDir, SECRETS_KEY, BACKUP_PASSPHRASE, backupPlace, bucket },
    folder,
    scratch: scratchIn(folder),
    hatch: versions.hatch,
    number: null,
    isProven: false,
  };
}

/** The time whose closed days are compared. A clock that has jumped may call a day closed that is not. */
function closedAt({ clock }: NightlyServices, madeAt: string): string {
  return clock.isTrusted() ? madeAt : new Date(Date.parse(madeAt) - 3 * 24 * 60 * 60_000).toISOString();
}

async function noteFault({ db, log }: NightlyServices, id: string, error: unknown): Promise<BackupFaultKind> {
  const fault = error instanceof BackupFault ? error : new BackupFault('failed', String(error));
  const { kind, message: detail } = fault;
  // Somebody copies the shop into another folder: this one is made at the next look.
  if (kind === 'busy') {
    await changeTry(db, id, { step: 'waiting' });
    return kind;
  }
  log.error({ err: error, reason: kind }, `the backup: ${detail}`);
  const found = kind === 'damaged' ? { state: 'damaged' as const } : {};
  await changeTry(db, id, { reason: kind, detail, ...found });
  return kind;
}

async function refuseNoRoom(disk: NightlyServices['disk'], bytes: number, consequence: string): Promise<void> {
  const fault = roomFault(bytes, await disk.room());
  if (fault !== null) throw new BackupFault('no_room', `${fault}: ${consequence}.`);
}

/** Ends a backup before it takes the room that orders need. */
function watchRoom(disk: NightlyServices['disk']): { signal: AbortSignal; stop(): void } {
  const ending = new AbortController();
  const look = async () => {
    if (!hasRoomFor(0, await disk.room()))
      ending.abort(new BackupFault('no_room', 'The disk became too full meanwhile: the backup was ended.'));
  };
  return { signal: ending.signal, stop: repeatEvery(watchEvery, () => void look().catch(() => undefined)) };
}
