import { Switch, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import type { StaffStore } from '#store/contract.ts';
import { fieldLabel } from '#store/web/manage/field-words.ts';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { Field } from '#store/store-changes.ts';

/** The fields whose values are of one type. */
type FieldOf<T> = { [F in Field]: StaffStore[F] extends T ? (T extends StaffStore[F] ? F : never) : never }[Field];

interface FieldProps<F> {
  draft: StoreDraft;
  field: F;
  hint?: string;
}

/** The common properties of a setting's field. */
const ofField = (draft: StoreDraft, field: Field, hint: string | undefined) => ({
  name: field,
  label: fieldLabel(field),
  description: hint,
  error: draft.errorAt(field),
});

export function TextSetting({
  draft,
  field,
  hint,
  ...rest
}: FieldProps<FieldOf<string>> & Pick<TextInputProps, 'type' | 'inputMode' | 'maxLength' | 'autoComplete'>) {
  return (
    <TextInput
      {...rest}
      {...ofField(draft, field, hint)}
      value={draft.preview[field]}
      onChange={(event) => draft.set(field, event.currentTarget.value)}
    />
  );
}

/** Text that may be missing: an empty field. */
export function OptionalTextSetting({
  draft,
  field,
  hint,
  ...rest
}: FieldProps<FieldOf<string | null>> & Pick<TextInputProps, 'type' | 'inputMode' | 'maxLength'>) {
  return (
    <TextInput
      {...rest}
      {...ofField(draft, field, hint)}
      value={draft.preview[field] ?? ''}
      onChange={(event) => draft.set(field, event.currentTarget.value || null)}
    />
  );
}

export function LongTextSetting({ draft, field, hint }: FieldProps<FieldOf<string>>) {
  return (
    <Textarea
      {...ofField(draft, field, hint)}
      rows={4}
      maxLength={500}
      value={draft.preview[field]}
      onChange={(event) => draft.set(field, event.currentTarget.value)}
    />
  );
}

export function NumberSetting({ draft, field, hint }: FieldProps<FieldOf<number>>) {
  return (
    <NumberField
      {...ofField(draft, field, hint)}
      value={draft.preview[field]}
      onChange={(value) => draft.set(field, value ?? 0)}
    />
  );
}

/** A number that may be missing; `hint` says what that means. */
export function OptionalNumberSetting({ draft, field, hint }: FieldProps<FieldOf<number | null>>) {
  return (
    <NumberField
      isOptional
      {...ofField(draft, field, hint)}
      value={draft.preview[field]}
      onChange={(value) => draft.set(field, value)}
    />
  );
}

export function MoneySetting({ draft, field, hint }: FieldProps<FieldOf<number>>) {
  return (
    <MoneyField
      {...ofField(draft, field, hint)}
      currency={draft.store.currency}
      value={draft.preview[field]}
      empty={0}
      onChange={(value) => draft.set(field, value)}
    />
  );
}

export function SwitchSetting({ draft, field, hint }: FieldProps<FieldOf<boolean>>) {
  return (
    <Switch
      {...ofField(draft, field, hint)}
      checked={draft.preview[field]}
      onChange={(event) => draft.set(field, event.currentTarget.checked)}
    />
  );
}

interface NumberProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  value: number | null;
  /** null for an empty optional field; an invalid text changes nothing. */
  onChange: (value: number | null) => void;
  isOptional?: boolean;
  /** Without it, only whole numbers are valid. */
  isDecimal?: boolean;
}

/** A number that is typed as text. An invalid text shows an error, and stays in the field for correction. */
export function NumberField({ value, onChange, error, isOptional, isDecimal, onBlur, ...rest }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string): number | null | undefined => {
    if (text.trim() === '') return isOptional ? null : undefined;
    const number = Number(text.trim().replace(/^−/, '-'));
    return Number.isFinite(number) && (isDecimal || Number.isInteger(number)) ? number : undefined;
  };
  const isUnreadable = typed !== null && read(typed) === undefined;
  const said = isDecimal ? m.platform_field_number() : m.platform_field_whole_number();
  return (
    <TextInput
      {...rest}
      data-unreadable={isUnreadable || undefined}
      inputMode={isDecimal ? 'text' : 'numeric'}
      autoComplete="off"
      value={typed ?? String(value ?? '')}
      error={isUnreadable ? said : error}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const number = read(text);
        if (number !== undefined) onChange(number);
      }}
      onBlur={(event) => {
        if (!isUnreadable) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}
