import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import { networkOf } from '#platform/server/client-address.ts';

/** Attempts without a delay, per account and per address, within the window. */
const limits = {
  'sign-in': { account: 10, address: 50 },
  register: { account: 10, address: 50 },
  'forgot-password': { account: 5, address: 50 },
  'reset-password': { account: 50, address: 50 },
  'verify-email': { account: 5, address: 50 },
  'account-link': { account: 5, address: 50 },
  social: { account: 50, address: 50 },
  device: { account: 20, address: 20 },
  // A whole network may be behind one address, and a resumed download counts again.
  'app-download': { account: 200, address: 200 },
} as const;
export type Attempt = keyof typeof limits;

const windowSeconds = 15 * 60;
const firstWaitSeconds = 30;
const longestWaitSeconds = 15 * 60;

export interface Who {
  /** As typed, whether or not the account exists; a refusal does not reveal that. */
  email?: string;
  address: string;
}

/**
 * Counts an attempt before it is made, so that many concurrent ones are all counted. Throws 429 with `Retry-After` once there
 * were too many; each further one doubles the wait, up to 15 minutes. Never call it inside the attempt's own transaction,
 * which a refusal would roll back.
 */
export async function countAttempt(db: Db, attempt: Attempt, who: Who, now: Date): Promise<void> {
  await count(db, addressKey(attempt, who.address), limits[attempt].address, now);
  if (who.email !== undefined) await count(db, accountKey(attempt, who.email), limits[attempt].account, now);
}

/** After a success the account's count is reset, and the address gets this one attempt back. */
export async function forgiveAttempt(db: Db, attempt: Attempt, who: Who): Promise<void> {
  if (who.email !== undefined) {
    await db.deleteFrom('throttles').where('key', '=', accountKey(attempt, who.email)).execute();
  }
  await sql`
    update throttles set attempts = attempts - 1,
      blocked_until = case when attempts - 1 < ${limits[attempt].address} then null else blocked_until end
    where key = ${addressKey(attempt, who.address)} and attempts > 0`.execute(db);
}

async function count(db: Db, key: string, limit: number, now: Date): Promise<void> {
  const fresh = sql`t.expires_at <= ${now}`;
  const wait = sql`make_interval(secs => least(${longestWaitSeconds}::int, ${firstWaitSeconds}::int * power(2, least(t.attempts + 1 - ${limit}::int, 20))))`;
  const { rows } = await sql<{ attempts: number }>`
    insert into throttles as t (key, attempts, expires_at)
    values (${key}, 1, ${now}::timestamptz + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      attempts = case when ${fresh} then 1 else t.attempts + 1 end,
      blocked_until = case when ${fresh} or t.attempts + 1 < ${limit}::int then null else ${now}::timestamptz + ${wait} end,
      expires_at = case
        when ${fresh} then excluded.expires_at
        when t.attempts + 1 < ${limit}::int then t.expires_at
        else ${now}::timestamptz + ${wait} + make_interval(secs => ${windowSeconds}) end
    where t.blocked_until is null or t.blocked_until <= ${now}
    returning attempts`.execute(db);
  if (rows.length > 0) return;
  const row = await db.selectFrom('throttles').select('blocked_until').where('key', '=', key).executeTakeFirst();
  const wanted = Math.ceil(((row?.blocked_until ?? now).getTime() - now.getTime()) / 1000);
  throw new AppError('too_many_requests', m.accounts_too_many_attempts(), {
    headers: { 'retry-after': String(Math.max(1, wanted)) },
  });
}

function accountKey(attempt: Attempt, email: string): string {
  return `${attempt} account ${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`;
}

function addressKey(attempt: Attempt, address: string): string {
  return `${attempt} address ${networkOf(address)}`;
}
