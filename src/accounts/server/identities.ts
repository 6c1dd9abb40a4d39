import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import { Email } from '#accounts/fields.ts';
import type { Claims } from '#accounts/server/social-sign-in.ts';
import { findUserByEmail, type UserRow } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { invalid } from '#platform/errors.ts';
import { currentLanguage } from '#platform/language.ts';

/**
 * The customer for a provider's identity: the one who used it before, the customer with the same confirmed address,
 * or a new one. Throws 422 on `email` for everybody else; docs/decisions/019 gives the reasons.
 */
export async function findOrCreateCustomer(tx: Tx, claims: Claims, now: Date): Promise<UserRow> {
  const known = await findByIdentity(tx, claims);
  if (known) return refuseStaff(known);
  const email = Email.safeParse(claims.email).data;
  if (email === undefined || !claims.isEmailVerified) throw invalid('email', m.accounts_social_no_email());
  const existing = await findUserByEmail(tx, email);
  const user = existing ? refuseStaff(existing) : await createCustomer(tx, email, claims.name, now);
  // Somebody may have opened the account with another person's address, waiting for that person to use it.
  if (!user?.email_verified_at) throw invalid('email', m.accounts_social_email_taken());
  await tx
    .insertInto('identities')
    .values({ issuer: claims.issuer, subject: claims.subject, user_id: user.id, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return user;
}

async function findByIdentity(tx: Tx, { issuer, subject }: Claims): Promise<UserRow | undefined> {
  return tx
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Null when somebody else took the address just now. */
async function createCustomer(tx: Tx, email: string, name: string, now: Date): Promise<UserRow | null> {
  const row = await tx
    .insertInto('users')
    .values({
      id: randomUUIDv7(),
      name: name || (email.split('@')[0] ?? email),
      email,
      role: 'customer',
      password_hash: null,
      addresses: '[]',
      locale: currentLanguage(),
      email_verified_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Staff accounts must not depend on another company's sign-in. */
function refuseStaff(user: UserRow): UserRow {
  if (user.role !== 'customer') throw invalid('email', m.accounts_social_staff());
  return user;
}

/** The providers' accounts by which a person signs in here, oldest first. */
export function listIdentities(db: Db, userId: string) {
  return db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}
