import { m } from '#messages';
import { InputField } from '#ui/web/field.tsx';

interface NewPasswordFieldProps {
  name: string;
  label?: string;
  errors: readonly string[] | undefined;
}

export function NewPasswordField({ name, label = m.accounts_password(), errors }: NewPasswordFieldProps) {
  return (
    <InputField
      name={name}
      type="password"
      label={label}
      hint={m.accounts_password_hint()}
      autoComplete="new-password"
      required
      minLength={8}
      maxLength={200}
      data-missing={m.accounts_password_missing()}
      data-wrong={m.accounts_password_hint()}
      errors={errors}
    />
  );
}
