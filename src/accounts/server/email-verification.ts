import { randomBytes } from 'node:crypto';
import { mailTo } from '#accounts/server/account-mail.ts';
import { hashToken } from '#accounts/server/hash-token.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import type { WrittenMail } from '#mail/server/services.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const validFor = 24 * 60 * 60_000;

/** Queues a link to confirm the user's address, in the transaction that set that address. */
export async function askForVerification(
  { mail }: Pick<AccountServices, 'mail'>,
  tx: Tx,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
): Promise<void> {
  await mail.owe(tx, { kind: 'email_verification', to: email, about: { user_id: id } });
}

/**
 * Confirms the address that the link was sent to, if it is this user's and they still have it; null when the link is unknown or
 * expired, `another` when it is somebody else's. Using a link twice does no harm: it is valid until it expires.
 */
export async function confirmEmail(
  tx: Tx,
  { userId, token, now }: { userId: string | null; token: string; now: Date },
): Promise<UserRow | 'another' | null> {
  const link = await tx
    .selectFrom('email_verifications')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!link) return null;
  if (link.user_id !== userId) return 'another';
  const row = await tx
    .updateTable('users')
    .set((eb) => ({ email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(now)) }))
    .where('id', '=', link.user_id)
    .where('email', '=', link.email)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Writes the mail with the link when it is sent; null if the address was confirmed since. */
export async function writeVerification(
  services: Pick<AccountServices, 'config' | 'db' | 'menus' | 'now'>,
  userId: string,
): Promise<WrittenMail | null> {
  const { db, now } = services;
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (!user || user.email_verified_at) return null;
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('email_verifications')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      email: user.email,
      expires_at: new Date(now().getTime() + validFor),
    })
    .execute();
  return mailTo(services, db, user, 'email_verification', { token });
}
