import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { isSetupNeeded } from '#accounts/server/set-up-shop.ts';
import { copiesToRemove, hasRoomFor, isCopyDue } from '#backup/schedule.ts';
import {
  askForBackup,
  beginTry,
  changeTry,
  expectBackups,
  forgetMissing,
  lastGoodNumber,
  openTry,
  readBackupTries,
} from '#backup/server/backup-rows.ts';
import { listCopies } from '#backup/server/copy-files.ts';
import { tellLateBackups } from '#backup/server/late-backups.ts';
import { filesOf, removeCopies, removeDrafts } from '#backup/server/make-copy.ts';
import {
  BackupFault,
  type BackupFaultKind,
  type BackupResults,
  type BackupTask,
  runBackupProgram,
} from '#backup/server/run-backup-program.ts';
import { type MadeCopyAt, sendToSecondPlace } from '#backup/server/second-place.ts';
import type { NightlyBackups, NightlyServices } from '#backup/server/services.ts';
import { inTransaction } from '#database/transaction.ts';
import { wallTimeAt } from '#platform/zone-clock.ts';
import { repeatEvery, startSweep } from '#platform/server/sweep.ts';

/** The folder of the copies that the shop makes by itself, and in it the one in which they are tried. */
export const ownFolder = (dataDir: string): string => join(dataDir, 'backups');
const scratchIn = (folder: string): string => join(folder, '.proof');

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
  const isLeft = existsSync(scratchIn(ownFolder(config.dataDir)));
  if (isLeft || (await openTry(db)) !== null || (await isDue(services))) await runAlone(services, signal, isAsked);
  await tellLateBackups(services);
}

async function isDue({ db, menus, now }: NightlyServices): Promise<boolean> {
  const zone = (await menus.store(db))?.store.timezone ?? 'UTC';
  const localHour = new Date(wallTimeAt(zone, now().getTime())).getUTCHours();
  return isCopyDue(await readBackupTries(db, now()), now(), localHour);
}

