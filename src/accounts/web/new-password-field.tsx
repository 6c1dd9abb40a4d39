import { m } from '#messages';
import { PasswordField } from '#accounts/web/password-field.tsx';

interface NewPasswordFieldProps {
  name: string;
  label?: string;
  errors: readonly string[] | undefined;
}

export function NewPasswordField({ name, label = m.accounts_password(), errors }: NewPasswordFieldProps) {
  return (
    <PasswordField
      name={name}
      label={label}
      hint={m.accounts_password_hint()}
      autoComplete="new-password"
      minLength={8}
      maxLength={200}
      data-wrong={m.accounts_password_hint()}
      errors={errors}
    />
  );
}
