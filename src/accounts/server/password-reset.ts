import { randomBytes } from 'node:crypto';
import { resetMail } from '#accounts/server/account-mail.ts';
import { hashToken } from '#accounts/server/hash-token.ts';
import { findUserByEmail } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { unsentMail } from '#database/mail/mail.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const validFor = 60 * 60_000;
const queue = 'password-reset';

interface WantedReset {
  email: string;
}

/**
 * Queues a reset link to this email address. Whether it has an account is checked later, by the job: the answer
 * and its time are the same.
 */
export async function askForReset({ jobs }: Pick<AccountServices, 'jobs'>, tx: Tx, email: string): Promise<void> {
  await jobs.send<WantedReset>(tx, queue, { email }, { givenUpTo: unsentMail });
}

/** Starts sending requested links. If one is sent twice, after a crash, both work until one is used. */
export async function startPasswordResets(
  services: Pick<AccountServices, 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>,
): Promise<void> {
  await services.jobs.work<WantedReset>(queue, ({ email }) => sendLink(services, email), { batchSize: 1 });
}

/** The token of a link to choose a password; valid once, for so many milliseconds. */
export async function makePasswordLink(
  { db, now }: Pick<AccountServices, 'db' | 'now'>,
  userId: string,
  milliseconds: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(now().getTime() + milliseconds);
  await db
    .insertInto('password_resets')
    .values({ token_hash: hashToken(token), user_id: userId, expires_at })
    .execute();
  return token;
}

/** Uses up the token and returns its user; null when it is unknown, used or expired. */
export async function redeemReset(tx: Tx, token: string, now: Date): Promise<string | null> {
  const row = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Invalidates all earlier links. */
export async function forgetResets(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

async function sendLink(
  services: Pick<AccountServices, 'config' | 'db' | 'mail' | 'menus' | 'now'>,
  email: string,
): Promise<void> {
  const user = await findUserByEmail(services.db, email);
  if (!user) return;
  const token = await makePasswordLink(services, user.id, validFor);
  await services.mail.deliver(await resetMail(services, user, token));
}
