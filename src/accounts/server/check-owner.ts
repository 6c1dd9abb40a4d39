import { m } from '#messages';
import { verifyPassword } from '#accounts/server/hash-password.ts';
import { isFreshSignIn } from '#accounts/server/sign-ins.ts';
import { countAttempt, forgiveAttempt } from '#accounts/server/throttle.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import { invalid } from '#platform/errors.ts';
import type { Viewer } from '#platform/http/viewer.ts';

interface PasswordCheck {
  password: string;
  /** The field of the body that the refusal names. */
  field: string;
  address: string;
  now: Date;
}

/** Counted like signing in: a stolen token must not allow trying passwords. Throws 422 on `field`. */
export async function checkPassword(
  db: Db,
  user: UserRow,
  { password, field, address, now }: PasswordCheck,
): Promise<void> {
  const who = { email: user.email, address };
  await countAttempt(db, 'sign-in', who, now);
  if (!(await verifyPassword(password, user.password_hash))) throw invalid(field, m.accounts_password_wrong());
  await forgiveAttempt(db, 'sign-in', who);
}

/**
 * That the caller is the account's owner and not somebody at an open device: by the password, or without one by having
 * signed in just now. Throws 422 on `password`.
 */
export async function checkOwner(
  db: Db,
  user: UserRow,
  { password, viewer, address, now }: { password: string; viewer: Viewer; address: string; now: Date },
): Promise<void> {
  if (user.password_hash !== null) await checkPassword(db, user, { password, field: 'password', address, now });
  else if (!(await isFreshSignIn(db, viewer, now))) throw invalid('password', m.accounts_sign_in_again());
}
