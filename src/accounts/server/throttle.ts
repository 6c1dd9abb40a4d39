import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import { callerNetwork } from '#platform/server/client-address.ts';

/** A rate limit: `free` attempts pass at once, and each further attempt must wait. */
interface Limit {
  free: number;
  /** Seconds of the window in which attempts are counted. */
  within: number;
  /** Seconds of the first wait. The wait doubles with each further attempt, up to `longestWait`. */
  firstWait: number;
  longestWait: number;
}

const hour = 60 * 60;
const quarter = 15 * 60;
const slower = (free: number): Limit => ({ free, within: quarter, firstWait: 30, longestWait: quarter });
const hourly = (free: number): Limit => ({ free, within: hour, firstWait: hour, longestWait: hour });

interface Limits {
  /** The limit for one network, which may be a whole café. */
  network: Limit;
  /**
   * The limit for one account or email address from one network. Attempts from other networks do not count, so
   * strangers cannot lock the owner out.
   */
  account?: Limit;
  /** The limit for one account or email address from all networks together. */
  anywhere?: Limit;
}

const limits = {
  // Guesses from many networks reach the limit `anywhere`. Then only known devices can sign in to the account.
  'sign-in': { network: slower(200), account: slower(10), anywhere: hourly(200) },
  register: { network: slower(50), account: slower(10) },
  'forgot-password': { network: slower(50), account: slower(5) },
  'reset-password': { network: slower(50) },
  'verify-email': { network: slower(50), anywhere: slower(5) },
  // There is no limit `anywhere`, because strangers could use it up and so block a person's complaints.
  // `countComplaintMail` limits the mails.
  complaint: { network: slower(10), account: slower(3) },
  'account-link': { network: slower(50), anywhere: slower(5) },
  setup: { network: slower(20), anywhere: hourly(200) },
  passkey: { network: slower(50) },
  'second-factor': { network: slower(50), account: slower(10), anywhere: hourly(100) },
  social: { network: slower(50) },
  device: { network: slower(20) },
  'offer-code': { network: slower(50) },
  // Resuming a download counts as another attempt, so the limit is high.
  'app-download': { network: slower(200) },
} satisfies Record<string, Limits>;
export type AttemptKind = keyof typeof limits;

/** A count of attempts by one device, sign-in or person, which nobody else can use up. */
export interface ActorCountKey {
  /** The kind of attempts; `id` names the device, the sign-in or the person that makes them. */
  kind: 'known device' | 'password' | 'email change' | 'second factor' | 'proof';
  id: string;
}

/** The limit of each `ActorCountKey`: a thief of a device or sign-in cannot go on guessing passwords and codes. */
const ofOwn = slower(10);
/**
 * The limit of mails with a password link to one address, whoever requests the mails. A link is valid for an hour, so a
 * person above the limit still has a valid link.
 */
const ofResetMails = hourly(10);
/**
 * The limit of acknowledgement mails to one address, whoever sends the complaints. A complaint above the limit is
 * stored without a mail.
 */
const ofComplaintMails = hourly(5);
/** The limit of mails to an address about attempts to register it again. */
const ofExistsMails = hourly(2);

/**
 * The limit of new installations of the app that count for one network. It is enough for the shared address of a café
 * or mobile provider, and too low for faking many customers.
 */
const newInstalls: Limit = { free: 20, within: 24 * hour, firstWait: 24 * hour, longestWait: 24 * hour };

export interface AttemptSource {
  /**
   * The typed email address. Attempts are counted whether or not the address has an account, so that a refusal does not
   * reveal whether it has one.
   */
  email?: string;
  address: string;
}

/**
 * Counts an attempt before it is made, so that concurrent attempts all count. Throws 429 with `Retry-After`. Never call
 * this inside the attempt's own transaction, whose rollback would undo the count.
 */
export async function countAttempt(db: Db, attempt: AttemptKind, who: AttemptSource, now: Date): Promise<void> {
  const { network, account, anywhere }: Limits = limits[attempt];
  const words = attempt === 'sign-in' ? m.accounts_only_known_devices : m.accounts_too_many_attempts;
  await take(db, networkKey(attempt, who.address), network, now);
  if (who.email === undefined) return;
  if (account) await take(db, accountKey(attempt, who.email, who.address), account, now);
  if (anywhere) await take(db, accountKey(attempt, who.email), anywhere, now, words);
}

/** Throws 429 while attempts of this network must wait. Does not count an attempt. */
export async function refuseBlockedNetwork(db: Db, attempt: AttemptKind, address: string, now: Date): Promise<void> {
  const key = networkKey(attempt, address);
  const row = await db
    .selectFrom('throttles')
    .select('key')
    .where('key', '=', key)
    .where('blocked_until', '>', now)
    .executeTakeFirst();
  if (row)
    throw new AppError('too_many_requests', m.accounts_too_many_attempts(), { headers: await waitOf(db, key, now) });
}

/** Counts an attempt of one device, sign-in or person. Throws like `countAttempt`. */
export async function countActorAttempt(db: Db, own: ActorCountKey, now: Date): Promise<void> {
  await take(db, ownKey(own), ofOwn, now);
}

export async function clearActorCount(db: Db, own: ActorCountKey): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', ownKey(own)).execute();
}

/** Counts a mail with a password link to this address; false above the hourly limit. */
export async function countResetMail(db: Db, email: string, now: Date): Promise<boolean> {
  return count(db, accountKey('forgot-password', email), ofResetMails, now);
}

