import { m } from '#messages';
import type { SignIn, User } from '#accounts/contract.ts';
import type { FactorsExport } from '#accounts/factor-contract.ts';
import { presentPasskey } from '#accounts/server/factors/factor-calls.ts';
import { factorsOf, removeFactors, type TotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import { listIdentities, removeIdentities } from '#accounts/server/social/identities.ts';
import { listKnownDevices } from '#accounts/server/known-devices.ts';
import { endSignIns, listSignIns, createSocketReauthoriser } from '#accounts/server/sign-ins.ts';
import { findUser, findUserByEmail, lockUserRow, presentUser, type UserRow } from '#accounts/server/users.ts';
import { sql } from 'kysely';
import { eraseAuditDetailsOf } from '#database/audit.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import type { RegisterAfterCommit } from '#platform/http/audited-call.ts';
import { deletePasswordLinks, writeAccountMailTo, type NoticeServices } from '#accounts/server/account-mail.ts';

interface ExportedPerson {
  user: UserRow;
  viewer: Viewer;
  now: Date;
}

export const accountDataExports = {
  user: async (_db: Db, { user }: ExportedPerson): Promise<User & { created_at: string }> => ({
    ...presentUser(user),
    created_at: user.created_at.toISOString(),
  }),
  known_devices: (db: Db, { user, now }: ExportedPerson) => listKnownDevices(db, user.id, now),
  sign_ins: (db: Db, { viewer, now }: ExportedPerson): Promise<SignIn[]> => listSignIns(db, viewer, now),
  second_factors: async (db: Db, { user }: ExportedPerson): Promise<FactorsExport> => {
    const { passkeys, totp, recoveryCodes } = await factorsOf(db, user.id);
    return {
      passkeys: passkeys.map(presentPasskey),
      totp_since: totp?.confirmed_at.toISOString() ?? null,
      recovery_codes_left: recoveryCodes,
    };
  },
  identities: async (db: Db, { user }: ExportedPerson) =>
    (await listIdentities(db, user.id)).map(({ issuer, subject, email, created_at: at }) => ({
      issuer,
      subject,
      email,
      created_at: at.toISOString(),
    })),
};

export const createAccountDataEraser = (totpSecrets: TotpSecrets) => ({
  async refuse(tx: Tx, { id, role }: UserRow): Promise<void> {
    if (role === 'admin') await refuseLastAdmin(tx, id);
  },
  /**
   * Deletes the account. Foreign keys delete its rows as well, such as sign-ins, passkeys and reset links, and clear
   * `placed_by` in orders that the person entered for others.
   */
  async erase(tx: Tx, { id }: UserRow): Promise<void> {
    await eraseAuditDetailsOf(tx, [id]);
    // The TOTP secret may be in a file, which the database does not delete with the account's row.
    await removeFactors(tx, totpSecrets, id);
    await sql`
      delete from given_names g using identities i
      where i.user_id = ${id} and i.issuer = g.issuer and i.subject = g.subject`.execute(tx);
    await tx.deleteFrom('users').where('id', '=', id).execute();
  },
});

/**
 * Locks the account's row. Placing an order locks the same row, so the account gets no order before the transaction
 * ends.
 */
export async function lockAccountRow(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Throws 409 `conflict` when nobody else is an admin. */
export async function refuseLastAdmin(tx: Tx, id: string): Promise<void> {
  // All admins' rows are locked, so that the last two admins cannot both leave. The fixed order prevents a deadlock.
  const admins = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (!admins.some((admin) => admin.id !== id)) throw new AppError('conflict', m.accounts_last_admin());
}

/**
 * Returns the account that already has a new staff member's address, or null. Deletes a customer's unconfirmed account
 * with that address, because anybody could have registered the address. The account's orders become a guest's. Never
 * call this in a customer's call, because any customer could then delete unconfirmed accounts.
 */
export async function prepareAccountForNewStaff(
  services: Pick<AccountServices, 'log' | 'realtime' | 'totpSecrets'>,
  tx: Tx,
  email: string,
  afterCommit: RegisterAfterCommit,
): Promise<UserRow | null> {
  const found = await findUserByEmail(tx, email);
  const user = found && (await lockUserRow(tx, found.id));
  if (!user) return null;
  if (user.role !== 'customer' || user.email_verified_at !== null) return user;
  await createAccountDataEraser(services.totpSecrets).erase(tx, user);
  afterCommit(createSocketReauthoriser(services, user.id));
  return null;
}

const days = 24 * 60 * 60_000;
/** Milliseconds from the warning mail to the earliest deletion of an unused account. */
export const idleNoticePeriodMs = 30 * days;

/** Selects one page of customers' accounts: last used at or before `since`, and listed after the account `after`. */
interface Page {
  since: Date;
  /**
   * true selects accounts whose owners were warned at least `idleNoticePeriodMs` ago; false selects accounts whose
   * owners were not warned.
   */
  isTold: boolean;
  now: Date;
  after?: { at: Date; user_id: string } | undefined;
  limit: number;
}

export function listIdleAccounts(db: Db, { since, isTold, now, after, limit }: Page) {
  let idle = db
    .selectFrom('account_activity as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.user_id', 'a.at'])
    .where('u.role', '=', 'customer')
    .where('a.at', '<=', since);
  idle = isTold
    ? idle.where('a.warned_at', '<=', new Date(now.getTime() - idleNoticePeriodMs))
    : idle.where('a.warned_at', 'is', null);
  if (after) idle = idle.where(sql<boolean>`(a.at, a.user_id) > (${after.at}, ${after.user_id}::uuid)`);
  return idle.orderBy('a.at').orderBy('a.user_id').limit(limit).execute();
}

/**
 * Locks an account that the sweep found unused, and reads it again. Returns null if the account no longer fits: it was
 * used or deleted, it is no customer's, or its warning does not match `isTold`.
 */
export async function lockIdleAccountRow(
  tx: Tx,
  id: string,
  { since, isTold, now }: Pick<Page, 'since' | 'isTold' | 'now'>,
): Promise<UserRow | null> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('account_activity as a', 'a.user_id', 'users.id')
    .select(['role', 'a.at', 'a.warned_at'])
    .where('users.id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row?.role !== 'customer' || row.at > since) return null;
  const told = row.warned_at?.getTime() ?? null;
  if (isTold ? told === null || told > now.getTime() - idleNoticePeriodMs : told !== null) return null;
  return (await findUser(tx, id)) ?? null;
}

export async function mailIdleWarning(
  tx: Tx,
  services: NoticeServices,
  { user, now, deletedAt }: { user: UserRow; now: Date; deletedAt: Date },
): Promise<void> {
  await tx.updateTable('account_activity').set({ warned_at: now }).where('user_id', '=', user.id).execute();
  const written = await writeAccountMailTo(services, tx, user, 'account_idle', { at: deletedAt });
  await services.mail.send(tx, { kind: 'account_idle', ...written });
}

interface MailedLinkUse {
  userId: string;
  passwordHash: string;
  device: string | null;
  now: Date;
  /**
   * Whether the link is an invitation. The account of an invited customer then gets the name, role and stores from the
   * invitation.
   */
  isInvitation?: boolean;
}

/**
 * Sets the password of an account for the person who followed the mailed link; earlier sign-ins and links end. `device`
 * is the token of a device that stays known. If the address was unconfirmed, connected identities are removed, because
 * a stranger may have connected them.
 */
export async function setPasswordByMailedLink(
  tx: Tx,
  { userId, passwordHash, device, now, isInvitation = false }: MailedLinkUse,
): Promise<UserRow> {
  const before = await tx
    .selectFrom('users')
    .select(['email_verified_at', 'invited'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const changed = await tx
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      email_verified_at: before.email_verified_at ?? now,
      ...(isInvitation && { ...before.invited, invited: null }),
    })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!before.email_verified_at) await removeIdentities(tx, userId);
  await deletePasswordLinks(tx, userId);
  await endSignIns(tx, userId, now, { stays: device });
  return changed;
}
