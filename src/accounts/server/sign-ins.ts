import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { findDeviceByToken, findDevicesByIds, isDeviceToken } from '#accounts/server/devices/device-tokens.ts';
import { hashToken } from '#accounts/server/hash-password.ts';
import { forgetKnownDevices, recordDeviceSignIn } from '#accounts/server/known-devices.ts';
import type { SignInAnswer, SignIn } from '#accounts/contract.ts';
import type { Db, Tx, UsersTable } from '#database/schema.ts';
import { signInKeyOf, type Viewer } from '#platform/http/viewer.ts';
import type { z } from 'zod';
import { type NoticeServices, sendSignInNotice } from '#accounts/server/account-mail.ts';
import { presentUser, type UserRow, viewerOf } from '#accounts/server/users.ts';
import { inTransaction } from '#database/transaction.ts';
import type { AccountServices } from '#accounts/server/services.ts';

type SignInsUserRow = Selectable<UsersTable>;

const hours = 60 * 60_000;
const days = 24 * hours;
const signInLifetime = 90 * days;
/** Milliseconds after which an unused sign-in of a person ends. Devices have no such limit. */
const idleLimits: Record<SignInsUserRow['role'], number> = {
  admin: 12 * hours,
  store_admin: 7 * days,
  customer: 30 * days,
};
/** The shortest time between two writes of `last_used_at`, in milliseconds. */
const touchEvery: Record<SignInsUserRow['role'], number> = { admin: hours / 4, store_admin: hours, customer: hours };

/** Starts a sign-in and returns its bearer token, stored only as a hash. People sign in through `signInToAccount`. */
export async function createSignIn(
  db: Db,
  userId: string,
  userAgent: string,
  now: Date,
  knownDeviceId: string | null = null,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('sign_ins')
    .values({
      id: randomUUIDv7(),
      token_hash: hashToken(token),
      user_id: userId,
      user_agent: userAgent,
      created_at: now,
      last_used_at: now,
      proven_at: now,
      expires_at: new Date(now.getTime() + signInLifetime),
      known_device_id: knownDeviceId,
    })
    .execute();
  return token;
}

/** The person or device of a token; null: the sign-in is unknown, expired, idle for too long or signed out. */
export async function findViewer(db: Db, token: string, now: Date): Promise<Viewer | null> {
  if (isDeviceToken(token)) return findDeviceByToken(db, token, now);
  const row = await selectValid(db, now).where('token_hash', '=', hashToken(token)).executeTakeFirst();
  if (!row) return null;
  if (now.getTime() - row.last_used_at.getTime() > touchEvery[row.role]) {
    await db.updateTable('sign_ins').set({ last_used_at: now }).where('id', '=', row.sign_in_id).execute();
  }
  return viewerOfRow(row);
}

/** The signed-in viewers by their keys (`signInKeyOf`). This look-up does not count as a use of the sign-ins. */
export async function findViewersByKeys(db: Db, by: readonly string[], now: Date): Promise<Map<string, Viewer>> {
  const idsOf = (kind: string) => by.flatMap((one) => (one.startsWith(`${kind} `) ? one.slice(kind.length + 1) : []));
  const signIns = idsOf('sign-in');
  const rows = signIns.length === 0 ? [] : await selectValid(db, now).where('sign_ins.id', 'in', signIns).execute();
  const viewers = [...rows.map(viewerOfRow), ...(await findDevicesByIds(db, idsOf('device')))];
  return new Map(viewers.map((viewer) => [signInKeyOf(viewer) ?? '', viewer]));
}

export async function endSignIn(db: Db, signInId: string): Promise<void> {
  await db.deleteFrom('sign_ins').where('id', '=', signInId).execute();
}

/**
 * Ends all sign-ins of a user except the sign-in `except`, and makes the account's devices count as new. Two devices
 * stay known: the device of the sign-in `except`, and the device with the token `stays`. On the device `stays`, the
 * person has just proved that they own the account.
 */
export async function endSignIns(
  db: Db,
  userId: string,
  now: Date,
  { except = null, stays = null }: { except?: string | null; stays?: string | null } = {},
): Promise<void> {
  await forgetKnownDevices(db, userId, now, { token: stays, signInId: except });
  let ending = db.deleteFrom('sign_ins').where('user_id', '=', userId);
  if (except !== null) ending = ending.where('id', '!=', except);
  await ending.execute();
}

