import { type Selectable, sql } from 'kysely';
import type { FoundCopy } from '#backup/manifest.ts';
import type { BackupAttempts } from '#backup/schedule.ts';
import type { BackupsTable, Db, Tx } from '#database/schema.ts';

export type BackupRow = Selectable<BackupsTable>;

/**
 * Times in ISO 8601, from which the age of backups counts. `good_at`: when the last good backup was made; null: never.
 */
export interface BackupTimes {
  good_at: string | null;
  /**
   * When the shop was first checked for backups; null: not checked yet. Until there is a good backup, the age counts
   * from this time.
   */
  since: string | null;
  /**
   * The time from which the age of sent backups counts; null: no second location is set. It is the last sending or,
   * before the first one, the time when the location was set. It is never before `since`.
   */
  placed_at: string | null;
}

export const backupTimesSql = sql<BackupTimes>`(
  select json_build_object(
    'good_at', (select made_at from backups where state = 'good' order by id desc limit 1),
    'since', (select since from backup_watches),
    'placed_at', (select greatest(coalesce(sent_at, set_at), (select since from backup_watches)) from backup_places)))`;

/**
 * Reads the times from which the ages of backups count. `countsSince` null: not checked yet. `placedAt` null: no second
 * location is set.
 */
export async function readBackupAgeStartTimes(
  db: Db,
): Promise<{ goodAt: Date | null; countsSince: Date | null; placedAt: Date | null }> {
  const { rows } = await sql<{ times: BackupTimes }>`select ${backupTimesSql} as times`.execute(db);
  const dateOf = (name: keyof BackupTimes) => {
    const text = rows[0]?.times[name] ?? null;
    return text === null ? null : new Date(text);
  };
  const goodAt = dateOf('good_at');
  return { goodAt, countsSince: goodAt ?? dateOf('since'), placedAt: dateOf('placed_at') };
}

/** Records the time of the first check, from which the shop needs backups. Further calls change nothing. */
export async function recordBackupsExpectedSince(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('backup_watches')
    .values({ since: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const newestAttempt = (db: Db) => db.selectFrom('backups').selectAll().orderBy('id', 'desc').limit(1);

export async function findRunningAttempt(db: Db): Promise<BackupRow | null> {
  return (await newestAttempt(db).where('step', '<>', 'ended').executeTakeFirst()) ?? null;
}

export async function findLastAttempt(db: Db): Promise<BackupRow | null> {
  return (await newestAttempt(db).where('step', '=', 'ended').executeTakeFirst()) ?? null;
}

/** Lists the backups in the data folder, newest first; at most twenty. */
export function listPresentCopies(db: Db): Promise<BackupRow[]> {
  return db
    .selectFrom('backups')
    .selectAll()
    .where('made_at', 'is not', null)
    .where('removed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
}

export async function findLastGoodCopyNumber(db: Db, found: readonly FoundCopy[]): Promise<number | null> {
  const rows = await db
    .selectFrom('backups')
    .select('number')
    .where('state', '=', 'good')
    .where('removed_at', 'is', null)
    .execute();
  const good = new Set(rows.map(({ number }) => number));
  return found.findLast(({ number, manifest }) => manifest !== null && good.has(number))?.number ?? null;
}

/**
 * Reads the latest attempts. A backup whose trial restore lacked disk space also counts in `copiedAt`. An earlier retry
 * would be useless, because its trial restore would lack the space as well.
 */
export async function readBackupAttempts(db: Db, now: Date): Promise<BackupAttempts> {
  const watch = await db.selectFrom('backup_watches').select('since').executeTakeFirst();
  const last = await newestAttempt(db).executeTakeFirst();
  const made = await newestAttempt(db)
    .where('made_at', 'is not', null)
    .where((where) => where.or([where('state', '=', 'good'), where('reason', '=', 'no_room')]))
    .executeTakeFirst();
  return {
    since: watch?.since ?? now,
    attemptedAt: last?.began_at ?? null,
    copiedAt: made?.made_at ?? null,
    isUnproven: last !== undefined && last.made_at !== null,
  };
}

/** How long an attempt without a backup is retained (ms): it made none, or its backup was removed from the folder. */
const attemptRetention = 31 * 24 * 60 * 60_000;

/** Requests a backup, unless one is already requested or running. */
export async function requestBackup(db: Db | Tx, now: Date): Promise<void> {
  await db
    .insertInto('backups')
    .values({ step: 'waiting', began_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Begins the requested attempt, or a new one if none is requested. Returns the attempt's id. The caller holds the lock
 * `night`.
 */
export async function beginAttempt(db: Db, now: Date): Promise<string> {
  await db
    .deleteFrom('backups')
    .where('began_at', '<', new Date(now.getTime() - attemptRetention))
    .where('step', '=', 'ended')
    .where((where) => where.or([where('made_at', 'is', null), where('removed_at', 'is not', null)]))
    .execute();
  await requestBackup(db, now);
  const { id } = await db
    .updateTable('backups')
    .set({ step: 'copying', began_at: now })
    .where('step', '=', 'waiting')
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type Change = Partial<Pick<BackupRow, 'step' | 'number' | 'made_at' | 'state' | 'reason' | 'detail'>> & {
  bytes?: number;
};

export async function updateAttempt(db: Db | Tx, id: string, change: Change): Promise<void> {
  await db.updateTable('backups').set(change).where('id', '=', id).execute();
}

/**
 * Records which backups are still in the folder. A backup is identified by number and time, because on a new disk the
 * numbers begin again at 1.
 */
export async function recordPresentCopies(db: Db, found: readonly FoundCopy[], now: Date): Promise<void> {
  const copies = found.map(({ number, manifest }) => ({ number, made_at: manifest?.made_at ?? null }));
  await sql`
    update backups set removed_at = case when is_there then null else ${now}::timestamptz end
    from (
      select id, exists (
        select from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as f (number int, made_at timestamptz)
        where f.number = known.number and coalesce(f.made_at, known.made_at) = known.made_at) as is_there
      from backups as known where made_at is not null) as looked
    where looked.id = backups.id and is_there = (removed_at is not null)`.execute(db);
}

/** The place whose backups are late: the data folder (`here`), or the second backup location. */
export type BackupAlertPlace = 'here' | 'second_place';

/**
 * Records that the owner has been alerted; `clearBackupAlert` removes the record. Returns false if the record exists
 * already, so that the owner gets only one mail.
 */
export async function recordBackupAlert(tx: Tx, alert: BackupAlertPlace, now: Date): Promise<boolean> {
  return setAlertedAt(tx, alert, now);
}

export async function clearBackupAlert(db: Db, alert: BackupAlertPlace): Promise<void> {
  await setAlertedAt(db, alert, null);
}

async function setAlertedAt(db: Db, alert: BackupAlertPlace, told_at: Date | null): Promise<boolean> {
  const before = told_at === null ? 'is not' : 'is';
  const { numUpdatedRows } =
    alert === 'here'
      ? await db.updateTable('backup_watches').set({ told_at }).where('told_at', before, null).executeTakeFirst()
      : await db.updateTable('backup_places').set({ told_at }).where('told_at', before, null).executeTakeFirst();
  return numUpdatedRows > 0n;
}
