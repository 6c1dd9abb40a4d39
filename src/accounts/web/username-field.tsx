import type { User } from '#accounts/contract.ts';

/** Tells password managers, which look for it in a form with a password, whose that is. Nobody sees it, and it is not sent. */
export function UsernameField({ user }: { user: User }) {
  return <input type="text" autoComplete="username" value={user.email} readOnly hidden />;
}
