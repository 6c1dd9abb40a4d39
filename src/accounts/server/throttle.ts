import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import { networkOf } from '#platform/server/client-address.ts';

/** How much is free, and how long one more has to wait. */
interface Limit {
  /** Attempts without a wait. */
  free: number;
  /** Seconds in which they count. */
  within: number;
  /** Seconds; each further attempt doubles the wait, up to the longest. */
  firstWait: number;
  longestWait: number;
}

const hour = 60 * 60;
const quarter = 15 * 60;
const slower = (free: number): Limit => ({ free, within: quarter, firstWait: 30, longestWait: quarter });
const hourly = (free: number): Limit => ({ free, within: hour, firstWait: hour, longestWait: hour });

interface Limits {
  /** From one network, which may be a whole café. */
  network: Limit;
  /** On one account, or one email address, from one network: nobody elsewhere uses up its owner's attempts. */
  account?: Limit;
  /** On one account or address of mail, from anywhere. */
  anywhere?: Limit;
}

const limits = {
  // From many networks at once, guessing is stopped by the account's own limit. Then only known devices sign in to it.
  'sign-in': { network: slower(200), account: slower(10), anywhere: hourly(200) },
  register: { network: slower(50), account: slower(10) },
  'forgot-password': { network: slower(50), account: slower(5) },
  'reset-password': { network: slower(50) },
  'verify-email': { network: slower(50), anywhere: slower(5) },
  // Not from anywhere: a stranger would use up the owner's complaints. Its mails have a count: `mayMailComplaint`.
  complaint: { network: slower(10), account: slower(3) },
  'account-link': { network: slower(50), anywhere: slower(5) },
  setup: { network: slower(20), anywhere: hourly(200) },
  passkey: { network: slower(50) },
  'second-factor': { network: slower(50), account: slower(10), anywhere: hourly(100) },
  social: { network: slower(50) },
  device: { network: slower(20) },
  // A resumed download counts again.
  'app-download': { network: slower(200) },
} satisfies Record<string, Limits>;
export type Attempt = keyof typeof limits;

/** A count of one's own, which nobody else uses up. */
export interface OwnCount {
  /** A device on which the account was signed in before, or a sign-in whose person has to show the password. */
  kind: 'known device' | 'password' | 'email change' | 'second factor' | 'proof';
  id: string;
}

/** A stolen device or sign-in must not allow guessing either. */
const ofOwn = slower(10);
/** Mails with a link to one address, from all callers. Each link is valid for an hour, so its reader always has one. */
const ofResetMails = hourly(10);
/** Acknowledgements of complaints to one address, from all callers. The complaints are all stored. */
const ofComplaintMails = hourly(5);
/** Word to an address that somebody tried to open another account with it. */
const ofExistsMails = hourly(2);

/** Enough for a café's network or a mobile provider's address, and too few to make up customers. */
const newInstalls: Limit = { free: 20, within: 24 * hour, firstWait: 24 * hour, longestWait: 24 * hour };

export interface Sender {
  /** As typed, whether or not the account exists; a refusal does not reveal that. */
  email?: string;
  address: string;
}

/**
 * Counts an attempt before it is made, so that many concurrent ones are all counted. Throws 429 with `Retry-After` once there
 * were too many. Never call it inside the attempt's own transaction, which a refusal would roll back.
 */
export async function countAttempt(db: Db, attempt: Attempt, who: Sender, now: Date): Promise<void> {
  const { network, account, anywhere }: Limits = limits[attempt];
  const words = attempt === 'sign-in' ? m.accounts_only_known_devices : m.accounts_too_many_attempts;
  await take(db, networkKey(attempt, who.address), network, now);
  if (who.email === undefined) return;
  if (account) await take(db, accountKey(attempt, who.email, who.address), account, now);
  if (anywhere) await take(db, accountKey(attempt, who.email), anywhere, now, words);
}

/** As `countAttempt`, by the count of its own alone. */
export async function countOwn(db: Db, own: OwnCount, now: Date): Promise<void> {
  await take(db, ownKey(own), ofOwn, now);
}

export async function forgiveOwn(db: Db, own: OwnCount): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', ownKey(own)).execute();
}

/** Whether one more mail with a link to choose a password may go to this address within the hour. */
export async function mayMailReset(db: Db, email: string, now: Date): Promise<boolean> {
  return count(db, accountKey('forgot-password', email), ofResetMails, now);
}

/** Whether one more acknowledgement of a complaint may go to this address within the hour. */
export async function mayMailComplaint(tx: Tx, email: string, now: Date): Promise<boolean> {
  return count(tx, accountKey('complaint', email), ofComplaintMails, now);
}

/** Whether the owner of this address may be told once more that somebody tried to open an account with it. */
export async function mayMailExists(db: Db, email: string, now: Date): Promise<boolean> {
  return count(db, accountKey('register', email), ofExistsMails, now);
}

/** Whether the owner of this address may be told again that somebody knows the password: once an hour. */
export async function mayMailStop(tx: Tx, email: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into throttles as t (key, attempts, expires_at)
    values (${`${accountKey('second-factor', email)} mail`}, 1, ${now}::timestamptz + make_interval(secs => ${hour}))
    on conflict (key) do update set expires_at = excluded.expires_at where t.expires_at <= ${now}
    returning key`.execute(tx);
  return rows.length > 0;
}

/** Whether one more app that was never seen before may be counted for this network within the day. */
export async function mayCountInstall(db: Db, address: string, now: Date): Promise<boolean> {
  return count(db, `app-install network ${networkOf(address)}`, newInstalls, now);
}

/** After a success the account's own count from this network is reset, and the others get this one attempt back. */
export async function forgiveAttempt(db: Db, attempt: Attempt, who: Sender): Promise<void> {
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
 * Clears the counts on one account's ways in, from anywhere: the person who starts the server with its password is let
 * in.
 */
export async function forgiveAccount(db: Db, email: string): Promise<void> {
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

/** Counts one more. Returns whether it may be made: not while earlier ones make it wait, and then it is not counted. */
async function count(
  db: Db,
  key: string,
  { free, within, firstWait, longestWait }: Limit,
  now: Date,
): Promise<boolean> {
  const fresh = sql`t.expires_at <= ${now}`;
  const wait = sql`make_interval(secs => least(${longestWait}::int, ${firstWait}::int * power(2, least(t.attempts + 1 - ${free}::int, 20))))`;
  // A wait as long as the window ends it: then counting restarts.
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

/** Of an account from one network, or from anywhere. The email address is hashed: the table names nobody. */
function accountKey(attempt: Attempt, email: string, address?: string): string {
  const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  return `${attempt} account ${hash}${address === undefined ? '' : ` ${networkOf(address)}`}`;
}

function networkKey(attempt: Attempt, address: string): string {
  return `${attempt} network ${networkOf(address)}`;
}

function ownKey({ kind, id }: OwnCount): string {
  return `${kind} ${id}`;
}
