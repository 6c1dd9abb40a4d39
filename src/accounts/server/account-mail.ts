import { findUser, findUserByEmail, isPendingInvitation, type UserRow } from '#accounts/server/users.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import {
  type AccountMailData,
  tokenLink,
  type FactorChange,
  writeAccountMail,
} from '#accounts/server/write-account-mail.ts';
import type { AccountMailKind } from '#database/mail-values.ts';
import type { Db, Tx } from '#database/schema.ts';
import { hasMailServer, type WrittenMail } from '#mail/server/services.ts';
import { languageOfPerson } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';
import { randomBytes } from 'node:crypto';
import { hashToken } from '#accounts/server/hash-password.ts';
import { inTransaction } from '#database/transaction.ts';

export type AccountMailRecipient = Pick<UserRow, 'name' | 'email' | 'locale' | 'email_verified_at'>;
export interface NoticeServices {
  mail: Pick<AccountServices['mail'], 'send'>;
  config: Pick<AccountServices['config'], 'publicUrl'>;
  menus: Pick<AccountServices['menus'], 'store'>;
}

/**
 * Mails a notice to an account's owner: about a change, because a thief may have made it, or about an attempt to
 * register the address.
 */
export async function sendAccountNotice(
  tx: Tx,
  services: NoticeServices,
  notice: 'account_exists' | 'password_changed' | 'email_changed' | 'account_deleted',
  to: AccountMailRecipient,
): Promise<void> {
  await services.mail.send(tx, { kind: notice, ...(await writeAccountMailTo(services, tx, to, notice)) });
}

export async function sendIdentityNotice(
  tx: Tx,
  services: NoticeServices,
  notice: 'identity_connected' | 'identity_removed',
  { to, provider }: { to: AccountMailRecipient; provider: string },
): Promise<void> {
  await services.mail.send(tx, { kind: notice, ...(await writeAccountMailTo(services, tx, to, notice, { provider })) });
}

/**
 * Queues a notice about a sign-in: on a new device (`new_device`), or refused at the second factor after the right
 * password (`password_known`).
 */
export async function sendSignInNotice(
  tx: Tx,
  services: NoticeServices,
  notice: 'new_device' | 'password_known',
  { to, userAgent, at }: { to: AccountMailRecipient; userAgent: string; at: Date },
): Promise<void> {
  await services.mail.send(tx, {
    kind: notice,
    ...(await writeAccountMailTo(services, tx, to, notice, { userAgent, at })),
  });
}

interface FactorNotice extends Pick<AccountMailData, 'userAgent' | 'passkey' | 'by'> {
  to: AccountMailRecipient;
  change: FactorChange;
  at: Date;
}

export async function sendFactorNotice(
  tx: Tx,
  services: NoticeServices,
  { to, ...about }: FactorNotice,
): Promise<void> {
  const kind = 'sign_in_changed';
  await services.mail.send(tx, { kind, ...(await writeAccountMailTo(services, tx, to, kind, about)) });
}

export async function writeAccountMailTo(
  { config, menus }: Omit<NoticeServices, 'mail'>,
  db: Db,
  to: AccountMailRecipient,
  kind: AccountMailKind,
  about: Partial<AccountMailData> = {},
): Promise<WrittenMail> {
  const known = await menus.store(db);
  const language = languageOfPerson(to);
  // A stranger may have typed the name of an unconfirmed account, so the mail omits the name. An invitation has the
  // name that the shop's owner typed.
  const isNamed = kind === 'invitation' || to.email_verified_at !== null;
  const shop = { name: known?.store.name ?? 'Hatch', timezone: known?.store.timezone ?? 'UTC' };
  const content = runInLanguage(language, () =>
    writeAccountMail(kind, { shop, name: isNamed ? to.name : '', publicUrl: config.publicUrl, ...about }),
  );
  return { to: to.email, name: to.name, language, storeId: known?.store.id ?? null, content };
}

const validFor = 24 * 60 * 60_000;

/** Queues a link to confirm the user's address, in the transaction that set that address. */
export async function queueVerificationMail(
  { mail }: Pick<AccountServices, 'mail'>,
  tx: Tx,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
): Promise<void> {
  await mail.owe(tx, { kind: 'email_verification', to: email, about: { user_id: id } });
}

/**
 * Confirms the email address to which the link was mailed. Returns `another` if the link belongs to another user.
 * Returns null if the link is unknown or expired, or if the address has changed. The link can be used again until it
 * expires.
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

/**
 * Writes the verification mail when it is sent, because the link is never stored. Null: the address was confirmed or
 * the account deleted in the meantime.
 */
