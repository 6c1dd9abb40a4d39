import { invitationMail } from '#accounts/server/account-mail.ts';
import { makePasswordLink } from '#accounts/server/password-reset.ts';
import type { Tx } from '#database/schema.ts';
import { unsentMail } from '#database/mail/mail.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const validFor = 7 * 24 * 60 * 60_000;
const queue = 'staff-invitation';

/** Queues an invitation to a new member of staff, with the link to choose a password. */
export async function sendInvitation({ jobs }: Pick<AccountServices, 'jobs'>, tx: Tx, userId: string): Promise<void> {
  await jobs.send(tx, queue, { userId }, { givenUpTo: unsentMail });
}

/** Starts sending the invitations. The link is made here, so that no queue stores it. */
export async function startInvitations(
  services: Pick<AccountServices, 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>,
): Promise<void> {
  await services.jobs.work<{ userId: string }>(queue, ({ userId }) => invite(services, userId), { batchSize: 1 });
}

async function invite(
  services: Pick<AccountServices, 'config' | 'db' | 'mail' | 'menus' | 'now'>,
  userId: string,
): Promise<void> {
  const user = await services.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (!user || user.password_hash !== null) return;
  const token = await makePasswordLink(services, user.id, validFor);
  await services.mail.deliver(await invitationMail(services, user, token));
}
