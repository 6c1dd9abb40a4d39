import { m } from '#messages';
import { InputField } from '#platform/web/ui/field.tsx';

export function NewPasswordField({ name, errors }: { name: string; errors: readonly string[] | undefined }) {
  return (
    <InputField
      name={name}
      type="password"
      label={m.accounts_password()}
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