/** Counts an acknowledgement of a complaint to this address; false above the hourly limit. */
export async function countComplaintMail(tx: Tx, email: string, now: Date): Promise<boolean> {
  return count(tx, accountKey('complaint', email), ofComplaintMails, now);
}

/** Counts a mail about an attempt to register this address; false above the hourly limit. */
export async function countAccountExistsMail(db: Db, email: string, now: Date): Promise<boolean> {
  return count(db, accountKey('register', email), ofExistsMails, now);
}

/** Counts a mail which warns that somebody knows this account's password; false if one was counted within the hour. */
export async function countPasswordKnownMail(tx: Tx, email: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into throttles as t (key, attempts, expires_at)
    values (${`${accountKey('second-factor', email)} mail`}, 1, ${now}::timestamptz + make_interval(secs => ${hour}))
    on conflict (key) do update set expires_at = excluded.expires_at where t.expires_at <= ${now}
    returning key`.execute(tx);
  return rows.length > 0;
}

/** Counts a new installation of the app in this network; false above the daily limit. */
export async function countAppInstall(db: Db, address: string, now: Date): Promise<boolean> {
  return count(db, `app-install network ${callerNetwork(address)}`, newInstalls, now);
}

/**
 * Corrects the counts after a success: the account's count from this network is reset, and the attempt is subtracted
 * from the other counts.
 */
export async function resetCountsAfterSuccess(db: Db, attempt: AttemptKind, who: AttemptSource): Promise<void> {
  const { network, anywhere }: Limits = limits[attempt];
  if (who.email !== undefined) {
    await db
      .deleteFrom('throttles')
      .where('key', '=', accountKey(attempt, who.email, who.address))
      .execute();
    if (anywhere) await giveBack(db, accountKey(attempt, who.email), anywhere);
  }
  await giveBack(db, networkKey(attempt, who.address), network);
}

/**
 * Clears an account's counts of sign-ins, second factors and forgotten passwords. The person who starts the server with
 * that account's password can then sign in.
 */
export async function clearAccountAttemptCounts(db: Db, email: string): Promise<void> {
  const ways = ['sign-in', 'second-factor', 'forgot-password'] as const;
  const keys = ways.map((attempt) => accountKey(attempt, email));
  await db
    .deleteFrom('throttles')
    .where((eb) => eb.or(keys.map((key) => eb('key', 'like', `${key}%`))))
    .execute();
}

async function giveBack(db: Db, key: string, { free }: Limit): Promise<void> {
  await sql`
    update throttles set attempts = attempts - 1,
      blocked_until = case when attempts - 1 < ${free}::int then null else blocked_until end
    where key = ${key} and attempts > 0`.execute(db);
}

async function take(db: Db, key: string, limit: Limit, now: Date, words = m.accounts_too_many_attempts): Promise<void> {
  if (await count(db, key, limit, now)) return;
  throw new AppError('too_many_requests', words(), { headers: await waitOf(db, key, now) });
}

/** Counts an attempt under this key. While the key is blocked, returns false and counts nothing. */
async function count(
  db: Db,
  key: string,
  { free, within, firstWait, longestWait }: Limit,
  now: Date,
): Promise<boolean> {
  const fresh = sql`t.expires_at <= ${now}`;
  const wait = sql`make_interval(secs => least(${longestWait}::int, ${firstWait}::int * power(2, least(t.attempts + 1 - ${free}::int, 20))))`;
  // After a wait, the count normally lasts for another window, so that further waits grow. If the wait is as long as
  // the window, the count ends together with the wait.
  const after = firstWait < within ? within : 0;
  const { rows } = await sql<{ attempts: number }>`
    insert into throttles as t (key, attempts, expires_at)
    values (${key}, 1, ${now}::timestamptz + make_interval(secs => ${within}))
    on conflict (key) do update set
      attempts = case when ${fresh} then 1 else t.attempts + 1 end,
      blocked_until = case when ${fresh} or t.attempts + 1 < ${free}::int then null else ${now}::timestamptz + ${wait} end,
      expires_at = case
        when ${fresh} then excluded.expires_at
        when t.attempts + 1 < ${free}::int then t.expires_at
        else ${now}::timestamptz + ${wait} + make_interval(secs => ${after}) end
    where t.blocked_until is null or t.blocked_until <= ${now}
    returning attempts`.execute(db);
  return rows.length > 0;
}

async function waitOf(db: Db, key: string, now: Date): Promise<Record<string, string>> {
  const row = await db.selectFrom('throttles').select('blocked_until').where('key', '=', key).executeTakeFirst();
  const wanted = Math.ceil(((row?.blocked_until ?? now).getTime() - now.getTime()) / 1000);
  return { 'retry-after': String(Math.max(1, wanted)) };
}

/**
 * The key under which attempts on an account are counted: from the network of `address`, or without `address` from all
 * networks. The email address is hashed, so that the table identifies nobody.
 */
function accountKey(attempt: AttemptKind, email: string, address?: string): string {
  const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  return `${attempt} account ${hash}${address === undefined ? '' : ` ${callerNetwork(address)}`}`;
}

function networkKey(attempt: AttemptKind, address: string): string {
  return `${attempt} network ${callerNetwork(address)}`;
}

function ownKey({ kind, id }: ActorCountKey): string {
  return `${kind} ${id}`;
}
