import { m } from '#messages';
import type { UserRow } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { languageOfPerson } from '#platform/language.ts';
import { inLanguage } from '#platform/server/request-language.ts';
import type { Message } from '#database/mail/mail.ts';
import type { AccountServices } from '#accounts/server/services.ts';

type Recipient = Pick<UserRow, 'name' | 'email' | 'locale'>;
type Notice = 'password-changed' | 'email-changed' | 'account-deleted';
/** A sign-in provider was connected to the account, or is no longer. */
type IdentityNotice = 'identity-connected' | 'identity-removed';

/** Queues a mail to the account's owner about a change, so that a thief cannot make it unnoticed. */
export async function sendNotice(
  tx: Tx,
  services: { config: Pick<AccountServices['config'], 'publicUrl'> } & Pick<AccountServices, 'mail' | 'menus'>,
  notice: Notice,
  to: Recipient,
): Promise<void> {
  const link = `${services.config.publicUrl}/forgot-password`;
  const message = await mailTo(services, tx, to, (shop) => words(notice, { shop, name: to.name, link }));
  await services.mail.send(tx, message);
}

/** The same about a way to sign in; `provider` is its name. */
export async function sendIdentityNotice(
  tx: Tx,
  services: Pick<AccountServices, 'config' | 'mail' | 'menus'>,
  notice: IdentityNotice,
  { to, provider }: { to: Recipient; provider: string },
): Promise<void> {
  const link = `${services.config.publicUrl}/customer/profile`;
  const message = await mailTo(services, tx, to, (shop) => {
    const about = { shop, name: to.name, provider, link };
    return notice === 'identity-connected'
      ? { subject: m.accounts_connected_mail_subject(about), text: m.accounts_connected_mail(about) }
      : { subject: m.accounts_disconnected_mail_subject(about), text: m.accounts_disconnected_mail(about) };
  });
  await services.mail.send(tx, message);
}

/** Sends the mail with the link to choose a new password. It holds a secret, so it is sent immediately and never queued. */
export function resetMail(
  services: Pick<AccountServices, 'config' | 'db' | 'menus'>,
  to: Recipient,
  token: string,
): Promise<Message> {
  const link = `${services.config.publicUrl}/reset-password#token=${token}`;
  return mailTo(services, services.db, to, (shop) => ({
    subject: m.accounts_reset_mail_subject({ shop }),
    text: m.accounts_reset_mail({ name: to.name, shop, link }),
  }));
}

/** The mail with the link to confirm its address; sent like the one above. */
export function verificationMail(
  services: Pick<AccountServices, 'config' | 'db' | 'menus'>,
  to: Recipient,
  token: string,
): Promise<Message> {
  const link = `${services.config.publicUrl}/verify-email#token=${token}`;
  return mailTo(services, services.db, to, (shop) => ({
    subject: m.accounts_verify_mail_subject({ shop }),
    text: m.accounts_verify_mail({ name: to.name, shop, link }),
  }));
}

/** The mail that lets a new member of staff choose their password. A secret, like the one above. */
export function invitationMail(
  services: Pick<AccountServices, 'config' | 'db' | 'menus'>,
  to: Recipient,
  token: string,
): Promise<Message> {
  const link = `${services.config.publicUrl}/reset-password#token=${token}`;
  return mailTo(services, services.db, to, (shop) => ({
    subject: m.accounts_invitation_mail_subject({ shop }),
    text: m.accounts_invitation_mail({ name: to.name, shop, link }),
  }));
}

/** A mail in its receiver's own language, whoever causes it. */
async function mailTo(
  services: Pick<AccountServices, 'menus'>,
  db: Db,
  to: Recipient,
  write: (shop: string) => Pick<Message, 'subject' | 'text'>,
): Promise<Message> {
  const shop = await shopName(services, db);
  return { to: to.email, fromName: shop, ...inLanguage(languageOfPerson(to), () => write(shop)) };
}

function words(notice: Notice, { shop, name, link }: Record<'shop' | 'name' | 'link', string>) {
  if (notice === 'password-changed') {
    return {
      subject: m.accounts_password_mail_subject({ shop }),
      text: m.accounts_password_mail({ name, shop, link }),
    };
  }
  if (notice === 'email-changed') {
    return { subject: m.accounts_email_mail_subject({ shop }), text: m.accounts_email_mail({ name, shop }) };
  }
  return { subject: m.accounts_deleted_mail_subject({ shop }), text: m.accounts_deleted_mail({ name, shop }) };
}

async function shopName({ menus }: Pick<AccountServices, 'menus'>, db: Db): Promise<string> {
  return (await menus.store(db))?.store.name ?? 'Hatch';
}