/** One instance makes backups at a time; the lock ends with its process. */
async function runAlone(services: NightlyServices, signal: AbortSignal, isAsked: boolean): Promise<void> {
  const { database, log } = services;
  const client = new pg.Client({
    ...(typeof database === 'string' ? { connectionString: database } : database),
    application_name: 'hatch-nightly-backup',
    connectionTimeoutMillis: 5_000,
  });
  const lost = new AbortController();
  const lose = () => lost.abort(new BackupFault('interrupted', 'The database was away meanwhile.'));
  client.on('error', lose);
  await client.connect();
  try {
    const { rows } = await client.query<{ is_mine: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('hatch nightly backup', 0)) as is_mine`,
    );
    if (!rows[0]?.is_mine) return;
    await cleanUp(services, isAsked);
    if ((await openTry(services.db)) === null && !(await isDue(services))) return;
    await makeBackup(services, AbortSignal.any([signal, lost.signal]));
  } finally {
    await client.end().catch((error: unknown) => log.warn({ err: error }, 'the lock of the backups'));
  }
}

/** Ends the work of a killed program: removes its files, stops its PostgreSQL, and ends its row. */
async function cleanUp({ config, db, log, now }: NightlyServices, isAsked: boolean): Promise<void> {
  const folder = ownFolder(config.dataDir);
  const left = await openTry(db);
  const hasBegun = left !== null && left.step !== 'waiting';
  if (hasBegun) {
    log.warn({ step: left.step }, 'a backup was interrupted');
    await inTransaction(db, async (tx) => {
      const fault = { reason: 'interrupted', detail: 'The shop was ended meanwhile.' } as const;
      await changeTry(tx, left.id, { step: 'ended', ...(left.state !== 'good' && fault) });
      // It stood in the way of the one that somebody asks for.
      if (isAsked) await askForBackup(tx, now());
    });
  }
  if (hasBegun || existsSync(scratchIn(folder))) await removeLeftovers(folder);
}

async function removeLeftovers(folder: string): Promise<void> {
  // Loaded once a night: it brings the programs of the database along.
  const { removeScratch } = await import('#backup/server/prove-copy.ts');
  await removeScratch(scratchIn(folder));
  await removeDrafts(folder);
}

/** Copies the shop into its data folder, proves the copy, and removes old ones. A fault is written down, not thrown. */
async function makeBackup(services: NightlyServices, signal: AbortSignal): Promise<void> {
  const { config, db, disk, log, now } = services;
  const folder = ownFolder(config.dataDir);
  const id = await beginTry(db, now());
  const watch = watchRoom(disk);
  const run = <Kind extends BackupTask['kind']>(kind: Kind, at: string, number: number | null) =>
    runBackupProgram({ ...taskOf(services), kind, at, number }, AbortSignal.any([signal, watch.signal]));
  try {
    const data = await dataBytes(db, folder);
    await refuseNoRoom(disk, data.copy, 'no backup was made');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const made = await run('copy', now().toISOString(), null);
    log.info(made, 'a backup was made');
    const { number, bytes, made_at } = made;
    await changeTry(db, id, { step: 'proving', number, bytes, made_at: new Date(made_at), state: 'unproven' });
    await refuseNoRoom(disk, 2 * data.database, 'the backup was not tried out');
    const proof: BackupResults['prove'] = await run('prove', closedAt(services, made_at), number);
    log.info({ number, ...proof }, 'the backup was restored for a trial, and is good');
    await changeTry(db, id, { state: 'good' });
    await sendGood(services, { folder, number });
    await changeTry(db, id, { step: 'ended' });
  } catch (error) {
    const kind = await noteFault(services, id, error);
    // The draft is the other program's.
    if (kind !== 'busy') await removeLeftovers(folder);
  } finally {
    watch.stop();
  }
  await removeOld(services, folder);
}

/** A copy that does not get to the second place is good still: the office shows why it did not. */
async function sendGood(services: NightlyServices, copy: MadeCopyAt): Promise<void> {
  const { log, restored } = services;
  // The shop that the copy was made from may use the same place still.
  if (restored.isHeld()) return;
  try {
    const sent = await sendToSecondPlace(services, copy);
    if (sent) log.info({ number: copy.number, copies: sent.copies }, 'the backup is in the second place');
  } catch (error) {
    log.error({ err: error, number: copy.number }, 'the backup did not get to the second place');
  }
}

function taskOf({ config, database, versions }: NightlyServices): Omit<BackupTask, 'kind' | 'at' | 'number'> {
  const folder = ownFolder(config.dataDir);
  return {
    database,
    dataDir: config.dataDir,
    folder,
    scratch: scratchIn(folder),
    secretsKey: config.SECRETS_KEY,
    hatch: versions.hatch,
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
  await changeTry(db, id, { step: 'ended', reason: kind, detail, ...found });
  return kind;
}

async function refuseNoRoom(disk: NightlyServices['disk'], bytes: number, consequence: string): Promise<void> {
  const room = await disk.room();
  if (hasRoomFor(bytes, room)) return;
  const free = `${(room.free / 1e9).toFixed(1)} GB are free`;
  throw new BackupFault('no_room', `Too little room would be left on the disk (${free}): ${consequence}.`);
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

/** Bytes of the database, and about those of the next copy: a quarter more than the last one. */
async function dataBytes(db: NightlyServices['db'], folder: string): Promise<{ database: number; copy: number }> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db);
  const database = Number(rows[0]?.bytes ?? 0);
  const last = (await listCopies(folder)).at(-1)?.manifest;
  const size = last ? filesOf(last).reduce((sum, file) => sum + file.size, 0) : database;
  return { database, copy: last ? 1.25 * size : size };
}

async function removeOld({ db, now }: NightlyServices, folder: string): Promise<void> {
  const numbers = (await listCopies(folder)).map(({ number }) => number);
  const old = copiesToRemove(numbers, await lastGoodNumber(db));
  if (old.length > 0) await removeCopies(folder, ({ number }) => old.includes(number));
  await forgetMissing(
    db,
    numbers.filter((number) => !old.includes(number)),
    now(),
  );
}
