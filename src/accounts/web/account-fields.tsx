import { m } from '#messages';
import { InputField, type InputFieldProps } from '#ui/web/field.tsx';
import { useEffect, useRef, useState } from 'react';
import type { User } from '#accounts/contract.ts';

/**
 * The props of a field about a person. Every such field has a default label; an email address and a phone number are
 * required unless `optional`.
 */
type PersonFieldProps = Omit<InputFieldProps, 'label'> & { label?: string };

export function NameField(props: PersonFieldProps) {
  return (
    <InputField
      label={m.accounts_name()}
      autoComplete="name"
      required
      maxLength={80}
      data-missing={m.accounts_name_missing()}
      {...props}
    />
  );
}

export function EmailField(props: PersonFieldProps) {
  return (
    <InputField
      type="email"
      label={m.accounts_email()}
      autoComplete="email"
      required={!props.optional}
      data-missing={m.accounts_email_missing()}
      data-wrong={m.accounts_email_wrong()}
      {...props}
    />
  );
}

export function PhoneField(props: PersonFieldProps) {
  return (
    <InputField
      type="tel"
      label={m.accounts_phone()}
      autoComplete="tel"
      required={!props.optional}
      pattern={phonePattern}
      data-missing={m.accounts_phone_missing()}
      data-wrong={m.accounts_phone_wrong()}
      {...props}
    />
  );
}

/** The contract's rule for phone numbers as an input's `pattern` (compiled with the `v` flag). */
const phonePattern = String.raw`\+?[\d\s\(\)\.\-]{7,20}`;

/** A password field. Its button shows the typed text, because typing errors are common on a phone's small keyboard. */
export function PasswordField(props: Omit<InputFieldProps, 'type' | 'beside' | 'required' | 'data-missing'>) {
  const [isShown, setShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The text is hidden again at the submit, because browsers offer to store only fields of the type `password`.
  useEffect(() => {
    const form = button.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  return (
    <InputField
      {...props}
      type={isShown ? 'text' : 'password'}
      required
      data-missing={m.accounts_password_missing()}
      autoCapitalize="none"
      spellCheck={false}
      beside={
        <button ref={button} type="button" className="btn btn-quiet" onClick={() => setShown(!isShown)}>
          {isShown ? m.accounts_password_hide() : m.accounts_password_show()}
          <span className="sr-only"> {props.label}</span>
        </button>
      }
    />
  );
}

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

/** A hidden field that is not sent: password managers need a user name in a form with a password. */
export function UsernameField({ user }: { user: User }) {
  return <input type="text" autoComplete="username" value={user.email} readOnly hidden />;
}
