import { randomBytes } from 'node:crypto';
import { verificationMail } from '#accounts/server/account-mail.ts';
import { hashToken } from '#accounts/server/hash-token.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import { unsentMail } from '#database/mail/mail.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const validFor = 24 * 60 * 60_000;
const queue = 'email-verification';

interface WantedLink {
  user_id: string;
}

/** Queues a link to confirm the user's address, in the transaction that set that address. */
export async function askForVerification(
  { jobs }: Pick<AccountServices, 'jobs'>,
  tx: Tx,
  userId: string,
): Promise<void> {
  await jobs.send<WantedLink>(tx, queue, { user_id: userId }, { givenUpTo: unsentMail });
}

/** Starts sending the queued links. */
export async function startEmailVerifications(
  services: Pick<AccountServices, 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>,
): Promise<void> {
  await services.jobs.work<WantedLink>(queue, ({ user_id: id }) => sendLink(services, id), { batchSize: 1 });
}

/**
 * Confirms the address that the link was sent to, if the user still has it; null when the link is unknown or expired.
 * Opening a link twice does no harm: it is valid until it expires.
 */
export async function confirmEmail(tx: Tx, token: string, now: Date): Promise<UserRow | null> {
  const link = await tx
    .selectFrom('email_verifications')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!link) return null;
  const row = await tx
    .updateTable('users')
    .set((eb) => ({ email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(now)) }))
    .where('id', '=', link.user_id)
    .where('email', '=', link.email)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

async function sendLink(
  services: Pick<AccountServices, 'config' | 'db' | 'mail' | 'menus' | 'now'>,
  userId: string,
): Promise<void> {
  const user = await services.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (!user || user.email_verified_at) return;
  const token = randomBytes(32).toString('base64url');
  await services.db
    .insertInto('email_verifications')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      email: user.email,
      expires_at: new Date(services.now().getTime() + validFor),
    })
    .execute();
  await services.mail.deliver(await verificationMail(services, user, token));
}
