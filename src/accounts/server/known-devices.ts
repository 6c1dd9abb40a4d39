import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { hashToken } from '#accounts/server/hash-password.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';

const days = 24 * 60 * 60_000;
/** Milliseconds after the last sign-in until a device counts as new again; the sign-in itself ends much earlier. */
const knownFor = 400 * days;
/** The limit of rows per person: a client that stores no token is a new device each time. */
const maxKept = 50;
/** A person gets at most this number of mails about new devices per day, because a program may sign in each minute. */
const maxMailsADay = 10;

export interface RecordedDevice {
  id: string;
  token: string;
  /**
   * Whether to mail the account's owner: the device is new, the account was used before, and the day's limit of mails
   * is not reached.
   */
  isNews: boolean;
}

interface Device {
  /** The token that the device sends; null without one. */
  token: string | null;
  userAgent: string;
}

/**
 * The user's known device with this token. Null: the user never signed in on the device or did so too long ago, or the
 * device was forgotten.
 */
export async function findKnownDevice(
  db: Db,
  userId: string,
  token: string | null,
  now: Date,
): Promise<{ id: string } | null> {
  if (token === null) return null;
  const row = await db
    .selectFrom('known_devices')
    .select('id')
    .where('user_id', '=', userId)
    .where('token_hash', '=', hashToken(token))
    .where('forgotten_at', 'is', null)
    .where('signed_in_at', '>', new Date(now.getTime() - knownFor))
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Records a sign-in on a device, which is known from then on. Of two concurrent first sign-ins to an account, only one
 * counts as the first.
 */
export async function recordDeviceSignIn(tx: Tx, userId: string, device: Device, now: Date): Promise<RecordedDevice> {
  await lockUserRow(tx, userId);
  const { userAgent, token } = device;
  const known = await findKnownDevice(tx, userId, token, now);
  if (known && token !== null) {
    await tx
      .updateTable('known_devices')
      .set({ signed_in_at: now, user_agent: userAgent })
      .where('id', '=', known.id)
      .execute();
    return { ...known, token, isNews: false };
  }
  const before = await countDevices(tx, userId, now);
  const kept = token !== null && (await isGivenOut(tx, token)) ? token : randomBytes(32).toString('base64url');
  const row = await tx
    .insertInto('known_devices')
    .values({
      id: randomUUIDv7(),
      user_id: userId,
      token_hash: hashToken(kept),
      user_agent: userAgent,
      created_at: now,
      signed_in_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'token_hash'])
        .doUpdateSet({ user_agent: userAgent, created_at: now, signed_in_at: now, forgotten_at: null }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  if (before.all >= maxKept) await removeOldest(tx, userId);
  return { id: row.id, token: kept, isNews: before.all > 0 && before.today < maxMailsADay };
}

/**
 * Makes the account's devices count as new, except the device that `except` names by its token or by the id of a
 * sign-in. The rows of forgotten devices stay as evidence of earlier use.
 */
export async function forgetKnownDevices(
  db: Db,
  userId: string,
  now: Date,
  except: { token?: string | null; signInId?: string | null } = {},
): Promise<void> {
  const { token = null, signInId = null } = except;
  const hash = token === null ? null : hashToken(token);
  await sql`
    update known_devices d set forgotten_at = ${now}
    where user_id = ${userId} and forgotten_at is null and token_hash is distinct from ${hash}::bytea
      and not exists (select from sign_ins s where s.id = ${signInId}::uuid and s.known_device_id = d.id)`.execute(db);
}

/** Makes the device of a sign-in count as new, unless `viewer` is signed in on that device. */
export async function forgetDeviceOfSignIn(
  tx: Tx,
  signInId: string,
  viewer: { signInId: string | null },
  now: Date,
): Promise<void> {
  await sql`
    update known_devices d set forgotten_at = ${now} from sign_ins s
    where s.id = ${signInId} and d.id = s.known_device_id and d.forgotten_at is null
      and not exists (select from sign_ins own where own.id = ${viewer.signInId}::uuid and own.known_device_id = d.id)`.execute(
    tx,
  );
}

export async function listKnownDevices(db: Db, userId: string, now: Date) {
  const rows = await db
    .selectFrom('known_devices')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('signed_in_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const since = new Date(now.getTime() - knownFor);
  return rows.map((row) => ({
    user_agent: row.user_agent,
    created_at: row.created_at.toISOString(),
    signed_in_at: row.signed_in_at.toISOString(),
    is_known: row.forgotten_at === null && row.signed_in_at > since,
  }));
}

/** Deletes devices whose last sign-in is too long ago; each person's last device stays as evidence of earlier use. */
export async function removeExpiredKnownDevices(db: Db, now: Date): Promise<void> {
  await sql`
    delete from known_devices d where signed_in_at < ${new Date(now.getTime() - knownFor)} and exists (
      select from known_devices later
      where later.user_id = d.user_id and (later.signed_in_at, later.id) > (d.signed_in_at, d.id))`.execute(db);
}

/**
 * Locks the user's row. The weaker `for no key update` suffices, and does not block concurrent orders, whose foreign
 * key refers to the row.
 */
async function lockUserRow(tx: Tx, id: string): Promise<void> {
  const row = await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw new AppError('unauthenticated', 'Unauthenticated.');
}

async function countDevices(tx: Tx, userId: string, now: Date): Promise<{ all: number; today: number }> {
  const row = await tx
    .selectFrom('known_devices')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where created_at > ${new Date(now.getTime() - days)}))::int`.as('today'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row;
}

/** Whether the shop has issued the token before: for another account, or to a device that is no longer known. */
async function isGivenOut(tx: Tx, token: string): Promise<boolean> {
  const hash = hashToken(token);
  const row = await tx.selectFrom('known_devices').select('id').where('token_hash', '=', hash).executeTakeFirst();
  return row !== undefined;
}

async function removeOldest(tx: Tx, userId: string): Promise<void> {
  await sql`
    delete from known_devices where id in (
      select id from known_devices where user_id = ${userId} order by signed_in_at desc, id desc offset ${maxKept})`.execute(
    tx,
  );
}
