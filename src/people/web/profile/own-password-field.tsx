import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { UsernameField } from '#accounts/web/username-field.tsx';
import { InputField } from '#ui/web/field.tsx';

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
      <InputField
        name={name}
        type="password"
        label={m.people_password_yours()}
        autoComplete="current-password"
        required
        data-missing={m.accounts_password_missing()}
        errors={errors}
      />
    </>
  );
}
