import { Textarea, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import classes from '#menu/web/editor/edit-fields.module.css';
import { formatMoney } from '#platform/money.ts';
import { notify } from '#ui/web/notify.ts';
import { m } from '#messages';
import { htmlToText } from '#platform/markup.ts';
import { parseMoneyField } from '#platform/parse-money.ts';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { partFieldWords } from '#menu/web/editor/part-words.ts';
import {
  type ChangedFields,
  makeChangeOperation,
  makeGuardedChangeOperation,
  type MenuOperation,
  type PartKind,
  type PartOf,
} from '#menu/operations/menu-operation.ts';

export interface FieldEditProps<T> {
  label: string;
  value: T;
  /** Called with a new value when the person leaves the field; `was` is the value when editing began. */
  onCommit: (value: T, was: T) => void;
  description?: string;
}

interface TextEditProps extends FieldEditProps<string> {
  isRequired?: boolean;
  isLong?: boolean;
  maxLength: number;
  hideLabel?: boolean;
  onDone?: () => void;
}

// The function is a constant, so that React calls it only when the field appears, not at each render.
const selectInput = (element: HTMLElement | null): void => element?.querySelector('input')?.select();

export function AutoSelectedField({ children }: { children: ReactNode }) {
  return <span ref={selectInput}>{children}</span>;
}

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
  const read = (text: string) => readTypedText(text, value, isRequired);
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

export function OptionalTextEdit({
  value,
  onCommit,
  ...rest
}: FieldEditProps<string | null> & Pick<TextEditProps, 'maxLength'>) {
  return <TextEdit {...rest} value={value ?? ''} onCommit={(text, was) => onCommit(text || null, was || null)} />;
}

interface PriceEditProps<T extends number | null> extends FieldEditProps<T> {
  currency: string;
  /** The value that an empty field means; if missing, a price is required. */
  empty?: T;
  placeholder?: string;
  hideLabel?: boolean;
  onDone?: () => void;
  /** Called with each typed price. Called with undefined if the price is unreadable, and when typing ends. */
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
    // The cast is right: the amount is null only if T includes null.
    read: (text) => readTypedPrice(text, { currency, empty, kept: value }) as Reading<T>,
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

interface NumberEditProps<T extends number | null> extends FieldEditProps<T> {
  min: number;
  max: number;
  empty?: T;
}

export function NumberEdit<T extends number | null>({ value, onCommit, empty, min, max, ...rest }: NumberEditProps<T>) {
  const { type, ...typed } = useTyped<T>({
    value,
    shown: String(value ?? ''),
    // The cast is right: the number is null only if T includes null.
    read: (text) => readTypedNumber(text, { min, max, empty, kept: value }) as Reading<T>,
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

export function TimeEdit({ label, value, onCommit }: FieldEditProps<string>) {
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

interface Typing<T> {
  value: T;
  shown: string;
  read: (text: string) => Reading<T>;
  onCommit: (value: T, was: T) => void;
  onDone: (() => void) | undefined;
  /** Called with each typed value. Called with undefined if the value is unreadable, and when typing ends. */
  onTyped?: ((value: T | undefined) => void) | undefined;
}

/**
 * A text that is being typed. `was` is the value when typing began, because others may change the stored value
 * meanwhile.
 */
interface Draft<T> {
  text: string;
  was: T;
  isRefused: boolean;
}

/**
 * The state of a field that is saved on leaving or Enter; Escape reverts it. Enter keeps an invalid value with its
 * error; leaving drops it with a notice.
 */
function useTyped<T>({ value, shown, read, onCommit, onDone, onTyped }: Typing<T>) {
  const [draft, setDraft] = useState<Draft<T> | null>(null);
  // The draft is in a ref as well as in the state, because the focus moves before the next render.
  const latest = useRef<Draft<T> | null>(null);
  const change = (next: Draft<T> | null): void => {
    latest.current = next;
    setDraft(next);
    const reading = next && onTyped ? read(next.text) : null;
    onTyped?.(reading && 'value' in reading ? reading.value : undefined);
  };
  const leave = (): void => {
    const left = latest.current;
    change(null);
    const reading = left && read(left.text);
    if (left && reading) {
      if ('problem' in reading) notify({ text: reading.left, tone: 'bad' });
      else if (reading.value !== value && reading.value !== left.was) onCommit(reading.value, left.was);
    }
    onDone?.();
  };
  const problem = draft?.isRefused && read(draft.text);
  return {
    value: draft?.text ?? shown,
    error: problem && 'problem' in problem ? problem.problem : undefined,
    type(text: string): void {
      const begun = latest.current;
      change({ text, was: begun ? begun.was : value, isRefused: begun?.isRefused ?? false });
    },
    onBlur: leave,
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      event.stopPropagation();
      if (event.key === 'Escape') {
        change(null);
        if (onDone) giveFocusBack(event.currentTarget);
      }
      if (event.key !== 'Enter') return;
      const typed = latest.current;
      const reading = typed && read(typed.text);
      if (typed && reading && 'problem' in reading) change({ ...typed, isRefused: true });
      else giveFocusBack(event.currentTarget);
    },
  };
}

function giveFocusBack(field: HTMLElement): void {
  const line = field.closest<HTMLElement>('[role=row]');
  if (line) line.focus();
  else field.blur();
}

/** A typed value, or its error messages: `problem` is shown at the field, `left` in the notice after leaving it. */
type Reading<T> = { value: T } | { problem: string; left: string };

/**
 * Reads a text by the server's rules: without outer spaces and tags, and not empty if it is required. `kept`: the
 * field's earlier value, for the notice after leaving the field.
 */
export function readTypedText(text: string, kept: string, isRequired: boolean): Reading<string> {
  const value = htmlToText(text).trim();
  if (value !== '' || !isRequired) return { value };
  return { problem: m.menu_text_needed(), left: m.menu_edit_name_kept({ kept }) };
}

interface PriceRules<T> {
  currency: string;
  /** The value that an empty field means; undefined if a price is required. */
  empty: T | undefined;
  kept: T;
}

/** Parses an amount in minor units; `empty` is the result for an empty field. */
export function readTypedPrice<T extends number | null>(
  text: string,
  { currency, empty, kept }: PriceRules<T>,
): Reading<number | T> {
  const read = parseMoneyField(text, { currency, empty });
  if (read && read.amount !== undefined) return { value: read.amount };
  const problem = m.office_money_unreadable({ example: formatMoney(150, currency) });
  if (kept === null) return { problem, left: m.menu_edit_price_left({ typed: text.trim() }) };
  const words = { typed: text.trim(), kept: formatMoney(kept, currency) };
  const left = words.typed === '' ? m.menu_edit_price_needed_kept(words) : m.menu_edit_price_kept(words);
  return { problem, left };
}

interface NumberRules<T> {
  min: number;
  max: number;
  empty: T | undefined;
  kept: T;
}

/** Parses a whole number from `min` to `max`, both included; `empty` is the result for an empty field. */
export function readTypedNumber<T extends number | null>(
  text: string,
  { min, max, empty, kept }: NumberRules<T>,
): Reading<number | T> {
  const typed = text.trim();
  if (typed === '' && empty !== undefined) return { value: empty };
  const value = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
  if (value >= min && value <= max) return { value };
  const problem = m.menu_number_range({ min, max });
  if (kept === null) return { problem, left: m.menu_edit_number_left({ typed, min, max }) };
  const words = { typed, min, max, kept };
  return { problem, left: typed === '' ? m.menu_edit_number_needed_kept(words) : m.menu_edit_number_kept(words) };
}

interface PartField<T> {
  label: string;
  value: T;
  onCommit: (value: T, was?: T) => void;
}

/**
 * Returns the functions by which a form edits a part. `field` returns one field's label, value and setter. `set`
 * changes several fields. If `began` is null, `set` overwrites concurrent changes. The field `portions_left` uses this,
 * because each order lowers its value.
 */
export function usePartFields<K extends PartKind>(kind: K, part: PartOf<K>) {
  const { edit } = useMenuEditing();
  const set = (fields: ChangedFields<K>, began?: Partial<PartOf<K>> | null): void => {
    const [name = ''] = Object.keys(fields);
    // The cast is needed, because the compiler does not see that the operation is one kind of the union.
    const operation = (
      began === null
        ? makeChangeOperation(kind, part.id, fields)
        : makeGuardedChangeOperation(kind, part, fields, began)
    ) as MenuOperation;
    edit(m.menu_edit_changed({ field: partFieldWords(name), name: part.name }), [operation]);
  };
  const field = <F extends keyof PartOf<K> & keyof ChangedFields<K> & string>(name: F): PartField<PartOf<K>[F]> => ({
    label: partFieldWords(name),
    value: part[name],
    // The cast is right: a field has the same type for reading and for writing.
    onCommit: (value, was = part[name]) => set(only(name, value) as ChangedFields<K>, only(name, was)),
  });
  return { set, field };
}

function only<T, F extends keyof T>(name: F, value: T[F]): Partial<T> {
  const fields: Partial<T> = {};
  fields[name] = value;
  return fields;
}

/**
 * The part that the panel shows. `parentId`: the parent in whose list the part was opened; null: it was opened
 * elsewhere.
 */
export interface PanelTarget {
  kind: PartKind;
  id: string;
  parentId: string | null;
  /** Whether the part was just created; its name is then selected for typing. */
  isNew?: boolean;
  /** The part from which this part was opened, for the way back. */
  from?: PanelTarget;
}

export type OpenPartPanel = (target: PanelTarget) => void;
