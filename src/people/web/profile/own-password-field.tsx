import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { PasswordField, UsernameField } from '#accounts/web/account-fields.tsx';

interface OwnPasswordFieldProps {
  user: User;
  name: string;
  errors: string[] | undefined;
}

/** The password that somebody confirms a change with; nothing for who has none. */
export function OwnPasswordField({ user, name, errors }: OwnPasswordFieldProps) {
  if (!user.has_password) return null;
  return (
    <>
      <UsernameField user={user} />
      <PasswordField name={name} label={m.people_password_yours()} autoComplete="current-password" errors={errors} />
    </>
  );
}
