import { m } from '#messages';
import { InputField, type InputFieldProps } from '#ui/web/field.tsx';

/** A field's own words may be given; it is needed unless `optional` says otherwise. */
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

/** The contract's phone numbers as an input's `pattern`: those are compiled with the `v` flag. */
const phonePattern = String.raw`\+?[\d\s\(\)\.\-]{7,20}`;
