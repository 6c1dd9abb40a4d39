import { NumberInput, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import classes from '#menu/web/editor/editor.module.css';
import { MoneyField } from '#office/web/money-field.tsx';

export interface Edit<T> {
  label: string;
  value: T;
  /** Called once the person has done with the field, and only with another value; `was` stood there as they began. */
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

/** What a field showed when somebody began to type in it: others may change it before they leave it. */
function useBegun<T>(value: T): { begin: () => void; end: () => T } {
  const [begun, setBegun] = useState<{ value: T } | null>(null);
  return {
    begin: () => setBegun(begun ?? { value }),
    end() {
      setBegun(null);
      return begun ? begun.value : value;
    },
  };
}

// One function for good, so that it is called as the field appears and never again.
const selectInput = (element: HTMLElement | null): void => element?.querySelector('input')?.select();

/** Puts the focus into the field within, as it appears at a person's wish. */
export function Focused({ children }: { children: ReactNode }) {
  return <span ref={selectInput}>{children}</span>;
}

/** A text that is saved when one leaves it or presses Enter; Escape puts back what was there. */
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
  const [typed, setTyped] = useState<string | null>(null);
  const { begin, end } = useBegun(value);
  const isMissing = isRequired && typed !== null && typed.trim() === '';
  const commit = (): void => {
    const was = end();
    const text = typed?.trim() ?? value;
    setTyped(null);
    if (text !== value && text !== was && !(isRequired && text === '')) onCommit(text, was);
    onDone?.();
  };
  const type = (text: string): void => {
    begin();
    setTyped(text);
  };
  const props = {
    ...rest,
    ...(hideLabel ? { 'aria-label': label } : { label }),
    value: typed ?? value,
    error: isMissing ? m.menu_text_needed() : undefined,
    required: isRequired,
    withAsterisk: false,
    onBlur: commit,
  };
  if (isLong) {
    return <Textarea {...props} autosize minRows={2} onChange={(event) => type(event.currentTarget.value)} />;
  }
  return (
    <TextInput
      {...props}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') {
          end();
          setTyped(null);
          onDone?.();
        }
      }}
    />
  );
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
}

export function PriceEdit<T extends number | null>({
  label,
  value,
  onCommit,
  empty,
  onDone,
  hideLabel = false,
  ...rest
}: PriceEditProps<T>) {
  const [typed, setTyped] = useState<number | null | undefined>(undefined);
  const { begin, end } = useBegun(value);
  const commit = (): void => {
    const was = end();
    setTyped(undefined);
    // An amount is a T: null only where an empty field means something.
    const wanted = (typed ?? empty) as T | undefined;
    if (typed !== undefined && wanted !== undefined && wanted !== value && wanted !== was) onCommit(wanted, was);
    onDone?.();
  };
  return (
    <MoneyField
      {...rest}
      {...(hideLabel ? { 'aria-label': label } : { label })}
      value={typed === undefined ? value : typed}
      onInput={begin}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') onDone?.();
      }}
    />
  );
}

interface NumberEditProps<T extends number | null> extends Edit<T> {
  min: number;
  max: number;
  empty?: T;
}

export function NumberEdit<T extends number | null>({ value, onCommit, empty, min, max, ...rest }: NumberEditProps<T>) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const { begin, end } = useBegun(value);
  const commit = (): void => {
    const was = end();
    setTyped(null);
    const wanted = (typeof typed === 'number' ? Math.min(max, Math.max(min, Math.round(typed))) : empty) as
      | T
      | undefined;
    if (typed !== null && wanted !== undefined && wanted !== value && wanted !== was) onCommit(wanted, was);
  };
  return (
    <NumberInput
      {...rest}
      min={min}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      inputMode="numeric"
      value={typed ?? value ?? ''}
      onInput={begin}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}

export function TimeEdit({ label, value, onCommit }: Edit<string>) {
  const [typed, setTyped] = useState<string | null>(null);
  const { begin, end } = useBegun(value);
  return (
    <label className={classes.time}>
      {label}
      <input
        type="time"
        required
        value={typed ?? value}
        onChange={(event) => {
          begin();
          setTyped(event.currentTarget.value);
        }}
        onBlur={() => {
          const was = end();
          setTyped(null);
          if (typed && typed !== value && typed !== was) onCommit(typed, was);
        }}
      />
    </label>
  );
}
