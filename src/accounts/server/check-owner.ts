import { m } from '#messages';
import { factorsOf, hasSecondFactor } from '#accounts/server/factors/factor-rows.ts';
import { hashPassword, matchPassword } from '#accounts/server/hash-password.ts';
import { countActorAttempt, clearActorCount, type ActorCountKey } from '#accounts/server/throttle.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import { invalidFieldError } from '#platform/errors.ts';
import { freshSignInRequiredError } from '#platform/http/admit.ts';
import { hasFreshSignIn, type Viewer } from '#platform/http/viewer.ts';

/**
 * Checks an account's password. Without an account the check takes the same time, so that the duration reveals nothing.
 * An older hash is a hash of the password as typed. If it matches, a hash of the normalised password replaces it.
 */
export async function matchesAccountPassword(
  db: Db,
  user: Pick<UserRow, 'id' | 'password_hash'> | null,
  password: string,
  asker: string,
): Promise<boolean> {
  const match = await matchPassword(password, user?.password_hash ?? null, asker);
  if (user && match === 'as typed') {
    await db
      .updateTable('users')
      .set({ password_hash: await hashPassword(password, asker) })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .execute();
  }
  return match !== null;
}

interface PasswordCheck {
  password: string;
  field: string;
  viewer: Viewer;
  now: Date;
}

/**
 * Checks the password of a signed-in person. Attempts are counted by sign-in, so that guesses on a stolen sign-in do
 * not throttle the owner. Throws 422 on `field` if the password is wrong, 429 after too many attempts. Throws 403 if
 * the account has a second factor and the sign-in is stale.
 */
export async function checkPassword(
  db: Db,
  user: UserRow,
  { password, field, viewer, now }: PasswordCheck,
): Promise<void> {
  if (!hasFreshSignIn(viewer, now) && hasSecondFactor(await factorsOf(db, user.id))) throw freshSignInRequiredError();
  const own: ActorCountKey = { kind: 'password', id: viewer.signInId ?? user.id };
  await countActorAttempt(db, own, now);
  if (!(await matchesAccountPassword(db, user, password, user.id)))
    throw invalidFieldError(field, m.accounts_password_wrong());
  await clearActorCount(db, own);
}

/**
 * Checks that the caller is the account's owner: by the password, or, for an account without a password, by a fresh
 * sign-in. Throws like `checkPassword`, or 422 on `password` if the required sign-in is not fresh.
 */
export async function checkAccountOwner(
  db: Db,
  user: UserRow,
  { password, viewer, now }: { password: string; viewer: Viewer; now: Date },
): Promise<void> {
  if (user.password_hash !== null) await checkPassword(db, user, { password, field: 'password', viewer, now });
  else if (!hasFreshSignIn(viewer, now)) throw invalidFieldError('password', m.accounts_sign_in_again());
}
