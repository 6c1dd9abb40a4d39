import { mailTo } from '#accounts/server/account-mail.ts';
import { makePasswordLink } from '#accounts/server/password-reset.ts';
import { secretLink } from '#accounts/server/write-account-mail.ts';
import { isOnlyInvited } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import { sendsMail } from '#mail/server/sender.ts';
import type { WrittenMail } from '#mail/server/services.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const validFor = 7 * 24 * 60 * 60_000;

/**
 * Queues an invitation to a new member of staff, with the link to choose a password. Without a mail server nobody gets
 * it: then the link is returned, for the person who invites them; else null.
 */
export async function sendInvitation(
  { config, mail }: Pick<AccountServices, 'config' | 'mail'>,
  tx: Tx,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<string | null> {
  await mail.owe(tx, { kind: 'invitation', to: email, about: { user_id: id } });
  if (sendsMail(config)) return null;
  const token = await makePasswordLink({ db: tx, now: () => now }, id, validFor, true);
  return secretLink(config, 'reset-password', token);
}

/** Writes the invitation when it is sent, because it has a link that is never stored. */
export async function writeInvitation(
  services: Pick<AccountServices, 'config' | 'db' | 'menus' | 'now'>,
  userId: string,
): Promise<WrittenMail | null> {
  const user = await services.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  // In files the link would open an account that has its owner.
  const isAwaited = user && (user.invited ? sendsMail(services.config) : isOnlyInvited(user));
  if (!isAwaited) return null;
  const token = await makePasswordLink(services, user.id, validFor, true);
  return mailTo(services, services.db, user, 'invitation', { token });
}
