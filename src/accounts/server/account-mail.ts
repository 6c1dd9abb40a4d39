import type { UserRow } from '#accounts/server/users.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { type AccountMailAbout, type SignInChange, writeAccountMail } from '#accounts/server/write-account-mail.ts';
import type { AccountMailKind } from '#database/mail-columns.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { WrittenMail } from '#mail/server/services.ts';
import { languageOfPerson } from '#platform/language.ts';
import { inLanguage } from '#platform/server/request-language.ts';

export type Recipient = Pick<UserRow, 'name' | 'email' | 'locale' | 'email_verified_at'>;
export interface NoticeServices {
  mail: Pick<AccountServices['mail'], 'send'>;
  config: Pick<AccountServices['config'], 'publicUrl'>;
  menus: Pick<AccountServices['menus'], 'store'>;
}

/** Queues a mail to the account's owner about a change, so that a thief cannot make it unnoticed. */
export async function sendNotice(
  tx: Tx,
  services: NoticeServices,
  notice: 'account_exists' | 'password_changed' | 'email_changed' | 'account_deleted',
  to: Recipient,
): Promise<void> {
  await services.mail.send(tx, { kind: notice, ...(await mailTo(services, tx, to, notice)) });
}

/** The same about a sign-in provider that was connected to the account, or is no longer; `provider` is its name. */
export async function sendIdentityNotice(
  tx: Tx,
  services: NoticeServices,
  notice: 'identity_connected' | 'identity_removed',
  { to, provider }: { to: Recipient; provider: string },
): Promise<void> {
  await services.mail.send(tx, { kind: notice, ...(await mailTo(services, tx, to, notice, { provider })) });
}

/** The same about a sign-in on a device that the account was not used on, or one that stopped there at the second factor. */
export async function sendDeviceNotice(
  tx: Tx,
  services: NoticeServices,
  notice: 'new_device' | 'password_known',
  { to, userAgent, at }: { to: Recipient; userAgent: string; at: Date },
): Promise<void> {
  await services.mail.send(tx, { kind: notice, ...(await mailTo(services, tx, to, notice, { userAgent, at })) });
}

interface Told extends Pick<AccountMailAbout, 'userAgent' | 'passkey' | 'by'> {
  to: Recipient;
  change: SignInChange;
  at: Date;
}

/** The same about a change of how they sign in, beside the password; `userAgent` is that of the person who made it. */
export async function sendSignInNotice(tx: Tx, services: NoticeServices, { to, ...about }: Told): Promise<void> {
  const kind = 'sign_in_changed';
  await services.mail.send(tx, { kind, ...(await mailTo(services, tx, to, kind, about)) });
}

/** A mail with a secret link, in its receiver's own language, not the caller's. */
export async function mailTo(
  { config, menus }: Omit<NoticeServices, 'mail'>,
  db: Db,
  to: Recipient,
  kind: AccountMailKind,
  about: Partial<AccountMailAbout> = {},
): Promise<WrittenMail> {
  const known = await menus.store(db);
  const language = languageOfPerson(to);
  // The owner has typed the name of who is invited.
  const isNamed = kind === 'invitation' || to.email_verified_at !== null;
  const shop = { name: known?.store.name ?? 'Hatch', timezone: known?.store.timezone ?? 'UTC' };
  const content = inLanguage(language, () =>
    writeAccountMail(kind, { shop, name: isNamed ? to.name : '', publicUrl: config.publicUrl, ...about }),
  );
  return { to: to.email, name: to.name, language, storeId: known?.store.id ?? null, content };
}
