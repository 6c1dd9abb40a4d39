import { m } from '#messages';
import { Email } from '#platform/contact-fields.ts';
import type { ProviderClaims } from '#accounts/server/social/provider-client.ts';
import { findUserByEmail, insertUser, lockUserRow, type UserRow } from '#accounts/server/users.ts';
import { isAppleRelayAddress } from '#accounts/sign-in-kinds.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { currentLanguage } from '#platform/language.ts';

export interface FoundCustomer {
  user: UserRow;
  /** Whether the identity was just connected to an account that existed before. */
  isConnected: boolean;
}

/**
 * Returns the customer who has the identity. Otherwise returns the customer with the same confirmed address and no
 * other identity of that provider, or creates a customer. Throws 422 on `email` if the provider confirms no address, or
 * if the address has an account that must not be connected. The reasons are in docs/decisions/sign-in-providers.md.
 */
export async function findOrCreateCustomer(tx: Tx, claims: ProviderClaims, now: Date): Promise<FoundCustomer> {
  const known = await findByIdentity(tx, claims);
  if (known) {
    await noteAddress(tx, claims);
    return { user: refuseStaff(known), isConnected: false };
  }
  const email = Email.safeParse(claims.email).data;
  if (email === undefined || !claims.isEmailConfirmed) throw invalidFieldError('email', m.accounts_social_no_email());
  const created = await insertUser(tx, {
    name: claims.name || nameOf(email),
    email,
    role: 'customer',
    passwordHash: null,
    locale: currentLanguage(),
    emailVerifiedAt: now,
    createdAt: now,
  });
  // Without `created` the address already has an account, which another tab of the same person may have made just now.
  const user = created ?? refuseStaff(await accountOf(tx, email));
  // An unconfirmed account may belong to a stranger, who registered it with this person's address to share the account
  // later.
  if (!user.email_verified_at) throw invalidFieldError('email', m.accounts_social_email_taken());
  if (!created) await refuseOtherSubject(tx, user, claims);
  if (await addIdentity(tx, claims, user.id, now)) return { user, isConnected: created === null };
  // A concurrent sign-in has connected the identity to another account. The error rolls back the transaction, which
  // removes the new account.
  if (created) throw new AppError('unavailable', m.accounts_social_unavailable());
  return { user: refuseStaff((await findByIdentity(tx, claims)) ?? user), isConnected: false };
}

/**
 * Connects an identity to a signed-in account. Throws 422 on `email` while the account's address is unconfirmed, 409 if
 * another account has the identity.
 */
export async function connectIdentity(tx: Tx, user: UserRow, claims: ProviderClaims, now: Date): Promise<void> {
  refuseIdentitiesFor(user);
  if (await addIdentity(tx, claims, user.id, now)) return;
  const owner = await findByIdentity(tx, claims);
  if (owner?.id !== user.id) throw new AppError('conflict', m.accounts_identity_taken());
  await noteAddress(tx, claims);
}

/** Throws 422 on `email` for an account that cannot have identities: one of staff, or with an unconfirmed address. */
export function refuseIdentitiesFor(user: UserRow): void {
  refuseStaff(user);
  if (!user.email_verified_at) throw invalidFieldError('email', m.accounts_identity_unconfirmed());
}

export interface IdentityRow {
  id: string;
  issuer: string;
  subject: string;
  email: string | null;
  created_at: Date;
}

export function listIdentities(db: Db, userId: string): Promise<IdentityRow[]> {
  return db
    .selectFrom('identities')
    .select(['id', 'issuer', 'subject', 'email', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function removeIdentity(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('identities').where('id', '=', id).execute();
}

export async function removeIdentities(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('identities').where('user_id', '=', userId).execute();
}

/**
 * Throws 422 if the account has an identity of the same provider with another subject. A company may have given the
 * address of a former employee to another person. Only the signed-in owner can connect a second identity
 * (`connectIdentity`). The lock serialises two first sign-ins.
 */
async function refuseOtherSubject(tx: Tx, { id }: UserRow, { issuer, subject }: ProviderClaims): Promise<void> {
  await lockUserRow(tx, id);
  const other = await tx
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '!=', subject)
    .executeTakeFirst();
  if (other) throw invalidFieldError('email', m.accounts_social_other_identity());
}

/** Staff accounts must not depend on an external sign-in. */
function refuseStaff(user: UserRow): UserRow {
  if (user.role !== 'customer') throw invalidFieldError('email', m.accounts_social_staff());
  return user;
}

async function findByIdentity(tx: Tx, { issuer, subject }: ProviderClaims): Promise<UserRow | undefined> {
  return tx
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

async function accountOf(tx: Tx, email: string): Promise<UserRow> {
  const user = await findUserByEmail(tx, email);
  // The account was deleted concurrently; a retry creates a new account.
  if (!user) throw new AppError('unavailable', m.accounts_social_unavailable());
  return user;
}

function nameOf(email: string): string {
  return isAppleRelayAddress(email) ? m.accounts_nameless() : (email.split('@')[0] ?? email);
}

/** Stores an identity; false if this or another account has it already. */
async function addIdentity(tx: Tx, claims: ProviderClaims, userId: string, now: Date): Promise<boolean> {
  const { issuer, subject, email } = claims;
  const added = await tx
    .insertInto('identities')
    .values({ issuer, subject, email, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) await forgetGivenName(tx, claims);
  return added !== undefined;
}

async function noteAddress(tx: Tx, { issuer, subject, email }: ProviderClaims): Promise<void> {
  if (email === null) return;
  await tx
    .updateTable('identities')
    .set({ email })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('email', 'is distinct from', email)
    .execute();
}

/** Milliseconds for which a given name is stored: half a year. */
const keptFor = 182 * 24 * 60 * 60_000;

type Person = Pick<ProviderClaims, 'issuer' | 'subject'>;

/**
 * Stores the name that a provider sends only at a person's first sign-in. The name is kept until the person has an
 * account.
 */
export async function saveNameFromProvider(
  db: Db,
  { issuer, subject }: Person,
  name: string,
  now: Date,
): Promise<void> {
  const expires_at = new Date(now.getTime() + keptFor);
  await db
    .insertInto('given_names')
    .values({ issuer, subject, name, expires_at })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ name, expires_at }))
    .execute();
}

export async function readNameFromProvider(db: Db, { issuer, subject }: Person, now: Date): Promise<string> {
  const row = await db
    .selectFrom('given_names')
    .select('name')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.name ?? '';
}

async function forgetGivenName(db: Db, { issuer, subject }: Person): Promise<void> {
  await db.deleteFrom('given_names').where('issuer', '=', issuer).where('subject', '=', subject).execute();
}
