import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';

interface FieldProps {
  /** The field's path in the request, e.g. `address.postcode`, by which the server's errors name the field. */
  name: string;
  label: string;
  hint?: ReactNode;
  errors?: readonly string[] | undefined;
  optional?: string;
}

export type InputFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id'> & {
    /** A control beside or below the field. */
    beside?: ReactNode;
  };
export type TextAreaFieldProps = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'id'>;

export function fieldId(name: string): string {
  return `field-${name.replaceAll('.', '-')}`;
}

export function InputField({ name, label, hint, errors, optional, beside, ...input }: InputFieldProps) {
  const described = describe(name, hint, errors);
  return (
    <FieldFrame name={name} label={label} hint={hint} errors={errors} optional={optional}>
      {beside ? (
        <div className="flex flex-wrap gap-2">
          <input {...input} {...described} className="control min-w-0 flex-[1_1_8rem]" />
          {beside}
        </div>
      ) : (
        <input {...input} {...described} className="control" />
      )}
    </FieldFrame>
  );
}

export function TextAreaField({ name, label, hint, errors, optional, ...area }: TextAreaFieldProps) {
  return (
    <FieldFrame name={name} label={label} hint={hint} errors={errors} optional={optional}>
      <textarea rows={2} {...area} {...describe(name, hint, errors)} className="control field-sizing-content" />
    </FieldFrame>
  );
}

function FieldFrame(
  props: Pick<FieldProps, 'name' | 'label' | 'hint' | 'errors'> & { optional: string | undefined; children: ReactNode },
) {
  const { name, label, hint, errors, optional, children } = props;
  const id = fieldId(name);
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
        {optional && <span className="font-normal text-ink-soft"> {optional}</span>}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      <FieldErrorText id={`${id}-error`} errors={errors} />
    </div>
  );
}

export function FieldErrorText({ id, errors }: { id: string; errors: readonly string[] | undefined }) {
  if (!errors?.length) return null;
  return (
    <p id={id} className="text-sm font-semibold text-bad-text">
      {errors.join(' ')}
    </p>
  );
}

function describe(name: string, hint: ReactNode, errors: readonly string[] | undefined) {
  const id = fieldId(name);
  const described = [hint && `${id}-hint`, errors?.length && `${id}-error`].filter(Boolean).join(' ');
  return {
    id,
    name,
    ...(described && { 'aria-describedby': described }),
    ...(errors?.length && { 'aria-invalid': true }),
  };
}
