import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from '#menu/web/editor/edit-fields.module.css';
import { type Reading, readNumber, readPrice, readText } from '#menu/web/editor/field-reading.ts';
import { useTyped } from '#menu/web/editor/use-typed.ts';
import { formatMoney } from '#platform/money.ts';

export interface Edit<T> {
  label: string;
  value: T;
  /** Called when the person leaves the field, and only with a new value; `was` is the value when they began. */
  onCommit: (value: T, was: T) => void;
  description?: string;
}

interface TextEditProps extends Edit<string> {
  isRequired?: boolean;
  isLong?: boolean;
  maxLength: number;
  hideLabel?: boolean;
  onDone?: () => void;
}

// Always the same function, so that React calls it only once, when the field appears.
const selectInput = (element: HTMLElement | null): void => element?.querySelector('input')?.select();

/** Puts the focus into the field inside when the person opened it. */
export function Focused({ children }: { children: ReactNode }) {
  return <span ref={selectInput}>{children}</span>;
}

/** A text that is saved when the field is left or Enter is pressed; Escape restores the old text. */
export function TextEdit({
  label,
  value,
  onCommit,
  isRequired = false,
  isLong = false,
  onDone,
  hideLabel = false,
  ...rest
}: TextEditProps) {
  const read = (text: string) => readText(text, value, isRequired);
  const { type, onKeyDown, ...typed } = useTyped({ value, shown: value, read, onCommit, onDone });
  const props = {
    ...rest,
    ...typed,
    ...nameOf(label, hideLabel),
    required: isRequired,
    withAsterisk: false,
  };
  if (isLong) {
    return <Textarea {...props} autosize minRows={2} onChange={(event) => type(event.currentTarget.value)} />;
  }
  return <TextInput {...props} onKeyDown={onKeyDown} onChange={(event) => type(event.currentTarget.value)} />;
}

/** A text that may be missing: an empty field. */
export function OptionalTextEdit({ value, onCommit, ...rest }: Edit<string | null> & Pick<TextEditProps, 'maxLength'>) {
  return <TextEdit {...rest} value={value ?? ''} onCommit={(text, was) => onCommit(text || null, was || null)} />;
}

interface PriceEditProps<T extends number | null> extends Edit<T> {
  currency: string;
  /** What an empty field means; without it a price is needed. */
  empty?: T;
  placeholder?: string;
  hideLabel?: boolean;
  onDone?: () => void;
  /** Told of each price while it is typed; undefined when it cannot be read, and at the end. */
  onTyped?: (value: T | undefined) => void;
}

export function PriceEdit<T extends number | null>({
  label,
  value,
  onCommit,
  currency,
  empty,
  onDone,
  onTyped,
  hideLabel = false,
  ...rest
}: PriceEditProps<T>) {
  const { type, ...typed } = useTyped<T>({
    value,
    shown: value === null ? '' : formatMoney(value, currency),
    // An amount is a T: null only where an empty field means something.
    read: (text) => readPrice(text, { currency, empty, kept: value }) as Reading<T>,
    onCommit,
    onDone,
    onTyped,
  });
  return (
    <TextInput
      {...rest}
      {...typed}
      {...nameOf(label, hideLabel)}
      inputMode="decimal"
      autoComplete="off"
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

interface NumberEditProps<T extends number | null> extends Edit<T> {
  min: number;
  max: number;
  empty?: T;
}

export function NumberEdit<T extends number | null>({ value, onCommit, empty, min, max, ...rest }: NumberEditProps<T>) {
  const { type, ...typed } = useTyped<T>({
    value,
    shown: String(value ?? ''),
    // A whole number is a T: null only where an empty field means something.
    read: (text) => readNumber(text, { min, max, empty, kept: value }) as Reading<T>,
    onCommit,
    onDone: undefined,
  });
  return (
    <TextInput
      {...rest}
      {...typed}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

const nameOf = (label: string, isHidden: boolean) => (isHidden ? { 'aria-label': label } : { label });

export function TimeEdit({ label, value, onCommit }: Edit<string>) {
  const [typed, setTyped] = useState<string | null>(null);
  const [was, setWas] = useState(value);
  return (
    <label className={classes.time}>
      {label}
      <input
        type="time"
        required
        value={typed ?? value}
        onChange={(event) => {
          if (typed === null) setWas(value);
          setTyped(event.currentTarget.value);
        }}
        onBlur={() => {
          setTyped(null);
          if (typed && typed !== value && typed !== was) onCommit(typed, was);
        }}
      />
    </label>
  );
}
