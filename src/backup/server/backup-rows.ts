import { type Selectable, sql } from 'kysely';
import type { BackupTries } from '#backup/schedule.ts';
import type { BackupsTable, Db, Tx } from '#database/schema.ts';

export type BackupRow = Selectable<BackupsTable>;

/** When the last good copy was made, null without one, and since when the shop should have backups. As JSON. */
export const backupTimes = sql<{ good_at: string | null; since: string | null }>`(
  select json_build_object(
    'good_at', (select made_at from backups where state = 'good' order by id desc limit 1),
    'since', (select since from backup_watches)))`;

/** Since when the age of the backups counts; null before the first look. */
export async function backupAgeSince(db: Db): Promise<{ goodAt: Date | null; countsSince: Date | null }> {
  const { rows } = await sql<{ times: { good_at: string | null; since: string | null } }>`
    select ${backupTimes} as times`.execute(db);
  const { good_at: good, since } = rows[0]?.times ?? { good_at: null, since: null };
  const goodAt = good === null ? null : new Date(good);
  return { goodAt, countsSince: goodAt ?? (since === null ? null : new Date(since)) };
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

export async function lastGoodNumber(db: Db): Promise<number | null> {
  return (
    (await tries(db).where('state', '=', 'good').where('removed_at', 'is', null).executeTakeFirst())?.number ?? null
  );
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

/** Says of copies that are no longer in the folder that they are gone. */
export async function forgetMissing(db: Db, numbers: readonly number[], now: Date): Promise<void> {
  await db
    .updateTable('backups')
    .set({ removed_at: now })
    .where('made_at', 'is not', null)
    .where('removed_at', 'is', null)
    .$if(numbers.length > 0, (all) => all.where('number', 'not in', numbers))
    .execute();
}

/** Whether the owner is to be told now that the backups are late: once, until `endAlarm`. */
export async function beginAlarm(tx: Tx, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('backup_watches')
    .set({ told_at: now })
    .where('told_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function endAlarm(db: Db): Promise<void> {
  await db.updateTable('backup_watches').set({ told_at: null }).where('told_at', 'is not', null).execute();
}
