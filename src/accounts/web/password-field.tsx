import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { InputField, type InputFieldProps } from '#ui/web/field.tsx';

/** A password, which is shown on demand: a phone's keyboard is small, and its owner mostly alone with it. */
export function PasswordField(props: Omit<InputFieldProps, 'type' | 'beside' | 'required' | 'data-missing'>) {
  const [isShown, setShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Browsers offer to remember only fields that are sent as a password.
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
