import type { User } from '#accounts/contract.ts';

/** For password managers, which look for a user name in a form with a password. It is hidden, and it is not sent. */
export function UsernameField({ user }: { user: User }) {
  return <input type="text" autoComplete="username" value={user.email} readOnly hidden />;
}