async function writeVerification(
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
  return writeAccountMailTo(services, db, user, 'email_verification', { token });
}

const invitationValidFor = 7 * 24 * 60 * 60_000;

/**
 * Queues an invitation with a link to choose a password. Without a mail server the link is returned for the inviting
 * person; otherwise null.
 */
export async function sendInvitation(
  { config, mail }: Pick<AccountServices, 'config' | 'mail'>,
  tx: Tx,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<string | null> {
  await mail.owe(tx, { kind: 'invitation', to: email, about: { user_id: id } });
  if (hasMailServer(config)) return null;
  const token = await createPasswordToken({ db: tx, now: () => now }, id, invitationValidFor, true);
  return tokenLink(config, 'reset-password', token);
}

/**
 * Writes the invitation when it is sent, because the link is never stored; null if the invitation was accepted or
 * withdrawn.
 */
async function writeInvitation(
  services: Pick<AccountServices, 'config' | 'db' | 'menus' | 'now'>,
  userId: string,
): Promise<WrittenMail | null> {
  const user = await services.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  // A customer who is invited as staff (`user.invited`) already has an account. Without a mail server, mails are files,
  // and a link in a file would let its reader open the account. So no link is made.
  const isAwaited = user && (user.invited ? hasMailServer(services.config) : isPendingInvitation(user));
  if (!isAwaited) return null;
  const token = await createPasswordToken(services, user.id, invitationValidFor, true);
  return writeAccountMailTo(services, services.db, user, 'invitation', { token });
}

const resetValidFor = 60 * 60_000;

/**
 * Queues a reset link to this address. The mail's job checks whether the address has an account, so neither the
 * response nor the response time reveals the account.
 */
export async function queueResetMail({ mail }: Pick<AccountServices, 'mail'>, tx: Tx, email: string): Promise<void> {
  await mail.owe(tx, { kind: 'password_reset', to: email, about: { email } });
}

/**
 * Writes the reset mail when it is sent; null: the address has no account, or only a pending invitation. If a crash
 * causes a second mail, both links work until one is used.
 */
async function writeReset(
  services: Pick<AccountServices, 'config' | 'db' | 'menus' | 'now'>,
  email: string,
): Promise<WrittenMail | null> {
  const user = await findUserByEmail(services.db, email);
  if (!user || isPendingInvitation(user)) return null;
  const token = await createPasswordToken(services, user.id, resetValidFor);
  return writeAccountMailTo(services, services.db, user, 'password_reset', { token });
}

/** Makes a link to choose a password, and returns its token, which works once within `milliseconds`. */
export async function createPasswordToken(
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

/** Whether a reset token is valid, so that invented tokens are refused before the password is hashed. */
export async function isResetTokenValid(db: Db, token: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Redeems the token and returns its user; null when it is unknown, used or expired. */
export async function redeemResetToken(
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

export async function deletePasswordLinks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

export function registerAccountMailWriters(
  services: Pick<AccountServices, 'config' | 'db' | 'mail' | 'menus' | 'now'>,
): void {
  const { mail } = services;
  // The casts are right: only the functions above queue these kinds, each with these fields of `about`.
  mail.writtenBy(['password_reset'], ({ about }) => writeReset(services, about['email'] as string));
  mail.writtenBy(['email_verification'], ({ about }) => writeVerification(services, about['user_id'] as string));
  mail.writtenBy(['invitation'], ({ about }) => writeInvitation(services, about['user_id'] as string));
}

export async function registerOldAccountMailQueues(
  services: Pick<AccountServices, 'config' | 'db' | 'jobs' | 'mail' | 'now'>,
): Promise<void> {
  const { db, jobs } = services;
  const toUser = (owe: (tx: Tx, user: { id: string; email: string }) => Promise<unknown>) => (id: string) =>
    inTransaction(db, async (tx) => {
      const user = await findUser(tx, id);
      if (user) await owe(tx, user);
    });
  const verify = toUser((tx, user) => queueVerificationMail(services, tx, user));
  const invite = toUser((tx, user) => sendInvitation(services, tx, user, services.now()));
  await jobs.work<{ email: string }>('password-reset', ({ email }) =>
    inTransaction(db, (tx) => queueResetMail(services, tx, email)),
  );
  await jobs.work<{ user_id: string }>('email-verification', ({ user_id: id }) => verify(id));
  await jobs.work<{ userId: string }>('staff-invitation', ({ userId: id }) => invite(id));
}
