import { randomBytes } from 'node:crypto';
import { mailTo } from '#accounts/server/account-mail.ts';
import { hashToken } from '#accounts/server/hash-token.ts';
import { findUserByEmail, isOnlyInvited } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { WrittenMail } from '#mail/server/services.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const validFor = 60 * 60_000;

/**
 * Queues a reset link to this email address. Whether it has an account is checked later, when it is sent: the answer
 * and its time are the same.
 */
export async function askForReset({ mail }: Pick<AccountServices, 'mail'>, tx: Tx, email: string): Promise<void> {
  await mail.owe(tx, { kind: 'password_reset', to: email, about: { email } });
}

/** Writes the mail with a requested link when it is sent. If it is sent twice, after a crash, both links work until one is used. */
export async function writeReset(
  services: Pick<AccountServices, 'config' | 'db' | 'menus' | 'now'>,
  email: string,
): Promise<WrittenMail | null> {
  const user = await findUserByEmail(services.db, email);
  if (!user || isOnlyInvited(user)) return null;
  const token = await makePasswordLink(services, user.id, validFor);
  return mailTo(services, services.db, user, 'password_reset', { token });
}

/** The token of a link to choose a password; valid once, for so many milliseconds. */
export async function makePasswordLink(
  { db, now }: Pick<AccountServices, 'db' | 'now'>,
  userId: string,
  milliseconds: number,
  isInvitation = false,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(now().getTime() + milliseconds);
  await db
    .insertInto('password_resets')
    .values({ token_hash: hashToken(token), user_id: userId, expires_at, is_invitation: isInvitation })
    .execute();
  return token;
}

/** Whether the token could be used up now: made-up ones are refused before anything is done for them. */
export async function isResetOpen(db: Db, token: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up the token and returns whose it is; null when it is unknown, used or expired. */
export async function redeemReset(
  tx: Tx,
  token: string,
  now: Date,
): Promise<{ userId: string; isInvitation: boolean } | null> {
  const row = await tx
    .deleteFrom('password_resets')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .returning(['user_id', 'is_invitation'])
    .executeTakeFirst();
  return row ? { userId: row.user_id, isInvitation: row.is_invitation } : null;
}

/** Invalidates all earlier links. */
export async function forgetResets(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}
