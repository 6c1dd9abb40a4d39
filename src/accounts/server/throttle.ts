import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import { networkOf } from '#platform/server/client-address.ts';

/** The free attempts, and the wait of further ones. */
interface Limit {
  /** Attempts without a wait. */
  free: number;
  /** Seconds of the window. */
  within: number;
  /** Seconds; it doubles with each further attempt, up to the longest. */
  firstWait: number;
  longestWait: number;
}

const hour = 60 * 60;
const quarter = 15 * 60;
const slower = (free: number): Limit => ({ free, within: quarter, firstWait: 30, longestWait: quarter });
const hourly = (free: number): Limit => ({ free, within: hour, firstWait: hour, longestWait: hour });

interface Limits {
  /** By one network, which may be a whole café. */
  network: Limit;
  /** For one account or email address by one network: strangers elsewhere do not consume its owner's attempts. */
  account?: Limit;
  /** For one account or mail address, from anywhere. */
  anywhere?: Limit;
}

const limits = {
  // Guesses from many networks end at the account's own limit. Then only known devices can sign in.
  'sign-in': { network: slower(200), account: slower(10), anywhere: hourly(200) },
  register: { network: slower(50), account: slower(10) },
  'forgot-password': { network: slower(50), account: slower(5) },
  'reset-password': { network: slower(50) },
  'verify-email': { network: slower(50), anywhere: slower(5) },
  // Not from anywhere, because strangers would consume the owner's. `mayMailComplaint` limits its mails.
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

/** A person's own count, which nobody else consumes. */
export interface OwnCount {
  /** A known device, or a sign-in whose person must show the password. */
  kind: 'known device' | 'password' | 'email change' | 'second factor' | 'proof';
  id: string;
}

/** A stolen device or sign-in must not allow guessing. */
const ofOwn = slower(10);
/** Mails with a link to one address, from all callers. Each link is valid for an hour, so its reader has one. */
const ofResetMails = hourly(10);
/** Acknowledgements to one address, from all callers. All complaints are stored. */
const ofComplaintMails = hourly(5);
/** Mails to an address about another attempt to register it. */
const ofExistsMails = hourly(2);

/** Enough for a café's or a mobile provider's address, and too few to fake customers. */
const newInstalls: Limit = { free: 20, within: 24 * hour, firstWait: 24 * hour, longestWait: 24 * hour };

export interface Sender {
  /** As typed, for an account or none; a refusal does not reveal which. */
  email?: string;
  address: string;
}

/**
 * Counts an attempt before it is made, so that concurrent ones all count. Throws 429 with `Retry-After`. Never inside
 * the attempt's own transaction, whose rollback would undo the count.
 */
export async function countAttempt(db: Db, attempt: Attempt, who: Sender, now: Date): Promise<void> {
  const { network, account, anywhere }: Limits = limits[attempt];
  const words = attempt === 'sign-in' ? m.accounts_only_known_devices : m.accounts_too_many_attempts;
  await take(db, networkKey(attempt, who.address), network, now);
  if (who.email === undefined) return;
  if (account) await take(db, accountKey(attempt, who.email, who.address), account, now);
  if (anywhere) await take(db, accountKey(attempt, who.email), anywhere, now, words);
}

/** As `countAttempt`, by its own count alone. */
export async function countOwn(db: Db, own: OwnCount, now: Date): Promise<void> {
  await take(db, ownKey(own), ofOwn, now);
}

export async function forgiveOwn(db: Db, own: OwnCount): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', ownKey(own)).execute();
}

/** Whether the hour allows one more mail with a password link to this address. */
export async function mayMailReset(db: Db, email: string, now: Date): Promise<boolean> {
  return count(db, accountKey('forgot-password', email), ofResetMails, now);
}

/** Whether the hour allows one more acknowledgement to this address. */
export async function mayMailComplaint(tx: Tx, email: string, now: Date): Promise<boolean> {
  return count(tx, accountKey('complaint', email), ofComplaintMails, now);
}

/** Whether this address may be mailed again about an attempt to register it. */
export async function mayMailExists(db: Db, email: string, now: Date): Promise<boolean> {
  return count(db, accountKey('register', email), ofExistsMails, now);
}

/** Whether this address may be mailed again that somebody knows the password: hourly. */
export async function mayMailStop(tx: Tx, email: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into throttles as t (key, attempts, expires_at)
    values (${`${accountKey('second-factor', email)} mail`}, 1, ${now}::timestamptz + make_interval(secs => ${hour}))
    on conflict (key) do update set expires_at = excluded.expires_at where t.expires_at <= ${now}
    returning key`.execute(tx);
  return rows.length > 0;
}

/** Whether the day allows one more new app of this network. */
export async function mayCountInstall(db: Db, address: string, now: Date): Promise<boolean> {
  return count(db, `app-install network ${networkOf(address)}`, newInstalls, now);
}

/** After a success, the account's count from this network is reset, and the others get one attempt back. */
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

/** Clears all counts of one account: the person who starts the server with its password is let in. */
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

/** Counts one more. False, without counting, while earlier ones make it wait. */
async function count(
  db: Db,
  key: string,
  { free, within, firstWait, longestWait }: Limit,
  now: Date,
): Promise<boolean> {
  const fresh = sql`t.expires_at <= ${now}`;
  const wait = sql`make_interval(secs => least(${longestWait}::int, ${firstWait}::int * power(2, least(t.attempts + 1 - ${free}::int, 20))))`;
  // A wait as long as the window ends it; then counting restarts.
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

/** By account and network, or from anywhere. The address is hashed: the table identifies nobody. */
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