export async function listSignIns(db: Db, viewer: Viewer, now: Date): Promise<SignIn[]> {
  const rows = await db
    .selectFrom('sign_ins')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .select(['sign_ins.id', 'user_agent', 'sign_ins.created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', viewer.id)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', idleSince(now))
    .orderBy('last_used_at', 'desc')
    .orderBy('sign_ins.id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    user_agent: row.user_agent,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    is_current: row.id === viewer.signInId,
  }));
}

export async function recordSignInProof(db: Db, signInId: string | null, now: Date): Promise<void> {
  await db.updateTable('sign_ins').set({ proven_at: now }).where('id', '=', signInId).execute();
}

/**
 * Makes a person's sign-ins stale, and lets the person's devices count as new. The sign-in `except` and its device stay
 * as they are. Once the account has a second factor, the password alone cannot refresh a stale sign-in.
 */
export async function makeSignInsStale(tx: Tx, userId: string, now: Date, except: string | null): Promise<void> {
  await forgetKnownDevices(tx, userId, now, { signInId: except });
  let others = tx.updateTable('sign_ins').set({ proven_at: null }).where('user_id', '=', userId);
  if (except !== null) others = others.where('id', '!=', except);
  await others.execute();
}

export async function removeEndedSignIns(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_ins')
    .using('users')
    .whereRef('users.id', '=', 'sign_ins.user_id')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_used_at', '<=', idleSince(now))]))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function selectValid(db: Db, now: Date) {
  return db
    .selectFrom('sign_ins')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .select(['sign_ins.id as sign_in_id', 'last_used_at', 'proven_at'])
    .select(['users.id', 'users.name', 'users.role', 'users.store_ids'])
    .where('expires_at', '>', now)
    .where('last_used_at', '>', idleSince(now));
}

type ViewerRow = Pick<SignInsUserRow, 'id' | 'name' | 'role' | 'store_ids'> & {
  sign_in_id: string;
  proven_at: Date | null;
};

function viewerOfRow({
  role,
  id,
  name,
  store_ids: scopes,
  sign_in_id: signInId,
  proven_at: provenAt,
}: ViewerRow): Viewer {
  return { role, id, name, scopes, signInId, provenAt };
}

/** SQL for a time that depends on `users.role`. A sign-in whose last use is before this time has expired. */
function idleSince(now: Date) {
  const since = (role: SignInsUserRow['role']) => new Date(now.getTime() - idleLimits[role]);
  return sql<Date>`case users.role when 'admin' then ${since('admin')}::timestamptz
    when 'store_admin' then ${since('store_admin')}::timestamptz else ${since('customer')}::timestamptz end`;
}

/** The call that signs a person in; `secret` is the call's `X-Known-Device` token, null without one. */
interface SignInCall {
  header(name: string): string | undefined;
  now: Date;
  secret: string | null;
  audit(tx: Tx, answer: unknown, by: Viewer): Promise<void>;
}

export function userAgentOf(header: SignInCall['header']): string {
  return (header('user-agent') ?? '').slice(0, 300);
}

/**
 * Signs in a person who has proved that they own the account. The owner gets a mail if the account was used before, but
 * not on this device. `beginning`: this call created the account or gave it to the person, so no mail is needed.
 */
export async function signInToAccount(
  services: NoticeServices,
  db: Db,
  user: UserRow,
  { header, now, secret, audit }: SignInCall,
  by: 'sign-in' | 'beginning' = 'sign-in',
): Promise<z.input<typeof SignInAnswer>> {
  const userAgent = userAgentOf(header);
  return inTransaction(db, async (tx) => {
    const device = await recordDeviceSignIn(tx, user.id, { token: secret, userAgent }, now);
    const token = await createSignIn(tx, user.id, userAgent, now, device.id);
    if (device.isNews && by === 'sign-in')
      await sendSignInNotice(tx, services, 'new_device', { to: user, userAgent, at: now });
    await audit(tx, { data: { id: user.id } }, viewerOf(user));
    return { token, user: presentUser(user), device_token: device.token };
  });
}

/**
 * Returns a function that makes the person's sockets authorise their channels again. Call the function after a change
 * of the person's rights is committed.
 */
export function createSocketReauthoriser(
  { realtime, log }: Pick<AccountServices, 'log' | 'realtime'>,
  userId: string | null,
) {
  return (): Promise<void> =>
    realtime.disconnectUser(userId ?? '', 'reauthorise').catch((error: unknown) => {
      log.warn({ err: error }, 'sockets were not told of a sign-out');
    });
}
