import { askForReset, writeReset } from '#accounts/server/password-reset.ts';
import { askForVerification, writeVerification } from '#accounts/server/email-verification.ts';
import { sendInvitation, writeInvitation } from '#accounts/server/invitation.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { findUser } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';

/** Registers the writers of mails with secret links. */
export function writeAccountMails(services: Pick<AccountServices, 'config' | 'db' | 'mail' | 'menus' | 'now'>): void {
  const { mail } = services;
  // Only the functions of each queue it.
  mail.writtenBy(['password_reset'], ({ about }) => writeReset(services, about['email'] as string));
  mail.writtenBy(['email_verification'], ({ about }) => writeVerification(services, about['user_id'] as string));
  mail.writtenBy(['invitation'], ({ about }) => writeInvitation(services, about['user_id'] as string));
}

/** Queues the mails of an earlier version's own queues. */
export async function takeEarlierMails(
  services: Pick<AccountServices, 'config' | 'db' | 'jobs' | 'mail' | 'now'>,
): Promise<void> {
  const { db, jobs } = services;
  const toUser = (owe: (tx: Tx, user: { id: string; email: string }) => Promise<unknown>) => (id: string) =>
    inTransaction(db, async (tx) => {
      const user = await findUser(tx, id);
      if (user) await owe(tx, user);
    });
  const verify = toUser((tx, user) => askForVerification(services, tx, user));
  const invite = toUser((tx, user) => sendInvitation(services, tx, user, services.now()));
  await jobs.work<{ email: string }>('password-reset', ({ email }) =>
    inTransaction(db, (tx) => askForReset(services, tx, email)),
  );
  await jobs.work<{ user_id: string }>('email-verification', ({ user_id: id }) => verify(id));
  await jobs.work<{ userId: string }>('staff-invitation', ({ userId: id }) => invite(id));
}
