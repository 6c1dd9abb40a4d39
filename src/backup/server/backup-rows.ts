import { type Selectable, sql } from 'kysely';
import type { FoundCopy } from '#backup/manifest.ts';
import type { BackupTries } from '#backup/schedule.ts';
import type { BackupsTable, Db, Tx } from '#database/schema.ts';

export type BackupRow = Selectable<BackupsTable>;

/** Instants as ISO 8601. */
export interface BackupTimes {
  /** When the last good copy was made; null without one. */
  good_at: string | null;
  /** Since when the shop should have backups. */
  since: string | null;
  /** When the last copy got to the second place; without one, since when it should. null: no place is set. */
  placed_at: string | null;
}

export const backupTimes = sql<BackupTimes>`(
  select json_build_object(
    'good_at', (select made_at from backups where state = 'good' order by id desc limit 1),
    'since', (select since from backup_watches),
    'placed_at', (select greatest(coalesce(sent_at, set_at), (select since from backup_watches)) from backup_places)))`;

/** Since when the age of the backups counts; null before the first look. */
export async function backupAgeSince(
  db: Db,
): Promise<{ goodAt: Date | null; countsSince: Date | null; placedAt: Date | null }> {
  const { rows } = await sql<{ times: BackupTimes }>`select ${backupTimes} as times`.execute(db);
  const dateOf = (name: keyof BackupTimes) => {
    const text = rows[0]?.times[name] ?? null;
    return text === null ? null : new Date(text);
  };
  const goodAt = dateOf('good_at');
  return { goodAt, countsSince: goodAt ?? dateOf('since'), placedAt: dateOf('placed_at') };
}

/** Begins to expect backups; the first time counts. */
export async function expectBackups(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('backup_watches')
    .values({ since: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const tries = (db: Db) => db.selectFrom('backups').selectAll().orderBy('id', 'desc').limit(1);

/** The try that waits or runs; null without one. */
export async function openTry(db: Db): Promise<BackupRow | null> {
  return (await tries(db).where('step', '<>', 'ended').executeTakeFirst()) ?? null;
}

/** The last try that has ended; null without one. */
export async function lastTry(db: Db): Promise<BackupRow | null> {
  return (await tries(db).where('step', '=', 'ended').executeTakeFirst()) ?? null;
}

/** The copies that should be in the data folder, the newest first. */
export function presentCopies(db: Db): Promise<BackupRow[]> {
  return db
    .selectFrom('backups')
    .selectAll()
    .where('made_at', 'is not', null)
    .where('removed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
}

/** The number of the last good copy among those of a folder; null without one. */
export async function pickLastGood(db: Db, found: readonly FoundCopy[]): Promise<number | null> {
  const rows = await db
    .selectFrom('backups')
    .select('number')
    .where('state', '=', 'good')
    .where('removed_at', 'is', null)
    .execute();
  const good = new Set(rows.map(({ number }) => number));
  return found.findLast(({ number, manifest }) => manifest !== null && good.has(number))?.number ?? null;
}

/** The facts of which the next copy depends. Without room for a trial, another copy would be no better. */
export async function readBackupTries(db: Db, now: Date): Promise<BackupTries> {
  const watch = await db.selectFrom('backup_watches').select('since').executeTakeFirst();
  const last = await tries(db).executeTakeFirst();
  const made = await tries(db)
    .where('made_at', 'is not', null)
    .where((where) => where.or([where('state', '=', 'good'), where('reason', '=', 'no_room')]))
    .executeTakeFirst();
  return {
    since: watch?.since ?? now,
    triedAt: last?.began_at ?? null,
    madeAt: made?.made_at ?? null,
    isUnproven: last !== undefined && last.made_at !== null,
  };
}

/** Tries without a copy are listed for a month. */
const forgottenAfter = 31 * 24 * 60 * 60_000;

/** Asks for a copy; nothing if one is asked for or being made. */
export async function askForBackup(db: Db | Tx, now: Date): Promise<void> {
  await db
    .insertInto('backups')
    .values({ step: 'waiting', began_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Begins the try that waits, or a new one. The caller holds the lock. Returns its id. */
export async function beginTry(db: Db, now: Date): Promise<string> {
  await db
    .deleteFrom('backups')
    .where('began_at', '<', new Date(now.getTime() - forgottenAfter))
    .where('step', '=', 'ended')
    .where((where) => where.or([where('made_at', 'is', null), where('removed_at', 'is not', null)]))
    .execute();
  await askForBackup(db, now);
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

export async function changeTry(db: Db | Tx, id: string, change: Change): Promise<void> {
  await db.updateTable('backups').set(change).where('id', '=', id).execute();
}

/** Notes which copies are in the folder. One is known by its number and its time: a new disk begins with 1 again. */
export async function noteCopies(db: Db, found: readonly FoundCopy[], now: Date): Promise<void> {
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

/** Copies are late in the data folder, or in the second place. */
export type BackupAlarm = 'here' | 'second_place';

/** Whether the owner is to be told now that the backups are late: once, until `endAlarm`. */
export async function beginAlarm(tx: Tx, alarm: BackupAlarm, now: Date): Promise<boolean> {
  return setTold(tx, alarm, now);
}

export async function endAlarm(db: Db, alarm: BackupAlarm): Promise<void> {
  await setTold(db, alarm, null);
}

/** Returns whether that is a change. */
async function setTold(db: Db, alarm: BackupAlarm, told_at: Date | null): Promise<boolean> {
  const was = told_at === null ? 'is not' : 'is';
  const { numUpdatedRows } =
    alarm === 'here'
      ? await db.updateTable('backup_watches').set({ told_at }).where('told_at', was, null).executeTakeFirst()
      : await db.updateTable('backup_places').set({ told_at }).where('told_at', was, null).executeTakeFirst();
  return numUpdatedRows > 0n;
}
