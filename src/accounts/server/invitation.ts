import { mailTo } from '#accounts/server/account-mail.ts';
import { makePasswordLink } from '#accounts/server/password-reset.ts';
import type { Tx } from '#database/schema.ts';
import type { WrittenMail } from '#mail/server/services.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const validFor = 7 * 24 * 60 * 60_000;

/** Queues an invitation to a new member of staff, with the link to choose a password. */
export async function sendInvitation(
  { mail }: Pick<AccountServices, 'mail'>,
  tx: Tx,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await mail.owe(tx, { kind: 'invitation', to: email, about: { user_id: id } });
}

/** Writes the invitation when it is sent, because it has a link that is never stored. */
export async function writeInvitation(
  services: Pick<AccountServices, 'config' | 'db' | 'menus' | 'now'>,
  userId: string,
): Promise<WrittenMail | null> {
  const user = await services.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (!user || user.password_hash !== null) return null;
  const token = await makePasswordLink(services, user.id, validFor);
  return mailTo(services, services.db, user, 'invitation', { token });
}
